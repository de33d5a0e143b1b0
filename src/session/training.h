// SPDX-License-Identifier: GPL-3.0-or-later
/* A run of :train: stage 2 of the trainer on the boxed text, from the tables of a model, and what it changed. */
#ifndef ES_SESSION_TRAINING_H
#define ES_SESSION_TRAINING_H

#include "layer/near.h"
#include "session/boxed.h"
#include "session/context.h"
#include "session/result.h"
#include "train/gpt.h"

enum {
    ES_TRAIN_WATCHED = 8, /* tokens whose neighbours are compared, at most */
    ES_TRAIN_NEIGHBOURS = 5,
    ES_TRAIN_PAIRS = 10,
    ES_TRAIN_WORDS = 200,    /* frequent words among which pairs are looked for */
    ES_TRAIN_WHOLE = 10,     /* up to so many steps use the softmax over the whole vocabulary */
    ES_TRAIN_MEASURED = 1024 /* held-out tokens that the loss is measured on */
};

/* The nearest rows of one token, before and after. */
typedef struct es_train_near {
    int32_t id;
    int64_t n_before, n_after;
    es_neighbour before[ES_TRAIN_NEIGHBOURS], after[ES_TRAIN_NEIGHBOURS];
} es_train_near;

/* Two frequent words whose cosine rose. */
typedef struct es_train_pair {
    int32_t a, b;
    double before, after;
} es_train_pair;

/* A row that is not what it was. */
typedef struct es_train_row {
    int64_t row;
    int64_t looked_up; /* how often, in all steps together */
    double by;         /* length of the difference */
} es_train_row;

/* The rows of a table that moved: those looked up most often first, then by how far; ties by number. */
typedef struct es_train_moves {
    int64_t rows, looked_up; /* of the table; and how many of those were looked up */
    es_train_row *of;        /* [n] */
    int64_t n;
} es_train_moves;

/* What is told of a run when it has ended. */
typedef struct es_train_report {
    es_context *context; /* one reference: of the model it started from */
    es_recipe recipe;
    int64_t steps; /* done; recipe.steps were wanted */
    int64_t tokens, measured;
    bool brief; /* for a lesson: which rows moved, and no more */
    double seconds;
    double loss_before, loss_after, first_rate;
    size_t n_near, n_pairs;
    es_train_near near[ES_TRAIN_WATCHED];
    es_train_pair pair[ES_TRAIN_PAIRS]; /* largest rise first */
    es_train_moves wte, wpe;
} es_train_report;

es_result es_result_train(es_train_report *r); /* takes over what it holds */
void es_train_report_free(es_train_report *r);

/* A run.  What a caller reads while it runs is atomic. */
typedef struct es_training {
    es_context *context;   /* one reference: the model it starts from */
    const es_boxed *boxed; /* borrowed */
    es_recipe recipe;
    enum { ES_TIED_AS_IT_IS, ES_TIED, ES_UNTIED } tied;
    int32_t watched[ES_TRAIN_WATCHED];
    size_t n_watched;
    atomic_bool enough;   /* set from outside: end after this step and keep what was learned */
    _Atomic float loss;   /* of the last step; NaN: none yet */
    _Atomic int64_t step; /* done */
    /* set by the run */
    float *before;      /* wte, then wpe, as they were */
    es_gpt *gpt;        /* whose parameters are what was learned */
    int64_t *counts;    /* V, how often each token stands in the text, for the negatives */
    int64_t *looked_up; /* V, how often each row of wte was read */
    es_train_report report;
} es_training;

/* Ready to run, with the usual numbers for so many steps: the caller may change them.  Blocks are the model's where
 * it has them, else one that is fresh.  ES_ERR_VALUE where the model lacks a table, or a row for a token of the
 * text.  Free with es_training_free. */
es_training *es_training_new(es_context *c, const es_boxed *boxed, int64_t steps, es_error *err);
void es_training_free(es_training *t); /* NULL is fine */

/* The work, an es_job_fn.  ES_ERR_INTERRUPTED, ES_ERR_NOMEM; ES_ERR_VALUE when the loss is no number any more. */
bool es_training_run(void *training, es_watch *watch, es_error *err);

/* What was learned, as a model.  ES_ERR_NOMEM. */
es_model *es_training_model(const es_training *t, const char *about, es_backend *be, es_error *err);

static inline es_block_sizes es_training_sizes(const es_recipe *r)
{
    return (es_block_sizes){r->n_layer, r->n_head, r->n_embd};
}

/* *loss = the mean over so many windows of held-out tokens, softmax over the whole vocabulary
 * (training_measure.c).  ES_ERR_FORMAT: the text holds out too few. */
int64_t es_training_windows(const es_recipe *r);
bool es_training_measure(double *loss, const es_training *t, es_watch *watch, es_error *err);

/* Fill the report's comparisons (training_compare.c). */
bool es_training_compare(es_training *t, es_watch *watch, es_error *err);

/* For the kind "train". */
bool es_show_train(es_str *out, void *data, const es_style *style, es_error *err);
bool es_json_of_train(es_json *j, void *data, bool values, es_error *err);

#endif
