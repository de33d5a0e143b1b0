// SPDX-License-Identifier: GPL-3.0-or-later
/* What takes the axes view long: rows along the axes, what is nearest to an analogy's fourth point, how much is kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quality.h"
#include "analysis/sweep.h"
#include "base/mem.h"
#include "view/axes.h"

enum {
    BLOCK = 1 << 16, /* numbers of rows at a time */
    NEAR_A = 10      /* rows nearest to a, among which the answer is looked for */
};
#define BORDER 0.06 /* around what must be in sight, of the extent */

/* ---- rows along the axes ---- */

static void place(const float *unit, int64_t C, bool one, const float *row, float out[2])
{
    double x = 0, y = 0;
    for (int64_t c = 0; c < C; c++)
        x += (double)row[c] * (double)unit[c];
    for (int64_t c = 0; c < C; c++) {
        double off = one ? (double)row[c] - x * (double)unit[c] : 0;
        y += one ? off * off : (double)row[c] * (double)unit[C + c];
    }
    out[0] = (float)x;
    out[1] = (float)(one ? sqrt(y) : y);
    if (!isfinite(out[0]) || !isfinite(out[1]))
        out[0] = out[1] = NAN;
}

void es_axes_place(const es_axes *ax, const float *row, float out[2])
{
    place(ax->unit, ax->C, ax->n_units == 1, row, out);
}

static void place_x(es_map *m, const es_viewer *v)
{
    const es_axes *ax = es_axes_of(v);
    for (int64_t t = 0; t < m->T; t++) {
        es_axes_place(ax, v->scene.x + t * ax->C, m->place[t].x_at);
        m->place[t].x_at[2] = 0;
    }
}

/* ---- errands ---- */

typedef struct errand {
    es_errand is;
    es_axes *ax; /* the main thread's; NULL: it is not wanted any more */
    es_near *near;
    es_axes_form form;
    int64_t V, C;
    float *unit; /* (2, C) */
    float *at;   /* (V, 2) */

    double *fourth; /* (C); NULL: no analogy */
    int32_t word[3];
    es_axes_nearest all, others;
    double far;
    int rank;

    uint64_t seed;
    es_quality quality;
    bool measured; /* the quality is known */
} errand;

static void free_errand(errand *e)
{
    free(e->unit);
    free(e->at);
    free(e->fourth);
    free(e);
}

static void place_block(void *of, int64_t first, int64_t n, float *rows, void *room)
{
    errand *e = of;
    (void)room;
    for (int64_t i = 0; i < n; i++)
        place(e->unit, e->C, e->form == ES_AXES_ONE, rows + i * e->C, e->at + 2 * (first + i));
}

/* A point without a direction has no nearest rows, which is no failure. */
static bool search(es_near *near, const double *q, es_neighbour *best, int64_t top, int64_t *n,
                   const int32_t *skip, size_t n_skip, es_watch *watch, es_error *err)
{
    const es_near_query query = {q, ES_BY_COSINE, skip, n_skip};
    es_error why = ES_ERROR_NONE;
    *n = 0;
    bool ok = es_near_search(near, best, top, n, &query, watch, &why);
    if (ok || why.code == ES_ERR_VALUE) {
        es_error_free(&why);
        return true;
    }
    *err = why;
    return false;
}

/* Which of the rows nearest to a itself the answer is, from 1. */
static bool rank_answer(errand *e, es_watch *watch, es_error *err)
{
    es_neighbour best[NEAR_A];
    int64_t n = 0;
    float *row = es_alloc_array((size_t)e->C, sizeof *row);
    double *q = es_alloc_array((size_t)e->C, sizeof *q);
    bool ok = es_table_row(es_near_table(e->near), e->word[0], row, err);
    for (int64_t c = 0; c < e->C; c++)
        q[c] = (double)row[c];
    ok = ok && search(e->near, q, best, NEAR_A, &n, e->word, 1, watch, err);
    for (int i = 0; ok && i < n && !e->rank; i++)
        if (best[i].id == e->others.of[0].id)
            e->rank = i + 1;
    free(row);
    free(q);
    return ok;
}

