// SPDX-License-Identifier: GPL-3.0-or-later
/* The known error text that shares the most words with an unknown one. */
#ifndef ES_EXPR_WHY_NEAR_H
#define ES_EXPR_WHY_NEAR_H

#include <stddef.h>

#include "base/arena.h"
#include "expr/why_table.h"

/* Its wording, for a reader; NULL: none shares enough. */
const char *es_why_nearest(es_arena *arena, const char *text, size_t len,
                           const es_why_topic *const *topics, size_t n);

#endif
