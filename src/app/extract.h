// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope extract FILE -o OUT: the two tables of a model in a safetensors file of their own. */
#ifndef ES_APP_EXTRACT_H
#define ES_APP_EXTRACT_H

#include "app/options.h"

/* The exit status; err is filled unless it is ES_STATUS_OK. */
int es_extract(const es_options *o, es_error *err);

#endif
