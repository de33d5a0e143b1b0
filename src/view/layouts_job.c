// SPDX-License-Identifier: GPL-3.0-or-later
/* The work on a layout, on whatever thread: the graph, steps, figures.  What others see is written under the lock. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "view/layouts_inside.h"

#define EVERY (1.0 / 30) /* seconds between two pictures, at least */

/* Whoever waits looks again; a full pipe wakes its reader as well. */
static void wake(const es_layouts *l)
{
    if (l->wake_fd >= 0) {
        ssize_t n = write(l->wake_fd, "l", 1);
        (void)n;
    }
}

static void enter(es_layouts *l, es_layout_phase phase)
{
    pthread_mutex_lock(&l->lock);
    l->run[l->at].phase = phase;
    pthread_mutex_unlock(&l->lock);
    wake(l);
}

/* ---- the graph ---- */

static int wanted(const es_layouts *l)
{
    const es_layout_recipe *r = &l->run[l->at].seen.recipe;
    int64_t others = l->n - 1;
    if (l->at != ES_LAYOUT_PCA)
        return es_layout_wants(r, l->n);
    return others < ES_QUALITY_NEAREST ? (int)others : ES_QUALITY_NEAREST;
}

static void leave_note(es_layouts *l, es_str *note)
{
    pthread_mutex_lock(&l->lock);
    es_str_free(&l->note);
    l->note = *note;
    pthread_mutex_unlock(&l->lock);
}

/* A graph of more neighbours begins with that of fewer: it serves for all that came before. */
bool es_run_neighbours(void *layouts, es_watch *watch, es_error *err)
{
    es_layouts *l = layouts;
    es_knn more = {0};
    es_str note = {0};
    int k = wanted(l);
    if (l->knn.id && l->knn.k >= k)
        return true;
    enter(l, ES_LAYOUT_NEIGHBOURS);
    bool ok = es_knn_kept(&more, l->table, k, l->be, NULL, &note, watch, err);
    leave_note(l, &note);
    if (!ok)
        return false;
    es_knn_free(&l->knn);
    l->knn = more;
    return true;
}

/* ---- steps ---- */

static void publish(es_layouts *l, es_run *r)
{
    pthread_mutex_lock(&l->lock);
    memcpy(r->at, es_layout_at(r->layout), (size_t)l->n * 2 * sizeof *r->at);
    r->shown = r->done;
    r->version = ++l->versions;
    pthread_mutex_unlock(&l->lock);
    l->published = es_now();
    wake(l);
}

/* One more?  Who aims it elsewhere after a no sees by the phase that nobody will look again. */
static bool goes_on(es_layouts *l, es_run *r)
{
    pthread_mutex_lock(&l->lock);
    bool more = r->done < r->target;
    r->phase = more ? ES_LAYOUT_MOVES : ES_LAYOUT_MEASURED;
    pthread_mutex_unlock(&l->lock);
    return more;
}

static void count_step(es_layouts *l, es_run *r)
{
    pthread_mutex_lock(&l->lock);
    r->value[r->done] = es_layout_value(r->layout);
    r->done = es_layout_steps_done(r->layout);
    pthread_mutex_unlock(&l->lock);
}

static bool begin(es_layouts *l, es_run *r, es_watch *watch, es_error *err)
{
    r->layout = r->layout ? r->layout : es_layout_new(&r->seen.recipe, &l->knn, r->at, watch, err);
    return r->layout != NULL;
}

bool es_run_steps(void *layouts, es_watch *watch, es_error *err)
{
    es_layouts *l = layouts;
    es_run *r = &l->run[l->at];
    bool ok = true;
    if (l->at == ES_LAYOUT_PCA || !goes_on(l, r))
        return true;
    if (!begin(l, r, watch, err))
        return false;
    es_watch_begin(watch, (uint64_t)r->seen.recipe.steps);
    while (ok && goes_on(l, r)) {
        ok = es_watch_step(watch, (uint64_t)r->done, err) && es_layout_step(r->layout, watch, err);
        if (ok)
            count_step(l, r);
        if (ok && !l->still && es_now() - l->published >= EVERY)
            publish(l, r);
    }
    publish(l, r);
    return ok;
}

/* ---- figures ---- */

void es_figures_free(es_figures *f)
{
    free(f->kept);
    *f = (es_figures){0};
}

/* Too few rows to say anything about are no failure of the picture. */
static bool measure(es_layouts *l, const es_run *r, es_figures *f, es_watch *watch, es_error *err)
{
    f->kept = es_try_alloc((size_t)l->n, sizeof *f->kept, "the figures of each token", err);
    if (!f->kept)
        return false;
    f->known = es_quality_measure(&f->of, f->kept, f->effort, l->table, &l->knn, r->at, f->d,
                                  l->seed, watch, err);
    if (f->known || err->code != ES_ERR_VALUE)
        return f->known;
    es_error_free(err);
    return f->known = true;
}

bool es_run_measure(void *layouts, es_watch *watch, es_error *err)
{
    es_layouts *l = layouts;
    es_run *r = &l->run[l->at];
    pthread_mutex_lock(&l->lock);
    es_figures f = {.effort = (es_quality_effort)r->effort, .done = r->done, .d = 2};
    pthread_mutex_unlock(&l->lock);
    if (l->at == ES_LAYOUT_PCA) {
        memcpy(f.component, r->seen.figures.component, sizeof f.component);
        f.d = r->seen.figures.d;
    }
    if (r->figures.known && r->figures.done == f.done && r->figures.effort >= f.effort)
        return true;
    enter(l, ES_LAYOUT_MEASURED);
    if (!measure(l, r, &f, watch, err)) {
        es_figures_free(&f);
        return false;
    }
    pthread_mutex_lock(&l->lock);
    es_figures_free(&r->figures);
    r->figures = f;
    pthread_mutex_unlock(&l->lock);
    return true;
}

bool es_run_all(void *layouts, es_watch *watch, es_error *err)
{
    return es_run_neighbours(layouts, watch, err) && es_run_steps(layouts, watch, err) &&
           es_run_measure(layouts, watch, err);
}
