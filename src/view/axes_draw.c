// SPDX-License-Identifier: GPL-3.0-or-later
/* The axes view as a picture: what is seen in words, the points, an analogy's parallelogram, the axes' names. */
#include <math.h>
#include <string.h>

#include "view/axes.h"
#include "view/lesson_pictures.h"
#include "view/words.h"

enum { MOST_LINES = 3, ROWS = ES_AXES_NEAREST };
#define ROW    1.4f /* from line to line, in em; so are the others */
#define SIDE   1.0f
#define EDGE   0.5f
#define TICK   0.3f
#define SCORE  3.2f /* the column of cosines */
#define TOKEN  8.0f
#define LOWEST 18.0f /* of an area that has room for words over the picture */
#define LEGEND 5.5f  /* down to the middle of a line that is below the legend */
#define CORNER 5.0f  /* pixels, of the fourth point */
#define GAP    7.0f  /* pixels between a line and the point it goes to */

/* ---- where ---- */

/* How many lines the caption has, about: gestures ask without a canvas. */
static int caption_lines(const es_viewer *v, const es_axes *ax, float w)
{
    es_str text = {0};
    float em = es_viewer_em(v), room = w - 2 * em > em ? w - 2 * em : em;
    es_axes_caption(v, ax, &text);
    int lines = 1 + (int)((float)text.len * 0.5f * em / room);
    es_str_free(&text);
    return lines < MOST_LINES ? lines : MOST_LINES;
}

static float caption_height(const es_viewer *v, const es_axes *ax, es_box area)
{
    float em = es_viewer_em(v);
    bool lesson = es_lesson_picture_shown(v) > 0; /* which has words of its own */
    if (area.h < LOWEST * em || lesson)
        return 0;
    return (float)caption_lines(v, ax, area.w) * ES_LEADING * em + EDGE * em;
}

static es_box points_area(const es_viewer *v, const es_axes *ax, es_box area)
{
    es_box_cut_top(&area, caption_height(v, ax, area));
    return area;
}

es_box es_axes_plot(const es_viewer *v, const es_axes *ax, es_box area)
{
    return es_map_plot(v, points_area(v, ax, area));
}

es_map *es_axes_project(es_viewer *v, es_box area)
{
    es_axes *ax = es_axes_follow(v);
    if (ax->why.len || !ax->map)
        return NULL;
    area = points_area(v, ax, area);
    if (!es_map_drawn_in(ax->map, area))
        es_map_project(ax->map, v, area);
    return ax->map;
}

/* ---- words over the picture ---- */

static void draw_caption(const es_viewer *v, const es_axes *ax, es_canvas *c, es_box area)
{
    float em = es_viewer_em(v), h = caption_height(v, ax, area);
    const es_ink ink = {.size = em, .colour = es_viewer_palette(v)->ink};
    es_str text = {0};
    if (h <= 0)
        return;
    es_axes_caption(v, ax, &text);
    es_canvas_fill(c, (es_box){area.x, area.y, area.w, h}, es_viewer_palette(v)->ground);
    es_words_draw(c, (es_box){area.x + em, area.y + EDGE * em / 2, area.w - 2 * em, h}, 0, text.s,
                  &ink);
    es_str_free(&text);
}

/* ---- names of the axes ---- */

/* The end of an axis: "␣she →", "← ␣he"; nothing where there is no word for it. */
static void end_name(const es_viewer *v, const es_axes *ax, int k, bool high, es_str *out)
{
    static const char *const arrows[2][2] = {{"← ", " →"}, {"↓ ", "↑ "}};
    const es_context *c = v->atlas->context;
    const es_near_ask *sum = high ? &ax->of.to[k] : &ax->of.from[k];
    if (k == 1 && ax->of.form == ES_AXES_ONE) {
        es_str_cat(out, high ? "↑ how far from the axis" : "");
        return;
    }
    if (k == 1 || !high)
        es_str_cat(out, arrows[k][high]);
    es_axes_sum_name(c, sum, out);
    if (k == 1 && high && ax->of.form == ES_AXES_ANALOGY)
        es_str_cat(out, " (at right angles to x)");
    if (k == 0 && high)
        es_str_cat(out, arrows[k][high]);
}

static float draw_end(es_axes *ax, es_viewer *v, es_canvas *c, int k, bool high, float x, float y,
                      float align)
{
    es_str name = {0};
    float w = 0;
    end_name(v, ax, k, high, &name);
    if (name.len)
        w = es_map_plate(ax->map, v, c, x, y, align, name.s, ax->map->palette->ink);
    es_str_free(&name);
    return w;
}

