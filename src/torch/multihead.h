// SPDX-License-Identifier: GPL-3.0-or-later
/* Attention of several heads, as nn.MultiheadAttention computes it. */
#ifndef ES_TORCH_MULTIHEAD_H
#define ES_TORCH_MULTIHEAD_H

#include "torch/torch.h"

typedef struct es_multihead {
    int64_t heads;
    bool batch_first;                     /* (B, T, E), else (T, B, E); (T, E) either way */
    const es_tensor *in_weight, *in_bias; /* (3E, E): of query, key and value; (3E) or NULL */
    const es_tensor *out_weight, *out_bias;
    const es_tensor *mask;      /* (T, S) or (B·heads, T, S), or NULL */
    const es_tensor *padding;   /* of the keys: (B, S), or NULL */
    bool want_weights, average; /* over heads */
    double dropout;             /* 0 unless it trains */
} es_multihead;

/* A mask of bools hides where it is true, another is added.  weights (B, T, S), or (B, heads, T, S), is empty
 * where they are not wanted.  ES_ERR_VALUE, ES_ERR_BROADCAST in PyTorch's words too. */
bool es_torch_multihead(es_torch *k, es_tensor *out, es_tensor *weights, const es_tensor *query,
                        const es_tensor *key, const es_tensor *value, const es_multihead *how,
                        es_error *err);

#endif
