// SPDX-License-Identifier: GPL-3.0-or-later
/* Theories that know the model: something is taken out of y, and something else put in its place. */
#ifndef ES_TORCH_CAUSES_MODEL_H
#define ES_TORCH_CAUSES_MODEL_H

#include "torch/theory.h"

/* Rows of a table in host memory, and a view of them that has x's shape. */
typedef struct es_known {
    bool there; /* they fit x */
    es_tensor rows, all;
} es_known;

bool es_known_of(es_case *c, es_known *r, const es_tensor *t,
                 es_error *err); /* t NULL: not there */
/* n rows of a table (float32), (…lead, C); not there where one of them is outside. */
bool es_known_rows(es_case *c, es_known *r, const es_tensor *table, const int64_t *row, int64_t n,
                   const es_shape *lead, es_error *err);
/* Sines and cosines (Vaswani et al. 2017, 3.5), in turn or (halves) the sines first: (T, C) of x. */
bool es_known_waves(es_case *c, es_known *r, bool halves, es_error *err);
/* a + b, or a alone where b is not there, each as the format keeps it. */
bool es_known_narrowed(es_case *c, es_known *r, const es_known *a, const es_known *b,
                       const es_narrow *format, es_error *err);
void es_known_free(es_known *r);

/* x = y - by_y * of_y + by_x * of_x; what is NULL is left out. */
typedef struct es_instead {
    const char *name, *says, *fix;
    int cost;
    int64_t k;
    es_move_fn *move; /* where it says anything */
    double by_y, by_x;
    const es_known *of_y[2], *of_x[2];
} es_instead;
bool es_try_instead(es_case *c, const es_instead *s, es_error *err);

es_family es_causes_places; /* positions: missing, off by k, reversed, of another table */

#endif
