// SPDX-License-Identifier: GPL-3.0-or-later
/* The blocks forward once more (see layer/block.h), as operations on tensors of any device: for those whose memory is not
 * the host's. */
#ifndef ES_LAYER_BLOCK_OPS_H
#define ES_LAYER_BLOCK_OPS_H

#include "core/table.h"
#include "layer/block.h"

/* hidden (B, T, C) = final LayerNorm of the blocks applied to x (B, T, C), on its device; params: the same numbers that
 * es_block_forward takes, dense in a tensor there.  Within 1e-4 of what es_block_forward gives, whose rows are of size
 * 1.  Unlike there a place whose x is not finite spoils those before it too.
 *
 * Allocates *hidden, free with es_tensor_free; beside it some 14 N C numbers and 64 MB of scores while it runs.  The watch (may
 * be NULL) is looked at between layers and between strips of queries.
 * ES_ERR_NOMEM, ES_ERR_BACKEND, ES_ERR_INTERRUPTED. */
bool es_block_ops_forward(es_tensor *hidden, const es_block_sizes *s, const es_tensor *params,
                          const es_tensor *x, es_watch *watch, es_error *err);

/* score (V, in host memory) = rows (V, C) times the last place of hidden (1, T, C), on its device, where the whole of the table
 * comes to lie.  ES_ERR_NOMEM, ES_ERR_BACKEND. */
bool es_block_ops_scores(float *score, const es_tensor *hidden, es_table *rows, es_error *err);

#endif
