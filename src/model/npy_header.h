// SPDX-License-Identifier: GPL-3.0-or-later
/* The dict in the header of a .npy file: {'descr': '<f4', 'fortran_order': False, 'shape': (61, 32), }. */
#ifndef ES_MODEL_NPY_HEADER_H
#define ES_MODEL_NPY_HEADER_H

#include <stdint.h>

#include "core/shape.h"

typedef struct es_npy_header_fields {
    const char *descr; /* n_descr bytes inside the header, without quotes */
    size_t n_descr;
    bool structured; /* descr is a list of fields instead */
    bool fortran;
    es_shape shape; /* sizes from 0 on; no labels */
} es_npy_header_fields;

/* Keys in any order, either kind of quotes, any spacing; where a key comes twice, the last has it, as in Python.
 * ES_ERR_FORMAT names the byte of the header at which it is no such dict; `path` is for messages. */
bool es_npy_header_read(es_npy_header_fields *out, const char *s, size_t n, const char *path,
                        es_error *err);

#endif