static void draw_names(es_axes *ax, es_viewer *v, es_canvas *c)
{
    es_map *m = ax->map;
    const es_box a = m->area;
    float em = es_viewer_em(v), left = a.x + SIDE * em, right = a.x + a.w - SIDE * em;
    float foot = a.y + a.h - (TICK + ROW / 2) * em, top = a.y + (EDGE + ROW / 2) * em;
    float low = draw_end(ax, v, c, 0, false, left, foot, 0);
    float high = draw_end(ax, v, c, 0, true, right, foot, 1);
    draw_end(ax, v, c, 1, true, left, top, 0);
    draw_end(ax, v, c, 1, false, left, foot - ROW * em, 0);
    es_map_draw_ticks(m, v, c, 0, left + low + 2 * em, right - high - 2 * em);
    es_map_draw_ticks(m, v, c, 1, top + ROW * em, foot - 2 * ROW * em);
}

/* ---- marks ---- */

static void mark_told(const es_axes *ax, es_canvas *c)
{
    const es_map *m = ax->map;
    for (int i = ax->n_told; i-- > 0;) {
        int32_t id = ax->told[i];
        float r = m->r + (i < ax->n_own ? 2.0f : 1.0f);
        const es_disc mark[2] = {
            {m->spot[id].x, m->spot[id].y, r + 1.2f, m->palette->ink, id},
            {m->spot[id].x, m->spot[id].y, r, i < ax->n_own ? m->palette->ink : m->colour[id], id}};
        es_canvas_discs(c, mark, 2);
    }
}

/* The pairs of the usual axes, from each to its partner. */
static void draw_pairs(const es_axes *ax, es_viewer *v, es_canvas *c)
{
    const es_map *m = ax->map;
    const es_argb colour[2] = {m->palette->second, m->palette->strong};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < es_axes_drawn_pairs(ax, k); i++) {
            const es_spot line[2] = {m->spot[ax->pair[k][i].low], m->spot[ax->pair[k][i].high]};
            es_canvas_line(c, line, 2, 3.6f, 0, es_fade(m->palette->ground, 0.5f));
            es_canvas_line(c, line, 2, 1.4f, 0, es_fade(colour[k], 0.9f));
            es_map_block_way(v, line[0], line[1]);
        }
}

/* ---- an analogy ---- */

static es_spot corner(const es_axes *ax, es_axes_corner which)
{
    const float at[3] = {(float)ax->corner[which][0], (float)ax->corner[which][1], 0};
    return es_map_spot(ax->map, at);
}

/* From one point to another, short of both. */
static void side(const es_axes *ax, es_viewer *v, es_canvas *c, es_spot from, es_spot to,
                 bool dashed, es_argb colour)
{
    float dx = to.x - from.x, dy = to.y - from.y, far = hypotf(dx, dy);
    if (!(far > 3 * GAP))
        return;
    dx *= GAP / far;
    dy *= GAP / far;
    const es_spot line[2] = {{from.x + dx, from.y + dy}, {to.x - dx, to.y - dy}};
    es_canvas_line(c, line, 2, 4.5f, 0, es_fade(ax->map->palette->ground, 0.6f));
    if (dashed)
        es_canvas_line(c, line, 2, 1.6f, 4, colour);
    else
        es_canvas_arrow(c, line[0], line[1], 2, colour);
    es_map_block_way(v, line[0], line[1]);
}

static void draw_sides(const es_axes *ax, es_viewer *v, es_canvas *c)
{
    const es_palette *p = ax->map->palette;
    es_spot a = corner(ax, ES_AXES_A), b = corner(ax, ES_AXES_B), d = corner(ax, ES_AXES_C);
    es_spot fourth = corner(ax, ES_AXES_FOURTH);
    side(ax, v, c, b, a, false, p->strong);
    side(ax, v, c, d, fourth, false, p->strong);
    side(ax, v, c, b, d, false, p->second);
    side(ax, v, c, a, fourth, false, p->second);
    if (ax->others.n)
        side(ax, v, c, fourth, ax->map->spot[ax->others.of[0].id], true, p->ink);
}

/* A point that is no row: a square on its corner. */
static void draw_fourth(es_axes *ax, es_viewer *v, es_canvas *c)
{
    const es_palette *p = ax->map->palette;
    es_spot at = corner(ax, ES_AXES_FOURTH);
    float r = CORNER * sqrtf(es_viewer_em(v) / 13), em = es_viewer_em(v);
    const es_spot round[5] = {
        {at.x - r, at.y}, {at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}};
    es_str name = {0};
    const es_disc disc = {at.x, at.y, 0.7f * r, p->ground, ES_NO_ID};
    if (!es_box_has(ax->map->area, at.x, at.y))
        return;
    es_canvas_discs(c, &disc, 1);
    es_canvas_line(c, round, 5, 2, 0, p->ink);
    es_labels_block(v->labels, (es_box){at.x - r, at.y - r, 2 * r, 2 * r});
    es_axes_fourth_name(v, ax, &name);
    float w = es_canvas_width(c, name.s, name.len, &(es_ink){.size = em});
    float right = ax->map->area.x + ax->map->area.w - EDGE * em, above = at.y - r - 0.8f * em;
    if (at.x + r + w + em < right)
        es_map_plate(ax->map, v, c, at.x + r + EDGE * em, at.y, 0, name.s, p->ink);
    else if (above > ax->map->area.y + LEGEND * em)
        es_map_plate(ax->map, v, c, right, above, 1, name.s, p->ink);
    es_str_free(&name);
}

