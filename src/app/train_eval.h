// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope train --eval FILE CORPUS…: the loss of a model on what was kept apart. */
#ifndef ES_APP_TRAIN_EVAL_H
#define ES_APP_TRAIN_EVAL_H

#include "app/train_options.h"

/* The exit status; err is filled unless it is ES_STATUS_OK. */
int es_train_eval(const es_train_options *o, es_error *err);

#endif
