// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the lines that were typed are kept between sessions. */
#ifndef ES_REPL_HISTORY_PATH_H
#define ES_REPL_HISTORY_PATH_H

#include "base/str.h"

/* $EMBEDSCOPE_HISTORY (set but empty: nowhere), else history in the state folder.  With `make` the
 * folders on the way are made.  False, path empty, when there is no place. */
bool es_history_path(es_str *path, bool make);

#endif
