// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the lines that were typed are kept between sessions. */
#ifndef ES_REPL_HISTORY_PATH_H
#define ES_REPL_HISTORY_PATH_H

#include "base/str.h"

/* $EMBEDSCOPE_HISTORY, else history in the state folder.  False, path empty, when there is no place
 * (ES_ERR_IO) or none is wanted (the variable is set and empty: no error). */
bool es_history_path(es_str *path, es_error *err);

/* The same, ready to be appended to: folders 0700, file 0600.  ES_ERR_IO also when that fails. */
bool es_history_ready(es_str *path, es_error *err);

#endif
