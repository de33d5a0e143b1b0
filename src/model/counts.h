// SPDX-License-Identifier: GPL-3.0-or-later
/* How often each token was seen in training, where a model's files say so. */
#ifndef ES_MODEL_COUNTS_H
#define ES_MODEL_COUNTS_H

#include "model/weights.h"

/* *counts = the V numbers of token_count, int32 or int64, owned; NULL where there are none, or others than a table
 * of V tokens can have: then a remark is appended to `warnings`, a line ready to print.  Fails as
 * es_weights_find. */
bool es_counts_read(int64_t **counts, es_weights *w, int64_t V, es_str *warnings, es_error *err);

#endif
