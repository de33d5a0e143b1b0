// SPDX-License-Identifier: GPL-3.0-or-later
/* The rows around a token's, and where everything of the picture is. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "view/onehot.h"
#include "view/words.h"

/* In ems. */
#define LINE     1.4f
#define BAR      0.9f
#define MAGNIFY  1.1f /* from the bar to what is magnified of it */
#define GAP      0.7f
#define CELL     5.0f /* a magnified place, at least */
#define ROW      1.5f /* of the table, at least */
#define TALLEST  2.4f
#define OVERVIEW 1.6f
#define FUNNEL   2.4f  /* from all of the table to the rows that are shown */
#define LABELS   13.0f /* the weight, the id and the token */
#define LEAST_W  14.0f /* less room than this is none */
#define LEAST_H  10.0f
#define NARROW   30.0f /* less wide: the table is not shown whole */

enum { MOST_CELLS = 11, LEAST_ROWS = 3 };

/* ---- the rows ---- */

static bool all_finite(const float *row, int64_t C)
{
    int64_t c = 0;
    while (c < C && isfinite(row[c]))
        c++;
    return c == C;
}

/* The first of `some` in a row out of n, with `at` in the middle where that can be. */
static int64_t window_of(int64_t at, int64_t some, int64_t n)
{
    int64_t first = at - some / 2;
    first = first > n - some ? n - some : first;
    return first < 0 ? 0 : first;
}

bool es_hot_read(es_hot *out, const es_table *wte, int32_t id, es_error *err)
{
    int64_t V = es_table_rows(wte), C = es_table_width(wte);
    *out = (es_hot){.id = id, .V = V, .C = C, .n = V < ES_HOT_ROWS ? V : ES_HOT_ROWS};
    out->first = window_of(id, out->n, V);
    out->row = es_try_alloc((size_t)out->n, (size_t)C * sizeof *out->row, "rows of wte", err);
    bool ok = out->row != NULL;
    for (int64_t i = 0; ok && i < out->n; i++) {
        float *row = out->row + i * C;
        ok = es_table_row(wte, out->first + i, row, err);
        out->odd += ok && out->first + i != id && !all_finite(row, C);
    }
    if (!ok) {
        es_hot_free(out);
        return false;
    }
    const es_scene rows = {.T = out->n, .C = C, .tok_emb = out->row};
    out->scale = es_strips_scale_of(&rows);
    return true;
}

void es_hot_free(es_hot *h)
{
    free(h->row);
    *h = (es_hot){0};
}

/* ---- the layout ---- */

/* The foot goes first where room is short, then what is magnified. */
static void keep_foot(es_hot_plan *plan, const es_viewer *v, const es_hot *h, es_canvas *c,
                      es_box *room, float em)
{
    const es_ink ink = {.size = em};
    es_str words = {0};
    es_hot_costs(v, h, &words);
    float text = es_words_height(c, room->w, es_str_text(&words), &ink);
    float legend = es_heat_legend_height(
        c, room->w, "one scale for all rows, 99 numbers are beyond its ends", em);
    float least = (8 * LINE + BAR + MAGNIFY + 2 * GAP + (LEAST_ROWS + 1) * ROW) * em;
    es_str_free(&words);
    if (room->h - text - GAP * em >= least) {
        plan->words = es_box_cut_bottom(room, text);
        es_box_cut_bottom(room, es_canvas_lines(c, GAP * em));
    }
    if (room->h - legend - GAP * em >= least) {
        plan->legend = es_box_cut_bottom(room, legend);
        es_box_cut_bottom(room, es_canvas_lines(c, GAP * em));
    }
}

static void place_onehot(es_hot_plan *plan, const es_hot *h, es_canvas *c, es_box *room, float em)
{
    float least = (3 * LINE + GAP + (LEAST_ROWS + 1) * ROW) * em;
    plan->head = es_box_cut_top(room, plan->line);
    plan->bar = es_box_cut_top(room, es_canvas_lines(c, BAR * em));
    if (room->h - (MAGNIFY + 3 * LINE) * em >= least && room->w >= 3 * CELL * em) {
        int64_t some = (int64_t)(room->w / (CELL * em));
        some = some < MOST_CELLS ? some - (some + 1) % 2 : MOST_CELLS;
        plan->n_cells = some < h->V ? some : h->V;
        plan->first_cell = window_of(h->id, plan->n_cells, h->V);
        es_box_cut_top(room, es_canvas_lines(c, MAGNIFY * em));
        plan->cells = es_box_cut_top(room, plan->line);
        plan->ids = es_box_cut_top(room, plan->line);
        plan->names = es_box_cut_top(room, plan->line);
    }
    es_box_cut_top(room, es_canvas_lines(c, GAP * em));
}

