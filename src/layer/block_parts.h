// SPDX-License-Identifier: GPL-3.0-or-later
/* Which parameter of a block lies where, for the files that compute with them. */
#ifndef ES_LAYER_BLOCK_PARTS_H
#define ES_LAYER_BLOCK_PARTS_H

#include "layer/block.h"

/* The parts of a block, in the order they lie in. */
typedef enum es_part {
    ES_LN_1_WEIGHT,
    ES_LN_1_BIAS,
    ES_ATTN_WEIGHT,
    ES_ATTN_BIAS,
    ES_PROJ_WEIGHT,
    ES_PROJ_BIAS,
    ES_LN_2_WEIGHT,
    ES_LN_2_BIAS,
    ES_FC_WEIGHT,
    ES_FC_BIAS,
    ES_OUT_WEIGHT,
    ES_OUT_BIAS,
    ES_N_PARTS,
    ES_LN_F_WEIGHT = 0, /* behind the last block */
    ES_LN_F_BIAS = 1
} es_part;

/* The first number of part p of block l; l = n_layer is the final LayerNorm. */
int64_t es_block_offset(const es_block_sizes *s, int64_t l, es_part p);

#endif
