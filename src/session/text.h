// SPDX-License-Identifier: GPL-3.0-or-later
/* A text, or a batch of them: bytes, tokens, ids (B, T), and the vectors on demand.  Immutable and
 * counted: the last text, the preview, a job and the window may each hold a reference. */
#ifndef ES_SESSION_TEXT_H
#define ES_SESSION_TEXT_H

#include <pthread.h>

#include "base/watch.h"
#include "session/context.h"

/* One text of the batch. */
typedef struct es_sentence {
    char *bytes;
    size_t len;
    es_tokens tokens;
    int64_t at; /* its first token's place on the time axis: 0 unless padded on the left */
} es_sentence;

/* Sentences and their ids, counted apart from the text so that another context can share them. */
typedef struct es_sentences {
    atomic_int refs;
    int64_t B, T;    /* T: tokens of the longest */
    es_sentence *of; /* [B] */
    int32_t *ids;    /* (B, T), padded; NULL when B is 1: see es_text_ids */
    int32_t pad;     /* the id that fills short rows */
} es_sentences;

typedef struct es_text {
    atomic_int refs;
    es_context *context;
    es_sentences *sentences;
    pthread_mutex_t lock; /* guards what follows */
    es_embedded vectors;  /* filled by es_text_vectors */
} es_text;

typedef struct es_reading {
    bool special; /* <|endoftext|> is one token */
    int32_t pad;  /* for batches */
    bool pad_left;
} es_reading;

/* Encode B byte strings, copied.  ES_ERR_NOMEM, ES_ERR_RANGE, ES_ERR_INTERRUPTED.  Long is allowed:
 * the guard is es_text_guard's.  Free with es_text_unref. */
es_text *es_text_new(es_context *c, const es_reading *how, const char *const *bytes,
                     const size_t *len, int64_t B, es_watch *watch, es_error *err);
/* The same sentences seen with another context. */
es_text *es_text_with(const es_text *t, es_context *c);
es_text *es_text_ref(es_text *t);
void es_text_unref(es_text *t); /* NULL is fine */

int64_t es_text_B(const es_text *t);
int64_t es_text_T(const es_text *t);
const int32_t *es_text_ids(const es_text *t); /* (B, T), dense; borrowed */
size_t es_text_n_bytes(const es_text *t);     /* of all sentences */

/* The bytes of token i of sentence b; borrowed. */
const char *es_text_token(const es_text *t, int64_t b, size_t i, size_t *len);

/* Has it vectors?  ES_ERR_CONTEXT_OVERFLOW as es_embedding_guard, ES_ERR_VALUE for a model without wte,
 * ES_ERR_INDEX_RANGE for an id that wte has no row for. */
bool es_text_guard(const es_text *t, es_error *err);

/* Does its model have positions but no wte?  Then es_text_rows gives pos_emb and nothing else, and
 * es_text_guard fails. */
bool es_text_places_only(const es_text *t);

/* tok_emb, pos_emb and x of the whole (B, T): computed on the first call, kept.  Borrowed.
 * Errors as es_embedding_forward. */
const es_embedded *es_text_vectors(es_text *t, es_error *err);

/* The same for n places of sentence b from place t0 on, shapes (1, n, C) each: a view of the whole
 * where that exists or is small, else computed for just these; pos_emb alone for es_text_places_only.
 * Free with es_embedded_free. */
bool es_text_rows(es_text *t, int64_t b, int64_t t0, int64_t n, es_embedded *out, es_error *err);

#endif