static bool measure_answer(errand *e, es_error *err)
{
    float *row = es_alloc_array((size_t)e->C, sizeof *row);
    bool ok = es_table_row(es_near_table(e->near), e->others.of[0].id, row, err);
    double sum = 0;
    for (int64_t c = 0; c < e->C; c++) {
        double off = (double)row[c] - e->fourth[c];
        sum += off * off;
    }
    e->far = sqrt(sum);
    free(row);
    return ok;
}

static bool find_nearest(errand *e, es_watch *watch, es_error *err)
{
    return search(e->near, e->fourth, e->all.of, ES_AXES_NEAREST, &e->all.n, NULL, 0, watch, err) &&
           search(e->near, e->fourth, e->others.of, ES_AXES_NEAREST, &e->others.n, e->word, 3,
                  watch, err) &&
           (!e->others.n || (rank_answer(e, watch, err) && measure_answer(e, err)));
}

static bool run_rows(es_errand *is, es_watch *watch, es_error *err)
{
    errand *e = (errand *)is;
    const es_sweep sweep = {.block = es_sweep_rows(BLOCK, e->C), .work = place_block};
    return es_sweep_table(&sweep, e, es_near_table(e->near), watch, err) &&
           (!e->fourth || find_nearest(e, watch, err));
}

static bool run_quality(es_errand *is, es_watch *watch, es_error *err)
{
    errand *e = (errand *)is;
    es_error why = ES_ERROR_NONE;
    e->measured = es_quality_quick(&e->quality, e->near, e->at, 2, e->seed, watch, &why);
    if (e->measured || why.code == ES_ERR_VALUE) {
        es_error_free(&why);
        return true;
    }
    *err = why;
    return false;
}

/* ---- what came of them ---- */

/* The legend of colours stands in the upper right: a corner of a parallelogram that would be under it moves down. */
static void leave_legend_room(const es_axes *ax, es_extent *e)
{
    const double from = 0.2, over = 0.6; /* halves of the extent */
    double right = e->middle[0] + from * e->half[0], highest = -INFINITY;
    for (int i = 0; i < 4; i++)
        if (ax->corner[i][0] > right)
            highest = fmax(highest, ax->corner[i][1]);
    if (isfinite(highest))
        es_extent_include(e, e->middle[0], highest + over * e->half[1]);
}

