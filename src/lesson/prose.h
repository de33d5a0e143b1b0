// SPDX-License-Identifier: GPL-3.0-or-later
/* Markdown (CommonMark, tables) for a terminal and for a page.  md4c reads it; nothing that came from a file reaches the terminal raw. */
#ifndef ES_LESSON_PROSE_H
#define ES_LESSON_PROSE_H

#include "session/style.h"

/* Append it, as wide as style but at most 88 columns (60 if big), code as wide as the screen: paragraphs wrapped, lists, headings,
 * quotes, code, tables; bold, underlined and code by colour where colours are welcome, else *bold*, _emphasis_ and `code`.  HTML in
 * it is text.  Plain: no boxes, no rules, headings keep their #.  Each block ends with a line break, blocks have a blank line between
 * them.  Without md4c the text is shown as it is written. */
void es_prose_show(es_str *out, const char *markdown, const es_style *style);

/* Append it as HTML, headings from h3 on; no scripts, no pictures, links only to https:, http:, mailto: and #.  Without md4c: <pre>. */
void es_prose_html(es_str *out, const char *markdown);

/* Append text for HTML: & < > " escaped, controls but \n and \t made visible. */
void es_html_text(es_str *out, const char *s, size_t n);

#endif
