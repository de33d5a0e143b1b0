// SPDX-License-Identifier: GPL-3.0-or-later
/* Views as tests draw them: a session and its viewer, pixels with the box font, and a canvas that takes down what is
 * said. */
#ifndef ES_TESTS_DRAWN_H
#define ES_TESTS_DRAWN_H

#include "box_font.h"
#include "support.h"
#include "view/raster.h"
#include "view/viewer.h"

typedef struct drawn {
    es_session *session;
    es_viewer *viewer;
    es_font *font;
    es_raster raster;
    es_str errors; /* of the lines that were run */
} drawn;

/* A model and a raster of w x h pixels; end with drawn_close. */
void drawn_open(drawn *d, const char *model, int w, int h);
void drawn_close(drawn *d);

void drawn_run(drawn *d, const char *line);     /* as if it had been typed and entered */
void drawn_preview(drawn *d, const char *line); /* as it stands before Enter */

/* Draw a view, or what else draws so, into a part of the raster; fails if anything is drawn elsewhere. */
typedef void (*draw_fn)(es_viewer *v, es_canvas *c, es_box area);
void drawn_within(drawn *d, es_box area, draw_fn draw);

/* The view that is shown, in parts of all kinds, from a pixel to 790 x 790 at (20, 10) of the raster: with small letters
 * and big ones, flat and, where it can be, in space. */
void drawn_within_at_any_size(drawn *d);

uint32_t drawn_pixel(const drawn *d, float x, float y);

/* What is written where `draw` draws into w x h units, a line a text; the caller frees. */
es_str drawn_words(drawn *d, float w, float h, draw_fn draw);

/* Fails if letters written there touch other letters, reach out of what they are drawn in, or lie half on a heat map; `what`
 * says which picture it is, and the size is said beside it. */
void drawn_apart(drawn *d, const char *what, float w, float h, draw_fn draw);

/* The view that is shown, from the size of a stamp to a large screen's, with small letters and big ones. */
void drawn_apart_at_any_size(drawn *d, const char *what);

#endif
