// SPDX-License-Identifier: GPL-3.0-or-later
/* How well a model predicts a text: the loss of its next tokens over the whole vocabulary. */
#ifndef ES_TRAIN_EVAL_H
#define ES_TRAIN_EVAL_H

#include "base/watch.h"
#include "model/model.h"

/* A model ready to be asked: its tables and blocks as float32. */
typedef struct es_eval es_eval;

/* The model is borrowed.  threads: so many windows at once, which changes no number.  ES_ERR_VALUE: a model without
 * blocks or tables; errors of es_model_blocks.  Free with es_eval_free. */
es_eval *es_eval_new(const es_model *m, int64_t context, int threads, es_watch *watch,
                     es_error *err);
void es_eval_free(es_eval *e); /* NULL is fine */

/* Adds up -log p of the tokens ids[1..n), each given those before it in its window, in *nats.  Windows of `context`
 * tokens stand at the start of the position table and overlap by half: of each but the first only the later half
 * counts, so that every token but the first is predicted once, and by at least context / 2 tokens where the text has
 * so many before it.  The watch (may be NULL) sees tokens.  ES_ERR_INDEX_RANGE: an id that wte has not;
 * ES_ERR_INTERRUPTED, ES_ERR_NOMEM. */
bool es_eval_text(double *nats, es_eval *e, const int32_t *ids, int64_t n, es_watch *watch,
                  es_error *err);

#endif
