// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/sort.h"

#include <stdlib.h>

#include "base/mem.h"

/* A value and what it is compared by. */
typedef struct sortable {
    es_value v, key;
} sortable;

typedef struct sorter {
    es_interp *in;
    bool reverse;
    es_error *err;
} sorter;

bool es_less(es_interp *in, const es_value *a, const es_value *b, bool *less, es_error *err)
{
    es_value v;
    if (!es_compare(in, ES_OP_LT, a, b, &v, err))
        return false;
    bool ok = es_truth(in, &v, less, err);
    es_value_unref(&v);
    return ok;
}

/* Must b come before a, which stands before it now? */
static bool out_of_order(sorter *s, const sortable *a, const sortable *b, bool *is)
{
    return s->reverse ? es_less(s->in, &a->key, &b->key, is, s->err)
                      : es_less(s->in, &b->key, &a->key, is, s->err);
}

/* Two sorted runs of `from`, [begin, middle) and [middle, end), to one of `to`. */
static bool merge(sorter *s, sortable *to, const sortable *from, int64_t begin, int64_t middle,
                  int64_t end)
{
    int64_t a = begin, b = middle;
    es_watch *watch = es_interp_torch(s->in)->watch;
    bool ok = es_watch_step(watch, 0, s->err);
    for (int64_t i = begin; i < end; i++) {
        ok = ok && ((i - begin) % 4096 != 4095 || es_watch_step(watch, 0, s->err));
        bool second = a == middle;
        if (ok && !second && b < end)
            ok = out_of_order(s, &from[a], &from[b], &second);
        to[i] = second ? from[b++] : from[a++]; /* after a failure too: none is lost */
    }
    return ok;
}

/* Runs of 1, 2, 4 … values; the result is in *of, the other array in *spare. */
static bool sort_all(sorter *s, sortable **of, sortable **spare, int64_t n)
{
    bool ok = true;
    for (int64_t width = 1; ok && width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            int64_t middle = begin + width < n ? begin + width : n;
            int64_t end = middle + width < n ? middle + width : n;
            ok = merge(s, *spare, *of, begin, middle, end) && ok;
        }
        sortable *swap = *of;
        *of = *spare;
        *spare = swap;
    }
    return ok;
}

bool es_sort(es_interp *in, es_value *of, int64_t n, const es_value *key, bool reverse,
             es_error *err)
{
    sorter s = {.in = in, .reverse = reverse, .err = err};
    sortable *a = es_try_alloc((size_t)n + 1, sizeof *a, "sorting", err);
    sortable *b = es_try_alloc((size_t)n + 1, sizeof *b, "sorting", err);
    bool ok = a && b;
    int64_t keys = 0;
    for (; ok && keys < n; keys++) {
        a[keys].v = of[keys];
        if (!key)
            a[keys].key = es_value_ref(&of[keys]);
        else if (!es_call_value(in, key, &of[keys], 1, &a[keys].key, err))
            break;
    }
    ok = ok && keys == n;
    if (ok) {
        ok = sort_all(&s, &a, &b, n);
        for (int64_t i = 0; i < n; i++)
            of[i] = a[i].v;
    }
    while (keys > 0)
        es_value_unref(&a[--keys].key);
    free(a);
    free(b);
    return ok;
}
