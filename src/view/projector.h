// SPDX-License-Identifier: GPL-3.0-or-later
/* The rows of wte as the two files that TensorBoard's Embedding Projector loads. */
#ifndef ES_VIEW_PROJECTOR_H
#define ES_VIEW_PROJECTOR_H

#include "session/context.h"
#include "session/result.h"
#include "view/meta.h"

#define ES_PROJECTOR_VECTORS  "vectors.tsv"
#define ES_PROJECTOR_METADATA "metadata.tsv"

/* What is to be written, and what came of it. */
typedef struct es_projector {
    const char *folder;        /* made where it is missing, but not what is above it */
    const es_context *context; /* its model has a wte */
    const es_meta *meta;       /* whose columns go with the tokens; NULL: none */
    bool centred;              /* the mean of all rows is taken off */
    bool force;                /* files that are there are replaced */
    int64_t left_out; /* out: rows with NaN or Inf, written as they are and not in the mean */
} es_projector;

/* vectors.tsv: a line a row of wte, its numbers as %.9g, a tab between two, no header.  metadata.tsv: a header, and a
 * line for each of these rows: Token (token_cell.h), Id, Count where training's are known, Script, and the columns of
 * one's own.  Both or neither, by way of temporary files beside them: where one fails what was there stays.  An
 * es_job_fn: work is an es_projector; the watch counts rows.  ES_ERR_IO: also where a file is there and not forced;
 * ES_ERR_INTERRUPTED, ES_ERR_NOMEM, ES_ERR_BACKEND. */
bool es_projector_write(void *work, es_watch *watch, es_error *err);

#endif
