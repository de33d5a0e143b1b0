// SPDX-License-Identifier: GPL-3.0-or-later
/* How long something takes. */
#ifndef ES_BASE_CLOCK_H
#define ES_BASE_CLOCK_H

/* Seconds, by a clock that is never set: of use as a difference only. */
double es_now(void);

#endif
