// SPDX-License-Identifier: GPL-3.0-or-later
/* The axes view: every row of wte along directions from one token to another, or in the plane of an analogy. */
#include "view/axes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static unsigned needs(const es_viewer *v)
{
    bool kinds = v->color_by >= ES_BY_SCRIPT && v->color_by <= ES_BY_CASE;
    return kinds ? ES_ATLAS_TOKENS | ES_ATLAS_KINDS : ES_ATLAS_TOKENS;
}

static bool ready(es_viewer *v)
{
    const es_axes *ax = es_axes_follow(v);
    return ax->map || ax->why.len;
}

/* ---- under the pointer ---- */

static void describe(const es_axes *ax, const es_viewer *v, const es_map_hit *h, const float *at,
                     es_pick *out)
{
    es_map_name_hit(v, h, &out->what);
    for (int k = 0; k < 2; k++) {
        es_str_cat(&out->what, ", ");
        if (k < ax->n_units)
            es_axes_name(v, ax, k, &out->what);
        else
            es_str_cat(&out->what, "from the axis");
        es_str_add(&out->what, ": %.4g", (double)at[k]);
    }
    if (h->x && v->scene.preview)
        es_str_cat(&out->what, ", not entered yet");
}

/* The numbers along the axes; with one axis that of how far the row is from it, too. */
static void state(const es_axes *ax, const es_viewer *v, const es_map_hit *h, es_str *out)
{
    es_str row = {0};
    if (h->x && v->scene.preview)
        return;
    if (h->x)
        es_str_add(&row, "x[0, %" PRId64 "]", v->scene.at + h->place);
    else
        es_str_add(&row, "wte.weight[%" PRId32 "]", h->id);
    if (ax->n_units == 2)
        es_str_add(out, "%s @ axes.T", row.s);
    else
        es_str_add(out, "torch.stack([%s @ axes[0], (%s - (%s @ axes[0]) * axes[0]).norm()])",
                   row.s, row.s, row.s);
    es_str_free(&row);
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    const es_map *m = es_axes_project(v, area);
    (void)c;
    if (!m || !es_box_has(m->area, at.x, at.y))
        return false;
    es_map_hit h = es_map_hit_at(m, v, at);
    if (h.id < 0)
        return false;
    const es_axes *ax = es_axes_of(v);
    const float *where = h.x ? m->place[h.place].x_at : m->at + 3 * (int64_t)h.id;
    es_map_tell_hit(m, &h, out);
    describe(ax, v, &h, where, out);
    state(ax, v, &h, &out->statement);
    return true;
}

static bool ground(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent)
{
    (void)at;
    const es_axes *ax = es_viewer_ready(v) ? es_axes_follow(v) : NULL;
    if (!ax || !ax->map)
        return false;
    *out = es_axes_plot(v, ax, area);
    *extent = ax->map->extent;
    return true;
}

/* ---- what was chosen ---- */

static void recall(const es_viewer *v, es_str *lines)
{
    const es_axes_chosen *of = v->chosen[ES_VIEW_AXES];
    if (!of)
        return;
    es_str_cat(lines, ":axes ");
    es_axes_line(of, lines);
    es_str_char(lines, '\n');
}

static void drop(es_viewer *v)
{
    free(v->chosen[ES_VIEW_AXES]);
    v->chosen[ES_VIEW_AXES] = NULL;
}

static bool points(es_viewer *v, es_coordinates *out)
{
    const es_map *m = es_axes_follow(v)->map;
    if (!m)
        return false;
    *out = (es_coordinates){m->n, 3, m->d, m->at, ES_MAP_ROW_NAMES, es_map_name_row};
    return true;
}

const es_view_kind es_view_axes = {
    .name = "axes",
    .summary = "tokens along axes made of words; an analogy as a parallelogram",
    .args = "",
    .flat = true,
    .needs = needs,
    .ready = ready,
    .errand = es_axes_errand,
    .draw = es_axes_picture,
    .pick = pick,
    .honesty = es_axes_honesty,
    .expression = es_axes_expression,
    .plain = es_axes_plain,
    .json = es_axes_json,
    .points = points,
    .ground = ground,
    .forget = es_axes_forget,
    .recall = recall,
    .drop = drop,
};
