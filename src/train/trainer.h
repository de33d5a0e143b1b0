// SPDX-License-Identifier: GPL-3.0-or-later
/* A whole training run in slices of a moment each: stage 1 makes wte, stage 2 everything from there, then the model
 * can be written. */
#ifndef ES_TRAIN_TRAINER_H
#define ES_TRAIN_TRAINER_H

#include "core/table.h"
#include "model/model.h"
#include "train/checkpoint.h"
#include "train/corpus.h"

typedef struct es_trainer es_trainer;

/* How far a run is. */
typedef struct es_trainer_report {
    int stage;           /* 1 or 2; 3: all is done */
    int64_t done, total; /* of stage 1 tokens, of stage 2 steps */
    double loss;         /* of late: of a pair, of a token; 0: nothing learned yet */
    double speed;        /* tokens a second, of late; 0: not known yet */
    double left;         /* seconds until the stage is over; below 0: not known yet */
    double seconds;      /* spent on the run, those before a checkpoint included */
} es_trainer_report;

/* Begin a run; recipe and corpus are borrowed.  ES_ERR_VALUE: a recipe that does not fit itself or the text, which is
 * too short for one window.  ES_ERR_NOMEM.  Free with es_trainer_free. */
es_trainer *es_trainer_new(const es_recipe *r, const es_corpus *c, es_error *err);

/* Begin with stage 2, with a model's tables and blocks in place of a first stage; its sizes are the recipe's.
 * ES_ERR_VALUE names the one that is not; errors of es_model_blocks. */
es_trainer *es_trainer_from(const es_model *m, const es_recipe *r, const es_corpus *c,
                            es_watch *watch, es_error *err);

/* Go on with a run.  Errors of es_checkpoint_fits and es_checkpoint_read as well. */
es_trainer *es_trainer_resume(const es_checkpoint *from, const es_recipe *r, const es_corpus *c,
                              es_error *err);
void es_trainer_free(es_trainer *t); /* NULL is fine */

/* Learn from so much text as a tenth of a second allows on a small model: one step of stage 2.  Slices are the same
 * in every run.  ES_ERR_INTERRUPTED, and nothing has changed; ES_ERR_VALUE: the loss is no number any more.  Not to
 * be called once all is done. */
bool es_trainer_advance(es_trainer *t, es_watch *watch, es_error *err);
es_trainer_report es_trainer_now(const es_trainer *t);

/* Everything that es_trainer_resume needs, into path, whole or not at all.  ES_ERR_IO. */
bool es_trainer_save(es_trainer *t, const char *path, es_error *err);

/* The model as it is, once all is done: errors of es_model_write.  texts (UTF-8): what it learned from, for the file's
 * metadata. */
bool es_trainer_write(es_trainer *t, const char *path, es_store store, const char *texts,
                      es_error *err);

#endif
