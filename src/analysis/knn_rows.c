// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/knn_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sweep.h"
#include "base/checksum.h"
#include "base/mem.h"
#include "layer/near_exact.h"

enum { SWEPT = 1 << 18 }; /* numbers of the rows that are read at once */

static const float *at_hand(const es_table *t)
{
    es_store store;
    const void *data = es_table_data(t, &store);
    bool fits = data && store == ES_STORE_F32 && (uintptr_t)data % sizeof(float) == 0;
    return fits ? data : NULL;
}

static bool has_direction(double square)
{
    return isfinite(square) && square > 0;
}

typedef struct marked {
    uint64_t mark; /* alike where rows are */
    int32_t place;
} marked;

/* What becomes of rows as they are read. */
typedef struct reading {
    es_pointing *to;
    marked *marked; /* [V] */
} reading;

/* room: a row in float64 */
static void read_rows(void *of, int64_t first, int64_t n, float *read, void *room)
{
    const reading *r = of;
    es_pointing *p = r->to;
    int64_t C = p->C;
    double *q = room;
    if (p->own)
        memcpy(p->own + first * C, read, (size_t)(n * C) * sizeof *read);
    for (int64_t i = first; i < first + n; i++, read += C) {
        for (int64_t c = 0; c < C; c++)
            q[c] = (double)read[c];
        p->square[i] = es_exact_product(read, read, C);
        p->own_length[i] = es_exact_length(q, C);
        r->marked[i].mark = es_checksum(read, (size_t)C * sizeof *read);
        if (has_direction(p->square[i]))
            for (int64_t c = 0; c < C; c++)
                p->unit[i * C + c] = (float)(q[c] / p->own_length[i]);
    }
}

/* ---- places ---- */

/* Those without a direction are left out. */
static void give_places(es_pointing *p, marked *of, int64_t V)
{
    size_t row = (size_t)p->C * sizeof *p->unit;
    for (int64_t i = 0; i < V; i++) {
        if (!has_direction(p->square[i]))
            continue;
        if (p->n < i)
            memcpy(p->unit + p->n * p->C, p->unit + i * p->C, row);
        of[p->n] = (marked){of[i].mark, (int32_t)p->n};
        p->id[p->n] = (int32_t)i;
        p->square[p->n] = p->square[i];
        p->own_length[p->n++] = p->own_length[i];
    }
}

static int by_mark(const void *a, const void *b)
{
    const marked *x = a, *y = b;
    return x->mark != y->mark ? (x->mark < y->mark ? -1 : 1) : x->place < y->place ? -1 : 1;
}

/* Rows of one mark are compared with the first of them alone: a twin that is missed costs time, nothing else. */
static void find_twins(es_pointing *p, marked *of)
{
    size_t row = (size_t)p->C * sizeof *p->rows;
    qsort(of, (size_t)p->n, sizeof *of, by_mark);
    for (int64_t i = 0, first = 0; i < p->n; i++) {
        if (of[i].mark != of[first].mark)
            first = i;
        int32_t a = of[first].place, b = of[i].place;
        bool alike = a == b || !memcmp(p->rows + p->id[a] * p->C, p->rows + p->id[b] * p->C, row);
        p->twin[b] = alike ? a : b;
    }
}

static bool make_room(es_pointing *p, const es_table *t, size_t V, es_error *err)
{
    size_t row = (size_t)p->C * sizeof(float);
    p->rows = at_hand(t);
    if (!es_memory_for((double)V * (double)row * (p->rows ? 1 : 2), err))
        return false;
    if (!p->rows)
        p->rows = p->own = es_try_alloc(V, row, "the rows", err);
    p->unit = p->rows ? es_try_alloc(V, row, "the rows", err) : NULL;
    p->id = p->unit ? es_try_alloc(V, sizeof *p->id, "the rows", err) : NULL;
    p->square = p->id ? es_try_alloc(V, sizeof *p->square, "their lengths", err) : NULL;
    p->own_length = p->square ? es_try_alloc(V, sizeof *p->own_length, "their lengths", err) : NULL;
    p->twin = p->own_length ? es_try_alloc(V, sizeof *p->twin, "the rows", err) : NULL;
    return p->twin != NULL;
}

static bool read_table(es_pointing *p, marked *of, const es_table *t, es_watch *watch,
                       es_error *err)
{
    reading r = {p, of};
    const es_sweep how = {.block = es_sweep_rows(SWEPT, p->C),
                          .room = (size_t)p->C * sizeof(double),
                          .work = read_rows};
    if (!es_sweep_table(&how, &r, t, watch, err))
        return false;
    give_places(p, of, es_table_rows(t));
    find_twins(p, of);
    return true;
}

bool es_pointing_open(es_pointing *p, const es_table *t, es_watch *watch, es_error *err)
{
    size_t V = (size_t)es_table_rows(t);
    *p = (es_pointing){.C = es_table_width(t)};
    marked *of = make_room(p, t, V, err) ? es_try_alloc(V, sizeof *of, "the rows", err) : NULL;
    bool ok = of && read_table(p, of, t, watch, err);
    free(of);
    return ok;
}

void es_pointing_close(es_pointing *p)
{
    free(p->own);
    free(p->unit);
    free(p->id);
    free(p->square);
    free(p->own_length);
    free(p->twin);
    *p = (es_pointing){0};
}
