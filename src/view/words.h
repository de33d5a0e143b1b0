// SPDX-License-Identifier: GPL-3.0-or-later
/* Prose in a picture: broken at spaces, as many lines as there is room for. */
#ifndef ES_VIEW_WORDS_H
#define ES_VIEW_WORDS_H

#include "view/canvas.h"

#define ES_LEADING     1.45f /* from line to line, in em */
#define ES_NOT_ENTERED "not entered yet"

/* Draw text, ready to print, into the box from its top on; the last line that fits ends in "…" when there is more.
 * align as es_canvas_fit.  Returns the height it took. */
float es_words_draw(es_canvas *c, es_box box, float align, const char *text, const es_ink *ink);

/* How high it would be at this width, without an end to the lines. */
float es_words_height(es_canvas *c, float width, const char *text, const es_ink *ink);

/* A word or two in a box of its own at the right end of a line, to be seen at once.  The first takes its room off the
 * line: w 0 where there is none. */
es_box es_words_tag(es_canvas *c, es_box *line, const char *text, float em);
void es_words_tag_draw(es_canvas *c, es_box tag, const char *text, const es_palette *p, float em);

/* In the middle of a box, both ways: what is said where there is no picture. */
void es_words_instead(es_canvas *c, es_box box, const char *text, const es_ink *ink);

#endif
