// SPDX-License-Identifier: GPL-3.0-or-later
/* What a training run is told: sizes of the model, and every number of both stages. */
#ifndef ES_TRAIN_RECIPE_H
#define ES_TRAIN_RECIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

typedef struct es_recipe {
    int64_t seed, threads;
    /* the model */
    int64_t n_embd, n_ctx, n_layer, n_head;
    bool tied; /* the output matrix is wte */
    /* stage 1: skip-gram with negative sampling, for wte (Mikolov et al. 2013) */
    double epochs;  /* passes over the text; 0: no stage 1, wte starts as N(0, 0.02) */
    int64_t window; /* a centre's context is 1..window tokens to either side, drawn for each */
    int64_t noise;  /* negatives a pair */
    double subsample,
        rate; /* the threshold of frequent tokens; the rate at the start, falling to 0 */
    /* stage 2: a GPT that predicts the next token */
    int64_t steps, batch, context; /* a step: `batch` windows of `context` tokens */
    int64_t negatives;     /* shared by a step's windows; 0: softmax over the whole vocabulary */
    bool shift;            /* windows stand anywhere in the position table, so that each row learns;
                                      else all at its start */
    double spread;         /* share of the steps that it takes to get from its start to anywhere */
    int64_t warmup;        /* steps until the rate has risen to lr */
    double lr, floor;      /* Adam's rate, and the share of it that the cosine ends with */
    double wte_lr, wpe_lr; /* the tables learn at these shares of it */
    double beta1, beta2, clip; /* Adam's, and the largest length of a step's whole gradient */
} es_recipe;

es_recipe es_recipe_default(void);

/* Set one number by its name, "lr" or "n-embd" (the command line writes "--lr").  ES_ERR_VALUE names the bounds,
 * ES_ERR_NAME what is near. */
bool es_recipe_set(es_recipe *r, const char *name, const char *value, es_error *err);

/* Do the numbers fit one another (n_head divides n_embd, context is at most n_ctx)?  ES_ERR_VALUE. */
bool es_recipe_check(const es_recipe *r, es_error *err);

/* The i-th number by name, with what it is, for help and for files; NULL past the last. */
typedef struct es_recipe_entry {
    const char *name; /* "lr" */
    char kind;        /* 'i' int64_t, 'd' double, 'b' bool */
    size_t offset;    /* in es_recipe */
    double least, most;
    const char *about; /* "Adam's rate at its highest" */
} es_recipe_entry;
const es_recipe_entry *es_recipe_at(size_t i);

/* Appends "name=value" of that entry's value in r, as es_recipe_set reads it back, exactly. */
void es_recipe_show(es_str *out, const es_recipe *r, const es_recipe_entry *e);

#endif
