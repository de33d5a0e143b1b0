// SPDX-License-Identifier: GPL-3.0-or-later
/* What the colours of tokens say just now: a column of one's own table, or what the program knows. */
#ifndef ES_VIEW_COLOURING_H
#define ES_VIEW_COLOURING_H

#include "view/meta.h"
#include "view/viewer.h"

/* Which table and column, or what else: two that are equal colour every token alike. */
typedef struct es_colouring {
    const es_palette *palette;
    es_color_by by;
    int column;    /* of the table; -1: none, by `by` */
    uint64_t read; /* which table */
} es_colouring;

es_colouring es_colouring_of(const es_viewer *v);
bool es_colouring_same(const es_colouring *a, const es_colouring *b);

/* The colour of a token; the atlas has what `by` wants. */
es_argb es_colouring_at(const es_viewer *v, const es_colouring *c, int32_t id);

/* An entry of the legend, as es_atlas_legend and es_meta_legend have it. */
bool es_colouring_legend(const es_viewer *v, const es_colouring *c, int i, es_argb *colour,
                         es_str *label);

/* Are the first two entries the ends of a scale? */
bool es_colouring_scale(const es_viewer *v, const es_colouring *c);

/* "colour: length of the row" */
void es_colouring_caption(const es_viewer *v, const es_colouring *c, es_str *out);

/* The word behind :color-by, a column's in quotes. */
void es_colouring_word(const es_viewer *v, es_str *out);

#endif
