// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/viewer.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/commands.h"
#include "view/layouts.h"
#include "view/meta.h"
#include "view/module.h"
#include "view/neighbours.h"

enum { SMALL_EM = 13, BIG_EM = 24 };
#define JOURNEY 0.3 /* seconds the camera takes */

es_camera es_viewer_first_camera(es_view_id view)
{
    es_camera camera = ES_CAMERA_START;
    camera.solid = view == ES_VIEW_POSITIONS || view == ES_VIEW_OFFSET;
    if (view == ES_VIEW_POSITIONS)
        camera.turn = 60; /* GPT-2's helix seen from its side */
    return camera;
}

es_viewer *es_viewer_new(es_session *s)
{
    es_viewer *v = es_alloc(sizeof *v);
    size_t n;
    *v = (es_viewer){.session = s,
                     .component = {0, 1, 2},
                     .color_by = ES_BY_LENGTH,
                     .most_labels = ES_FIRST_LABELS,
                     .focus = -1,
                     .focus_place = -1,
                     .second = -1,
                     .meta_column = -1,
                     .hover = ES_PICK_NONE,
                     .labels = es_labels_new()};
    for (int i = 0; i < ES_N_VIEWS; i++)
        v->camera[i] = es_viewer_first_camera((es_view_id)i);
    es_session_set_guest(s, v, es_viewer_recall);
    const es_command *commands = es_view_commands(&n);
    es_session_add_commands(s, commands, n);
    return v;
}

static void forget_views(es_viewer *v)
{
    for (int i = 0; i < ES_N_VIEWS; i++)
        if (es_view_kind_at(i)->forget)
            es_view_kind_at(i)->forget(v);
    es_neighbours_forget(v);
}

static void end_making(es_viewer *v)
{
    es_error err = ES_ERROR_NONE;
    if (!v->making)
        return;
    if (!es_job_finish(v->making, &err) && err.code != ES_ERR_INTERRUPTED) {
        es_str_free(&v->problem);
        es_str_cat(&v->problem, err.message);
    }
    es_errand *e = v->errand;
    v->making = NULL;
    v->errand = NULL;
    if (e)
        e->end(e, v, err.code == ES_OK);
    es_error_free(&err);
}

static void stop_making(es_viewer *v)
{
    if (v->making)
        es_job_cancel(v->making);
    end_making(v);
    es_str_free(&v->problem);
}

void es_viewer_free(es_viewer *v)
{
    if (!v)
        return;
    if (v->window)
        v->module->close(v->window);
    stop_making(v);
    es_layouts_drop(v);
    es_atlas_free(v->atlas);
    forget_views(v);
    for (int i = 0; i < ES_N_VIEWS; i++)
        if (es_view_kind_at(i)->drop)
            es_view_kind_at(i)->drop(v);
    es_session_set_guest(v->session, NULL, NULL);
    es_scene_free(&v->scene);
    es_labels_free(v->labels);
    es_pick_free(&v->hover);
    free(v->selected.of);
    es_lasso_free(&v->lasso);
    es_meta_free(v->meta);
    es_str_free(&v->prompt);
    es_str_free(&v->line);
    free(v);
}

es_viewer *es_viewer_of(const es_session *s)
{
    return es_session_guest(s);
}

/* Of another table nothing is known, and its map is that of its components. */
static void forget_tokens(es_viewer *v)
{
    es_layouts_drop(v);
    es_labels_forget(v->labels);
    v->layout = ES_LAYOUT_PCA;
    v->torn = 0;
}

/* Another atlas; other positions leave what is known of the tokens as it was. */
static void change_atlas(es_viewer *v, es_context *c)
{
    es_atlas *before = v->atlas;
    stop_making(v);
    v->atlas = es_atlas_new(c);
    v->atlas->seed = v->seed;
    if (before && !es_atlas_inherit(v->atlas, before))
        forget_tokens(v);
    es_atlas_free(before);
}

/* A table of as many tokens is of any model's: all of them have the session's vocabulary. */
static void follow_meta(es_viewer *v, int64_t V)
{
    if (!v->meta || v->meta->V == V)
        return;
    es_meta_free(v->meta);
    v->meta = NULL;
    v->meta_column = -1;
}

