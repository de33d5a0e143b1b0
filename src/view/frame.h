// SPDX-License-Identifier: GPL-3.0-or-later
/* The whole of a window's contents: the view, and what stands around it. */
#ifndef ES_VIEW_FRAME_H
#define ES_VIEW_FRAME_H

#include "view/viewer.h"

/* What stands around the picture, as bits. */
enum {
    ES_FRAME_BAR = 1,         /* model, tables, device, the views and their keys */
    ES_FRAME_CARD = 2,        /* the token under the pointer, or in focus */
    ES_FRAME_HONESTY = 4,     /* what the picture keeps and hides */
    ES_FRAME_CHIPS = 8,       /* the sentence's tokens with their ids */
    ES_FRAME_EXPRESSION = 16, /* what is shown, with its shapes */
    ES_FRAME_PROMPT = 32,     /* the line being typed */
    ES_FRAME_CAPTION = 64,    /* of a teaching picture, while one is shown */
    ES_FRAME_WINDOW = 127,    /* all of it */
    ES_FRAME_FILE = 95,       /* for files: no prompt */
    ES_FRAME_TERMINAL = 0     /* the picture alone; the rest is text around it */
};

/* Where each part is; w or h 0: not there, or no room for it. */
typedef struct es_frame {
    es_box bar, picture, card, honesty, chips, expression, prompt, caption;
} es_frame;

/* For w x h units and letters of `em`.  No two boxes overlap; the picture has what is left, and the card goes first
 * where room is short. */
es_frame es_frame_of(float w, float h, float em, unsigned parts);

/* The same as it is for what the viewer shows: with room for the caption of a teaching picture, which c measures. */
es_frame es_frame_shown(es_viewer *v, const es_canvas *c, unsigned parts);

/* Draw it all.  Where the view is not ready the picture says why. */
void es_frame_draw(es_viewer *v, es_canvas *c, unsigned parts);

/* What is at a spot of the frame: a view's pick, a chip's token, a neighbour on the card, a view's name in the bar
 * (*view is set then, else -1). */
bool es_frame_pick(es_viewer *v, es_canvas *c, unsigned parts, es_spot at, es_pick *out, int *view);

/* The pieces, each in a file of its own. */
void es_card_draw(es_viewer *v, es_canvas *c, es_box area);
bool es_card_pick(es_viewer *v, es_box area, es_spot at, es_pick *out);
void es_chips_draw(es_viewer *v, es_canvas *c, es_box area);
bool es_chips_pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out);

#endif
