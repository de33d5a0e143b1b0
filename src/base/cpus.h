// SPDX-License-Identifier: GPL-3.0-or-later
/* How many threads to use. */
#ifndef ES_BASE_CPUS_H
#define ES_BASE_CPUS_H

/* What was asked for; 0, nothing: as many as there are processors, at most 4. */
int es_threads(int asked);

#endif
