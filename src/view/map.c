// SPDX-License-Identifier: GPL-3.0-or-later
/* The map: every row of wte along two or three of its principal components, the sentence among them. */
#include "view/map.h"

#include <string.h>

#include "base/visible.h"
#include "view/layouts.h"

static unsigned needs(const es_viewer *v)
{
    unsigned parts = ES_ATLAS_TOKENS | (v->layout == ES_LAYOUT_PCA ? ES_ATLAS_KEPT : 0);
    bool kinds = v->color_by >= ES_BY_SCRIPT && v->color_by <= ES_BY_CASE;
    return kinds ? parts | ES_ATLAS_KINDS : parts;
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    es_map *m = es_map_follow(v);
    es_map_project(m, v, area);
    if (!m->version)
        es_map_draw_cross(m, c);
    es_map_draw_points(m, v, c);
    es_map_draw_lines(m, v, c);
    es_map_draw_marks(m, v, c);
    es_map_draw_axes(m, v, c);
    es_map_draw_labels(m, v, c);
}

static bool points(es_viewer *v, es_coordinates *out)
{
    const es_map *m = es_map_follow(v);
    *out = (es_coordinates){m->n, 3, m->d, m->at, ES_MAP_ROW_NAMES, es_map_name_row};
    return true;
}

static bool arguments(es_viewer *v, es_call *call, size_t at, es_error *err)
{
    es_arg arg;
    int more = es_arg_next(call, &at, &arg, err);
    if (more < 1)
        return more == 0;
    const char *word = es_str_text(&arg.value);
    bool solid = !strcmp(word, "3d"), ok = solid || !strcmp(word, "2d");
    if (!ok) {
        es_str shown = {0};
        es_show_brief(&shown, word, arg.value.len);
        es_fail(err, ES_ERR_VALUE, "the map is seen in 2d or in 3d, not in %s", shown.s);
        es_error_locate(err, arg.begin, arg.end);
        es_str_free(&shown);
    }
    es_str_free(&arg.value);
    if (!ok || !es_arg_end(call, at, err))
        return false;
    if (solid && v->layout != ES_LAYOUT_PCA)
        return es_layouts_flat(v, &arg, err);
    v->camera[ES_VIEW_MAP].solid = solid;
    return true;
}

static bool ground(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent)
{
    (void)at;
    if (!es_viewer_ready(v))
        return false;
    *out = es_map_plot(v, area);
    *extent = es_map_follow(v)->extent;
    return true;
}

const es_view_kind es_view_map = {
    .name = "map",
    .summary = "every row of wte a point, in principal components or a layout, the sentence a path",
    .args = "[2d|3d]",
    .solid = true,
    .flat = true,
    .needs = needs,
    .draw = draw,
    .pick = es_map_pick,
    .honesty = es_map_honesty,
    .expression = es_map_expression,
    .plain = es_map_plain,
    .json = es_map_json,
    .points = points,
    .arguments = arguments,
    .ground = ground,
    .forget = es_map_forget,
};
