// SPDX-License-Identifier: GPL-3.0-or-later
/* What the language does with instances by way of their methods.  int: 1 done, 0 there is no such method (or it
 * gave NotImplemented), -1 failed. */
#ifndef ES_EXPR_PROTOCOLS_H
#define ES_EXPR_PROTOCOLS_H

#include "expr/inside.h"

int es_object_binary(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
                     es_error *err); /* comparisons too */
int es_object_augment(es_interp *in, es_op op, const es_value *x, const es_value *v, es_value *out,
                      es_error *err);
int es_object_unary(es_interp *in, es_op op, const es_value *a, es_value *out, es_error *err);
int es_object_equal(es_interp *in, const es_value *a, const es_value *b, bool *out, es_error *err);
int es_object_len(es_interp *in, const es_value *v, int64_t *n, es_error *err);
bool es_object_truth(es_interp *in, const es_value *v, bool *out, es_error *err);
bool es_object_item(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                    es_error *err);
bool es_object_item_put(es_interp *in, const es_value *v, const es_value *sub, const es_value *x,
                        es_error *err);
bool es_object_item_delete(es_interp *in, const es_value *v, const es_value *sub, es_error *err);
bool es_object_contains(es_interp *in, const es_value *v, const es_value *of, bool *out,
                        es_error *err);

/* How an es_iter whose value is an instance goes on: its n. */
enum { ES_ITER_ITEMS = -1, ES_ITER_NEXT = -2 };
bool es_object_iter_begin(es_iter *w, es_interp *in, const es_value *of, es_error *err);
int es_object_iter_next(es_iter *w, es_interp *in, es_value *out, es_error *err);

/* False where its class says what is equal to it and not __hash__. */
bool es_object_has_hash(const es_value *v);
/* What its __format__ says of it. */
int es_object_format(es_interp *in, es_str *out, const es_value *v, const char *spec, size_t n,
                     es_error *err);
bool es_object_repr(es_interp *in, es_str *out, const es_value *v, es_error *err);
bool es_object_str(es_interp *in, es_str *out, const es_value *v, es_error *err);

bool es_is_not_implemented(const es_value *v);

#endif
