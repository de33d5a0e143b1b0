// SPDX-License-Identifier: GPL-3.0-or-later
/* A theory says what each number of x should be if one cause explains it all; a case weighs theories against x:
 * on a few hundred places first, on all of them before one is believed. */
#ifndef ES_TORCH_THEORY_H
#define ES_TORCH_THEORY_H

#include "torch/causes.h"
#include "torch/rounding.h"

enum {
    ES_MOST_TERMS = 5,
    ES_MOST_SAMPLES = 2048, /* places looked at first; fewer numbers than these are all looked at */
    ES_MOST_ROW = 1 << 16   /* the longest row that is changed as a whole */
};

/* What may have happened to the numbers after what the theory says. */
typedef enum es_finish {
    ES_AS_IT_IS,
    ES_TO_BF16,
    ES_TO_F16,
    ES_CUT_TO_BF16,
    ES_Y_TO_BF16, /* y went through the format, x did not */
    ES_Y_TO_F16,
    ES_OFTEN_TO_BF16, /* rounded several times on the way */
    ES_OFTEN_TO_F16,
    ES_N_FINISHES
} es_finish;

typedef struct es_theory es_theory;
/* The place of y whose number belongs at that place of x; false: the theory says nothing about it. */
typedef bool es_move_fn(const es_theory *h, const int64_t *x, int64_t *y);

struct es_theory {
    char name[64];
    int cost; /* of several that explain x, the one of least cost is the cause */
    int free; /* numbers it takes from x and y themselves */
    int n;
    struct {
        es_tensor t; /* borrowed; with x's axes, unless moved */
        double by;
        bool moved; /* looked up where move says */
    } term[ES_MOST_TERMS];
    double add; /* x = sum of by * t + add, then each, then row (p: its eps) */
    double (*each)(double v);
    void (*row)(double *v, int64_t n, double p);
    double p;
    es_move_fn *move;
    bool inner; /* move changes the index on the last axis, or looks at it */
    /* what move needs */
    int axis, perm[ES_MAX_DIMS];
    int64_t k;
    const int64_t *map;
    es_shape via;
    int last;     /* x's last axis: set when it is tried */
    bool general; /* it explains much: not named beside others */
    bool moves;   /* x has y's own numbers: all finishes are tried, else those of x alone */
    bool dropped; /* a 0 in x is explained, too */
};

typedef struct es_case {
    es_torch *k;
    const es_tensor *x, *y; /* in host memory, of rank 1 and more */
    const es_causes *asked;
    bool same_shape;
    double rtol, atol;
    double floor; /* what arithmetic alone may do, relative */
    unsigned finishes;
    int n_samples;
    int64_t (*sample)[ES_MAX_DIMS];
    double *sample_x, *sample_y;
    double *room; /* three rows */
    int64_t room_n;
    int64_t worked;          /* since the watch was looked at */
    double level_x, level_y; /* root of the mean square, of the samples */
    es_cause *best;
    double quality; /* of the best: its largest relative error; < 0: there is none */
    int best_cost;
    bool best_general;
    es_finish finish;
    int64_t dropped; /* zeros that were explained by the last theory that was tried */
} es_case;

bool es_case_open(es_case *c, es_torch *k, const es_tensor *x, const es_tensor *y,
                  const es_causes *asked, es_cause *best, es_error *err);
void es_case_close(es_case *c);

/* Is it the best so far?  *won: c->best is named after it, and the caller writes what it says and the fix.  False
 * is an error (Ctrl-C). */
bool es_case_try(es_case *c, const es_theory *h, bool *won, es_error *err);

/* A theory with one term: y, by its own axes or (move) wherever that says. */
es_theory es_theory_of(const es_tensor *t, int cost, es_move_fn *move);
void es_theory_add(es_theory *h, const es_tensor *t, double by);
void es_theory_call(es_theory *h, const char *fmt, ...) ES_PRINTF(2, 3);

/* The last of axes, and the one before it: where channels and positions lie. */
static inline int es_axis_C(const es_tensor *t)
{
    return t->shape.ndim - 1;
}
static inline int es_axis_T(const es_tensor *t)
{
    return t->shape.ndim - 2;
}

/* The families of theories; false is an error. */
typedef bool es_family(es_case *c, es_error *err);
es_family es_causes_scale, es_causes_turn, es_causes_part, es_causes_slices, es_causes_bytes,
    es_causes_rows, es_causes_positions, es_causes_model;

#endif
