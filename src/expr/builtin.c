// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/builtin.h"

#include <assert.h>
#include <stdlib.h>

#define LISTED(name) es_builtins_##name,
static const es_builtin *const tables[] = {ES_BUILTIN_TABLES(LISTED)};

enum { N_TABLES = sizeof tables / sizeof *tables };

static bool is_called(const es_builtin *b, const char *name, size_t n)
{
    return b->name[0] == name[0] && !strncmp(b->name, name, n) && !b->name[n];
}

const es_builtin *es_builtin_find(const char *name, size_t n, unsigned where)
{
    for (size_t t = 0; n && t < N_TABLES; t++)
        for (const es_builtin *b = tables[t]; b->name; b++)
            if (b->where & where && is_called(b, name, n))
                return b;
    return NULL;
}

const es_builtin *es_builtin_listed(size_t i)
{
    for (size_t t = 0; t < N_TABLES; t++)
        for (const es_builtin *b = tables[t]; b->name; b++)
            if (i-- == 0)
                return b;
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    const es_builtin *x = *(const es_builtin *const *)a, *y = *(const es_builtin *const *)b;
    int c = strcmp(x->name, y->name);
    return c ? c : (x->where > y->where) - (x->where < y->where);
}

size_t es_builtin_all(const es_builtin *all[ES_MOST_BUILTINS])
{
    size_t n = 0;
    for (size_t t = 0; t < N_TABLES; t++)
        for (const es_builtin *b = tables[t]; b->name; b++) {
            assert(n < ES_MOST_BUILTINS);
            all[n++] = b;
        }
    qsort(all, n, sizeof *all, by_name);
    return n;
}

const char *es_builtin_params(const es_builtin *b)
{
    const char *params = b->params ? b->params : "";
    if (!(b->where & ES_IN_NN) || strncmp(params, "self", 4) != 0)
        return params;
    params += strcspn(params, ",");
    return params + strspn(params, ", ");
}

bool es_builtin_is_python(const es_builtin *b)
{
    return !(b->where & (ES_IN_TORCH | ES_IN_F | ES_METHOD | ES_ATTRIBUTE));
}
