// SPDX-License-Identifier: GPL-3.0-or-later
/* nn's layers that compute what a function of F does, with attributes of theirs as its arguments: Linear calls
 * F.linear(input, weight, bias).  What they say of themselves when printed is in the same table. */
#ifndef ES_EXPR_MODULE_LAYERS_H
#define ES_EXPR_MODULE_LAYERS_H

#include "expr/modules.h"

/* The forward of all of them. */
bool es_layer_forward(es_args *a, es_value *out, es_error *err);
/* The attribute that is called as parameter i is: what was given, else `otherwise`, which is taken over. */
bool es_layer_keep(es_args *a, int i, es_value otherwise, es_error *err);

#endif
