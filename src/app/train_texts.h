// SPDX-License-Identifier: GPL-3.0-or-later
/* The texts that embedscope train was given, as tokens. */
#ifndef ES_APP_TRAIN_TEXTS_H
#define ES_APP_TRAIN_TEXTS_H

#include "app/bar.h"
#include "app/train_options.h"
#include "text/bpe.h"
#include "train/corpus.h"

typedef struct es_train_texts {
    const es_train_options *options; /* borrowed */
    es_bpe *bpe;
    int threads;
    es_bar bar;
} es_train_texts;

/* The vocabulary is opened.  ES_ERR_NAME, ES_ERR_IO, ES_ERR_FORMAT.  End with es_train_texts_close, after a failure
 * too. */
bool es_train_texts_open(es_train_texts *t, const es_train_options *o, int threads, es_error *err);
void es_train_texts_close(es_train_texts *t);

/* Add the i-th file to c, showing how far that is; notes go to stderr.  Errors of es_reader_open and
 * es_corpus_add. */
bool es_train_texts_add(es_train_texts *t, es_corpus *c, size_t i, es_error *err);

/* The last part of a path, fit to be printed. */
void es_train_text_name(es_str *out, const char *path);

/* A line on stderr, after the bar's was taken away. */
void es_train_say(es_bar *b, const char *fmt, ...) ES_PRINTF(2, 3);

#endif
