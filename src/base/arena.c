// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK = 4096 };

typedef struct block {
    struct block *next;
    size_t used, size;
    alignas(max_align_t) char bytes[];
} block;

struct es_arena {
    block *last;
};

es_arena *es_arena_new(void)
{
    return es_alloc(sizeof(es_arena));
}

void *es_arena_alloc(es_arena *a, size_t bytes)
{
    size_t aligned = (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    if (!a->last || a->last->size - a->last->used < aligned) {
        size_t size = aligned > BLOCK ? aligned : BLOCK;
        block *b = es_alloc(sizeof *b + size);
        b->size = size;
        b->next = a->last;
        a->last = b;
    }
    void *p = a->last->bytes + a->last->used;
    a->last->used += aligned;
    return p;
}

char *es_arena_copy(es_arena *a, const char *bytes, size_t n)
{
    char *copy = es_arena_alloc(a, n + 1);
    if (n)
        memcpy(copy, bytes, n);
    return copy;
}

void es_arena_free(es_arena *a)
{
    for (block *b = a ? a->last : NULL, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(a);
}
