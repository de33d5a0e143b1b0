// SPDX-License-Identifier: GPL-3.0-or-later
/* What the axes view works out at once: directions and their angle, an analogy's corners, of which tokens it is about. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "view/axes.h"

#define FLAT 1e-6 /* of a difference's length, what at least spans a plane with another */

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

void es_axes_tell(es_axes *ax, int32_t id)
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
            es_axes_tell(ax, ax->of.from[k].id[i]);
        for (size_t i = 0; i < ax->of.to[k].n; i++)
            es_axes_tell(ax, ax->of.to[k].id[i]);
    }
    ax->n_own = ax->n_told;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < es_axes_drawn_pairs(ax, k); i++) {
            es_axes_tell(ax, ax->pair[k][i].low);
            es_axes_tell(ax, ax->pair[k][i].high);
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

void es_axes_forget(es_viewer *v)
{
    es_axes *ax = v->of[ES_VIEW_AXES];
    if (!ax)
        return;
    es_axes_disown(v);
    es_map_free(ax->map);
    es_str_free(&ax->why);
    free(ax->unit);
    free(ax->fourth);
    for (int k = 0; k < 2; k++)
        free(ax->pair[k]);
    free(ax);
    v->of[ES_VIEW_AXES] = NULL;
}
