// SPDX-License-Identifier: GPL-3.0-or-later
/* What methods of strings share: methods_str.c, and strings_filled.c for those that fill one in. */
#ifndef ES_EXPR_STRINGS_H
#define ES_EXPR_STRINGS_H

#include "expr/builtin.h"

const es_str_object *es_string_self(const es_args *a); /* whose method it is */

/* Argument i.  NULL, ES_ERR_TYPE: it is no string. */
const es_str_object *es_string_at(es_args *a, int i, es_error *err);

/* *out = the text, which is freed.  Returns true. */
bool es_string_give(es_value *out, es_str *text);

/* May text have so many bytes more?  ES_ERR_NOMEM. */
bool es_string_room(const es_str *text, double more, es_error *err);

/* How many characters n bytes are. */
int64_t es_string_characters(const char *s, size_t n);

/* ---- strings_filled.c: as es_builtin has them ---- */

bool es_string_pad(es_args *a, es_value *out, es_error *err); /* ljust, rjust, center, zfill */
bool es_string_format(es_args *a, es_value *out, es_error *err);

#endif
