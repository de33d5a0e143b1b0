// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/onehot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "view/row_named.h"

/* Seconds: the 1 runs, the row slides out. */
#define RUN   0.5
#define SLIDE 0.45

/* ---- what is kept ---- */

typedef struct kept {
    bool made; /* or it cannot be, and `why` says so */
    int32_t id;
    bool preview;
    double began; /* the clock, when the 1 set off; -1: it does not move */
    es_hot hot;
    es_str why;
} kept;

static kept *keep(const es_viewer *v)
{
    return es_view_keep(v, ES_VIEW_ONEHOT, sizeof(kept));
}

static void forget(es_viewer *v)
{
    kept *k = v->of[ES_VIEW_ONEHOT];
    if (!k)
        return;
    es_hot_free(&k->hot);
    es_str_free(&k->why);
    free(k);
    v->of[ES_VIEW_ONEHOT] = NULL;
}

static void say_no_row(const es_viewer *v, int32_t id, es_str *why)
{
    int64_t V = es_session_context(v->session)->model->config.vocab_size;
    es_hot_token(v, id, 24, why);
    es_str_add(why,
               " has id %" PRId32 ", and wte has %" PRId64 " rows (0..%" PRId64
               "): there is no place for its 1. Try :show onehot #%" PRId64 ".",
               id, V, V - 1, V - 1);
}

static void make(const es_viewer *v, kept *k, int32_t id, bool row)
{
    es_error err = ES_ERROR_NONE;
    es_hot_free(&k->hot);
    es_str_cut(&k->why, 0);
    if (id < 0)
        es_str_cat(&k->why, "This model has no wte: there is no table to look a token up in.");
    else if (!row)
        say_no_row(v, id, &k->why);
    else if (!es_hot_read(&k->hot, es_session_context(v->session)->model->wte, id, &err))
        es_str_cat(&k->why, err.message);
    es_error_free(&err);
}

/* A token that is another one sets its 1 off, but not while it is typed. */
static kept *follow(const es_viewer *v)
{
    kept *k = keep(v);
    bool row, preview = v->scene.preview && v->focus < 0;
    int32_t id = es_row_in_focus(v, &row);
    if (k->made && k->id == id && k->preview == preview)
        return k;
    k->began = preview ? -1 : v->clock;
    if (!k->made || k->id != id)
        make(v, k, id, row);
    k->made = true;
    k->id = id;
    k->preview = preview;
    return k;
}

const es_hot *es_hot_of(const es_viewer *v, es_str *why)
{
    const kept *k = follow(v);
    if (k->hot.row)
        return &k->hot;
    if (why)
        es_str_cat(why, es_str_text(&k->why));
    return NULL;
}

/* ---- motion ---- */

static bool moving(const es_viewer *v)
{
    const kept *k = v->of[ES_VIEW_ONEHOT];
    return k && k->hot.row && k->began >= 0 && !es_viewer_still(v) &&
           v->clock - k->began < RUN + SLIDE;
}

/* Slow at both ends. */
static float eased(double part)
{
    double p = fmin(fmax(part, 0), 1);
    return (float)(p * p * (3 - 2 * p));
}

static es_hot_stage stage_of(const es_viewer *v, const kept *k)
{
    double since = v->clock - k->began;
    if (!moving(v))
        return (es_hot_stage){1, 1};
    return (es_hot_stage){eased(since / RUN), eased((since - RUN) / SLIDE)};
}

/* ---- the picture ---- */

static unsigned needs(const es_viewer *v)
{
    (void)v;
    return 0;
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    es_str why = {0};
    const es_hot *h = es_hot_of(v, &why);
    es_box before = es_canvas_clip(c, es_box_meet(c->inside, area));
    if (h) {
        es_hot_plan plan = es_hot_plan_of(v, h, c, area);
        if (plan.map.w > 0)
            es_hot_draw(v, h, c, &plan, stage_of(v, keep(v)));
        else
            es_str_cat(&why, "There is no room for the product here.");
    }
    if (why.len)
        es_view_instead(v, c, area, why.s);
    es_canvas_clip(c, before);
    es_str_free(&why);
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    const es_hot *h = es_hot_of(v, NULL);
    *out = ES_PICK_NONE;
    if (!h || !es_box_has(area, at.x, at.y))
        return false;
    es_hot_plan plan = es_hot_plan_of(v, h, c, area);
    return plan.map.w > 0 && es_hot_pick(v, h, &plan, at, out);
}

static bool arguments(es_viewer *v, es_call *call, size_t at, es_error *err)
{
    es_token_name name;
    int found = es_row_next(v, call, &at, &name, err);
    if (found < 0 || !es_arg_end(call, at, err))
        return false;
    if (found) {
        v->focus = name.id;
        v->focus_place = name.pos;
    }
    return true;
}

const es_view_kind es_view_onehot = {
    .name = "onehot",
    .summary = "the lookup as a product: a one-hot row times the table",
    .args = "[TOKEN]",
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = es_hot_honesty,
    .expression = es_hot_expression,
    .plain = es_hot_plain,
    .json = es_hot_json,
    .arguments = arguments,
    .moving = moving,
    .forget = forget,
};
