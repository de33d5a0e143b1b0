// SPDX-License-Identifier: GPL-3.0-or-later
/* A model: two tables, their sizes, where they come from, and a name.  Immutable and counted. */
#ifndef ES_MODEL_MODEL_H
#define ES_MODEL_MODEL_H

#include <stdint.h>

#include "core/table.h"

typedef struct es_config {
    int64_t vocab_size; /* V, rows of wte; 0: the model has no wte */
    int64_t n_ctx;      /* P, rows of wpe, 0: it has none; "block_size", "max_seq_len" elsewhere */
    int64_t n_embd;     /* C, the width of both; d_model in papers */
} es_config;

/* Where a table comes from. */
typedef struct es_table_origin {
    char *path;        /* the file; NULL: made by the program, or not there */
    char *tensor;      /* its name in the file, UTF-8; NULL likewise */
    const char *dtype; /* of its numbers as they are kept: "float16"; NULL: not there */
} es_table_origin;

typedef struct es_model {
    atomic_int refs;
    char *name;   /* short and ready to print: "untrained:C=768", "gpt2" */
    char *about;  /* what its numbers are: "random numbers, nothing learned" */
    char *brief;  /* the same in a word or three: "random" */
    bool bundled; /* the one that comes with the program */
    char *path;   /* the file or index it was read from; NULL: made by the program */
    es_config config;
    es_table *wte;   /* (V, C); a table of no rows where the model has none */
    es_table *wpe;   /* (n_ctx, C); likewise */
    int64_t *counts; /* V: how often each token was seen in training; NULL: not known */
    es_table_origin wte_from, wpe_from;
    struct es_block_source *blocks; /* what it has for model/blocks.h; NULL: no blocks */
    size_t n_others;                /* tensors of its files that are none of these */
    char *warnings;                 /* a line each, ready to print; NULL: none */
} es_model;

/* What a model is put together from; all may be NULL but one.  Tables named by themselves take the
 * place of the model's, or make a model of their own. */
typedef struct es_model_parts {
    const char *model;     /* "mini", "untrained:C=768", a name in the user's folder, a path */
    const char *wte, *wpe; /* paths of files with one of the tables */
    uint64_t seed;         /* of untrained tables */
} es_model_parts;

/* Tables in files are mapped, none of their numbers read.  One table is enough; the other then has no
 * rows.  ES_ERR_NAME, ES_ERR_VALUE; ES_ERR_IO, ES_ERR_FORMAT, ES_ERR_NOMEM of files; ES_ERR_BROADCAST
 * when the tables' widths differ.  Free with es_model_unref. */
es_model *es_model_build(const es_model_parts *parts, es_error *err);
es_model *es_model_open(const char *name, uint64_t seed, es_error *err); /* one name or path */

/* The model that is in use where none is asked for (es_shelf_usual).  Where the bundled one cannot be read it is
 * "untrained", with a warning that says why; the hint of an error says whose choice another was. */
es_model *es_model_usual(uint64_t seed, es_error *err);

es_model *es_model_ref(es_model *m);
void es_model_unref(es_model *m); /* NULL is fine */

/* How often token id was seen in training; -1: not known. */
int64_t es_model_count(const es_model *m, int32_t id);

/* Is what was asked of the model there?  ES_ERR_VALUE: "the model wpe has no token table". */
bool es_model_needs_wte(const es_model *m, es_error *err);
bool es_model_needs_wpe(const es_model *m, es_error *err);

#endif
