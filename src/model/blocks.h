// SPDX-License-Identifier: GPL-3.0-or-later
/* The blocks of a model, where its file has them: read when they are first wanted. */
#ifndef ES_MODEL_BLOCKS_H
#define ES_MODEL_BLOCKS_H

#include "layer/block.h"
#include "model/model.h"

typedef struct es_blocks {
    es_block_sizes
        sizes; /* n_layer from the tensors' names; n_head from the file's metadata or the config.json
                             beside it, else GPT-2's rule, 64 channels a head */
    float *params;  /* as layer/block.h lays them out, widened to float32 */
    es_table *head; /* (V, C) lm_head.weight; NULL: the output matrix is wte */
} es_blocks;

/* Does the model's file name blocks (h.0.ln_1.weight …)?  Reads none of their numbers. */
bool es_model_has_blocks(const es_model *m);

/* Borrowed, as long as the model lives; threads may ask at once.  NULL and ES_ERR_VALUE: it has none; ES_ERR_FORMAT
 * names the tensor that is missing or has another shape; ES_ERR_NOMEM. */
const es_blocks *es_model_blocks(const es_model *m, es_error *err);

#endif
