// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layout_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { FEWEST_ROWS = 4 };

static bool has_neighbour(const es_knn *knn, int64_t i, const int32_t *slot)
{
    for (int j = 0; j < knn->k; j++) {
        int32_t id = knn->id[i * knn->k + j];
        if (id >= 0 && slot[id] >= 0)
            return true;
    }
    return false;
}

/* slot (n) = at which place of those that take part each row is; -1: it does not.  Who leaves may leave another without
 * neighbours, so it is looked again until none does. */
static int64_t take_part(int32_t *slot, const es_knn *knn, const float *start)
{
    int64_t m = 0;
    for (int64_t i = 0; i < knn->n; i++)
        slot[i] = isfinite(start[2 * i]) && isfinite(start[2 * i + 1]) ? 0 : -1;
    for (bool again = true; again;) {
        again = false;
        for (int64_t i = 0; i < knn->n; i++)
            if (slot[i] >= 0 && !has_neighbour(knn, i, slot)) {
                slot[i] = -1;
                again = true;
            }
    }
    for (int64_t i = 0; i < knn->n; i++)
        if (slot[i] >= 0)
            slot[i] = (int32_t)m++;
    return m;
}

static void copy_neighbours(es_knn *to, int64_t at, const es_knn *from, int64_t i,
                            const int32_t *slot)
{
    int n = 0;
    for (int j = 0; j < from->k; j++) {
        int32_t id = from->id[i * from->k + j];
        if (id < 0 || slot[id] < 0)
            continue;
        to->id[at * to->k + n] = slot[id];
        to->cosine[at * to->k + n++] = from->cosine[i * from->k + j];
    }
    for (; n < to->k; n++) {
        to->id[at * to->k + n] = -1;
        to->cosine[at * to->k + n] = 0;
    }
}

static void copy_row(es_layout_rows *to, int64_t at, const es_knn *knn, const float *start,
                     int64_t i, const int32_t *slot)
{
    to->id[at] = (int32_t)i;
    to->start[2 * at] = start[2 * i];
    to->start[2 * at + 1] = start[2 * i + 1];
    copy_neighbours(&to->knn, at, knn, i, slot);
}

static bool make_room(es_layout_rows *r, int64_t m, int k, es_error *err)
{
    size_t rows = (size_t)m, width = (size_t)k;
    es_knn *g = &r->knn;
    *g = (es_knn){.n = m, .k = k};
    g->id = es_try_alloc(rows, width * sizeof *g->id, "the layout", err);
    g->cosine = g->id ? es_try_alloc(rows, width * sizeof *g->cosine, "the layout", err) : NULL;
    r->start = g->cosine ? es_try_alloc(rows, 2 * sizeof *r->start, "the layout", err) : NULL;
    r->id = r->start ? es_try_alloc(rows, sizeof *r->id, "the layout", err) : NULL;
    return r->id != NULL;
}

static bool fill(es_layout_rows *out, const es_knn *knn, const float *start, int32_t *slot,
                 es_error *err)
{
    int64_t m = take_part(slot, knn, start);
    if (m < FEWEST_ROWS)
        return es_fail(err, ES_ERR_VALUE,
                       "a layout is of %d tokens or more, and of these %" PRId64 " have neighbours",
                       FEWEST_ROWS, m);
    if (!make_room(out, m, knn->k, err))
        return false;
    for (int64_t i = 0; i < knn->n; i++)
        if (slot[i] >= 0)
            copy_row(out, slot[i], knn, start, i, slot);
    return true;
}

bool es_layout_rows_of(es_layout_rows *out, const es_knn *knn, const float *start, es_error *err)
{
    *out = (es_layout_rows){0};
    int32_t *slot = es_try_alloc((size_t)knn->n, sizeof *slot, "the layout", err);
    bool ok = slot && fill(out, knn, start, slot, err);
    free(slot);
    if (!ok)
        es_layout_rows_free(out);
    return ok;
}

void es_layout_rows_free(es_layout_rows *r)
{
    es_knn_free(&r->knn);
    free(r->start);
    free(r->id);
    *r = (es_layout_rows){0};
}
