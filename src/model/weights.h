// SPDX-License-Identifier: GPL-3.0-or-later
/* The files of a model: one safetensors file, or an index and the files it names.  Only files that hold
 * a tensor which is asked for are opened. */
#ifndef ES_MODEL_WEIGHTS_H
#define ES_MODEL_WEIGHTS_H

#include "model/safetensors.h"

typedef struct es_weights {
    char *path;            /* of the file or the index */
    es_safetensors **file; /* n_files that are open */
    size_t n_files;
    es_placed *place; /* of an index: n_places tensors; NULL: one file */
    size_t n_places;
    size_t n_tensors; /* all there are, in files that were not opened too */
} es_weights;

/* Open a safetensors file, an index (NAME.index.json), or the one of the two that a folder holds as
 * model.safetensors or model.safetensors.index.json.  Errors as es_safetensors_open.  End with
 * es_weights_close, after a failure too. */
bool es_weights_open(es_weights *w, const char *path, es_error *err);
void es_weights_close(es_weights *w);

/* A tensor and its file, both borrowed from w. */
typedef struct es_located {
    es_safetensors *file; /* NULL: there is no such tensor */
    const es_stored *tensor;
} es_located;

/* The tensor of that name, *out empty when there is none.  Fails when its file cannot be read. */
bool es_weights_find(es_weights *w, es_located *out, const char *name, es_error *err);
/* What the i-th of its n_tensors tensors is called; opens nothing. */
const char *es_weights_name(const es_weights *w, size_t i);
/* The i-th of its n_tensors tensors, and what it is called there; borrowed.  Fails in the same way. */
bool es_weights_at(es_weights *w, size_t i, es_located *out, const char **name, es_error *err);

#endif
