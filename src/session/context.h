// SPDX-License-Identifier: GPL-3.0-or-later
/* What a text is seen with: vocabulary, model, positions and device.  Immutable and counted; a
 * setting that changes the numbers makes a new one, and old texts keep theirs. */
#ifndef ES_SESSION_CONTEXT_H
#define ES_SESSION_CONTEXT_H

#include "layer/embedding.h"
#include "model/model.h"
#include "text/bpe.h"

typedef struct es_context {
    atomic_int refs;
    const es_bpe *bpe;    /* borrowed from the session, which outlives every context */
    const char *vocab;    /* its name; borrowed likewise */
    es_model *model;      /* one reference */
    es_table *sinusoidal; /* one reference, or NULL */
    es_embedding layer;   /* borrows the tables of the two above */
} es_context;

/* Learned positions become none where the model has no wpe.  Free with es_context_unref. */
es_context *es_context_new(const es_bpe *bpe, const char *vocab, es_model *model, es_backend *be,
                           es_positions positions);
es_context *es_context_ref(es_context *c);
void es_context_unref(es_context *c); /* NULL is fine */

const char *es_context_device(const es_context *c); /* "cpu" */

#endif
