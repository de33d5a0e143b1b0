// SPDX-License-Identifier: GPL-3.0-or-later
/* The text that is trained on, as tokens: documents one after another, every 100th of each file kept apart for
 * validation. */
#ifndef ES_TRAIN_CORPUS_H
#define ES_TRAIN_CORPUS_H

#include "base/watch.h"
#include "text/bpe.h"

enum { ES_CORPUS_HELD_OUT = 100 }; /* every so many-th document of a file is for validation */

/* Tokens of documents in their order; each ends with <|endoftext|>. */
typedef struct es_corpus_part {
    int32_t *ids;
    int64_t n, room;
    int64_t documents;
} es_corpus_part;

typedef struct es_corpus {
    int64_t vocab_size; /* V */
    es_corpus_part train, validation;
    int64_t *counts; /* V: in `train` */
    int64_t bytes;   /* of the text */
    uint64_t digest; /* of all tokens and of where documents and files end, so that a checkpoint
                      * knows its text again */
} es_corpus;

/* Ready to be added to; bpe is needed by es_corpus_add only. */
es_corpus es_corpus_new(int64_t vocab_size);
void es_corpus_free(es_corpus *c);

/* Add one file's text: documents are what blank lines part (lines of white space alone count as blank).
 * Encodes with up to `threads` threads.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_corpus_add(es_corpus *c, const es_bpe *bpe, const char *text, size_t n, int threads,
                   es_watch *watch, es_error *err);

#endif
