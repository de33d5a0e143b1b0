// SPDX-License-Identifier: GPL-3.0-or-later
/* The map's layouts as they stand, and as the picture sees them. */
#include "view/layouts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/layouts_inside.h"

/* ---- what there is ---- */

/* A small table has fewer neighbours than usual to ask for. */
es_layout_recipe es_layouts_usual(const es_viewer *v, es_layout_id id)
{
    es_layout_recipe r = es_layout_defaults(id, v->seed);
    int64_t others = es_session_context(v->session)->model->config.vocab_size - 1;
    if (others < 3 * r.perplexity)
        r.perplexity = others > 3 ? floor((double)others / 3) : 1;
    if (others < r.neighbours)
        r.neighbours = others > 2 ? (int)others : 2;
    return r;
}

es_layouts *es_layouts_made(es_viewer *v)
{
    if (v->layouts)
        return v->layouts;
    es_layouts *l = es_alloc(sizeof *l);
    pthread_mutex_init(&l->lock, NULL);
    l->wake_fd = -1;
    l->seed = v->seed;
    for (int i = 0; i < ES_N_LAYOUTS; i++) {
        l->run[i].seen.recipe = es_layouts_usual(v, (es_layout_id)i);
        l->run[i].effort = i == ES_LAYOUT_PCA ? ES_LAYOUT_UNASKED : ES_QUALITY_USUAL;
    }
    return v->layouts = l;
}

static void forget_sight(es_sight *s)
{
    free(s->at);
    free(s->value);
    es_figures_free(&s->figures);
    es_str_free(&s->why);
    *s = (es_sight){.recipe = s->recipe};
}

void es_run_forget(es_run *r)
{
    es_layout_free(r->layout);
    free(r->at);
    free(r->value);
    es_figures_free(&r->figures);
    forget_sight(&r->seen);
    *r = (es_run){.seen = r->seen,
                  .chosen = r->chosen,
                  .effort = r->effort,
                  .target = r->target,
                  .version = r->version};
}

void es_layouts_drop(es_viewer *v)
{
    es_layouts *l = v->layouts;
    if (!l)
        return;
    es_layouts_stop(l);
    for (int i = 0; i < ES_N_LAYOUTS; i++)
        es_run_forget(&l->run[i]);
    es_knn_free(&l->knn);
    es_table_unref(l->table);
    pthread_mutex_destroy(&l->lock);
    es_str_free(&l->note);
    free(l->torn);
    free(l);
    v->layouts = NULL;
}

/* ---- where they begin ---- */

/* Of the map as it is shown in components. */
static int dimensions(const es_viewer *v)
{
    return v->camera[ES_VIEW_MAP].solid ? 3 : 2;
}

static bool open_table(es_layouts *l, const es_viewer *v)
{
    if (!v->atlas || !es_atlas_has(v->atlas, ES_ATLAS_TOKENS))
        return false;
    if (l->table)
        return true;
    l->table = es_table_ref(v->atlas->rows);
    l->be = v->atlas->context->layer.be;
    l->n = v->atlas->tokens.n;
    return true;
}

/* Every layout starts from PCA's first two components, whichever the map shows. */
static bool open_run(es_layouts *l, es_layout_id id, const es_viewer *v, es_error *err)
{
    es_run *r = &l->run[id];
    size_t n = (size_t)l->n, d = id == ES_LAYOUT_PCA ? 3 : 2;
    if (r->at)
        return true;
    size_t steps = (size_t)(id == ES_LAYOUT_PCA ? 0 : r->seen.recipe.steps);
    r->at = es_try_alloc(n, d * sizeof *r->at, "a layout", err);
    r->seen.at = r->at ? es_try_alloc(n, d * sizeof *r->at, "a layout", err) : NULL;
    if (!r->seen.at) {
        free(r->at);
        r->at = NULL;
        return false;
    }
    r->value = es_alloc_array(steps + 1, sizeof *r->value);
    r->seen.value = es_alloc_array(steps + 1, sizeof *r->value);
    r->seen.n = l->n;
    es_mapped_lay_out(r->at, &v->atlas->tokens, (const int[]){0, 1, 2}, (int)d);
    pthread_mutex_lock(&l->lock); /* a job may be at another */
    r->version = ++l->versions;
    pthread_mutex_unlock(&l->lock);
    return true;
}

es_run *es_layouts_open(es_viewer *v, es_error *err)
{
    es_layouts *l = es_layouts_made(v);
    es_run *r = &l->run[v->layout];
    if (!open_table(l, v) || !open_run(l, v->layout, v, err))
        return NULL;
    if (!r->chosen && v->layout != ES_LAYOUT_PCA) {
        r->chosen = true;
        r->target = r->seen.recipe.steps;
    }
    return r;
}

