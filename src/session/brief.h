// SPDX-License-Identifier: GPL-3.0-or-later
/* A value in a few words or as a small object, without running anything of the reader's: its shape and dtype, its
 * number, what class it is of. */
#ifndef ES_SESSION_BRIEF_H
#define ES_SESSION_BRIEF_H

#include "base/json.h"
#include "expr/interp.h"

/* "[B=2, T=5] int64", "T = 5", "Embedding, weight [V=50257, C=4]"; fit to be printed. */
void es_brief(es_str *out, es_interp *in, const es_value *v);
/* The same behind its name (anybody's bytes): "seq_len = T = 5", "x [B=2, T=5, C=4] float32". */
void es_brief_named(es_str *out, es_interp *in, const char *name, size_t n, const es_value *v);
/* The weight of one of nn's modules; false: it has none. */
bool es_brief_weight(const es_value *module, es_value *out);
/* The fields of es_json_type and, of numbers, strings and sizes, "value". */
void es_brief_json(es_json *j, es_interp *in, const es_value *v);

#endif