/* Beside most rows what the picture is about is in sight. */
static void widen(es_axes *ax)
{
    es_map *m = ax->map;
    es_extent *e = &m->extent;
    if (ax->of.form == ES_AXES_ONE)
        es_extent_include(e, e->middle[0], 0);
    for (int i = 0; i < ax->n_told; i++) {
        const float *at = m->at + 3 * (int64_t)ax->told[i];
        es_extent_include(e, (double)at[0], (double)at[1]);
    }
    for (int i = 0; ax->fourth && i < 4; i++)
        es_extent_include(e, ax->corner[i][0], ax->corner[i][1]);
    if (ax->fourth)
        leave_legend_room(ax, e);
    e->half[0] *= 1 + BORDER;
    e->half[1] *= 1 + BORDER;
    e->radius *= 1 + BORDER;
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* How far rows are from a right angle with the axis, in degrees: half of them less, half of them more. */
static double median_lean(const es_map *m)
{
    float *lean = es_alloc_array((size_t)m->n + 1, sizeof *lean);
    int64_t n = 0;
    for (int64_t i = 0; i < m->n; i++) {
        const float *at = m->at + 3 * i;
        if (isfinite(at[0]) && (at[0] != 0 || at[1] != 0))
            lean[n++] = fabsf(atan2f(at[0], at[1]));
    }
    qsort(lean, (size_t)n, sizeof *lean, by_size);
    double middle = n ? (double)lean[n / 2] : NAN;
    free(lean);
    return middle * 180 / M_PI;
}

static void take_answers(es_axes *ax, const errand *e)
{
    ax->all = e->all;
    ax->others = e->others;
    ax->rank_of_a = e->rank;
    for (int i = 0; i < ax->others.n; i++)
        es_axes_tell(ax, (int32_t)ax->others.of[i].id);
    if (!ax->others.n)
        return;
    const float *at = ax->map->at + 3 * ax->others.of[0].id;
    const double *to = ax->corner[ES_AXES_FOURTH];
    ax->answer_far = e->far;
    ax->answer_seen = hypot((double)at[0] - to[0], (double)at[1] - to[1]);
}

static void end_rows(es_errand *is, es_viewer *v, bool ok)
{
    errand *e = (errand *)is;
    es_axes *ax = e->ax;
    if (ok && ax && !ax->map) {
        ax->map = es_map_new(v);
        ax->version = ++v->axes_made;
        ax->map->d = 2;
        ax->map->place_x = place_x;
        for (int64_t i = 0; i < e->V; i++)
            memcpy(ax->map->at + 3 * i, e->at + 2 * i, 2 * sizeof *e->at);
        es_map_settle(ax->map);
        take_answers(ax, e);
        widen(ax);
        es_axes_count_pairs(ax, v->atlas->context->model->wte);
        ax->lean = ax->of.form == ES_AXES_ONE ? median_lean(ax->map) : NAN;
        ax->map->told = ax->told;
        ax->map->n_told = ax->n_told;
        ax->map->n_own = ax->n_own;
    }
    free_errand(e);
}

static void end_quality(es_errand *is, es_viewer *v, bool ok)
{
    errand *e = (errand *)is;
    (void)v;
    if (ok && e->ax) {
        e->ax->measured = true;
        e->ax->kept = e->measured ? e->quality.kept : NAN;
        e->ax->kept_of = e->measured ? e->quality.k : 0;
        e->ax->kept_over = e->measured ? e->quality.n_kept : 0;
        e->ax->by_lot = e->quality.n_kept < e->quality.n_rows;
    }
    free_errand(e);
}

static errand *new_errand(const es_viewer *v, es_axes *ax)
{
    errand *e = es_alloc(sizeof *e);
    size_t C = (size_t)ax->C;
    *e = (errand){
        .ax = ax, .near = v->atlas->near, .form = ax->of.form, .C = ax->C, .seed = v->seed};
    e->V = v->atlas->tokens.n;
    e->unit = es_alloc_array(2 * C + 1, sizeof *e->unit);
    memcpy(e->unit, ax->unit, 2 * C * sizeof *e->unit);
    return e;
}

static es_errand *rows_errand(const es_viewer *v, es_axes *ax)
{
    errand *e = new_errand(v, ax);
    e->is = (es_errand){run_rows, end_rows};
    e->at = es_alloc_array(2 * (size_t)e->V + 1, sizeof *e->at);
    if (ax->fourth) {
        e->fourth = es_alloc_array((size_t)ax->C, sizeof *e->fourth);
        memcpy(e->fourth, ax->fourth, (size_t)ax->C * sizeof *e->fourth);
        e->word[0] = ax->of.a;
        e->word[1] = ax->of.b;
        e->word[2] = ax->of.c;
    }
    return &e->is;
}

static es_errand *quality_errand(const es_viewer *v, es_axes *ax)
{
    errand *e = new_errand(v, ax);
    int d;
    e->is = (es_errand){run_quality, end_quality};
    e->at = es_axes_points(v, &d);
    return &e->is;
}

es_errand *es_axes_errand(es_viewer *v)
{
    es_axes *ax = es_axes_follow(v);
    if (ax->why.len || ax->measured)
        return NULL;
    return ax->map ? quality_errand(v, ax) : rows_errand(v, ax);
}

float *es_axes_points(const es_viewer *v, int *d)
{
    const es_map *m = es_axes_of(v)->map;
    float *at = es_alloc_array(2 * (size_t)m->n + 1, sizeof *at);
    for (int64_t i = 0; i < m->n; i++)
        memcpy(at + 2 * i, m->at + 3 * i, 2 * sizeof *at);
    *d = 2;
    return at;
}

void es_axes_disown(es_viewer *v)
{
    if (v->errand && (v->errand->end == end_rows || v->errand->end == end_quality))
        ((errand *)v->errand)->ax = NULL;
}
