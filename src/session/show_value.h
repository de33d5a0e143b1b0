// SPDX-License-Identifier: GPL-3.0-or-later
/* Answers that are values of the language: for a reader, as JSON, or as their type alone. */
#ifndef ES_SESSION_SHOW_VALUE_H
#define ES_SESSION_SHOW_VALUE_H

#include "expr/interp.h"
#include "session/result.h"

/* A value, with what was printed before it and whose memory it shares ("a view of x", or nothing); takes the two
 * strings over and a reference to the value.  The interpreter outlives it. */
es_result es_result_value(es_interp *in, const es_value *v, es_str *printed, es_str *memory);
es_result es_result_type(es_interp *in, const es_value *v);
/* What was printed before an error: a field of its object, and text for a reader.  Takes it over. */
es_result es_result_printed(es_str *printed);

/* What Python prints for it; where a __repr__ of the reader's own fails, what it prints for a class that has
 * none.  False: stopped. */
bool es_show_repr_brief(es_interp *in, es_str *out, const es_value *v, es_error *err);

/* ---- the parts, each in its file ---- */

/* Its numbers alone, as many as fit on `rows` lines: t is ready and has some. */
void es_show_numbers(es_str *out, const es_tensor *t, int rows, const es_style *style);
/* The header line and its numbers. */
bool es_show_tensor(es_str *out, es_interp *in, const es_tensor *t, const char *memory, int rows,
                    const es_style *style, es_error *err);
/* A list or tuple that is wider than the screen, over several lines; one long item may be wider. */
bool es_show_sequence(es_str *out, es_interp *in, const es_value *v, const es_style *style,
                      es_error *err);
/* Tensors with their names, in a dict or a list of pairs: names and shapes. */
bool es_has_named_tensors(const es_value *v);
void es_show_named_tensors(es_str *out, es_interp *in, const es_value *v, const es_style *style);
/* A class: its heading, what it says of itself, its methods and how they are called. */
bool es_show_class(es_str *out, es_interp *in, const es_value *cls, const es_style *style,
                   es_error *err);
/* "forward(self, x)", "n = 3": a member on one line. */
bool es_put_member(es_str *out, es_interp *in, const char *name, const es_value *v, es_error *err);
/* How many parameters a module has, on a line of its own. */
void es_show_module_size(es_str *out, const es_value *module, const es_style *style);
/* Fields of a value's object, behind "kind". */
bool es_json_value(es_json *j, es_interp *in, const es_value *v, bool values, es_error *err);
void es_json_type(es_json *j, const es_value *v);
void es_json_tensor_header(es_json *j, const es_tensor *t); /* shape, dims, dtype, device */
bool es_json_class(es_json *j, es_interp *in, const es_value *cls, es_error *err);
void es_json_module(es_json *j, const es_value *module);
const char *es_value_kind_name(const es_value *v); /* "tensor" */

#endif
