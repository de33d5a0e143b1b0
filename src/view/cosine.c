// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/cosine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* What is kept from drawing to drawing. */
typedef struct kept {
    es_text *text; /* one reference; whose cosines these are */
    es_squares squares;
} kept;

static void forget(es_viewer *v)
{
    kept *k = v->of[ES_VIEW_COSINE];
    if (k) {
        es_squares_free(&k->squares);
        es_text_unref(k->text);
    }
    free(k);
    v->of[ES_VIEW_COSINE] = NULL;
}

static const es_squares *keep(es_viewer *v)
{
    kept *k = v->of[ES_VIEW_COSINE];
    es_error err = ES_ERROR_NONE;
    if (k && k->text == v->scene.text)
        return &k->squares;
    forget(v);
    k = v->of[ES_VIEW_COSINE] = es_alloc(sizeof *k);
    k->text = v->scene.text ? es_text_ref(v->scene.text) : NULL;
    if (!es_squares_make(&k->squares, &v->scene, &err))
        es_str_cat(&k->squares.why, err.message);
    es_error_free(&err);
    return &k->squares;
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    const es_squares *q = keep(v);
    es_box before = es_canvas_clip(c, es_box_meet(c->inside, area));
    es_square_plan plan = es_squares_plan(v, c, area, q);
    if (plan.n)
        es_squares_draw(v, c, &plan, q);
    else
        es_view_instead(v, c, area, es_str_text(&q->why));
    es_canvas_clip(c, before);
}

/* ---- under the pointer ---- */

/* "F.cosine_similarity(x[0, 1], x[0, 4], dim=0)" */
static void add_statement(es_str *out, const char *of, int64_t i, int64_t j)
{
    es_str_add(out, "F.cosine_similarity(%s[0, %" PRId64 "], %s[0, %" PRId64 "], dim=0)", of, i, of,
               j);
}

static void name_token(const es_scene *scene, int64_t t, es_str *out)
{
    es_scene_token(out, scene->text->context, scene->ids[t], 24);
    es_str_add(out, " (%" PRId64 ")", scene->at + t);
}

static void say_cell(const es_scene *scene, const es_squares *q, const float *value, int64_t i,
                     int64_t j, es_pick *out)
{
    int64_t cell = i * q->part.n + j;
    bool before = value == q->part.before, change = value == q->change;
    out->id = scene->ids[i];
    out->place = scene->at + i;
    out->value = (double)value[cell];
    name_token(scene, i, &out->what);
    es_str_cat(&out->what, " and ");
    name_token(scene, j, &out->what);
    es_str_cat(&out->what, before   ? ", cosine of tok_emb: "
                           : change ? ", change: "
                                    : ", cosine of x: ");
    es_heat_number(&out->what, out->value, 1, 4);
    if (scene->preview) {
        es_str_cat(&out->what, ", not entered yet");
        return;
    }
    add_statement(&out->statement, before ? "tok_emb" : "x", scene->at + i, scene->at + j);
    if (!change)
        return;
    es_str_cat(&out->statement, " - ");
    add_statement(&out->statement, "tok_emb", scene->at + i, scene->at + j);
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    const es_squares *q = keep(v);
    es_square_plan plan = es_squares_plan(v, c, area, q);
    for (int k = 0; es_box_has(area, at.x, at.y) && k < plan.n; k++) {
        int64_t i, j;
        es_heat h = es_square_heat(&plan, &plan.of[k], q);
        if (!es_heat_pick(&h, plan.of[k].map, at, &i, &j))
            continue;
        say_cell(&v->scene, q, plan.of[k].value, i, j, out);
        out->mark = es_heat_cell(&h, plan.of[k].map, i, j);
        return true;
    }
    return false;
}

/* ---- in words ---- */

static unsigned needs(const es_viewer *v)
{
    (void)v;
    return 0;
}

static void honesty(const es_viewer *v, es_str *out)
{
    (void)v;
    es_str_cat(out, "Each cosine is of all channels, none left out: 1 is one direction, 0 at right "
                    "angles, -1 the opposite. Lengths do not count.");
}

static void expression(const es_viewer *v, es_str *out)
{
    const es_scene *scene = &v->scene;
    int64_t T = scene->T + scene->left;
    es_str_cat(out, "F.cosine_similarity(x[0, i], x[0, j], dim=0)");
    if (scene->text && T) {
        es_str_add(out, "   [%" PRId64 ", %" PRId64 "] of rows of x", T, T);
        es_scene_shape(out, scene, ES_SCENE_X);
    }
}

static void plain(es_viewer *v, es_str *out)
{
    const es_squares *q = keep(v);
    const es_style style = {.plain = true, .width = ES_DEFAULT_WIDTH};
    es_cosine_part part = q->part;
    es_cosines one = {.text = v->scene.text, .of = &part, .n = 1};
    if (!part.n)
        es_str_add(out, "no cosines: %s\n", es_str_text(&q->why));
    else
        es_show_cosine(out, &one, &style, NULL);
}

static void json_matrix(es_json *j, const char *key, const float *m, int64_t n)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (int64_t i = 0; i < n && !es_str_braked(j->out); i++)
        es_json_floats(j, m + i * n, n);
    es_json_close(j, ']');
}

static void json(es_viewer *v, es_json *j)
{
    const es_squares *q = keep(v);
    es_json_key_int(j, "T", v->scene.T + v->scene.left);
    es_json_key(j, "entered");
    es_json_bool(j, v->scene.text && !v->scene.preview);
    json_matrix(j, "before", q->part.before, q->part.n);
    json_matrix(j, "after", q->part.after, q->part.n);
}

static bool ground(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent)
{
    (void)v;
    (void)area;
    (void)at;
    (void)out;
    (void)extent;
    return false;
}

const es_view_kind es_view_cosine = {
    .name = "cosine",
    .summary = "how alike the tokens are, before and after positions",
    .args = "",
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = honesty,
    .expression = expression,
    .plain = plain,
    .json = json,
    .ground = ground,
    .forget = forget,
};
