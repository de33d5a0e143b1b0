// SPDX-License-Identifier: GPL-3.0-or-later
/* Which of many labels are shown, so that none covers another: a grid with memory.  Who was shown in the last picture
 * goes first in the next, so labels do not flicker while one drags. */
#ifndef ES_VIEW_LABELS_H
#define ES_VIEW_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/canvas.h"

typedef struct es_wish {
    int32_t id;  /* whose label, unique among the wishes of a picture */
    float w, h;  /* how large */
    es_spot at;  /* the point it belongs to */
    float clear; /* the label keeps so far from it */
    float reach; /* and may be so much further away where there is no room; 0: only beside it */
} es_wish;

typedef struct es_placed {
    size_t wish; /* which */
    es_box box;
} es_placed;

typedef struct es_labels es_labels;
es_labels *es_labels_new(void);
void es_labels_free(es_labels *l);   /* NULL is fine */
void es_labels_forget(es_labels *l); /* the last picture */

/* Keep a place free of labels in the next es_labels_place: a panel, a legend. */
void es_labels_block(es_labels *l, es_box box);

/* Wishes in order of importance; the first `must` come before those with memory.  Places at most `most` inside the
 * area, to the right of their point, else left, above or below, those with a reach also at its corners and further
 * away; none overlaps another.  Returns how many. */
size_t es_labels_place(es_labels *l, es_box area, const es_wish *wish, size_t n, size_t must,
                       size_t most, es_placed *out);

/* Where the line ends that leads from the point to its label; false: it is beside its point and needs none. */
bool es_labels_lead(const es_wish *wish, es_box label, es_spot *to);

#endif
