// SPDX-License-Identifier: GPL-3.0-or-later
/* The command line of embedscope train. */
#ifndef ES_APP_TRAIN_OPTIONS_H
#define ES_APP_TRAIN_OPTIONS_H

#include "app/arguments.h"
#include "core/table.h"
#include "train/recipe.h"

typedef struct es_train_options {
    bool help, resume, restart;
    const char *output; /* the model's file */
    const char *eval;   /* a model's file that is to be tried, instead of training */
    const char *from;   /* a model's file that stage 2 begins with */
    const char *vocab;
    double checkpoint; /* seconds between two */
    es_store store;
    struct es_train_number {
        const char *name, *value; /* of the recipe, as given */
    } * number;
    size_t n_numbers;
    char **corpus; /* n_corpora paths, within argv */
    size_t n_corpora;
} es_train_options;

/* argv[0] is "train".  ES_ERR_USAGE.  Free with es_train_options_free, after a failure too. */
bool es_train_options_parse(es_train_options *o, int argc, char **argv, es_error *err);
void es_train_options_free(es_train_options *o);

/* Set the numbers that were given in r, and check that all fit.  ES_ERR_USAGE. */
bool es_train_options_apply(const es_train_options *o, es_recipe *r, es_error *err);

/* The i-th option, those of the recipe behind the others; false past the last. */
bool es_train_option_at(size_t i, es_option *o);

/* Append " (0.003)", what a number of the recipe is unless given; nothing for the other options. */
void es_train_option_default(es_str *out, const es_option *o);

/* What train --help prints, at most 80 columns wide. */
void es_train_help(es_str *out);

#endif
