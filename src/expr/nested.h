// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors out of nested lists of numbers. */
#ifndef ES_EXPR_NESTED_H
#define ES_EXPR_NESTED_H

#include "expr/value.h"

/* The tensor of a number, or of lists and tuples (ranges, tensors of one element) of them, nested.  dtype NULL: that
 * of the numbers; float32 for floats, as for none.  ES_ERR_RAGGED, ES_ERR_TYPE, ES_ERR_RANGE (a number
 * that int32 does not hold). */
bool es_tensor_of_value(es_torch *k, es_tensor *out, const es_value *data, const es_dtype *dtype,
                        es_backend *be, es_error *err);

#endif
