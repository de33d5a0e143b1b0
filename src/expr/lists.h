// SPDX-License-Identifier: GPL-3.0-or-later
/* What holds many values, for Python's functions of many values (builtins_iterate.c): going over it, and making one. */
#ifndef ES_EXPR_LISTS_H
#define ES_EXPR_LISTS_H

#include "expr/builtin.h"

es_value es_list_new(es_args *a);  /* empty */
bool es_list_fail(es_value *list); /* lets it go; returns false */

/* A new list of what v holds.  Errors of going over it, ES_ERR_NOMEM; then *out is None. */
bool es_list_of(es_args *a, const es_value *v, es_value *out, es_error *err);

/* Calls each value that v holds; `each` borrows it. */
typedef bool es_each_fn(es_args *a, const es_value *v, void *user, es_error *err);
bool es_each(es_args *a, const es_value *v, es_each_fn *each, void *user, es_error *err);

/* list(…), tuple(…), dict(…), OrderedDict(…), range(…), slice(…), as es_builtin has them. */
bool es_make_list(es_args *a, es_value *out, es_error *err);
bool es_make_tuple(es_args *a, es_value *out, es_error *err);
bool es_make_dict(es_args *a, es_value *out, es_error *err);
bool es_make_ordered_dict(es_args *a, es_value *out, es_error *err);
bool es_make_range(es_args *a, es_value *out, es_error *err);
bool es_make_slice(es_args *a, es_value *out, es_error *err);

#endif
