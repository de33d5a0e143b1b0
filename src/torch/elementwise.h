// SPDX-License-Identifier: GPL-3.0-or-later
/* Number by number: operators and functions that take each element by itself, two operands stretched to
 * one shape, dtypes promoted as PyTorch promotes them. */
#ifndef ES_TORCH_ELEMENTWISE_H
#define ES_TORCH_ELEMENTWISE_H

#include "torch/torch.h"

typedef enum es_binary_op {
    ES_B_ADD,
    ES_B_SUB,
    ES_B_MUL,
    ES_B_DIV, /* always floating */
    ES_B_FLOORDIV,
    ES_B_MOD, /* the sign of the divisor, as Python has it */
    ES_B_POW,
    ES_B_MAXIMUM,
    ES_B_MINIMUM,
    ES_B_ATAN2,
    ES_B_BITAND,
    ES_B_BITOR,
    ES_B_BITXOR,
    ES_B_SHL,
    ES_B_SHR,
    ES_B_LT, /* bool from here on */
    ES_B_LE,
    ES_B_GT,
    ES_B_GE,
    ES_B_EQ,
    ES_B_NE,
    ES_B_LOGICAL_AND,
    ES_B_LOGICAL_OR,
    ES_N_BINARY_OPS
} es_binary_op;

typedef enum es_unary_op {
    ES_U_NEG,
    ES_U_INVERT, /* ~: bits, or not */
    ES_U_LOGICAL_NOT,
    ES_U_ABS,
    ES_U_SIGN,
    ES_U_EXP, /* floating from here on: integers become float32 */
    ES_U_LOG,
    ES_U_LOG2,
    ES_U_LOG10,
    ES_U_LOG1P,
    ES_U_SQRT,
    ES_U_RSQRT,
    ES_U_SIN,
    ES_U_COS,
    ES_U_TAN,
    ES_U_TANH,
    ES_U_SIGMOID,
    ES_U_ERF,
    ES_U_SILU,
    ES_U_GELU,
    ES_U_GELU_TANH, /* GPT-2's, by a tanh */
    ES_U_RECIPROCAL,
    ES_U_RELU, /* keeps the dtype, like these */
    ES_U_FLOOR,
    ES_U_CEIL,
    ES_U_ROUND, /* half to even */
    ES_U_TRUNC,
    ES_U_ISNAN, /* bool */
    ES_U_ISINF,
    ES_U_ISFINITE,
    ES_N_UNARY_OPS
} es_unary_op;

/* The dtype of x op y before the operation has its say: a tensor outweighs a rank-0 one outweighs a number,
 * bool < int < float; y may be NULL. */
es_dtype es_torch_promote(const es_tensor *x, const es_tensor *y);

/* Names that meet on one axis: what broadcasting x and y gives, sizes and labels; different names of equal
 * size are noted, or refused where k is strict.  ES_ERR_BROADCAST. */
bool es_torch_stretch(es_torch *k, es_shape *out, const es_shape *x, const es_shape *y,
                      es_error *err);

/* ES_ERR_DTYPE (- of bools, bits of floats), ES_ERR_BROADCAST, ES_ERR_DEVICE, ES_ERR_NOMEM. */
bool es_torch_binary(es_torch *k, es_tensor *out, es_binary_op op, const es_tensor *x,
                     const es_tensor *y, es_error *err);
bool es_torch_unary(es_torch *k, es_tensor *out, es_unary_op op, const es_tensor *x, es_error *err);

/* x where condition holds, y where not; three stretched to one. */
bool es_torch_where(es_torch *k, es_tensor *out, const es_tensor *condition, const es_tensor *x,
                    const es_tensor *y, es_error *err);
/* low and high: NULL for none. */
bool es_torch_clamp(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *low,
                    const es_tensor *high, es_error *err);
bool es_torch_masked_fill(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *mask,
                          const es_tensor *value, es_error *err);

#endif