/* As many rows as there is height for, the token's in the middle. */
static void choose_rows(es_hot_plan *plan, const es_hot *h, float height, float row)
{
    int64_t some = (int64_t)(height / row);
    some = some < ES_HOT_ROWS ? some - (some + 1) % 2 : ES_HOT_ROWS;
    some = some < 1 ? 1 : some;
    plan->n_rows = some < h->n ? some : h->n;
    plan->first_row = h->first + window_of(h->id - h->first, plan->n_rows, h->n);
}

/* What is left over makes rows taller, the one that comes out among them. */
static float row_height(const es_canvas *c, float least, float height, int64_t rows, float em)
{
    float each = fminf(height / (float)rows, TALLEST * em);
    each = c->line > 0 ? floorf(each / c->line) * c->line : floorf(each);
    return fmaxf(each, least);
}

static void place_table(es_hot_plan *plan, const es_hot *h, es_canvas *c, es_box *room, float em)
{
    float row = es_canvas_lines(c, ROW * em), gap = es_canvas_lines(c, GAP * em);
    es_box left = *room;
    plan->table_head = es_box_cut_top(room, plan->line);
    es_box result = es_box_cut_bottom(room, row);
    plan->result_head = es_box_cut_bottom(room, plan->line);
    es_box_cut_bottom(room, gap);
    bool beyond = room->h >= 2 * plan->line + LEAST_ROWS * row;
    float height = room->h - (beyond ? 2 * plan->line : 0);
    choose_rows(plan, h, height, row);
    row = row_height(c, row, height + row, plan->n_rows + 1, em);
    es_box_cut_bottom(room, row - result.h);
    if (beyond)
        plan->above = es_box_cut_top(room, plan->line);
    es_box rows = es_box_cut_top(room, row * (float)plan->n_rows);
    if (beyond)
        plan->below = es_box_cut_top(room, plan->line);
    result.y = room->y + gap + plan->line; /* what is left over stays at the foot */
    plan->result_head.y = room->y + gap;
    if (left.w >= NARROW * em && beyond) {
        plan->overview = (es_box){rows.x, plan->above.y, OVERVIEW * em,
                                  plan->below.y + plan->below.h - plan->above.y};
        es_box_cut_left(&rows, (OVERVIEW + FUNNEL) * em);
    }
    plan->labels = es_box_cut_left(&rows, fminf(LABELS * em, 0.45f * rows.w));
    plan->map = rows;
    plan->above.x = plan->below.x = plan->map.x;
    plan->above.w = plan->below.w = beyond ? plan->map.w : 0;
    plan->result = (es_box){rows.x, result.y, rows.w, row};
    plan->result_head.x = rows.x;
    plan->result_head.w = rows.w;
}

es_hot_plan es_hot_plan_of(const es_viewer *v, const es_hot *h, es_canvas *c, es_box area)
{
    float em = es_viewer_em(v);
    es_hot_plan plan = {.line = es_canvas_lines(c, LINE * em)};
    es_box room = es_canvas_room(c, area, em);
    if (room.w < LEAST_W * em || room.h < LEAST_H * em)
        return plan;
    keep_foot(&plan, v, h, c, &room, em);
    place_onehot(&plan, h, c, &room, em);
    place_table(&plan, h, c, &room, em);
    return plan;
}

es_heat es_hot_rows(const es_hot *h, const es_hot_plan *plan)
{
    return (es_heat){.value = h->row + (plan->first_row - h->first) * h->C,
                     .rows = plan->n_rows,
                     .columns = h->C,
                     .stride = h->C,
                     .most = h->scale.most};
}

es_heat es_hot_result(const es_hot *h)
{
    return (es_heat){.value = h->row + (h->id - h->first) * h->C,
                     .rows = 1,
                     .columns = h->C,
                     .stride = h->C,
                     .most = h->scale.most};
}
