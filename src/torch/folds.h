// SPDX-License-Identifier: GPL-3.0-or-later
/* One number out of many that come in pieces, for each kind of reduction. */
#ifndef ES_TORCH_FOLDS_H
#define ES_TORCH_FOLDS_H

#include "torch/reduce.h"

typedef struct es_fold {
    double p;       /* of es_over */
    int64_t length; /* how many there will be */
    int pass;       /* some need to see them twice */
    int64_t seen;   /* in this pass */
    double a, b;    /* of floats */
    int64_t i;      /* of integers, truths, counts */
    int64_t at;     /* where the extreme is */
} es_fold;

typedef struct es_fold_kind {
    int passes;
    void (*floats)(es_fold *f, const double *v, int64_t n);
    void (*ints)(es_fold *f, const int64_t *v, int64_t n); /* NULL: floats only */
    void (*finish)(es_fold *f);                            /* the result into a or i; may be NULL */
    double start_a;
    int64_t start_i;
} es_fold_kind;

extern const es_fold_kind es_folds[ES_N_REDUCTIONS];

/* Every element of `out` from the elements of `run` that lie behind the one of `kept` at its place.  All in host
 * memory. */
typedef struct es_folding {
    es_reduction op;
    double p;
    const es_tensor *out, *places; /* places: of the extremes, int64; may be NULL */
    const es_tensor *kept;         /* x's axes that stay, as out has them */
    const es_tensor *run;          /* those that go */
} es_folding;

bool es_fold_all(es_torch *k, const es_folding *f, es_error *err);

#endif
