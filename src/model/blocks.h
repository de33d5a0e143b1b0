// SPDX-License-Identifier: GPL-3.0-or-later
/* The blocks of a model, where its file has them: read when they are first wanted. */
#ifndef ES_MODEL_BLOCKS_H
#define ES_MODEL_BLOCKS_H

#include "layer/block.h"
#include "model/model.h"

typedef struct es_blocks {
    /* n_layer from the tensors' names; n_head from the file's metadata or the config.json beside it, else by
     * GPT-2's rule, 64 channels a head */
    es_block_sizes sizes;
    float *params;  /* as layer/block.h lays them out, widened to float32 */
    es_table *head; /* (V, C) lm_head.weight; NULL: the output matrix is wte */
    es_table *
        all; /* params as rows of C numbers, so that they can lie on a device: es_table_whole makes them one tensor
                       there, dense, kept and counted.  Set by those who lend blocks */
} es_blocks;

/* Do the model's files name blocks (h.0.ln_1.weight …), and how many?  Reads none of their numbers. */
bool es_model_has_blocks(const es_model *m);
int64_t es_model_n_layer(const es_model *m);

/* Borrowed, as long as the model lives; threads may ask at once.  The watch (may be NULL) can stop the reading.
 * NULL and ES_ERR_VALUE: it has none; ES_ERR_FORMAT names the tensor that is missing or has another shape;
 * ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
const es_blocks *es_model_blocks(const es_model *m, es_watch *watch, es_error *err);

#endif
