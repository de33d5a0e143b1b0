// SPDX-License-Identifier: GPL-3.0-or-later
/* A table of positions as pictures show it: its rows, how long they are, where they lie along their own components,
 * how alike any two are. */
#ifndef ES_VIEW_PLACES_H
#define ES_VIEW_PLACES_H

#include "view/atlas.h"

/* Of the sines that go round a whole number of times in all positions, the one most like a component. */
typedef struct es_wave {
    int64_t turns; /* 0: the component does not change */
    double share;  /* of the component's spread, 0..1, that this sine explains */
} es_wave;

enum { ES_VARIED = 4 };

typedef struct es_places {
    bool learned;    /* wpe; else sinusoidal */
    bool used;       /* x has them now */
    int64_t n, C;    /* rows that are shown, of C numbers: at most ES_ATLAS_PLACES */
    int64_t stride;  /* row i is that of position i * stride */
    int64_t rows;    /* all the table has; INT64_MAX: no last one */
    float *row;      /* (n, C) */
    float *length;   /* (n) */
    int K;           /* components there are, at most 3 */
    float *at;       /* (n, 3) along them, 0 where there are fewer; NaN: not finite */
    float *axes;     /* (K, C) */
    double share[3]; /* of the rows' spread, 0..1 */
    es_wave wave[3];
    int64_t varied[ES_VARIED]; /* the channels that vary most over the rows, first the most */
    int n_varied;
    float *cosine; /* (n, n); NULL: not asked for yet */
    float *
        alike; /* (n) likewise: the mean of cosine(row i, row i + lag) over all i; NaN: none has one */
} es_places;

/* Which table a picture of positions is of: wpe where the model has one, else (and for `other`) the sinusoidal one. */
bool es_places_learned(const es_context *c);

/* Read the table.  What the atlas knows of its components is taken from there.  A table of one row has no
 * components: K is 0.  ES_ERR_NOMEM, ES_ERR_VALUE (no wpe), ES_ERR_BACKEND; errors of es_pca_fit other than too few
 * rows.  Free with es_places_free. */
bool es_places_make(es_places *out, const es_atlas *a, bool learned, es_error *err);
void es_places_free(es_places *p); /* safe on an empty one, which it becomes */

/* The cosines of any two rows, float32, and `alike`: made on the first call and kept.  A row without a direction has
 * NaN.  ES_ERR_NOMEM. */
const float *es_places_cosine(es_places *p, es_error *err);

double es_places_share(const es_places *p); /* of the first three components together */

/* "wpe", "sinusoidal positions" */
const char *es_places_name(const es_places *p);

/* What there is to say before anything else: that the table is not in use, or that there is no other.  Appends
 * nothing where there is nothing. */
void es_places_remark(es_str *out, const es_places *p, const es_context *c);

#endif