/* ---- the rows that are nearest to its fourth point ---- */

typedef struct table {
    es_box box;
    float em;
    const es_palette *p;
} table;

static void draw_column(const table *t, const es_viewer *v, es_canvas *c, es_box in,
                        const char *head, const es_axes_nearest *near)
{
    const es_ink dim = {.size = t->em, .colour = t->p->dim},
                 ink = {.size = t->em, .colour = t->p->ink};
    float y = in.y + ROW * t->em / 2;
    es_canvas_fit(c, in.x, y, in.w, 0, head, &dim);
    for (int i = 0; i < near->n; i++) {
        es_str text = {0};
        y += ROW * t->em;
        es_scene_token(&text, v->atlas->context, (int32_t)near->of[i].id, ES_MAP_COLUMNS);
        es_canvas_fit(c, in.x, y, in.w - SCORE * t->em, 0, es_str_text(&text), &ink);
        es_str_cut(&text, 0);
        es_str_add(&text, "%.2f", near->of[i].score);
        es_canvas_fit(c, in.x + in.w, y, SCORE * t->em, 1, text.s, &ink);
        es_str_free(&text);
    }
}

/* How far the first of the others is, which the plane shows in part. */
static void say_far(const es_viewer *v, const es_axes *ax, es_str *out)
{
    es_scene_token(out, v->atlas->context, (int32_t)ax->others.of[0].id, ES_MAP_COLUMNS);
    es_str_add(out, " is %.2f from ◇, %.2f of it seen", ax->answer_far, ax->answer_seen);
}

static void draw_far(const table *t, const es_viewer *v, const es_axes *ax, es_canvas *c,
                     es_box line)
{
    const es_ink dim = {.size = t->em, .colour = t->p->dim};
    es_str text = {0};
    if (ax->others.n)
        say_far(v, ax, &text);
    es_canvas_fit(c, line.x, line.y + line.h / 2, line.w, 0, es_str_text(&text), &dim);
    es_str_free(&text);
}

/* In the lower right corner, where it leaves room for the picture. */
static void draw_table(es_axes *ax, es_viewer *v, es_canvas *c)
{
    const es_box a = ax->map->area;
    float em = es_viewer_em(v), column = (TOKEN + SCORE) * em;
    float w = 2 * column + 3 * em, h = (float)(ROWS + 3) * ROW * em + 2 * EDGE * em;
    table t = {
        {a.x + a.w - w - EDGE * em, a.y + a.h - h - 2 * ROW * em, w, h}, em, ax->map->palette};
    const es_ink dim = {.size = em, .colour = t.p->dim};
    if (w > 0.6f * a.w || h > 0.45f * a.h)
        return;
    es_canvas_fill(c, t.box, es_fade(t.p->ground, 0.85f));
    es_canvas_edge(c, t.box, 1, t.p->edge);
    es_labels_block(v->labels, t.box);
    es_box in = es_box_inset(t.box, EDGE * em);
    in.x += EDGE * em;
    in.w -= 2 * EDGE * em;
    es_box head = es_box_cut_top(&in, ROW * em), first = es_box_cut_left(&in, column);
    es_canvas_fit(c, head.x, head.y + head.h / 2, head.w, 0, "rows nearest to ◇, by cosine", &dim);
    es_box foot = es_box_cut_bottom(&in, ROW * em);
    es_box_cut_left(&in, em);
    draw_far(&t, v, ax, c, (es_box){head.x, foot.y, head.w, foot.h});
    draw_column(&t, v, c, first, "of all rows", &ax->all);
    draw_column(&t, v, c, in, "less the three", &ax->others);
}

/* ---- all of it ---- */

static void draw_points(es_axes *ax, es_viewer *v, es_canvas *c)
{
    es_map *m = ax->map;
    es_box outside = es_canvas_clip(c, es_box_meet(c->inside, m->area));
    es_map_draw_cross(m, c);
    es_map_draw_points(m, v, c);
    draw_pairs(ax, v, c);
    es_map_draw_lines(m, v, c);
    if (ax->fourth)
        draw_sides(ax, v, c);
    mark_told(ax, c);
    es_map_draw_marks(m, v, c);
    es_canvas_clip(c, outside);
}

void es_axes_picture(es_viewer *v, es_canvas *c, es_box area)
{
    es_axes *ax = es_axes_follow(v);
    if (ax->why.len) {
        es_view_instead(v, c, area, ax->why.s);
        return;
    }
    es_map_project(ax->map, v, points_area(v, ax, area));
    draw_points(ax, v, c);
    draw_caption(v, ax, c, area);
    es_map_draw_legend(ax->map, v, c);
    draw_names(ax, v, c);
    if (ax->fourth) {
        draw_fourth(ax, v, c);
        draw_table(ax, v, c);
    }
    es_map_draw_labels(ax->map, v, c);
}
