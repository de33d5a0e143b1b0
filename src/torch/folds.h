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

#endif
