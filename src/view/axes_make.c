// SPDX-License-Identifier: GPL-3.0-or-later
/* What the axes view works out: directions and their angle at once, the rows along them and what is nearest in an errand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quality.h"
#include "analysis/sweep.h"
#include "base/mem.h"
#include "view/axes.h"

enum {
    BLOCK = 1 << 16,
    NEAR_A = 10
};                  /* numbers of rows at a time; nearest rows of a that are looked through */
#define FLAT   1e-6 /* of a difference's length, what at least spans a plane with another */
#define BORDER 0.06 /* around what must be in sight, of the extent */

/* ---- directions ---- */

static double dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void scale(double *x, double by, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= by;
}

static void add(double *x, double by, const double *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] += by * y[i];
}

/* y less what is along x, of length 1; returns how long it was, and leaves it 0 where next to nothing was left. */
static double turn_off(double *y, const double *x, int64_t n)
{
    double whole = sqrt(dot(y, y, n));
    add(y, -dot(y, x, n), x, n);
    double left = sqrt(dot(y, y, n));
    bool flat = !(left > FLAT * whole);
    scale(y, flat ? 0 : 1 / left, n);
    return flat ? 0 : left;
}

/* Of the spread about the mean, what is along a unit vector. */
static double share_along(const es_pca *p, const double *unit)
{
    double sum = 0;
    for (int64_t k = 0; k < p->C; k++) {
        double along = 0;
        for (int64_t c = 0; c < p->C; c++)
            along += unit[c] * (double)p->axes[k * p->C + c];
        sum += p->variance[k] * along * along;
    }
    return p->total > 0 ? fmin(sum / p->total, 1) : 0;
}

static void keep_unit(es_axes *ax, int k, const double *unit)
{
    for (int64_t c = 0; c < ax->C; c++)
        ax->unit[k * ax->C + c] = (float)unit[c];
}

/* d (2, C): the differences, which become the axes: as they are, or at right angles in an analogy.  false: there is no
 * plane. */
static bool take_directions(es_axes *ax, const es_pca *p, double *d)
{
    int64_t C = ax->C;
    double *x = d, *y = d + C;
    ax->n_units = ax->of.form == ES_AXES_ONE ? 1 : 2;
    for (int k = 0; k < ax->n_units; k++) {
        ax->length[k] = sqrt(dot(d + k * C, d + k * C, C));
        scale(d + k * C, 1 / ax->length[k], C);
        keep_unit(ax, k, d + k * C);
    }
    ax->between = ax->n_units == 2 ? fmax(-1, fmin(1, dot(x, y, C))) : NAN;
    ax->share = share_along(p, x);
    if (ax->n_units == 1)
        return true;
    bool plane = turn_off(y, x, C) > 0;
    ax->share = fmin(1, ax->share + share_along(p, y));
    if (ax->of.form == ES_AXES_ANALOGY)
        keep_unit(ax, 1, y);
    return plane || ax->of.form == ES_AXES_TWO;
}

/* ---- an analogy's corners ---- */

static void place_corner(es_axes *ax, es_axes_corner which, const double *at)
{
    for (int k = 0; k < 2; k++) {
        double sum = 0;
        for (int64_t c = 0; c < ax->C; c++)
            sum += at[c] * (double)ax->unit[k * ax->C + c];
        ax->corner[which][k] = sum;
    }
}

static bool place_corners(es_axes *ax, const es_context *c, es_error *err)
{
    const es_near_ask nothing = {.n = 0};
    const es_near_ask sums[4] = {
        [ES_AXES_B] = {.id = {ax->of.b}, .factor = {1}, .n = 1},
        [ES_AXES_A] = {.id = {ax->of.a}, .factor = {1}, .n = 1},
        [ES_AXES_C] = {.id = {ax->of.c}, .factor = {1}, .n = 1},
        [ES_AXES_FOURTH] = {.id = {ax->of.a, ax->of.b, ax->of.c}, .factor = {1, -1, 1}, .n = 3}};
    ax->fourth = es_alloc_array((size_t)ax->C, sizeof *ax->fourth);
    bool ok = true;
    for (int i = 0; ok && i < 4; i++) {
        ok = es_axes_difference(ax->fourth, c, &nothing, &sums[(i + 3) % 4], err);
        place_corner(ax, (es_axes_corner)((i + 3) % 4), ax->fourth);
    }
    ok = ok && es_axes_difference(ax->fourth, c, &nothing, &sums[ES_AXES_FOURTH], err);
    const double *at = ax->corner[ES_AXES_FOURTH];
    double all = dot(ax->fourth, ax->fourth, ax->C), in = at[0] * at[0] + at[1] * at[1];
    ax->outside = all > 0 ? fmax(0, 1 - in / all) : 0;
    return ok;
}

/* ---- tokens that the picture is about ---- */

static void tell(es_axes *ax, int32_t id)
{
    for (int i = 0; i < ax->n_told; i++)
        if (ax->told[i] == id)
            return;
    if (ax->n_told < ES_AXES_TOLD)
        ax->told[ax->n_told++] = id;
}

