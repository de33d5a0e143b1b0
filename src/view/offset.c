// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/offset.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "view/plot.h"
#include "view/row_named.h"
#include "view/words.h"

enum { MOST_MARKS = 12, MOST_ARROWS = 8, TOKEN_COLUMNS = 16 };

/* ---- what is kept ---- */

typedef struct kept {
    es_offset offset; /* at NULL: none yet */
    es_curve curve[2];
    es_box box;
    es_extent extent;
} kept;

static kept *keep(const es_viewer *v)
{
    return es_view_keep(v, ES_VIEW_OFFSET, sizeof(kept));
}

static void forget(es_viewer *v)
{
    kept *k = v->of[ES_VIEW_OFFSET];
    if (k)
        es_offset_free(&k->offset);
    free(k);
    v->of[ES_VIEW_OFFSET] = NULL;
}

const es_offset *es_offset_of(const es_viewer *v, es_str *why)
{
    kept *k = keep(v);
    int32_t token, second;
    es_error err = ES_ERROR_NONE;
    if (!es_offset_tokens(v, &token, &second)) {
        if (why)
            es_str_cat(why, "This model has no wte: there is no token to stand at its positions.");
        return NULL;
    }
    if (k->offset.at && k->offset.token == token && k->offset.second == second)
        return &k->offset;
    es_offset_free(&k->offset);
    k->curve[0].n = k->curve[1].n = 0;
    if (es_offset_make(&k->offset, v->atlas, token, second, &err))
        return &k->offset;
    if (why)
        es_str_cat(why, err.message);
    es_error_free(&err);
    return NULL;
}

/* The components of the positions in use; others are worked out when they are drawn. */
static unsigned needs(const es_viewer *v)
{
    const es_embedding *layer = &es_session_context(v->session)->layer;
    return layer->wpe && es_table_rows(layer->wpe) > 1 ? ES_ATLAS_POSITIONS : 0;
}

/* ---- drawing ---- */

static void name_token(const es_viewer *v, int32_t id, es_str *out)
{
    es_scene_token(out, v->atlas->context, id, TOKEN_COLUMNS);
}

static int64_t mark_step(const es_viewer *v, es_box box, int64_t n, int64_t most)
{
    float room = fminf(box.w, box.h) / (1.6f * es_viewer_em(v));
    return es_mark_step(n, room < (float)most ? (int64_t)room : most);
}

/* The same arrow at a few positions: where both curves begin, and between marks, whose discs would hide its head. */
static void draw_arrows(const es_viewer *v, es_canvas *c, const kept *k, const es_palette *p)
{
    const es_offset *o = &k->offset;
    int64_t n = o->of.n, step = mark_step(v, k->box, n, MOST_ARROWS);
    for (int64_t i = 0; i < n; i += i ? step : (step + 1) / 2)
        es_canvas_arrow(c, es_curve_spot(&k->curve[1], i), es_curve_spot(&k->curve[0], i), 1.3f,
                        es_fade(p->strong, 0.8f));
}

/* The token where it stands in the sentence, both curves where they begin, and marks along the token's. */
static void draw_tags(const es_viewer *v, es_canvas *c, const kept *k, const es_palette *p)
{
    const es_offset *o = &k->offset;
    es_tags tags = {.keep = es_axes_box(k->box, es_viewer_em(v))};
    int64_t place, stride = o->of.stride, n = o->of.n;
    bool stands = es_viewer_focus(v, &place) == o->token && o->of.used && place > 0 &&
                  place % stride == 0 && place / stride < n;
    for (int which = 0; which < 2; which++) {
        es_argb colour = which ? p->second : p->strong;
        es_tag *tag = es_tags_add(&tags, es_curve_spot(&k->curve[which], 0), colour, 4, true);
        if (which && o->second < 0)
            es_str_cat(&tag->text, "position");
        else
            name_token(v, which ? o->second : o->token, &tag->text);
        es_str_cat(&tag->text, which && o->second < 0 ? " 0 alone" : " at 0");
    }
    if (stands) {
        es_spot at = es_curve_spot(&k->curve[0], place / stride);
        es_tag *tag = es_tags_add(&tags, at, p->strong, 4, true);
        name_token(v, o->token, &tag->text);
        es_str_add(&tag->text, " at %" PRId64 ": x", place);
    }
    int64_t step = mark_step(v, k->box, n, MOST_MARKS);
    for (int64_t i = n - 1; i > 0; i = i == n - 1 ? (n - 2) / step * step : i - step) {
        es_spot at = es_curve_spot(&k->curve[0], i);
        es_str_add(&es_tags_add(&tags, at, es_along(p, i, n), 2.8f, false)->text, "%" PRId64,
                   i * stride);
    }
    es_tags_draw(&tags, c, k->box, p, es_viewer_em(v));
}

