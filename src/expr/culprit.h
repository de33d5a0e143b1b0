// SPDX-License-Identifier: GPL-3.0-or-later
/* Which of many numbers it was: ids without a row, subscripts without a place, rows of another length. */
#ifndef ES_EXPR_CULPRIT_H
#define ES_EXPR_CULPRIT_H

#include "expr/scene.h"

/* The first of the integers that is not 0 <= i < size: its place in row-major order, -1: none. */
int64_t es_culprit_index(const es_scene *s, const es_tensor *ids, int64_t size, int64_t *index);

/* Where the number stands that became element `at` of the tensor, if node is a literal,
 * torch.tensor([[3, 50]]); else NULL. */
const es_node *es_culprit_literal(const es_node *node, const es_tensor *t, int64_t at);

/* Say that the error is about this node rather than the whole operation. */
void es_culprit_blame(const es_scene *s, const es_node *node);

/* The subscripts of x[…] as they are drawn; how many; *wrong: where the first wrong one was written, or NULL. */
int es_culprit_subscripts(const es_scene *s, es_drawn_sub *out, int most, const es_node **wrong);

#endif
