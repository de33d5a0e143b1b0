// SPDX-License-Identifier: GPL-3.0-or-later
/* The text that comes with the program, as tokens: what :train learns from and :contexts looks through. */
#ifndef ES_SESSION_BOXED_H
#define ES_SESSION_BOXED_H

#include "base/file.h"
#include "text/bpe.h"

enum { ES_BOXED_EVERY = 12, ES_BOXED_HELD = 4 };

typedef struct es_boxed {
    es_file file;
    es_tokens
        tokens;    /* documents, each ended by <|endoftext|> in place of the blank line behind it */
    size_t *first; /* n_documents + 1: of each its first token */
    size_t n_documents;
    int64_t vocab_size; /* V */
    int64_t *counts;    /* V: how often each token stands in it */
} es_boxed;

/* The asset text/boxed.txt; a blank line parts two documents.  ES_ERR_IO, ES_ERR_NOMEM; ES_ERR_FORMAT for one of
 * no documents.  Free with es_boxed_free. */
es_boxed *es_boxed_open(const es_bpe *bpe, es_error *err);
void es_boxed_free(es_boxed *b); /* NULL is fine */

/* Is document i kept apart, to measure with?  One of twelve is. */
static inline bool es_boxed_held_out(size_t i)
{
    return i % ES_BOXED_EVERY == ES_BOXED_HELD;
}

/* The documents learned from, or those held out, as one array of *n ids.  Freed by the caller. */
int32_t *es_boxed_ids(const es_boxed *b, bool held_out, int64_t *n);

#endif
