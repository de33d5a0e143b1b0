// SPDX-License-Identifier: GPL-3.0-or-later
/* Memory that dies together. */
#ifndef ES_BASE_ARENA_H
#define ES_BASE_ARENA_H

#include <stddef.h>

typedef struct es_arena es_arena;

es_arena *es_arena_new(void);
void *es_arena_alloc(es_arena *a, size_t bytes);               /* zeroed, aligned for anything */
char *es_arena_copy(es_arena *a, const char *bytes, size_t n); /* and a NUL behind them */
void es_arena_free(es_arena *a);                               /* NULL is fine */

#endif
