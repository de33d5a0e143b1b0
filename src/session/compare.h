// SPDX-License-Identifier: GPL-3.0-or-later
/* What the commands that compare have found out: cosines, a lookup against a product, adding against
 * concatenating. */
#ifndef ES_SESSION_COMPARE_H
#define ES_SESSION_COMPARE_H

#include "layer/onehot.h"
#include "session/result.h"
#include "session/text.h"

/* Why a row has no cosine with any other. */
typedef enum es_direction { ES_DIRECTION, ES_LENGTH_ZERO, ES_NOT_FINITE } es_direction;

/* Cosines of n tokens of one text, from place `first` on; those of padding are left out. */
typedef struct es_cosine_part {
    int64_t b, first, n;
    float *before, *after; /* (n, n): of the rows of tok_emb, and of x; NaN: no direction */
    es_direction *of_before, *of_after; /* [n] */
} es_cosine_part;

typedef struct es_cosines {
    es_text *text; /* one reference */
    es_cosine_part *of;
    int64_t n;
} es_cosines;
es_result es_result_cosine(es_cosines *c); /* takes it over */
void es_cosines_free(es_cosines *c);

/* one_hot(ids) @ wte against wte(ids). */
typedef struct es_onehot_answer {
    es_text *text; /* one reference */
    es_onehot found;
    bool times; /* are they to be said? */
} es_onehot_answer;
es_result es_result_onehot(es_onehot_answer *a); /* takes it over */

/* Positions of width Cp put behind the token's C numbers instead of being added to them. */
typedef struct es_concat {
    es_text *text; /* one reference */
    int64_t Cp;
    double angle; /* mean |cosine| of tok_emb and pos_emb of a token; NaN: there is none */
    int64_t n;    /* of that many tokens */
} es_concat;
es_result es_result_concat(es_concat *c); /* takes it over */

bool es_show_cosine(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_onehot(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_concat(es_str *out, void *data, const es_style *style, es_error *err);

bool es_json_of_cosine(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_onehot(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_concat(es_json *j, void *data, bool values, es_error *err);

#endif