static void tell_own(es_axes *ax)
{
    for (int k = 0; k < ax->n_units; k++) {
        for (size_t i = 0; i < ax->of.from[k].n; i++)
            tell(ax, ax->of.from[k].id[i]);
        for (size_t i = 0; i < ax->of.to[k].n; i++)
            tell(ax, ax->of.to[k].id[i]);
    }
    ax->n_own = ax->n_told;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < es_axes_drawn_pairs(ax, k); i++) {
            tell(ax, ax->pair[k][i].low);
            tell(ax, ax->pair[k][i].high);
        }
}

/* ---- the state ---- */

static void say_flat(es_axes *ax, const es_context *c)
{
    es_str_cat(&ax->why, "The three rows of ");
    es_axes_describe(c, &ax->of, &ax->why);
    es_str_cat(&ax->why, " lie on one line: they span no plane. :axes off goes back to the usual "
                         "axes.");
}

static bool find_directions(es_axes *ax, const es_viewer *v, es_error *err)
{
    const es_context *c = v->atlas->context;
    double *d = es_alloc_array(2 * (size_t)ax->C + 1, sizeof *d);
    bool ok = es_axes_fit(c, &ax->of, err);
    for (int k = 0; ok && k < (ax->of.form == ES_AXES_ONE ? 1 : 2); k++)
        ok = es_axes_difference(d + k * ax->C, c, &ax->of.from[k], &ax->of.to[k], err);
    if (ok && !take_directions(ax, &v->atlas->tokens.pca, d))
        say_flat(ax, c);
    else if (ok && ax->of.form == ES_AXES_ANALOGY)
        ok = place_corners(ax, c, err);
    free(d);
    return ok;
}

static es_axes *new_axes(const es_viewer *v)
{
    const es_axes_chosen *chosen = v->chosen[ES_VIEW_AXES];
    es_axes *ax = es_alloc(sizeof *ax);
    es_error err = ES_ERROR_NONE;
    ax->C = v->atlas->tokens.pca.C;
    ax->unit = es_alloc_array(2 * (size_t)ax->C + 1, sizeof *ax->unit);
    ax->kept = NAN;
    ax->usual = es_axes_usual(v->atlas->context, &ax->of, &ax->why);
    if (chosen) {
        ax->usual = ax->usual && es_axes_same(chosen, &ax->of);
        es_str_cut(&ax->why, 0);
        ax->of = *chosen;
    }
    if (ax->why.len)
        return ax;
    if (!find_directions(ax, v, &err))
        es_str_add(&ax->why, "%s. :axes off goes back to the usual axes.", err.message);
    else if (ax->usual)
        es_axes_find_pairs(ax, v->atlas->context);
    tell_own(ax);
    es_error_free(&err);
    return ax;
}

static void publish(const es_viewer *v, const es_axes *ax)
{
    es_session_set_axes(v->session, ax->unit, ax->n_units, ax->C);
}

es_axes *es_axes_of(const es_viewer *v)
{
    return v->of[ES_VIEW_AXES];
}

es_axes *es_axes_follow(es_viewer *v)
{
    if (!v->of[ES_VIEW_AXES])
        v->of[ES_VIEW_AXES] = new_axes(v);
    es_axes *ax = v->of[ES_VIEW_AXES];
    if (ax->map) {
        es_map_update(ax->map, v);
        publish(v, ax);
    }
    return ax;
}

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
    e->measured = es_quality_measure(&e->quality, ES_QUALITY_QUICK, e->near, NULL, e->at, 2,
                                     e->seed, watch, &why);
    if (e->measured || why.code == ES_ERR_VALUE) {
        es_error_free(&why);
        return true;
    }
    *err = why;
    return false;
}

/* ---- what came of them ---- */

/* The extent reaches to there too. */
static void include(es_extent *e, double x, double y)
{
    const double at[2] = {x, y};
    for (int k = 0; k < 2 && isfinite(x) && isfinite(y); k++) {
        double half = e->half[k] > 0 ? e->half[k] : e->radius;
        double low = fmin(e->middle[k] - half, at[k]), high = fmax(e->middle[k] + half, at[k]);
        e->middle[k] = (low + high) / 2;
        e->half[k] = (high - low) / 2;
    }
    e->radius = fmax(e->radius, fmax(e->half[0], e->half[1]));
}

/* Beside most rows what the picture is about is in sight. */
static void widen(es_axes *ax)
{
    es_map *m = ax->map;
    es_extent *e = &m->extent;
    if (ax->of.form == ES_AXES_ONE)
        include(e, e->middle[0], 0);
    for (int i = 0; i < ax->n_told; i++) {
        const float *at = m->at + 3 * (int64_t)ax->told[i];
        include(e, (double)at[0], (double)at[1]);
    }
    for (int i = 0; ax->fourth && i < 4; i++)
        include(e, ax->corner[i][0], ax->corner[i][1]);
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
        tell(ax, (int32_t)ax->others.of[i].id);
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

void es_axes_forget(es_viewer *v)
{
    es_axes *ax = v->of[ES_VIEW_AXES];
    if (!ax)
        return;
    if (v->errand && (v->errand->end == end_rows || v->errand->end == end_quality))
        ((errand *)v->errand)->ax = NULL;
    es_map_free(ax->map);
    es_str_free(&ax->why);
    free(ax->unit);
    free(ax->fourth);
    for (int k = 0; k < 2; k++)
        free(ax->pair[k]);
    free(ax);
    v->of[ES_VIEW_AXES] = NULL;
}
