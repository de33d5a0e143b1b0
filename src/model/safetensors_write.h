// SPDX-License-Identifier: GPL-3.0-or-later
/* The header of a safetensors file that is to be written. */
#ifndef ES_MODEL_SAFETENSORS_WRITE_H
#define ES_MODEL_SAFETENSORS_WRITE_H

#include "core/table.h"

typedef struct es_named_tensor {
    const char *name; /* n bytes */
    size_t n;
    const es_tensor *tensor; /* of which its dtype and shape are looked at */
    size_t place;            /* the caller's */
    bool narrow;             /* its numbers follow as `store`, not as float32 */
    es_store store;
} es_named_tensor;

/* A string of the metadata, UTF-8. */
typedef struct es_named_string {
    const char *name, *string;
} es_named_string;

/* Appends length and header of tensors that follow in this order, without gaps, and what is said about them all.  ES_ERR_VALUE: a name that no
 * safetensors file can hold: empty, not UTF-8, with a NUL in it, "__metadata__". */
bool es_safetensors_header(es_str *out, const es_named_tensor *tensors, size_t n,
                           const es_named_string *metadata, size_t n_metadata, es_error *err);

#endif
