// SPDX-License-Identifier: GPL-3.0-or-later
/* Prose in a picture: broken at spaces, as many lines as there is room for. */
#ifndef ES_VIEW_WORDS_H
#define ES_VIEW_WORDS_H

#include "view/canvas.h"

#define ES_LEADING 1.45f /* from line to line, in em */

/* Draw text, ready to print, into the box from its top on; the last line that fits ends in "…" when there is more.
 * align as es_canvas_fit.  Returns the height it took. */
float es_words_draw(es_canvas *c, es_box box, float align, const char *text, const es_ink *ink);

/* How high it would be at this width, without an end to the lines. */
float es_words_height(es_canvas *c, float width, const char *text, const es_ink *ink);

/* In the middle of a box, both ways: what is said where there is no picture. */
void es_words_instead(es_canvas *c, es_box box, const char *text, const es_ink *ink);

#endif