/* ---- looking ---- */

static bool copy_figures(es_figures *to, const es_figures *from, int64_t n)
{
    if (!from->known || (to->known && to->done == from->done && to->effort == from->effort))
        return false;
    es_figures_free(to);
    *to = *from;
    to->kept = es_alloc_array((size_t)n, sizeof *to->kept);
    memcpy(to->kept, from->kept, (size_t)n * sizeof *to->kept);
    return true;
}

static void look_at(es_layouts *l, es_run *r)
{
    es_sight *s = &r->seen;
    bool steps = r != &l->run[ES_LAYOUT_PCA];
    pthread_mutex_lock(&l->lock);
    if (steps && s->version != r->version)
        memcpy(s->at, r->at, (size_t)l->n * 2 * sizeof *s->at);
    s->version = r->version;
    s->done = r->shown;
    s->target = r->target;
    s->phase = r->phase;
    if (steps)
        memcpy(s->value, r->value, (size_t)r->shown * sizeof *s->value);
    if (copy_figures(&s->figures, &r->figures, l->n))
        r->measured = ++l->versions;
    pthread_mutex_unlock(&l->lock);
}

/* Are these the figures of the components that are shown? */
static bool of_these(const es_figures *f, const es_viewer *v)
{
    int d = dimensions(v);
    return f->d == d && !memcmp(f->component, v->component, (size_t)d * sizeof *f->component);
}

/* Of other components than those shown nothing is known, nor was anything asked.  Nobody is at work on them. */
static void follow_components(es_layouts *l, const es_viewer *v)
{
    es_run *r = &l->run[ES_LAYOUT_PCA];
    if ((l->job && l->at == ES_LAYOUT_PCA) || v->layout != ES_LAYOUT_PCA)
        return;
    if (!of_these(&r->seen.figures, v)) {
        es_figures_free(&r->figures);
        es_figures_free(&r->seen.figures);
        r->effort = ES_LAYOUT_UNASKED;
        r->seen.figures.d = dimensions(v);
        memcpy(r->seen.figures.component, v->component, sizeof v->component);
    }
    if (v->torn && r->effort == ES_LAYOUT_UNASKED)
        r->effort = ES_QUALITY_USUAL;
}

void es_layouts_look(es_viewer *v)
{
    es_error err = ES_ERROR_NONE;
    if (v->layout == ES_LAYOUT_PCA && !v->torn && !v->layouts)
        return;
    es_run *r = es_layouts_open(v, &err);
    if (r) {
        follow_components(v->layouts, v);
        look_at(v->layouts, r);
    } else if (err.code) {
        es_str_cut(&v->layouts->run[v->layout].seen.why, 0);
        es_str_cat(&v->layouts->run[v->layout].seen.why, err.message);
    }
    es_error_free(&err);
}

const es_sight *es_layouts_of(const es_viewer *v, es_layout_id id)
{
    return v->layouts && (v->layouts->run[id].chosen || v->layouts->run[id].seen.n)
               ? &v->layouts->run[id].seen
               : NULL;
}

const es_figures *es_layouts_figures(const es_viewer *v)
{
    const es_sight *s = es_layouts_of(v, v->layout);
    if (!s || !s->figures.known)
        return NULL;
    bool these = v->layout == ES_LAYOUT_PCA ? of_these(&s->figures, v) : s->figures.done == s->done;
    return these ? &s->figures : NULL;
}

const es_knn *es_layouts_graph(const es_viewer *v)
{
    const es_layouts *l = v->layouts;
    return l && l->knn.id && (!l->job || l->run[l->at].seen.phase >= ES_LAYOUT_MOVES) ? &l->knn
                                                                                      : NULL;
}

float *es_layouts_points(const es_viewer *v, int *d)
{
    const es_mapped *m = &v->atlas->tokens;
    const es_sight *s = es_layouts_of(v, v->layout);
    bool moved = v->layout != ES_LAYOUT_PCA && s && s->n;
    *d = v->layout == ES_LAYOUT_PCA ? dimensions(v) : 2;
    float *at = es_alloc_array((size_t)m->n * (size_t)*d, sizeof *at);
    if (moved)
        memcpy(at, s->at, (size_t)m->n * 2 * sizeof *at);
    else
        es_mapped_lay_out(at, m, v->layout == ES_LAYOUT_PCA ? v->component : (const int[]){0, 1},
                          *d);
    return at;
}
