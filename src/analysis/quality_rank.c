// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/quality_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/crew.h"
#include "analysis/sweep.h"
#include "base/mem.h"
#include "core/gemm.h"
#include "core/vector.h"
#include "layer/cosine.h"

/* ---- rows at length 1 ---- */

enum { SWEPT = 1 << 16 }; /* numbers of a block */

static bool has_place(const float *at, int d)
{
    for (int k = 0; k < d; k++)
        if (isnan(at[k]))
            return false;
    return true;
}

typedef struct filling {
    es_directions *to;
    const float *at;
    int d;
} filling;

/* Each row to where it stands in the table for now; its slot is 0 where it is one of them. */
static void scale(void *of, int64_t first, int64_t n, float *rows, void *room)
{
    const filling *f = of;
    int64_t C = f->to->C;
    (void)room;
    for (int64_t i = 0; i < n; i++) {
        const float *row = rows + i * C;
        float *unit = f->to->unit + (first + i) * C;
        double length = es_length(row, C);
        bool in = length > 0 && isfinite(length) && has_place(f->at + (first + i) * f->d, f->d);
        f->to->slot[first + i] = in ? 0 : -1;
        for (int64_t c = 0; in && c < C; c++)
            unit[c] = (float)((double)row[c] / length);
    }
}

static void close_ranks(es_directions *u, int64_t rows)
{
    size_t size = (size_t)u->C * sizeof *u->unit;
    for (int64_t i = 0; i < rows; i++) {
        if (u->slot[i] < 0)
            continue;
        if (u->n < i)
            memcpy(u->unit + u->n * u->C, u->unit + i * u->C, size);
        u->id[u->n] = (int32_t)i;
        u->slot[i] = (int32_t)u->n++;
    }
}

bool es_directions_of(es_directions *out, const es_table *t, const float *at, int d,
                      es_watch *watch, es_error *err)
{
    int64_t rows = es_table_rows(t), C = es_table_width(t);
    *out = (es_directions){.C = C};
    if (!es_sweep_ends(t, err) || !es_memory_for((double)rows * (double)C * sizeof *out->unit, err))
        return false;
    size_t size = (size_t)rows;
    out->slot = es_try_alloc(size, sizeof *out->slot, "the rows", err);
    out->id = out->slot ? es_try_alloc(size, sizeof *out->id, "the rows", err) : NULL;
    out->unit = out->id ? es_try_alloc(size, (size_t)C * sizeof *out->unit, "the rows", err) : NULL;
    const es_sweep sweep = {.block = es_sweep_rows(SWEPT, C), .work = scale};
    filling f = {out, at, d};
    if (!out->unit || !es_sweep_table(&sweep, &f, t, watch, err)) {
        es_directions_free(out);
        return false;
    }
    close_ranks(out, rows);
    return true;
}

void es_directions_free(es_directions *u)
{
    free(u->unit);
    free(u->id);
    free(u->slot);
    *u = (es_directions){0};
}

/* ---- ranks ---- */

/* Rows whose neighbours are ranked at a time, and with how many they are multiplied at a time: a tile of products stays
 * in a processor's second cache.  The bounds of a GROUP stay in registers. */
enum { ASKED = 128, TILE = 512, GROUP = 5 };

/* Of one row: for each of its neighbours in the picture, which products are larger than its own, and how many rows had
 * such so far. */
typedef struct bounds {
    float at[ES_MOST_RANKED];
    int32_t nearer[ES_MOST_RANKED];
} bounds;

typedef struct ranking {
    const es_directions *rows;
    const int32_t *of, *near;
    int64_t m;
    int k;
    double slack; /* products this close are equal */
    es_watch *watch;
    int64_t *beyond; /* what each block comes to */
    atomic_bool stop;
} ranking;

/* What one thread has to itself. */
typedef struct room {
    float tile[ASKED][TILE];
    bounds of[ASKED];
    float asked[]; /* (ASKED, C) */
} room;

/* nearer[t] += how many of the n numbers at p exceed at[t], for a GROUP of these. */
ES_INLINE void count_loop(int32_t *nearer, const float *p, int64_t n, const float *at)
{
    es_int_lanes count[GROUP] = {0};
    es_lanes bound[GROUP];
    for (int t = 0; t < GROUP; t++)
        bound[t] = es_lanes_of(at[t]);
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES) {
        es_lanes v = es_lanes_at(p + i);
        for (int t = 0; t < GROUP; t++)
            count[t] -= v > bound[t];
    }
    for (int t = 0; t < GROUP; t++) {
        for (int lane = 0; lane < ES_LANES; lane++)
            nearer[t] += count[t][lane];
        for (int64_t j = i; j < n; j++)
            nearer[t] += p[j] > at[t];
    }
}

