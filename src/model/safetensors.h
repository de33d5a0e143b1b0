// SPDX-License-Identifier: GPL-3.0-or-later
/* One safetensors file: 8 bytes with the header's length, a JSON header, the tensors' bytes.  Mapped,
 * and every number checked before it is trusted: the tensors lie inside the file, one behind the other,
 * without holes, overlaps or bytes left over.
 * Source: huggingface.co/docs/safetensors, "Format". */
#ifndef ES_MODEL_SAFETENSORS_H
#define ES_MODEL_SAFETENSORS_H

#include "model/header.h"

/* Immutable and counted: each table of it holds a reference. */
typedef struct es_safetensors {
    atomic_int refs;
    char *path;
    es_file file;
    const unsigned char *data; /* the bytes behind the header */
    uint64_t size;             /* how many */
    es_stored *tensor;         /* n_tensors of them, as they lie in the file */
    size_t n_tensors;
} es_safetensors;

/* ES_ERR_FORMAT names the file, the tensor and the numbers; also for what else is found in such a
 * place: a Git LFS pointer, a web page, another format.  ES_ERR_IO, ES_ERR_NOMEM, ES_ERR_UNSUPPORTED.
 * End with es_safetensors_unref. */
es_safetensors *es_safetensors_open(const char *path, es_error *err);
es_safetensors *es_safetensors_ref(es_safetensors *f);
void es_safetensors_unref(es_safetensors *f); /* NULL is fine */

/* The tensor of that name, or NULL. */
const es_stored *es_safetensors_find(const es_safetensors *f, const char *name);

/* The string under `key` in its metadata; owned.  NULL: there is none.  Reads the header again. */
char *es_safetensors_metadata(const es_safetensors *f, const char *key);

/* A tensor of f as a table (rows, C), in place: nothing is copied, no number read.  ES_ERR_FORMAT when
 * it has not two axes, is empty or larger than tables are, or its numbers are none that rows are read
 * from.  Free with es_table_unref. */
es_table *es_safetensors_table(es_safetensors *f, const es_stored *t, es_error *err);

#endif
