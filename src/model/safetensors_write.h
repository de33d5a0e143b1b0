// SPDX-License-Identifier: GPL-3.0-or-later
/* The header of a safetensors file that is to be written. */
#ifndef ES_MODEL_SAFETENSORS_WRITE_H
#define ES_MODEL_SAFETENSORS_WRITE_H

#include "core/tensor.h"

typedef struct es_named_tensor {
    const char *name; /* n bytes */
    size_t n;
    const es_tensor *tensor; /* of which its dtype and shape are looked at */
    size_t place;            /* the caller's */
} es_named_tensor;

/* Appends length and header of tensors that follow in this order, without gaps.  ES_ERR_VALUE: a name that no
 * safetensors file can hold: empty, not UTF-8, with a NUL in it, "__metadata__". */
bool es_safetensors_header(es_str *out, const es_named_tensor *tensors, size_t n, es_error *err);

#endif
