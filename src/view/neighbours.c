// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/neighbours.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/points.h"
#include "base/mem.h"
#include "view/axes.h"
#include "view/layouts.h"

enum { KEPT = 4 }; /* the focus, what is under the pointer, and what each was before */

typedef struct entry {
    es_neighbours near;
    int component[3], d; /* of the map when `pictured` was found out; d 0: it was not */
    uint64_t version;    /* of its layout; 0: components */
    uint64_t axes;       /* or of the axes view's points (axes.h); 0: the map */
    uint64_t asked;      /* when last, in questions; 0: never filled */
    bool stopped;        /* before its end */
} entry;

struct es_near_kept {
    entry of[KEPT];
    uint64_t questions;
};

/* ---- in wte ---- */

static bool read_query(double *q, const es_table *wte, int32_t id, es_error *err)
{
    int64_t C = es_table_width(wte);
    float *row = es_try_alloc((size_t)C, sizeof *row, "a row", err);
    bool ok = row && es_table_row(wte, id, row, err);
    for (int64_t c = 0; ok && c < C; c++) {
        q[c] = (double)row[c];
        if (!isfinite(row[c]))
            ok = es_fail(err, ES_ERR_VALUE,
                         "row %" PRId32 " of wte has %s in channel %" PRId64
                         ", so nothing is near it",
                         id, isnan(row[c]) ? "NaN" : "Inf", c);
    }
    free(row);
    return ok;
}

static bool search(es_neighbours *near, es_session *s, const double *q, es_error *err)
{
    es_near *table = es_session_near(s, err);
    es_watch watch = {.stop = es_session_interrupt(s)};
    es_neighbour best[ES_KEPT_NEAREST];
    int64_t found = 0;
    const es_near_query query = {q, ES_BY_COSINE, &near->id, 1};
    if (!table || !es_near_search(table, best, ES_KEPT_NEAREST, &found, &query, &watch, err))
        return false;
    near->n = (int)found;
    for (int i = 0; i < near->n; i++)
        near->of[i] = (es_close){(int32_t)best[i].id, (float)best[i].score, false};
    return true;
}

static bool find(es_neighbours *near, es_session *s, es_error *err)
{
    const es_table *wte = es_session_context(s)->model->wte;
    if (near->id < 0 || near->id >= es_table_rows(wte))
        return es_fail(err, ES_ERR_INDEX_RANGE, "wte has no row %" PRId32, near->id);
    double *q = es_alloc_array((size_t)es_table_width(wte), sizeof *q);
    bool ok = read_query(q, wte, near->id, err) && search(near, s, q, err);
    free(q);
    return ok;
}

/* What Ctrl-C has stopped is asked again the next time. */
static void look_up(entry *e, es_session *s, int32_t id)
{
    es_error err = ES_ERROR_NONE;
    es_str_free(&e->near.why);
    e->near = (es_neighbours){.id = id};
    e->d = 0;
    if (!find(&e->near, s, &err))
        es_str_cat(&e->near.why, err.message);
    e->stopped = err.code == ES_ERR_INTERRUPTED;
    es_error_free(&err);
}

/* ---- in the picture ---- */

/* Of the layout that is shown; 0: components are. */
static uint64_t version_of(const es_viewer *v)
{
    const es_sight *s = v->layout == ES_LAYOUT_PCA ? NULL : es_layouts_of(v, v->layout);
    return s && s->n ? s->version : 0;
}

static uint64_t axes_of(const es_viewer *v)
{
    const es_axes *ax = v->view == ES_VIEW_AXES ? es_axes_of(v) : NULL;
    return ax && ax->map ? ax->version : 0;
}

static bool same_picture(const entry *e, const es_viewer *v)
{
    if (e->axes || axes_of(v))
        return e->d && e->axes == axes_of(v);
    uint64_t version = version_of(v);
    int d = es_viewer_components(v);
    if (version || e->version)
        return e->d && e->version == version;
    return e->d == d && !memcmp(e->component, v->component, (size_t)d * sizeof *e->component);
}

static void mark_pictured(entry *e, const es_viewer *v)
{
    int32_t near[ES_KEPT_NEAREST];
    e->axes = axes_of(v);
    float *at = e->axes ? es_axes_points(v, &e->d) : es_layouts_points(v, &e->d);
    int n = es_points_near(near, ES_KEPT_NEAREST, at, v->atlas->tokens.n, e->d, e->near.id);
    for (int i = 0; i < e->near.n; i++) {
        e->near.of[i].pictured = false;
        for (int j = 0; j < n; j++)
            e->near.of[i].pictured |= near[j] == e->near.of[i].id;
    }
    e->near.mapped = true;
    e->version = version_of(v);
    memcpy(e->component, v->component, sizeof e->component);
    free(at);
}

/* ---- the last few ---- */

/* The entry of token id, or the one that was asked about longest ago. */
static entry *entry_of(struct es_near_kept *kept, int32_t id)
{
    entry *oldest = kept->of;
    for (entry *e = kept->of; e < kept->of + KEPT; e++) {
        if (e->asked && e->near.id == id)
            return e;
        if (e->asked < oldest->asked)
            oldest = e;
    }
    oldest->asked = 0;
    return oldest;
}

const es_neighbours *es_neighbours_of(es_viewer *v, int32_t id)
{
    if (!v->near)
        v->near = es_alloc(sizeof *v->near);
    entry *e = entry_of(v->near, id);
    if (!e->asked || e->stopped)
        look_up(e, v->session, id);
    e->asked = ++v->near->questions;
    bool known = v->atlas && es_atlas_has(v->atlas, ES_ATLAS_TOKENS);
    if (known && e->near.n && !same_picture(e, v))
        mark_pictured(e, v);
    return &e->near;
}

void es_neighbours_forget(es_viewer *v)
{
    if (v->near)
        for (int i = 0; i < KEPT; i++)
            es_str_free(&v->near->of[i].near.why);
    free(v->near);
    v->near = NULL;
}
