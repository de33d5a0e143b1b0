// SPDX-License-Identifier: GPL-3.0-or-later
/* Steering the map's layouts: which is wanted, with what numbers and how far, and whoever takes it there, a job behind
 * the window or a command that waits. */
#include "view/layouts_inside.h"

/* ---- who is at work ---- */

/* Nobody is at work afterwards.  What was stopped begins again where it was. */
static void end_job(es_layouts *l)
{
    es_error err = ES_ERROR_NONE;
    if (!l->job)
        return;
    es_run *r = &l->run[l->at];
    if (!es_job_finish(l->job, &err) && err.code != ES_ERR_INTERRUPTED) {
        es_str_cut(&r->seen.why, 0);
        es_str_cat(&r->seen.why, err.message);
    }
    l->job = NULL;
    r->phase = r->seen.phase = ES_LAYOUT_RESTS;
    es_error_free(&err);
}

void es_layouts_stop(es_layouts *l)
{
    if (l->job)
        es_job_cancel(l->job);
    end_job(l);
}

/* ---- choosing ---- */

es_layout_recipe es_layouts_recipe(const es_viewer *v, es_layout_id id)
{
    return v->layouts ? v->layouts->run[id].seen.recipe : es_layouts_usual(v, id);
}

void es_layouts_show(es_viewer *v, es_layout_id id)
{
    v->layout = id;
    if (id == ES_LAYOUT_PCA || !v->camera[ES_VIEW_MAP].solid)
        return;
    v->camera[ES_VIEW_MAP].solid = false;
    v->moved_at = 0; /* between the plane and space there is no way */
}

static void restart(es_layouts *l, es_layout_id id)
{
    if (l->job && l->at == id)
        es_layouts_stop(l);
    es_run_forget(&l->run[id]);
}

void es_layouts_choose(es_viewer *v, const es_layout_recipe *recipe)
{
    es_layouts *l = es_layouts_made(v);
    es_run *r = &l->run[recipe->id];
    if (!es_layout_same(recipe, &r->seen.recipe))
        restart(l, recipe->id);
    else if (r->chosen)
        return;
    r->seen.recipe = *recipe;
    r->chosen = true;
    r->target = recipe->steps;
}

/* Is a job at this, and so far? */
static bool is_at(es_layouts *l, es_layout_id id, es_layout_phase phase)
{
    pthread_mutex_lock(&l->lock);
    bool at = l->job && l->at == id && l->run[id].phase == phase;
    pthread_mutex_unlock(&l->lock);
    return at;
}

/* A step that is being taken would be one too many. */
static void step_back(es_layouts *l, es_layout_id id, int target)
{
    if (l->job && l->at == id)
        es_layouts_stop(l);
    if (l->run[id].done > target)
        restart(l, id);
}

void es_layouts_aim(es_viewer *v, es_layout_id id, int target)
{
    es_layouts *l = es_layouts_made(v);
    es_run *r = &l->run[id];
    pthread_mutex_lock(&l->lock);
    bool same = r->chosen && r->target == target && r->done <= target, back = target <= r->done;
    r->chosen = true;
    r->target = target;
    pthread_mutex_unlock(&l->lock);
    r->seen.target = target;
    if (same)
        return;
    if (back)
        step_back(l, id, target);
    else if (is_at(l, id, ES_LAYOUT_MEASURED))
        es_layouts_stop(l);
}

int es_layouts_pause(es_viewer *v, es_layout_id id)
{
    es_layouts *l = es_layouts_made(v);
    es_run *r = &l->run[id];
    pthread_mutex_lock(&l->lock);
    bool moves = l->job && l->at == id && r->phase == ES_LAYOUT_MOVES;
    if (r->done < r->target)
        r->target = r->done + moves;
    int target = r->target;
    pthread_mutex_unlock(&l->lock);
    r->seen.target = target;
    return target;
}

void es_layouts_measure(es_viewer *v, es_quality_effort effort)
{
    es_layouts *l = es_layouts_made(v);
    es_run *r = &l->run[v->layout];
    es_layouts_look(v);
    if ((int)effort <= r->effort)
        return;
    if (is_at(l, v->layout, ES_LAYOUT_MEASURED))
        es_layouts_stop(l);
    pthread_mutex_lock(&l->lock);
    r->effort = (int)effort;
    pthread_mutex_unlock(&l->lock);
}

/* ---- having it done ---- */

