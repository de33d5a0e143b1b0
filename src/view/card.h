// SPDX-License-Identifier: GPL-3.0-or-later
/* Sections of the token's card, each drawn from the top of what is left of it. */
#ifndef ES_VIEW_CARD_H
#define ES_VIEW_CARD_H

#include "view/frame.h"
#include "view/neighbours.h"

/* What a section draws with, and the room that is left. */
typedef struct es_pen {
    es_viewer *v;
    es_canvas *c;
    const es_palette *p;
    float em;
    es_box rest;
} es_pen;

/* A line's box, its height in ems, off the top of the rest; false: there is no room, and nothing is taken. */
bool es_pen_take(es_pen *pen, float ems, es_box *line);

#define ES_CARD_NEAR 6.7F /* ems: the least that neighbours want */

/* The nearest rows of a token; NULL: it has none, or to find them would take longer than a picture has. */
const es_neighbours *es_card_neighbours(es_viewer *v, int32_t id);

/* The nearest rows of wte by cosine, the noise floor among them; remembers in v->card where they are. */
void es_card_near(es_pen *pen, int32_t id);

#endif
