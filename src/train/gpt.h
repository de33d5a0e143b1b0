// SPDX-License-Identifier: GPL-3.0-or-later
/* Stage 2: a GPT that learns to predict the next token: tables, blocks, and Adam's memory of them.
 * Source of the update: Kingma and Ba 2015, algorithm 1. */
#ifndef ES_TRAIN_GPT_H
#define ES_TRAIN_GPT_H

#include "layer/block.h"
#include "train/corpus.h"
#include "train/recipe.h"
#include "train/sampler.h"

/* Arrays of the same layout hold parameters, gradients and both moments. */
typedef struct es_gpt_params {
    float *wte;    /* (V, C) */
    float *wpe;    /* (n_ctx, C) */
    float *blocks; /* es_block_n_params numbers */
    float *head;   /* (V, C) the output matrix where it is not wte; else NULL */
} es_gpt_params;

typedef struct es_gpt es_gpt;

/* What one step did. */
typedef struct es_gpt_report {
    double loss;     /* mean over the step's places, as trained on (sampled or whole) */
    double gradient; /* length of the whole gradient before it was clipped */
    double rate;
    int64_t step;   /* this was the so many-th, from 1 */
    int64_t tokens; /* places learned from */
} es_gpt_report;

/* What es_gpt_new will take, so that a caller can ask before it does. */
double es_gpt_bytes(const es_recipe *r, int64_t vocab_size);

/* Sizes from the recipe, chances of negatives from the counts (V).  wpe N(0, 0.01), blocks as GPT-2 starts,
 * wte N(0, 0.02), head as wte: all from the recipe's seed; the caller may write others into es_gpt_now.
 * Borrows the recipe.  ES_ERR_NOMEM.  Free with es_gpt_free. */
es_gpt *es_gpt_new(const es_recipe *r, int64_t vocab_size, const int64_t *counts, es_error *err);
void es_gpt_free(es_gpt *g); /* NULL is fine */

es_gpt_params es_gpt_now(es_gpt *g); /* borrowed */

/* One step on windows drawn from ids (n > context).  false and ES_ERR_INTERRUPTED by the watch: nothing has
 * changed. */
bool es_gpt_step(es_gpt *g, const int32_t *ids, int64_t n, es_gpt_report *report, es_watch *watch,
                 es_error *err);

/* Loss and gradients of given windows (batch, context + 1) at given places of the position table (first[b] for
 * window b) with given negatives: what a step is made of, for tests.  Gradients are borrowed until
 * the next step or gradients. */
typedef struct es_gpt_batch {
    const int32_t *windows;
    const int64_t *first;
    const int32_t *negatives; /* recipe->negatives of them */
} es_gpt_batch;
bool es_gpt_gradients(es_gpt *g, const es_gpt_batch *batch, es_gpt_params *gradients, double *loss,
                      es_error *err);
bool es_gpt_step_on(es_gpt *g, const es_gpt_batch *batch, es_gpt_report *report, es_watch *watch,
                    es_error *err);

/* All that changes from step to step, for checkpoints: parameters, moments, step number and the source of chance, in
 * pieces that are read and written in place. */
typedef struct es_gpt_piece {
    const char *name;
    void *data;
    size_t bytes;
} es_gpt_piece;
enum { ES_GPT_MAX_PIECES = 16 };
int es_gpt_state(es_gpt *g, es_gpt_piece piece[ES_GPT_MAX_PIECES]);

#endif
