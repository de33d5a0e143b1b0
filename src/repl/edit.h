// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines changed in an editor. */
#ifndef ES_REPL_EDIT_H
#define ES_REPL_EDIT_H

#include "base/str.h"

/* Let the person change text in $VISUAL, else $EDITOR, else vi, by way of a temporary file that only they
 * can read.  ES_ERR_IO says what went wrong; text is then as it was. */
bool es_edit(es_str *text, es_error *err);

#endif
