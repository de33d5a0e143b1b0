// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/kept.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* ---- in the picture ---- */

/* Its square; NaN: one of the two is nowhere. */
static double distance(const float *a, const float *b, int d)
{
    double sum = 0;
    for (int k = 0; k < d; k++)
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sum;
}

int64_t es_picture_near(int64_t *out, int64_t k, const float *at, int64_t n, int d, int64_t id)
{
    int64_t found = 0;
    double *far = es_alloc_array((size_t)k + 1, sizeof *far);
    for (int64_t i = 0; i < n; i++) {
        double next = distance(at + i * d, at + id * d, d);
        if (i == id || isnan(next) || (found == k && !(found && next < far[found - 1])))
            continue;
        int64_t place = found < k ? found++ : found - 1;
        for (; place > 0 && next < far[place - 1]; place--) {
            far[place] = far[place - 1];
            out[place] = out[place - 1];
        }
        far[place] = next;
        out[place] = i;
    }
    free(far);
    return found;
}

/* ---- of those in the table ---- */

/* What one token's neighbours need, over and over. */
typedef struct room {
    float *row;             /* (C) */
    double *q;              /* (C) */
    es_neighbour *row_near; /* (k) */
    int64_t *near;          /* (k) */
} room;

static bool room_open(room *r, int64_t C, int64_t k, es_error *err)
{
    *r = (room){0};
    r->row = es_try_alloc((size_t)C, sizeof *r->row, "a row", err);
    r->q = r->row ? es_try_alloc((size_t)C, sizeof *r->q, "a row", err) : NULL;
    r->row_near = es_alloc_array((size_t)k, sizeof *r->row_near);
    r->near = es_alloc_array((size_t)k, sizeof *r->near);
    return r->q != NULL;
}

static void room_close(room *r)
{
    free(r->row);
    free(r->q);
    free(r->row_near);
    free(r->near);
}

/* Row id as a query; false in *points: it has no direction. */
static bool read_query(room *r, const es_table *wte, int64_t id, bool *points, es_error *err)
{
    double square = 0;
    if (!es_table_row(wte, id, r->row, err))
        return false;
    for (int64_t c = 0; c < es_table_width(wte); c++) {
        r->q[c] = (double)r->row[c];
        square += r->q[c] * r->q[c];
    }
    *points = square > 0 && isfinite(square);
    return true;
}

static int64_t in_both(const room *r, int64_t n_rows, int64_t n)
{
    int64_t both = 0;
    for (int64_t i = 0; i < n_rows; i++)
        for (int64_t j = 0; j < n; j++)
            both += r->row_near[i].id == r->near[j];
    return both;
}

bool es_kept_mean(double *out, es_near *near, const int32_t *of, int64_t n, int64_t k,
                  const float *at, int d, es_watch *watch, es_error *err)
{
    const es_table *wte = es_near_table(near);
    int64_t V = es_table_rows(wte), kept = 0, looked_at = 0, found;
    room r;
    bool points, ok = room_open(&r, es_table_width(wte), k, err);
    *out = 0;
    for (int64_t i = 0; ok && i < n; i++) {
        const es_near_query query = {r.q, ES_BY_COSINE, &of[i], 1};
        ok = read_query(&r, wte, of[i], &points, err);
        if (!ok || !points)
            continue;
        ok = es_near_search(near, r.row_near, k, &found, &query, watch, err);
        if (!ok)
            continue;
        kept += in_both(&r, found, es_picture_near(r.near, k, at, V, d, of[i]));
        looked_at++;
    }
    room_close(&r);
    *out = looked_at ? (double)kept / (double)looked_at : 0;
    return ok;
}
