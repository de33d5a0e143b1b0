// SPDX-License-Identifier: GPL-3.0-or-later
/* Modules as PyTorch prints them. */
#ifndef ES_EXPR_MODULE_SHOWN_H
#define ES_EXPR_MODULE_SHOWN_H

#include "expr/builtin.h"

/* What one of nn's modules says of itself between its parentheses: text, in which {name} is the attribute,
 * {name?} whether it is there, {name!} "name=True" where it is true, {name,} ", name=…" where it is not None. */
const char *es_module_shown(const es_value *m);

/* The methods __repr__, extra_repr and _get_name of every module. */
bool es_module_repr_run(es_args *a, es_value *out, es_error *err);
bool es_module_extra_run(es_args *a, es_value *out, es_error *err);

#endif
