// SPDX-License-Identifier: GPL-3.0-or-later
/* Stage 1: rows of wte from the company tokens keep, by skip-gram with negative sampling.
 * Source: Mikolov, Sutskever, Chen, Corrado and Dean, "Distributed representations of words and phrases and
 * their compositionality" (NIPS 2013), sections 2.2 and 2.3. */
#ifndef ES_TRAIN_SKIPGRAM_H
#define ES_TRAIN_SKIPGRAM_H

#include "train/corpus.h"
#include "train/recipe.h"
#include "train/sampler.h"

/* Everything a pass needs; `in`, `out`, `done`, `draw` and `loss` are what a checkpoint keeps. */
typedef struct es_skipgram {
    const es_recipe *recipe; /* borrowed */
    const es_corpus *corpus; /* borrowed */
    int64_t total;           /* tokens of all epochs */
    int64_t done;            /* of those */
    es_draw draw;            /* with one thread the only source of chance */
    double loss;             /* a running mean of a pair's loss; 0 before the first */
    float *in, *out;         /* (V, C) each: the rows looked for, and those of contexts */
    es_sampler noise;
    float *keep; /* V: the chance that an occurrence stays */
} es_skipgram;

/* in U(-1/2C, 1/2C), out 0.  ES_ERR_NOMEM.  Free with es_skipgram_free. */
bool es_skipgram_new(es_skipgram *s, const es_recipe *r, const es_corpus *c, es_error *err);
void es_skipgram_free(es_skipgram *s);

/* Go on for about `tokens` tokens of text, recipe->threads at once (unsynchronised, as in the authors' program:
 * only one thread gives the same bytes twice).  Done when done == total. */
void es_skipgram_run(es_skipgram *s, int64_t tokens);

/* wte (V, C) for stage 2: `in` centred on tokens seen at least 5 times and scaled to standard deviation 0.05; rarer
 * rows N(0, 0.02). */
void es_skipgram_table(float *wte, const es_skipgram *s);

#endif
