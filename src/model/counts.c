// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"

ES_PRINTF(2, 3) static void warn(es_str *warnings, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    es_str_cat(warnings, warnings->len ? "\n" : "");
    es_str_vadd(warnings, es_translate(fmt), ap);
    va_end(ap);
}

/* The i-th of whole numbers in `size` bytes each, little-endian. */
static int64_t number_at(const unsigned char *data, size_t size, int64_t i)
{
    uint64_t bits = 0;
    const unsigned char *p = data + (size_t)i * size;
    for (size_t b = size; b-- > 0;)
        bits = bits << 8 | p[b];
    return size == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits;
}

static bool fits(const es_stored *t, int64_t V, es_str *warnings)
{
    es_str shape = {0};
    es_stored_shape(&shape, t);
    bool whole = !strcmp(t->type->name, "I32") || !strcmp(t->type->name, "I64");
    bool all = t->rank == 1 && t->dim[0] == V;
    if (!whole)
        warn(warnings, "token_count is not used: it holds %s, and counts are I32 or I64",
             t->type->name);
    else if (!all)
        warn(warnings,
             "token_count is not used: it has the shape %s, and wte has %" PRId64 " row%s", shape.s,
             V, V == 1 ? "" : "s");
    es_str_free(&shape);
    return whole && all;
}

bool es_counts_read(int64_t **counts, es_weights *w, int64_t V, es_str *warnings, es_error *err)
{
    es_located found;
    *counts = NULL;
    if (!es_weights_find(w, &found, "token_count", err))
        return false;
    if (!found.file || !fits(found.tensor, V, warnings))
        return true;
    const unsigned char *data = found.file->data + found.tensor->begin;
    size_t size = (size_t)found.tensor->type->bits / 8;
    int64_t *n = es_try_alloc((size_t)V, sizeof *n, "the counts of tokens", err);
    if (!n)
        return false;
    for (int64_t id = 0; id < V; id++) {
        n[id] = number_at(data, size, id);
        if (n[id] < 0) {
            warn(warnings, "token_count is not used: token %" PRId64 " has %" PRId64 " there", id,
                 n[id]);
            free(n);
            return true;
        }
    }
    *counts = n;
    return true;
}
