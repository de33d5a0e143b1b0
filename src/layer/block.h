// SPDX-License-Identifier: GPL-3.0-or-later
/* The blocks of a GPT, which x goes through next: attention and MLP, each after a LayerNorm and added to
 * what came in, and the final LayerNorm; forward, and backward by hand.  float32 in host memory.
 * Source: Radford et al. 2019, section 2.3, and GPT-2's model.py, whose names and layout
 * (weights are (in, out)) the parameters have. */
#ifndef ES_LAYER_BLOCK_H
#define ES_LAYER_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/watch.h"

typedef struct es_block_sizes {
    int64_t n_layer,
        n_head;     /* n_head divides n_embd; n_layer may be 0: the final LayerNorm alone */
    int64_t n_embd; /* C */
} es_block_sizes;

/* All parameters lie in one array of es_block_n_params numbers; this says which is where. */
typedef struct es_block_part {
    char name[40];      /* as GPT-2 calls it: "h.0.attn.c_attn.weight", "ln_f.bias" */
    int64_t offset;     /* of its first number in the array */
    int64_t rows, cols; /* (rows, cols), row-major; rows 0: a vector of cols numbers */
} es_block_part;

int64_t es_block_n_params(const es_block_sizes *s); /* L * (12 C^2 + 13 C) + 2 C */
int es_block_n_parts(const es_block_sizes *s);      /* 12 L + 2 */
es_block_part es_block_part_at(const es_block_sizes *s, int i);

/* GPT-2's start: weights N(0, 0.02), those that write into the stream N(0, 0.02 / sqrt(2 L)), biases 0, LayerNorm
 * weights 1. */
void es_block_init(float *params, const es_block_sizes *s, uint64_t seed);

/* Room for one run over at most B sentences of at most T tokens. */
typedef struct es_block_run es_block_run;

/* What a run takes, so that a caller can ask before there are any. */
double es_block_run_bytes(const es_block_sizes *s, int64_t B, int64_t T, bool keep);

/* keep: everything that backward needs stays; else only what forward itself needs is there.  ES_ERR_NOMEM.
 * Free with es_block_run_free. */
es_block_run *es_block_run_new(const es_block_sizes *s, int64_t B, int64_t T, bool keep,
                               es_error *err);
void es_block_run_free(es_block_run *r); /* NULL is fine */

/* hidden (B, T, C) = final LayerNorm of the blocks applied to x (B, T, C), each token seeing itself and those
 * before it.  B and T at most those of the run.  x and hidden may not overlap.  ES_ERR_INTERRUPTED by the
 * watch, which may be NULL. */
bool es_block_forward(float *hidden, es_block_run *r, const float *params, const float *x,
                      int64_t B, int64_t T, es_watch *watch, es_error *err);

/* Gradients of a loss, by those of hidden, for the forward run just made (with keep): d_x (B, T, C) is set,
 * d_params (as params) is added to. */
void es_block_backward(float *d_x, float *d_params, es_block_run *r, const float *params,
                       const float *d_hidden);

#endif
