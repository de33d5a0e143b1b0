// SPDX-License-Identifier: GPL-3.0-or-later
/* Markdown (CommonMark, tables) for a terminal and for a page.  md4c reads it; nothing that came from a file reaches the terminal raw. */
#ifndef ES_LESSON_PROSE_H
#define ES_LESSON_PROSE_H

#include "session/style.h"

/* Append it, as wide as style: paragraphs wrapped, lists, headings, quotes, code, tables; bold and code by colour where
 * colours are welcome, else `code` and *bold*.  Plain: no boxes, no rules.  Each block ends with a line break, blocks have a blank
 * line between them. */
void es_prose_show(es_str *out, const char *markdown, const es_style *style);

/* Append it as HTML. */
void es_prose_html(es_str *out, const char *markdown);

/* Append text for HTML: & < > " escaped, controls made visible. */
void es_html_text(es_str *out, const char *s, size_t n);

#endif
