// SPDX-License-Identifier: GPL-3.0-or-later
/* The drawings of errors: operands axis under axis, what does not fit marked XX.  Each fills err->drawing and,
 * for those who read without seeing, err->words. */
#ifndef ES_EXPR_DRAW_H
#define ES_EXPR_DRAW_H

#include "core/tensor.h"
#include "expr/ast.h"

/* An operand as it is drawn. */
typedef struct es_operand {
    es_str text;        /* what was typed, short and ready to print */
    const es_tensor *t; /* borrowed; of it shape, strides, dtype and device are looked at */
} es_operand;

/* Append what a node was typed as, in at most so many columns: arguments and what stands before a method give
 * way first, "wpe(…)", "….sum(0)". */
void es_excerpt(es_str *out, const es_unit *unit, const es_node *node, int columns);

/* The bytes of the source that are the node with all parentheses of its own. */
void es_excerpt_span(const es_unit *unit, const es_node *node, size_t *begin, size_t *end);

/* Do these sizes stretch to one? */
bool es_draw_fits(const es_operand *of, int n, int from_right);

void es_draw_broadcast(es_error *err, const es_operand *of, int n);
void es_draw_matmul(es_error *err, const es_operand *a, const es_operand *b);
/* x with the sizes asked for: of another count, or (strides) of axes that do not lie one behind the other. */
void es_draw_view(es_error *err, const es_operand *x, const es_shape *asked);
void es_draw_strides(es_error *err, const es_operand *x, const es_shape *asked);
void es_draw_expand(es_error *err, const es_operand *x, const es_shape *asked);
/* Joining along axis; stack: along a new one, all sizes are to be equal. */
void es_draw_cat(es_error *err, const es_operand *of, int n, int axis, bool stack);
/* The axes there are, counted from both ends; between: the places there are for a new one. */
void es_draw_axes(es_error *err, const es_operand *x, bool between);
/* Operands with what they are made of or where they live; those that are `wrong` are marked. */
void es_draw_dtypes(es_error *err, const es_operand *of, int n, const bool *wrong,
                    const char *wanted);
void es_draw_devices(es_error *err, const es_operand *of, int n, const bool *wrong);

/* What stands between brackets, one for each axis; axis -1: none of x's (None). */
typedef struct es_drawn_sub {
    es_str text;
    int axis;
    bool wrong;
} es_drawn_sub;
void es_draw_subscripts(es_error *err, const es_operand *x, const es_drawn_sub *sub, int n);

/* Names on the left against what there is for them. */
void es_draw_unpack(es_error *err, const es_str *name, int n_names, const es_str *value,
                    int n_values);

/* Lists that should be of one length. */
void es_draw_ragged(es_error *err, const es_str *row, const int64_t *length, int n, int64_t wanted);

#endif
