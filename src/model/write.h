// SPDX-License-Identifier: GPL-3.0-or-later
/* A model whose numbers are in memory: as a safetensors file, or as a model to go on with. */
#ifndef ES_MODEL_WRITE_H
#define ES_MODEL_WRITE_H

#include "layer/block.h"
#include "model/model.h"

typedef struct es_model_numbers {
    es_config config;
    es_block_sizes sizes;  /* of the blocks */
    const float *wte;      /* (V, C) */
    const float *wpe;      /* (n_ctx, C) */
    const float *blocks;   /* NULL: none */
    const float *head;     /* (V, C); NULL: the output matrix is wte */
    const int64_t *counts; /* V, how often each token was seen; NULL: not known */
} es_model_numbers;

/* Write path, whole or not at all: wte.weight, wpe.weight, the blocks under GPT-2's names, lm_head.weight and
 * token_count (V, int32), numbers rounded to `store` (F32, F16 or BF16); n_head and `recipe` (UTF-8, may be NULL) in
 * the metadata.  ES_ERR_IO, ES_ERR_NOMEM; ES_ERR_VALUE: a number that float16 cannot hold. */
bool es_model_write(const char *path, const es_model_numbers *n, es_store store, const char *recipe,
                    es_watch *watch, es_error *err);

/* The same as a model in memory, its numbers copied to be.  Free with es_model_unref.  ES_ERR_NOMEM. */
es_model *es_model_of_numbers(const es_model_numbers *n, const char *name, const char *about,
                              const char *brief, es_backend *be, es_error *err);

#endif
