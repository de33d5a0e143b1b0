// SPDX-License-Identifier: GPL-3.0-or-later
/* What a layout shows that components do not: a curve instead of axes, and who was torn apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "view/layouts.h"
#include "view/map.h"
#include "view/plot.h"

/* In ems. */
#define SIDE     1.0f
#define EDGE     0.5f
#define LINE     1.4f
#define WIDE     19.0f /* the curve's panel */
#define HIGH     11.0f
#define HEADROOM 1.06 /* over the curve */
#define ROOMY    2.6f /* a picture so many times as wide and as high has room for it */

/* ---- the objective ---- */

static double largest(const es_sight *s)
{
    double most = 0;
    for (int i = 0; i < s->done; i++)
        most = isfinite(s->value[i]) ? fmax(most, s->value[i]) : most;
    return most > 0 ? most : 1;
}

static void draw_curve(const es_map *m, const es_sight *s, const es_chart *chart, es_canvas *c)
{
    es_spot *at = es_alloc_array((size_t)s->done + 1, sizeof *at);
    for (int i = 0; i < s->done; i++)
        at[i] = isfinite(s->value[i]) ? es_chart_spot(chart, i, s->value[i]) : (es_spot){NAN, NAN};
    es_canvas_line(c, at, (size_t)s->done, 1.6f, 0, m->palette->strong);
    if (s->done && !isnan(at[s->done - 1].x)) {
        const es_disc end = {at[s->done - 1].x, at[s->done - 1].y, 3, m->palette->strong, ES_NO_ID};
        es_canvas_discs(c, &end, 1);
    }
    free(at);
}

/* "KL divergence 1.234" over its curve from the first step to the last. */
static void draw_objective(es_map *m, es_viewer *v, es_canvas *c, const es_sight *s)
{
    const es_ink ink = {.size = es_viewer_em(v), .colour = m->palette->ink};
    float em = ink.size;
    es_box box = {m->area.x + SIDE * em, m->area.y + m->area.h - (HIGH + SIDE) * em, WIDE * em,
                  HIGH * em};
    bool room = m->area.w >= ROOMY * box.w && m->area.h >= ROOMY * box.h && c->line == 0;
    if (!room || !s->done)
        return;
    es_str title = {0};
    es_str_add(&title, "%s %.4g", es_layout_objective(v->layout), s->value[s->done - 1]);
    es_canvas_fill(c, box, es_fade(m->palette->ground, 0.85f));
    es_canvas_edge(c, box, 1, m->palette->edge);
    es_labels_block(v->labels, box);
    box = es_box_inset(box, EDGE * em);
    es_box line = es_box_cut_top(&box, LINE * em);
    es_canvas_fit(c, line.x, line.y + line.h / 2, line.w, 0, title.s, &ink);
    es_chart chart = {.x_high = s->recipe.steps,
                      .y_high = HEADROOM * largest(s),
                      .x_name = es_layout_unit(v->layout),
                      .x_whole = true};
    es_chart_draw(&chart, c, box, m->palette, em);
    draw_curve(m, s, &chart, c);
    es_str_free(&title);
}

/* ---- no axes ---- */

void es_map_draw_no_axes(es_map *m, es_viewer *v, es_canvas *c)
{
    const es_sight *s = es_layouts_of(v, v->layout);
    float em = es_viewer_em(v), right = m->area.x + m->area.w, bottom = m->area.y + m->area.h;
    es_str step = {0}, axes = {0};
    es_layouts_progress(s, &step);
    es_str_add(&axes, "%s: no axes, the scale is arbitrary", es_layout_title(v->layout));
    es_map_plate(m, v, c, m->area.x + SIDE * em, m->area.y + LINE * em / 2 + EDGE * em, 0, step.s,
                 m->palette->dim);
    es_map_plate(m, v, c, right - SIDE * em, bottom - (EDGE + LINE / 2) * em, 1, axes.s,
                 m->palette->dim);
    draw_objective(m, v, c, s);
    es_str_free(&step);
    es_str_free(&axes);
}

/* ---- who was torn apart ---- */

void es_map_draw_torn(const es_map *m, es_viewer *v, es_canvas *c)
{
    int n = 0;
    const es_torn *torn = v->view == ES_VIEW_MAP ? es_layouts_torn(v, &n) : NULL;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < torn[i].n; j++)
            es_map_draw_tie(m, c, m->spot[torn[i].id], m->spot[torn[i].near[j]],
                            torn[i].pictured[j]);
}

void es_map_mark_torn(const es_map *m, es_viewer *v, es_canvas *c)
{
    int n = 0;
    const es_torn *torn = v->view == ES_VIEW_MAP ? es_layouts_torn(v, &n) : NULL;
    for (int i = 0; i < n; i++) {
        int32_t id = torn[i].id;
        const es_disc disc[] = {
            {m->spot[id].x, m->spot[id].y, m->r + 2.2f, m->palette->ink, id},
            {m->spot[id].x, m->spot[id].y, m->r + 1, m->colour[id], id},
        };
        es_canvas_discs(c, disc, 2);
    }
}