static void draw_curves(es_viewer *v, es_canvas *c, kept *k, const es_palette *p)
{
    static const char *const name[] = {"1", "2", "3", "move"};
    const es_offset *o = &k->offset;
    const char *axis[3] = {NULL};
    es_camera camera = es_viewer_camera(v);
    int K = es_offset_shown(v, o);
    k->extent = es_extent_of(o->at, 2 * o->of.n, 3, camera.solid);
    es_lens lens = es_lens_of(&camera, &k->extent, k->box);
    k->curve[0] = (es_curve){o->at, o->of.n, lens, 0, 3};
    k->curve[1] = (es_curve){o->at + 3 * o->of.n, o->of.n, lens, p->second, 2};
    es_curve_draw(&k->curve[1], c, p, camera.solid);
    es_curve_draw(&k->curve[0], c, p, camera.solid);
    draw_arrows(v, c, k, p);
    for (int i = 0; i < K; i++)
        axis[i] = name[o->axis[i]];
    es_axes_draw(c, k->box, &lens, axis, K, p, es_viewer_em(v));
    draw_tags(v, c, k, p);
    es_offset_tell_axes(v, o);
}

static void draw_caption(const es_viewer *v, const es_offset *o, es_canvas *c, es_box *area)
{
    es_str text = {0}, brief = {0};
    name_token(v, o->token, &text);
    if (o->second >= 0) {
        es_str_cat(&text, " and ");
        name_token(v, o->second, &text);
    }
    es_str_add(&text, " at positions 0 to %" PRId64 ": ", (o->of.n - 1) * o->of.stride);
    es_str_bytes(&brief, text.s, text.len);
    es_str_cat(&brief, o->second >= 0 ? "one curve, twice" : "their curve, moved");
    if (o->second >= 0)
        es_str_cat(&text, "the same curve twice");
    else
        es_str_add(&text, "the curve of %s, moved by its row of wte", es_places_name(&o->of));
    es_caption(c, area, text.s, brief.s, es_viewer_palette(v), es_viewer_em(v));
    es_str_free(&text);
    es_str_free(&brief);
}

/* Which axes these are, where there is room to say so. */
static void draw_axes_line(const es_viewer *v, const es_offset *o, es_canvas *c, es_box *area)
{
    float em = es_viewer_em(v);
    const es_ink ink = {.size = em, .colour = es_viewer_palette(v)->dim};
    es_str text = {0};
    if (area->h < 18 * em)
        return;
    es_box line = es_box_cut_top(area, 1.4f * em);
    for (int k = 0, K = es_offset_shown(v, o); k < K; k++)
        es_str_add(&text, "%s%s", k ? ", " : "axes: ", es_offset_axis_name(o->axis[k]));
    es_canvas_fit(c, line.x, line.y + line.h / 2, line.w, 0, es_str_text(&text), &ink);
    es_str_free(&text);
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    const es_palette *p = es_viewer_palette(v);
    float em = es_viewer_em(v);
    const es_ink ink = {.size = em, .colour = p->dim};
    es_str text = {0};
    area = es_canvas_room(c, area, em);
    const es_offset *o = es_offset_of(v, &text);
    kept *k = keep(v);
    if (!o) {
        es_words_draw(c, area, 0, es_str_text(&text), &ink);
        es_str_free(&text);
        return;
    }
    draw_caption(v, o, c, &area);
    es_places_remark(&text, &o->of, v->atlas->context);
    if (text.len)
        es_caption(c, &area, text.s, NULL, p, em);
    es_str_free(&text);
    draw_axes_line(v, o, c, &area);
    k->box = area;
    es_box outside = es_canvas_clip(c, es_box_meet(c->inside, area));
    if (area.w > 2 * em && area.h > 2 * em)
        draw_curves(v, c, k, p);
    es_canvas_clip(c, outside);
}

