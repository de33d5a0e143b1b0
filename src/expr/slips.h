// SPDX-License-Identifier: GPL-3.0-or-later
/* What helps where a value is not what it was taken for: slips with classes, modules, functions and None. */
#ifndef ES_EXPR_SLIPS_H
#define ES_EXPR_SLIPS_H

#include "expr/inside.h"

/* Each adds a line to the hint of err where it knows one, and says whether it did. */
bool es_advise_member(const es_value *v, const char *name, size_t n, es_error *err); /* v.name */
bool es_advise_forward(es_interp *in, const es_value *module, es_error *err); /* it has none */
bool es_advise_callable(const es_value *instance, es_error *err);             /* it is not */
/* The arguments of cls(…) do not fit its __init__. */
bool es_advise_arguments(const es_value *cls, const es_value *args, int64_t n, es_error *err);
/* forward gave None and has no return: a note, once for each that is written. */
void es_note_no_return(es_interp *in, const es_value *forward, const es_value *given);
/* A method that was called with no instance before it: X.forward(ids). */
bool es_advise_unbound(const es_function *f, const es_value *args, int64_t n, es_error *err);
/* A function that was not called, None, a module: where v.name, v + x, or a loop over v fails. */
bool es_advise_kind(const es_value *v, es_error *err);
/* v stands where a whole number is wanted: d_model / n_heads. */
bool es_advise_whole(const es_value *v, es_error *err);

#endif
