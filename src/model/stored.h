// SPDX-License-Identifier: GPL-3.0-or-later
/* A tensor as a safetensors header describes it, and how messages speak of one. */
#ifndef ES_MODEL_STORED_H
#define ES_MODEL_STORED_H

#include <stdint.h>

#include "core/table.h"

/* A number format as files name it. */
typedef struct es_stored_type {
    const char *name;  /* "BF16" */
    const char *torch; /* "bfloat16"; NULL where rows of it are not read */
    int bits;          /* of one number */
    es_store store;    /* where torch is not NULL */
} es_stored_type;

/* The i-th known format, or NULL. */
const es_stored_type *es_stored_type_at(size_t i);

enum { ES_STORED_DIMS = ES_MAX_DIMS };

/* One tensor of a header. */
typedef struct es_stored {
    char *name; /* UTF-8, anything but NUL */
    const es_stored_type *type;
    int64_t rank;                /* any number of axes */
    int64_t dim[ES_STORED_DIMS]; /* the first of them, each >= 0 */
    uint64_t bytes;              /* all axes and the type: what it takes */
    uint64_t begin, end;         /* its bytes, counted from the end of the header */
} es_stored;

void es_stored_free(es_stored *tensors, size_t n);

/* ES_ERR_FORMAT, "PATH: " or "PATH: tensor NAME " and the rest; return false. */
bool es_bad_file(es_error *err, const char *path, const char *fmt, ...) ES_PRINTF(3, 4);
bool es_bad_tensor(es_error *err, const char *path, const char *tensor, const char *fmt, ...)
    ES_PRINTF(4, 5);

/* "[61, 32]" for a message; axes beyond the first few as …. */
void es_stored_shape(es_str *out, const es_stored *t);

#endif
