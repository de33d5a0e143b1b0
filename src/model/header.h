// SPDX-License-Identifier: GPL-3.0-or-later
/* The JSON inside safetensors files: the header that says which tensors there are and where, and the
 * index of a model in several files.  Believes nothing: what these functions return has the right
 * types; whether the numbers fit the file is safetensors.c's to check.
 * Source: huggingface.co/docs/safetensors, "Format". */
#ifndef ES_MODEL_HEADER_H
#define ES_MODEL_HEADER_H

#include "model/stored.h"

/* All tensors of a header of n bytes, in the header's order.  `path` is for messages.
 * ES_ERR_FORMAT; ES_ERR_NOMEM; ES_ERR_UNSUPPORTED where the program was built without jansson.  Free
 * with es_stored_free. */
bool es_header_read(es_stored **tensors, size_t *n_tensors, const char *json, size_t n,
                    const char *path, es_error *err);

/* The string under `key` in the __metadata__ of a header that was read before; owned.  NULL: there is none. */
char *es_header_metadata(const char *json, size_t n, const char *key);

/* The whole number under `key` in a model's config.json; 0: it has none from 1 on.  Errors as es_header_read. */
bool es_config_read(int64_t *number, const char *key, const char *json, size_t n, const char *path,
                    es_error *err);

/* A tensor of a model in several files, and the file (no folder in its name) that holds it. */
typedef struct es_placed {
    char *name, *file;
} es_placed;

/* The "weight_map" of an index.  Errors as above; a file name that could leave the folder is one. */
bool es_index_read(es_placed **places, size_t *n_places, const char *json, size_t n,
                   const char *path, es_error *err);
void es_placed_free(es_placed *places, size_t n);

#endif
