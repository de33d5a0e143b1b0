// SPDX-License-Identifier: GPL-3.0-or-later
/* The loss of next tokens and its gradient: softmax over the whole vocabulary, or over each place's target and
 * negatives that all places share. */
#ifndef ES_TRAIN_LOSS_H
#define ES_TRAIN_LOSS_H

#include "base/watch.h"
#include "train/sampler.h"

/* Tokens that stand for the whole vocabulary in one step: those that some number of draws gave, each once. */
typedef struct es_negatives {
    int64_t n;
    int32_t *ids;          /* n, no two alike */
    float *log_q;          /* n: log of the chance that each is among the drawn */
    const float *log_q_of; /* V: the same of every token; borrowed */
    float *rows;           /* (n, C) of the output matrix */
} es_negatives;

/* A loss over N places.  hidden (N, C); out (V, C) is the output matrix; targets N ids. */
typedef struct es_loss_places {
    int64_t N, C, V;
    const float *hidden, *out;
    const int32_t *targets;
} es_loss_places;

/* Where gradients go; any may be NULL. */
typedef struct es_loss_gradients {
    float *hidden;   /* (N, C), set */
    float *target;   /* (N, C), set: what each place gives to the row of its target */
    float *negative; /* (n, C), set: what all places give to the negatives' rows */
    float *whole;    /* (V, C), added to; with the whole vocabulary only */
} es_loss_gradients;

/* Room that a loss works in: ES_LOSS_ROWS places at once. */
enum { ES_LOSS_ROWS = 128 };

/* Sum over the places of -log softmax(target) among the target and the negatives, each logit less the log of its
 * token's chance to be there; a negative that is a place's target is left out there.  Given who is there, a token's
 * chance to be the target goes as p / Q, so that this is least where p is the softmax of the whole vocabulary, however
 * few are drawn.  And `scale` times the gradients.  Source: Jean et al. 2015, section 3; Bengio and Senecal 2008,
 * section III.
 * work: (ES_LOSS_ROWS, n) numbers. */
double es_loss_sampled(const es_loss_gradients *g, const es_loss_places *p, const es_negatives *neg,
                       float scale, float *work);

/* The same over all V tokens; work: (ES_LOSS_ROWS, V) numbers.  False when the watch (may be NULL) says stop. */
bool es_loss_whole(double *loss, const es_loss_gradients *g, const es_loss_places *p, float scale,
                   float *work, es_watch *watch, es_error *err);

#endif
