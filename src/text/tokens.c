// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokens.h"

#include <stdlib.h>

bool es_tokens_room(es_tokens *t, size_t more, es_error *err)
{
    if (more <= t->cap - t->n)
        return true;
    size_t cap = t->cap ? 2 * t->cap : 16;
    while (cap - t->n < more)
        cap *= 2;
    int32_t *id = realloc(t->id, cap * sizeof *id);
    if (id)
        t->id = id;
    uint32_t *begin = id && !t->ids_only ? realloc(t->begin, (cap + 1) * sizeof *begin) : NULL;
    if (!id || (!begin && !t->ids_only))
        return es_fail(err, ES_ERR_NOMEM, "no room for more than %zu tokens", t->n);
    if (begin) {
        t->begin = begin;
        t->begin[0] = 0;
    }
    t->cap = cap;
    return true;
}

void es_tokens_trim(es_tokens *t)
{
    if (t->cap < 64 || t->cap / 2 < t->n)
        return;
    size_t cap = t->n + 16;
    int32_t *id = realloc(t->id, cap * sizeof *id);
    if (!id)
        return; /* a block that cannot shrink is still there */
    t->id = id;
    t->cap = cap;
    uint32_t *begin = t->ids_only ? NULL : realloc(t->begin, (cap + 1) * sizeof *begin);
    if (begin)
        t->begin = begin;
}

bool es_tokens_add(es_tokens *t, int32_t id, uint32_t end, es_error *err)
{
    if (!es_tokens_room(t, 1, err))
        return false;
    es_tokens_put(t, id, end);
    return true;
}

void es_tokens_free(es_tokens *t)
{
    free(t->id);
    free(t->begin);
    *t = (es_tokens){0};
}
