// SPDX-License-Identifier: GPL-3.0-or-later
/* A product of matrices between what it is (product_shapes.c) and computing it (product.c). */
#ifndef ES_TORCH_PRODUCT_INSIDE_H
#define ES_TORCH_PRODUCT_INSIDE_H

#include "torch/torch.h"

/* Vectors have become matrices, and lose that axis last. */
typedef struct es_product {
    es_tensor x, y;     /* at least two axes; they borrow the operands' memory */
    es_shape batch;     /* leading axes of both, stretched */
    es_shape full, out; /* with, and without, the axes that vectors were given */
} es_product;

/* ES_ERR_MATMUL, ES_ERR_DTYPE, as es_torch_matmul has them; with `strict` on also where names of inner axes differ,
 * else that is a note. */
bool es_product_plan(es_torch *k, es_product *p, const es_tensor *x, const es_tensor *y,
                     es_error *err);

#endif
