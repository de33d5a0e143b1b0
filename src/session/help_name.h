// SPDX-License-Identifier: GPL-3.0-or-later
/* What the names of a statement stand for: those of sizes, tables and the last text, and the reader's own. */
#ifndef ES_SESSION_HELP_NAME_H
#define ES_SESSION_HELP_NAME_H

#include "session/session.h"

/* Of all that are always there: what each means. */
es_result es_help_names(void);

/* Of one, what it means and what it holds now.  False: it is nobody's variable and none of those. */
bool es_help_name(es_session *s, const char *name, size_t n, es_result *out);

#endif
