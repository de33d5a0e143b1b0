// SPDX-License-Identifier: GPL-3.0-or-later
/* Where a model's blocks come from: its files, kept open until somebody wants them, or memory. */
#ifndef ES_MODEL_BLOCK_SOURCE_H
#define ES_MODEL_BLOCK_SOURCE_H

#include "model/blocks.h"
#include "model/weights.h"

typedef struct es_block_source es_block_source;

/* The blocks that w's files name, none of them read: w is taken over and becomes empty.  *n_tensors: of how many
 * tensors they are.  NULL and w as it was: there are none. */
es_block_source *es_block_source_of_files(es_weights *w, size_t *n_tensors);
/* Blocks that are in memory, which is taken over. */
es_block_source *es_block_source_made(const es_blocks *blocks);
void es_block_source_free(es_block_source *s); /* NULL is fine */

#endif
