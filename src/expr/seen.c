// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/seen.h"

#include <stdlib.h>

#include "base/mem.h"

enum { FIRST_SLOTS = 64 };

static es_seen_entry *place(es_seen_entry *of, size_t n_slots, const void *object)
{
    uint64_t hash = (uint64_t)(uintptr_t)object * 0x9E3779B97F4A7C15u;
    for (size_t i = hash >> 32;; i++) {
        es_seen_entry *e = &of[i & (n_slots - 1)];
        if (!e->object || e->object == object)
            return e;
    }
}

es_seen_entry *es_seen_find(const es_seen *seen, const void *object)
{
    if (!seen->n)
        return NULL;
    es_seen_entry *e = place(seen->of, seen->n_slots, object);
    return e->object ? e : NULL;
}

static void grow(es_seen *seen)
{
    size_t n = seen->n_slots ? 2 * seen->n_slots : FIRST_SLOTS;
    es_seen_entry *wider = es_alloc_array(n, sizeof *wider);
    for (size_t i = 0; i < seen->n_slots; i++)
        if (seen->of[i].object)
            *place(wider, n, seen->of[i].object) = seen->of[i];
    free(seen->of);
    seen->of = wider;
    seen->n_slots = n;
}

es_seen_entry *es_seen_add(es_seen *seen, void *object)
{
    if (2 * (seen->n + 1) > seen->n_slots)
        grow(seen);
    es_seen_entry *e = place(seen->of, seen->n_slots, object);
    if (!e->object) {
        e->object = object;
        seen->n++;
    }
    return e;
}

void es_seen_free(es_seen *seen)
{
    free(seen->of);
    *seen = (es_seen){0};
}
