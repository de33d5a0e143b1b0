// SPDX-License-Identifier: GPL-3.0-or-later
/* A GPT in training from inside: between its life and steps (gpt.c) and the gradients of a batch (gpt_gradients.c). */
#ifndef ES_TRAIN_GPT_INSIDE_H
#define ES_TRAIN_GPT_INSIDE_H

#include "train/gpt.h"
#include "train/loss.h"

/* One thread's share of a step: windows first..first + n - 1. */
typedef struct es_gpt_worker {
    es_block_run *run;
    int64_t first, n;                              /* of windows */
    float *x, *hidden, *d_hidden, *d_x, *d_target; /* (n T, C) */
    float *d_blocks;
    float *d_negative; /* (negatives, C), or NULL */
    float *d_head;     /* (V, C) over the whole vocabulary, or NULL */
    float *work;       /* of the loss */
    int32_t *targets;  /* n T */
    double loss;
    bool stopped;
    float *memory;
} es_gpt_worker;

struct es_gpt {
    const es_recipe *recipe;
    es_block_sizes sizes;
    int64_t V, n_params;
    float *now, *m, *v, *gradient; /* n_params each: wte, wpe, blocks, head */
    es_gpt_params parts;           /* of `now` */
    bool asked;                    /* the gradient holds what es_gpt_gradients gave */
    int64_t step;
    es_draw draw;
    es_sampler sampler;
    float *log_q;  /* V: log of the chance that a token is among a step's negatives */
    int64_t *last; /* V: the how many-th set of negatives a token was last taken into */
    int64_t sets;
    es_negatives negatives;
    int32_t *windows; /* (batch, context + 1) */
    int64_t *places;  /* batch */
    int32_t *drawn;   /* negatives */
    es_gpt_worker *workers;
    int n_workers;
};

int64_t es_gpt_table_size(const es_gpt *g); /* V C */

/* The parts of an array that is laid out as the parameters are. */
es_gpt_params es_gpt_parts_of(const es_gpt *g, float *all);

/* The gradient of a batch, in g->gradient, which is zero before or was asked for; *loss is the mean.
 * ES_ERR_INTERRUPTED by the watch: then it is zero. */
bool es_gpt_find_gradient(es_gpt *g, const es_gpt_batch *batch, double *loss, es_watch *watch,
                          es_error *err);

#endif