void es_viewer_forget_pointed(es_viewer *v)
{
    es_pick_free(&v->hover);
    v->hovering = false;
}

/* A token without a row in this table is not looked at any more; one with a row still is. */
static void follow_focus(es_viewer *v, int64_t V)
{
    if (v->focus >= V)
        v->focus = v->second = -1, v->focus_place = -1;
    if (v->second >= V)
        v->second = -1;
}

/* Another model or other positions: what was known of the old ones is not of these. */
static void follow_context(es_viewer *v)
{
    es_context *c = es_session_context(v->session);
    if (v->atlas && v->atlas->context == c)
        return;
    change_atlas(v, c);
    forget_views(v);
    es_viewer_forget_pointed(v);
    v->card.n = 0;
    follow_meta(v, c->model->config.vocab_size);
    follow_focus(v, c->model->config.vocab_size);
    for (int k = 0; k < 3; k++)
        if (v->component[k] >= c->model->config.n_embd) /* which has no such component: the first */
            v->component[0] = 0, v->component[1] = 1, v->component[2] = 2;
}

/* The session has it, for statements; ids that the table has no row for are no points of a picture. */
static void follow_selection(es_viewer *v)
{
    size_t n;
    int64_t V = es_session_context(v->session)->model->config.vocab_size;
    const int32_t *ids = es_session_selection(v->session, &n);
    while (n && ids[n - 1] >= V)
        n--;
    free(v->selected.of);
    v->selected = (es_ids){.of = n ? es_alloc_array(n, sizeof *ids) : NULL, .n = n};
    if (n)
        memcpy(v->selected.of, ids, n * sizeof *ids);
}

bool es_viewer_follow(es_viewer *v)
{
    uint64_t stamp = es_session_stamp(v->session);
    if (v->atlas && stamp == v->stamp)
        return false;
    v->stamp = stamp;
    follow_context(v);
    if (es_scene_follow(&v->scene, v->session) && v->focus_place >= v->scene.T)
        v->focus = -1, v->focus_place = -1;
    follow_selection(v);
    return true;
}

/* ---- what a view needs ---- */

static unsigned needs(const es_viewer *v)
{
    return es_view_kind_at((int)v->view)->needs(v);
}

int es_viewer_components(const es_viewer *v)
{
    return v->camera[ES_VIEW_MAP].solid ? 3 : 2;
}

typedef struct making {
    es_atlas *atlas;
    unsigned parts;
    int component[3], n;
} making;

/* What is missing; what takes longest comes last, when there is a picture already. */
static making plan(const es_viewer *v, bool at_once)
{
    making m = {.atlas = v->atlas, .n = es_viewer_components(v)};
    unsigned wanted = needs(v), first = wanted & ~(unsigned)ES_ATLAS_KEPT;
    for (int k = 0; k < m.n; k++)
        m.component[k] = v->component[k];
    if (!es_atlas_has(v->atlas, first))
        m.parts = at_once ? wanted : first;
    else if (wanted != first && !es_atlas_knows_kept(v->atlas, m.component, m.n))
        m.parts = wanted;
    else if (v->layout != ES_LAYOUT_PCA && !es_atlas_has(v->atlas, ES_ATLAS_TOKENS))
        m.parts = ES_ATLAS_TOKENS; /* a layout goes on, whatever is shown */
    return m;
}

static bool make(void *work, es_watch *watch, es_error *err)
{
    const making *m = work;
    return es_atlas_make(m->atlas, m->parts, m->component, m->n, watch, err);
}

/* The same on a thread of its own, which has the plan to itself. */
static bool make_alone(void *work, es_watch *watch, es_error *err)
{
    bool ok = make(work, watch, err);
    free(work);
    return ok;
}

static bool run_errand(void *work, es_watch *watch, es_error *err)
{
    es_errand *e = work;
    return e->run(e, watch, err);
}

static es_errand *next_errand(es_viewer *v)
{
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    return kind->errand ? kind->errand(v) : NULL;
}

