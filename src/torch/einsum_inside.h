// SPDX-License-Identifier: GPL-3.0-or-later
/* What an equation says of an einsum: between reading it (einsum_equation.c) and computing (einsum.c). */
#ifndef ES_TORCH_EINSUM_INSIDE_H
#define ES_TORCH_EINSUM_INSIDE_H

#include "torch/torch.h"

/* What axes are called: letters, and behind them those that "..." stands for, from the right. */
enum { ES_EINSUM_LETTERS = 52, ES_EINSUM_SIGNS = ES_EINSUM_LETTERS + ES_MAX_DIMS };

typedef struct es_side {
    int n;
    int sign[ES_MAX_DIMS]; /* of each axis */
} es_side;

typedef struct es_einsum {
    int n_operands;
    const es_tensor *x[2];
    es_side in[2], out;
    int64_t size[ES_EINSUM_SIGNS]; /* -1: does not occur */
    es_label label[ES_EINSUM_SIGNS];
    int behind; /* axes behind "..." in the result */
} es_einsum;

/* Fill p, whose operands are there, from the equation.  ES_ERR_VALUE, ES_ERR_DIM_RANGE, ES_ERR_BROADCAST: with what
 * PyTorch says of it. */
bool es_einsum_read(es_torch *k, es_einsum *p, const char *equation, es_error *err);

#endif