/* ---- the pointer ---- */

static void say_point(const es_viewer *v, const es_offset *o, int which, int64_t i, es_pick *out)
{
    int32_t id = which ? o->second : o->token;
    out->id = id;
    out->place = i * o->of.stride;
    if (id >= 0)
        name_token(v, id, &out->what);
    es_str_add(&out->what, "%s %" PRId64 ", along the axes:", id < 0 ? "position" : " at position",
               out->place);
    for (int k = 0; k < o->K; k++)
        es_str_add(&out->what, " %+.3f", (double)o->at[3 * (which * o->of.n + i) + k]);
    if (o->of.learned && id >= 0)
        es_str_add(&out->statement, "(wte.weight[%" PRId32 "] + wpe.weight[%" PRId64 "]) @ axes.T",
                   id, out->place);
    else if (o->of.learned)
        es_str_add(&out->statement, "wpe.weight[%" PRId64 "] @ axes.T", out->place);
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    (void)c, (void)area;
    const kept *k = keep(v);
    float em = es_viewer_em(v), least = INFINITY;
    bool found = false;
    *out = ES_PICK_NONE;
    for (int which = 0; which < 2; which++) {
        int64_t i = es_curve_near(&k->curve[which], at, em);
        es_spot s = i < 0 ? at : es_curve_spot(&k->curve[which], i);
        float far = hypotf(s.x - at.x, s.y - at.y);
        if (i < 0 || far >= least)
            continue;
        es_pick_free(out);
        say_point(v, &k->offset, which, i, out);
        out->mark = (es_box){s.x - em / 2, s.y - em / 2, em, em};
        found = true;
        least = far;
    }
    return found;
}

static bool ground(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent)
{
    (void)area;
    const kept *k = keep(v);
    if (!k->curve[0].n || !es_box_has(k->box, at.x, at.y))
        return false;
    *out = k->box;
    *extent = k->extent;
    return true;
}

/* ---- :show offset [TOKEN [TOKEN]] ---- */

/* The token's curve first, then the other. */
static void name_place(const es_viewer *v, int64_t i, es_str *out)
{
    const es_offset *o = es_offset_of(v, NULL);
    int64_t n = o->of.n;
    int32_t token = i < n ? o->token : o->second;
    es_str_add(out, "%" PRId64 "\t", i % n * o->of.stride);
    if (token >= 0)
        es_str_add(out, "%" PRId32, token);
    else
        es_str_cat(out, "positions");
}

static bool points(es_viewer *v, es_coordinates *out)
{
    const es_offset *o = es_offset_of(v, NULL);
    if (!o || !o->K)
        return false;
    *out = (es_coordinates){
        2 * o->of.n,       3,         v->camera[ES_VIEW_OFFSET].solid ? 3 : 2, o->at,
        "position\tcurve", name_place};
    return true;
}

static bool arguments(es_viewer *v, es_call *call, size_t at, es_error *err)
{
    es_token_name first, second = {.id = -1};
    int one = es_row_next(v, call, &at, &first, err);
    int two = one > 0 ? es_row_next(v, call, &at, &second, err) : 0;
    if (one < 0 || two < 0 || !es_arg_end(call, at, err))
        return false;
    if (one) {
        v->focus = first.id;
        v->focus_place = first.pos;
        v->second = two ? second.id : -1;
    }
    return true;
}

const es_view_kind es_view_offset = {
    .name = "offset",
    .summary = "one token at every position: the positions' curve, moved",
    .args = "[TOKEN [TOKEN]]",
    .solid = true,
    .flat = true,
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = es_offset_honesty,
    .expression = es_offset_expression,
    .plain = es_offset_plain,
    .json = es_offset_json,
    .points = points,
    .arguments = arguments,
    .ground = ground,
    .forget = forget,
};
