// SPDX-License-Identifier: GPL-3.0-or-later
/* The order in which the classes behind a class are asked: Python's C3 (Barrett et al., "A monotonic superclass
 * linearization for Dylan", OOPSLA 1996).  Each class comes before those behind it, and bases in the order in
 * which they are written. */
#include <stdlib.h>

#include "base/mem.h"
#include "expr/classes.h"
#include "expr/inside.h"

/* One of the orders that are merged: a base and what is behind it, or the bases themselves. */
typedef struct row {
    const es_value *cls; /* NULL: the bases */
    int64_t at;
} row;

typedef struct merge {
    const es_value *bases;
    row *row; /* one for each base, and one more */
    int64_t n;
} merge;

/* The i-th of those that are left of a row. */
static bool left(const merge *m, const row *r, int64_t i, es_value *out)
{
    if (r->cls)
        return es_class_at(r->cls, r->at + i, out);
    if (!m->bases || r->at + i >= m->n)
        return false;
    *out = m->bases[r->at + i];
    return true;
}

/* Does any row want another one before it? */
static bool must_wait(const merge *m, const es_value *cls)
{
    es_value at;
    for (int64_t k = 0; k <= m->n; k++)
        for (int64_t i = 1; left(m, &m->row[k], i, &at); i++)
            if (es_same_class(&at, cls))
                return true;
    return false;
}

static void take(merge *m, const es_value *cls)
{
    es_value at;
    for (int64_t k = 0; k <= m->n; k++)
        if (left(m, &m->row[k], 0, &at) && es_same_class(&at, cls))
            m->row[k].at++;
}

/* 1: the next; 0: all are taken; -1: each waits for another. */
static int next(const merge *m, es_value *out)
{
    bool some = false;
    for (int64_t k = 0; k <= m->n; k++) {
        if (!left(m, &m->row[k], 0, out))
            continue;
        some = true;
        if (!must_wait(m, out))
            return 1;
    }
    return some ? -1 : 0;
}

static bool fail_twice(const es_value *bases, int64_t n, es_error *err)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < i; k++)
            if (es_same_class(&bases[i], &bases[k]))
                return es_fail(err, ES_ERR_TYPE, "duplicate base class %s",
                               es_class_name(&bases[i]));
    es_fail(err, ES_ERR_TYPE, "these bases stand in no order that suits each of them");
    es_hint(err, "a class is written before those behind it: class X(Child, Parent)");
    return es_torch_says(err, "Cannot create a consistent method resolution order (MRO) for bases");
}

static bool merge_all(merge *m, es_value *order, int64_t *n, es_error *err)
{
    es_value cls;
    int more;
    for (*n = 0; (more = next(m, &cls)) > 0; take(m, &cls)) {
        if (*n == ES_MOST_BEHIND)
            return es_fail(err, ES_ERR_RANGE, "more than %d classes stand behind this one",
                           ES_MOST_BEHIND);
        order[(*n)++] = cls;
    }
    return more == 0 || fail_twice(m->bases, m->n, err);
}

bool es_class_order(const es_value *bases, int64_t n, es_value *out, es_error *err)
{
    es_value order[ES_MOST_BEHIND];
    merge m = {.bases = bases, .n = n, .row = es_alloc_array((size_t)n + 1, sizeof *m.row)};
    int64_t found;
    for (int64_t i = 0; i < n; i++)
        m.row[i].cls = &bases[i];
    bool ok = merge_all(&m, order, &found, err);
    if (ok) {
        for (int64_t i = 0; i < found; i++)
            es_value_ref(&order[i]);
        *out = es_value_tuple(order, found);
    }
    free(m.row);
    return ok;
}
