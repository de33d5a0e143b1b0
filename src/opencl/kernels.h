// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernels, by the names they have in kernels/ (which is compiled on each device), and what they share with the host. */
#ifndef ES_OPENCL_KERNELS_H
#define ES_OPENCL_KERNELS_H

#define ES_KERNELS(X)                                                                              \
    X(copy)                                                                                        \
    X(map1)                                                                                        \
    X(map2)                                                                                        \
    X(copy_fours)                                                                                  \
    X(map1_fours)                                                                                  \
    X(map2_fours)                                                                                  \
    X(gather)                                                                                      \
    X(gather_fours)                                                                                \
    X(scatter_add)                                                                                 \
    X(reduce_rows)                                                                                 \
    X(reduce_parts)                                                                                \
    X(softmax_rows)                                                                                \
    X(topk_keys)                                                                                   \
    X(topk_best)                                                                                   \
    X(topk_sort)                                                                                   \
    X(topk_take)                                                                                   \
    X(matmul_tiles)                                                                                \
    X(matmul_blocks)                                                                               \
    X(matmul_column)

#define ES_KERNEL_ENUM(name) ES_KERNEL_##name,
typedef enum es_kernel { ES_KERNELS(ES_KERNEL_ENUM) ES_N_KERNELS } es_kernel;
#undef ES_KERNEL_ENUM

enum { ES_CL_TILE_GROUP = 256 }; /* work-items of a group of matmul_tiles */

/* All of kernels/ as one text. */
extern const char es_kernels_source[];

#endif
