// SPDX-License-Identifier: GPL-3.0-or-later
/* Long answers, a screen at a time. */
#ifndef ES_REPL_PAGER_H
#define ES_REPL_PAGER_H

#include "base/str.h"
#include "session/settings.h"

/* Is this answer one for a pager?  Only where standard input and output are terminals: one that is longer
 * than a screen of so many lines (0: not known), or any where that is `always` wanted. */
bool es_pager_wanted(const es_str *text, es_choice choice, int screen_lines);

/* Show text through $EMBEDSCOPE_PAGER, else $PAGER, else less -FRX.  Returns whether the reader has had it;
 * `complaint` gets words for a note when something was wrong with the pager. */
bool es_pager_show(const es_str *text, es_str *complaint);

#endif