static bool wants(const es_layouts *l, es_layout_id id)
{
    const es_run *r = &l->run[id];
    if (!r->at || r->seen.why.len)
        return false;
    const es_figures *f = &r->figures;
    bool known = f->known && f->done == r->done && (int)f->effort >= r->effort;
    return r->done < r->target || (r->effort != ES_LAYOUT_UNASKED && !known);
}

/* The points of PCA are measured as they are shown. */
static void prepare(es_layouts *l, const es_viewer *v)
{
    es_run *r = &l->run[v->layout];
    l->at = v->layout;
    if (l->at == ES_LAYOUT_PCA)
        es_mapped_lay_out(r->at, &v->atlas->tokens, v->component, r->seen.figures.d);
}

static bool work(es_viewer *v, const es_sink *sink, es_error *err)
{
    es_layouts *l = v->layouts;
    const es_layout_recipe *r = &l->run[l->at].seen.recipe;
    es_str steps = {0};
    if (l->at != ES_LAYOUT_PCA)
        es_str_add(&steps, "%s, %d %ss", es_layout_title(l->at), r->steps, es_layout_unit(l->at));
    bool ok = es_session_work(v->session, "finding the nearest of every row", es_run_neighbours, l,
                              sink, err) &&
              es_session_work(v->session, es_str_text(&steps), es_run_steps, l, sink, err) &&
              es_session_work(v->session, "measuring the picture", es_run_measure, l, sink, err);
    es_str_free(&steps);
    return ok;
}

/* What was stopped rests where it is; of components nothing is asked any more.  What has failed counts as never chosen, so
 * that it fails again where it is chosen again. */
static void rest(es_layouts *l, bool ok, const es_error *err)
{
    es_run *r = &l->run[l->at];
    r->phase = ES_LAYOUT_RESTS;
    if (ok)
        return;
    r->target = r->done;
    r->chosen = r->chosen && err->code == ES_ERR_INTERRUPTED;
    if (l->at == ES_LAYOUT_PCA)
        r->effort = ES_LAYOUT_UNASKED;
}

/* That the graph's file is of no use is no failure of the layout, and is said once: to whoever has asked, or (sink NULL)
 * above the half-typed line. */
static void say_note(es_viewer *v, const es_sink *sink)
{
    es_layouts *l = v->layouts;
    pthread_mutex_lock(&l->lock);
    es_str note = l->note;
    l->note = (es_str){0};
    pthread_mutex_unlock(&l->lock);
    if (note.len && !v->noted && sink)
        sink->note(sink->user, note.s, false);
    else if (note.len && !v->noted)
        es_session_post(v->session, ES_MESSAGE_NOTE, note.s, note.len);
    v->noted = v->noted || note.len;
    es_str_free(&note);
}

bool es_layouts_make(es_viewer *v, const es_sink *sink, es_error *err)
{
    bool asked = v->layout != ES_LAYOUT_PCA || v->torn || v->layouts;
    if (v->window || !asked)
        return true;
    if (!es_viewer_make_tokens(v, sink, err))
        return false;
    es_layouts_look(v);
    es_layouts *l = v->layouts;
    es_layouts_stop(l);
    if (!es_layouts_open(v, err))
        return false;
    if (!wants(l, v->layout))
        return true;
    prepare(l, v);
    l->wake_fd = -1;
    l->still = true;
    bool ok = work(v, sink, err);
    rest(l, ok, err);
    say_note(v, sink);
    es_layouts_look(v);
    return ok;
}

void es_layouts_begin(es_viewer *v, int wake_fd)
{
    es_error err = ES_ERROR_NONE;
    es_layouts_look(v);
    es_layouts *l = v->layouts;
    if (!l)
        return;
    l->still = es_viewer_still(v);
    if ((l->job && l->at == v->layout) || !wants(l, v->layout))
        return;
    es_layouts_stop(l); /* one at a time: that which is shown */
    prepare(l, v);
    l->wake_fd = wake_fd;
    l->job = es_job_start(es_run_all, l, wake_fd, &err);
    if (!l->job)
        es_str_cat(&l->run[l->at].seen.why, err.message);
    es_error_free(&err);
}

bool es_layouts_settle(es_viewer *v)
{
    es_layouts *l = v->layouts;
    if (!l || !l->job)
        return false;
    uint64_t before = l->run[v->layout].seen.version;
    bool over = !es_job_running(l->job);
    if (over)
        end_job(l);
    say_note(v, NULL);
    es_layouts_look(v);
    bool moved = l->run[v->layout].seen.version != before;
    if (moved && v->view == ES_VIEW_MAP)
        es_viewer_forget_pointed(v);
    return over || moved;
}
