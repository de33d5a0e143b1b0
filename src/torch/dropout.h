// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers dropped by chance, as layers do while they are trained. */
#ifndef ES_TORCH_DROPOUT_H
#define ES_TORCH_DROPOUT_H

#include "torch/torch.h"

/* Each number of x is 0 with probability p (0 to 1), those that stay are divided by 1 - p.  As many numbers are
 * drawn as x has.  ES_ERR_DTYPE: x is not floating. */
bool es_torch_dropout(es_torch *k, es_tensor *out, const es_tensor *x, double p, es_error *err);

#endif
