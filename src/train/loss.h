// SPDX-License-Identifier: GPL-3.0-or-later
/* The loss of next tokens and its gradient: softmax over the whole vocabulary, or over each place's target and
 * negatives that all places share. */
#ifndef ES_TRAIN_LOSS_H
#define ES_TRAIN_LOSS_H

#include "base/watch.h"
#include "train/sampler.h"

/* Tokens that stand for the whole vocabulary in one step. */
typedef struct es_negatives {
    int64_t n;
    int32_t *ids; /* n, drawn with replacement */
    float *
        log_q; /* n: log of the expected number of times each is drawn, n * q; subtracted from its logit */
    float *rows; /* (n, C) of the output matrix */
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

/* Sum over the places of -log softmax, and `scale` times its gradients.  Negatives equal to a place's target are
 * left out there; log Q corrects for how often negatives are drawn (Jean et al. 2015, section 3.2; Bengio and
 * Senecal 2008).  work: (N, n) numbers. */
double es_loss_sampled(const es_loss_gradients *g, const es_loss_places *p, const es_negatives *neg,
                       const float *target_log_q, float scale, float *work);

/* The same over all V tokens; work: (rows, V) numbers, for so many places at once.  Stops when the watch (may be
 * NULL) says so: NAN. */
double es_loss_whole(const es_loss_gradients *g, const es_loss_places *p, float scale, float *work,
                     int64_t rows, es_watch *watch);

#endif
