// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope train: a model from text, and how well a model predicts a text. */
#ifndef ES_APP_TRAIN_H
#define ES_APP_TRAIN_H

#include "app/options.h"

/* The words behind the program's name are the options' files.  The exit status; err is filled where there is
 * something to say that was not said. */
int es_train(const es_options *o, es_error *err);

#endif
