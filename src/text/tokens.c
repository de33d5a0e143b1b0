// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokens.h"

#include <stdlib.h>

static bool grow(es_tokens *t, es_error *err)
{
    size_t cap = t->cap ? 2 * t->cap : 16;
    int32_t *id = realloc(t->id, cap * sizeof *id);
    if (id)
        t->id = id;
    uint32_t *begin = id ? realloc(t->begin, (cap + 1) * sizeof *begin) : NULL;
    if (!begin)
        return es_fail(err, ES_ERR_NOMEM, "no room for more than %zu tokens", t->n);
    t->begin = begin;
    t->cap = cap;
    return true;
}

bool es_tokens_add(es_tokens *t, int32_t id, uint32_t end, es_error *err)
{
    if (t->n == t->cap && !grow(t, err))
        return false;
    t->begin[0] = 0;
    t->id[t->n++] = id;
    t->begin[t->n] = end;
    return true;
}

void es_tokens_free(es_tokens *t)
{
    free(t->id);
    free(t->begin);
    *t = (es_tokens){0};
}
