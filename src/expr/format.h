// SPDX-License-Identifier: GPL-3.0-or-later
/* Values as Python and PyTorch print them: str, repr and format.  es_value_str_of and es_value_repr are declared in
 * expr/interp.h. */
#ifndef ES_EXPR_FORMAT_H
#define ES_EXPR_FORMAT_H

#include "expr/interp.h"

enum { ES_MOST_PRINTED = 1 << 22 }; /* bytes of one value; more is ES_ERR_NOMEM */

/* format(v, spec): what an f-string does with {v:spec}.  ES_ERR_VALUE, ES_ERR_TYPE in Python's words. */
bool es_value_format(es_interp *in, es_str *out, const es_value *v, const char *spec, size_t n,
                     es_error *err);
/* The shortest digits that read back as f: 0.1, 1e-05, inf. */
void es_float_repr(es_str *out, double f);
/* In quotes, as Python chooses them. */
void es_str_repr(es_str *out, const char *bytes, size_t n);

/* "tensor([[0, 1, 2]])": 4 decimals, lines of 80 columns, the middle left out beyond 1000 numbers.
 * parameter: "Parameter containing:" before it. */
bool es_tensor_repr(es_torch *k, es_str *out, const es_tensor *t, bool parameter,
                    bool requires_grad, es_error *err);

#endif
