// SPDX-License-Identifier: GPL-3.0-or-later
/* Errors a reader can see: the operands drawn axis under axis, the one edit that would work, PyTorch's words. */
#ifndef ES_EXPR_EXPLAIN_H
#define ES_EXPR_EXPLAIN_H

#include "expr/interp.h"

/* The operation at `node` of the unit's source failed on these operands: for a BINARY, COMPARAND or AUGMENT two,
 * UNARY one, INDEX the value and its subscript, ATTRIBUTE the value, CALL the function and then its arguments as
 * node->kid has them.  Adds the place (if none is known), drawing, words and hint to err.  Called once an
 * error, where it happens. */
void es_explain(es_interp *in, es_unit *unit, const es_node *node, const es_value *operands, int n,
                es_error *err);

#endif
