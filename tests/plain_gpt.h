// SPDX-License-Identifier: GPL-3.0-or-later
/* A GPT and its losses by their definitions: float64, a loop for each sum, nothing shared with what they judge. */
#ifndef ES_TESTS_PLAIN_GPT_H
#define ES_TESTS_PLAIN_GPT_H

#include "layer/block.h"
#include "train/gpt.h"

/* hidden (B, T, C) of x (B, T, C); params as layer/block.h lays them out. */
void plain_blocks(double *hidden, const es_block_sizes *s, const double *params, const double *x,
                  int64_t B, int64_t T);

/* -log softmax of the target among `n` logits. */
double plain_whole(const double *logits, int64_t n, int64_t target);

/* The same among the target and what n draws gave, each token once, logits less log_q (V): the log of each token's
 * chance to be among them. */
double plain_sampled(const double *logits, const double *log_q, const int32_t *drawn, int64_t n,
                     int64_t target);

typedef struct plain_gpt {
    const es_recipe *recipe;
    int64_t V;
    const int64_t *counts;            /* V */
    double *wte, *wpe, *blocks, *out; /* out: the output matrix, wte where it is tied */
} plain_gpt;

/* The mean loss over the batch's places. */
double plain_loss(const plain_gpt *g, const es_gpt_batch *batch);

#endif
