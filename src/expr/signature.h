// SPDX-License-Identifier: GPL-3.0-or-later
/* How functions and classes of the reader's own are called, in their own words: for help, and beside them. */
#ifndef ES_EXPR_SIGNATURE_H
#define ES_EXPR_SIGNATURE_H

#include "expr/value.h"

/* "forward(self, input_ids: torch.Tensor) -> torch.Tensor", ready to print. */
void es_signature(es_str *out, const es_function *f);
/* "TransformerEmbeddings(nn.Module)". */
void es_class_heading(es_str *out, const es_value *cls);
/* What a function, or a class, says of itself: the bytes of its docstring, or NULL. */
const es_str_object *es_class_doc(const es_value *cls);
const es_node *es_function_doc(const es_function *f); /* a STRING */
/* The function that a FUNCTION, METHOD or DESCRIPTOR is about; NULL: none. */
const es_function *es_function_in(const es_value *v);

#endif
