// SPDX-License-Identifier: GPL-3.0-or-later
/* A model: two tables, their sizes, and a name.  Immutable and counted. */
#ifndef ES_MODEL_MODEL_H
#define ES_MODEL_MODEL_H

#include <stdint.h>

#include "core/table.h"

typedef struct es_config {
    int64_t vocab_size; /* V, rows of wte */
    int64_t n_ctx;      /* P, rows of wpe; "block_size", "max_seq_len" elsewhere */
    int64_t n_embd;     /* C, the width of both; d_model in papers */
} es_config;

typedef struct es_model {
    atomic_int refs;
    char *name;  /* as asked for: "untrained", "untrained:C=768" */
    char *about; /* what its numbers are: "random numbers, nothing learned" */
    char *brief; /* the same in a word: "random" */
    es_config config;
    es_table *wte;   /* (V, C) */
    es_table *wpe;   /* (n_ctx, C) */
    int64_t *counts; /* V: how often each token was seen in training; NULL: not known */
} es_model;

/* "untrained" is GPT-2's initialisation (Radford et al. 2019, model.py: wte N(0, 0.02), wpe
 * N(0, 0.01)) from `seed`, V=50257, n_ctx=1024, C=64; "untrained:C=768" changes a size, and so do
 * V= and n_ctx=, separated by commas.  ES_ERR_NAME, ES_ERR_VALUE; ES_ERR_UNSUPPORTED for a file.
 * Free with es_model_unref. */
es_model *es_model_open(const char *name, uint64_t seed, es_error *err);
es_model *es_model_ref(es_model *m);
void es_model_unref(es_model *m); /* NULL is fine */

/* How often token id was seen in training; -1: not known. */
int64_t es_model_count(const es_model *m, int32_t id);

#endif