static bool run_errands(es_viewer *v, const es_sink *sink, es_error *err)
{
    es_errand *e;
    bool ok = true;
    while (ok && (e = next_errand(v))) {
        ok = es_session_work(v->session, "measuring the picture", run_errand, e, sink, err);
        e->end(e, v, ok);
    }
    return ok;
}

bool es_viewer_ready(es_viewer *v)
{
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    bool known = v->atlas && es_atlas_has(v->atlas, needs(v) & ~(unsigned)ES_ATLAS_KEPT);
    return known && (!kind->ready || kind->ready(v));
}

bool es_viewer_make(es_viewer *v, const es_sink *sink, es_error *err)
{
    es_viewer_follow(v);
    end_making(v);
    making m = plan(v, true);
    bool ok = !m.parts || es_session_work(v->session, "measuring the table", make, &m, sink, err);
    return ok && run_errands(v, sink, err) &&
           (v->view != ES_VIEW_MAP || es_layouts_make(v, sink, err));
}

static void begin_errand(es_viewer *v, int wake_fd, es_error *err)
{
    v->errand = next_errand(v);
    if (!v->errand)
        return;
    v->making = es_job_start(run_errand, v->errand, wake_fd, err);
    if (v->making)
        return;
    v->errand->end(v->errand, v, false);
    v->errand = NULL;
    es_str_cat(&v->problem, err->message);
}

bool es_viewer_make_tokens(es_viewer *v, const es_sink *sink, es_error *err)
{
    es_viewer_follow(v);
    end_making(v);
    making m = {.atlas = v->atlas, .parts = ES_ATLAS_TOKENS};
    return es_atlas_has(v->atlas, ES_ATLAS_TOKENS) ||
           es_session_work(v->session, "measuring the table", make, &m, sink, err);
}

static void begin_making(es_viewer *v, int wake_fd)
{
    es_error err = ES_ERROR_NONE;
    if (v->making || v->problem.len)
        return;
    making now = plan(v, false);
    if (!now.parts) {
        begin_errand(v, wake_fd, &err);
        es_error_free(&err);
        return;
    }
    making *m = es_alloc(sizeof *m);
    *m = now;
    v->making = es_job_start(make_alone, m, wake_fd, &err);
    if (!v->making) {
        free(m);
        es_str_cat(&v->problem, err.message);
    }
    es_error_free(&err);
}

void es_viewer_begin(es_viewer *v, int wake_fd)
{
    begin_making(v, wake_fd);
    es_layouts_begin(v, wake_fd);
}

bool es_viewer_settle(es_viewer *v)
{
    bool moved = es_layouts_settle(v);
    if (!v->making || es_job_running(v->making))
        return moved;
    end_making(v);
    return true;
}

/* ---- how it looks ---- */

const es_palette *es_viewer_palette(const es_viewer *v)
{
    return es_palette_named(es_palette_of(es_session_settings(v->session)));
}

float es_viewer_em(const es_viewer *v)
{
    return es_session_settings(v->session)->big ? BIG_EM : SMALL_EM;
}

bool es_viewer_still(const es_viewer *v)
{
    return !v->window || es_session_settings(v->session)->still;
}

static bool travelling(const es_viewer *v)
{
    return v->moved_at > 0 && v->clock - v->moved_at < JOURNEY && !es_viewer_still(v);
}

bool es_viewer_moving(const es_viewer *v)
{
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    return travelling(v) || (kind->moving && kind->moving(v));
}

es_camera es_viewer_camera(const es_viewer *v)
{
    const es_camera *to = &v->camera[v->view];
    if (!travelling(v))
        return *to;
    double part = (v->clock - v->moved_at) / JOURNEY;
    return es_camera_between(&v->from, to, part * part * (3 - 2 * part));
}

void es_viewer_depart(es_viewer *v)
{
    v->from = es_viewer_camera(v);
    v->moved_at = v->clock;
}

int32_t es_viewer_focus(const es_viewer *v, int64_t *place)
{
    *place = v->focus_place;
    if (v->focus >= 0)
        return v->focus;
    *place = v->scene.T - 1;
    return v->scene.T ? v->scene.ids[v->scene.T - 1] : -1;
}