ES_TWO_FORMS(static, count, (int32_t * nearer, const float *p, int64_t n, const float *at),
             (nearer, p, n, at))

static double product(const float *a, const float *b, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        sum += (double)a[c] * (double)b[c];
    return sum;
}

/* For the neighbours of row `slot`; where there is none, and to the end of the last group, nothing is larger. */
static void set_bounds(const ranking *r, bounds *b, int64_t slot, const int32_t *near)
{
    const es_directions *u = r->rows;
    for (int t = 0; t < ES_MOST_RANKED; t++) {
        int64_t id = t < r->k ? near[t] : -1;
        b->nearer[t] = 0;
        b->at[t] = INFINITY;
        if (id >= 0)
            b->at[t] = (float)(product(u->unit + slot * u->C, u->unit + u->slot[id] * u->C, u->C) +
                               r->slack);
    }
}

static void ask(const ranking *r, room *w, int64_t from, int64_t n)
{
    const es_directions *u = r->rows;
    for (int64_t i = 0; i < n; i++) {
        int64_t slot = u->slot[r->of[from + i]];
        memcpy(w->asked + i * u->C, u->unit + slot * u->C, (size_t)u->C * sizeof *w->asked);
        set_bounds(r, &w->of[i], slot, r->near + (from + i) * r->k);
    }
}

/* Those who ask with the rows from `first` on. */
static void multiply(const ranking *r, room *w, int64_t from, int64_t n, int64_t first,
                     int64_t rows)
{
    const es_directions *u = r->rows;
    int64_t C = u->C;
    const es_matrix asked = {w->asked, C, false}, others = {u->unit + first * C, C, true};
    es_gemm(w->tile[0], TILE, 1, asked, others, n, rows, C, false);
    for (int64_t i = 0; i < n; i++) {
        int64_t self = u->slot[r->of[from + i]] - first;
        if (self >= 0 && self < rows)
            w->tile[i][self] = -2; /* less than any cosine: it is not its own neighbour */
    }
}

static int64_t sum_beyond(const ranking *r, const room *w, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int t = 0; t < r->k; t++) {
            int64_t rank = 1 + w->of[i].nearer[t];
            sum += rank > r->k ? rank - r->k : 0;
        }
    return sum;
}

/* Blocks of a wide table take long, so the watch is looked at within one. */
static void rank_block(void *of, int64_t block, void *own)
{
    ranking *r = of;
    room *w = own;
    int64_t from = block * ASKED, n = r->m - from < ASKED ? r->m - from : ASKED;
    ask(r, w, from, n);
    for (int64_t first = 0; first < r->rows->n && !r->stop; first += TILE) {
        int64_t left = r->rows->n - first, rows = left < TILE ? left : TILE;
        multiply(r, w, from, n, first, rows);
        for (int64_t i = 0; i < n; i++)
            for (int t = 0; t < r->k; t += GROUP)
                count(w->of[i].nearer + t, w->tile[i], rows, w->of[i].at + t);
        if (!es_watch_look(r->watch, NULL))
            r->stop = true;
    }
    r->beyond[block] = sum_beyond(r, w, n);
    es_watch_add(r->watch, (uint64_t)n);
}

bool es_ranks_beyond(int64_t *beyond, const es_directions *u, const int32_t *of, int64_t m,
                     const int32_t *near, int k, es_watch *watch, es_error *err)
{
    ranking r = {.rows = u, .of = of, .near = near, .m = m, .k = k, .watch = watch};
    /* rounding errors are random, so their sum grows as a root (Higham 2002, section 2.8) */
    r.slack = (2 + sqrt((double)u->C)) * 0x1p-24;
    const es_chunks blocks = {(m + ASKED - 1) / ASKED,
                              sizeof(room) + (size_t)(ASKED * u->C) * sizeof(float), rank_block,
                              false};
    r.beyond = es_try_alloc((size_t)blocks.n + 1, sizeof *r.beyond, "the ranks", err);
    es_watch_begin(watch, (uint64_t)m);
    es_gemm_hold(); /* each thread multiplies by itself */
    bool ok = r.beyond && es_crew_once(&blocks, &r, watch, err);
    es_gemm_release();
    if (ok && r.stop) /* which the one who called did not hear any more */
        ok = es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    *beyond = 0;
    for (int64_t b = 0; ok && b < blocks.n; b++)
        *beyond += r.beyond[b];
    free(r.beyond);
    return ok;
}
