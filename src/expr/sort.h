// SPDX-License-Identifier: GPL-3.0-or-later
/* Sorting values by what < says of them. */
#ifndef ES_EXPR_SORT_H
#define ES_EXPR_SORT_H

#include "expr/interp.h"

/* The values in order, those that are equal as they were; key: a function of one value to compare by, or
 * NULL.  After a failure they are all there, in some order. */
bool es_sort(es_interp *in, es_value *of, int64_t n, const es_value *key, bool reverse,
             es_error *err);
/* Is a < b, as the language has it? */
bool es_less(es_interp *in, const es_value *a, const es_value *b, bool *less, es_error *err);

#endif
