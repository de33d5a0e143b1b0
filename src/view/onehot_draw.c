// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "session/numbers.h"
#include "view/onehot.h"
#include "view/words.h"

enum { TOKEN_COLUMNS = 12 };

/* What all of it is drawn with. */
typedef struct brush {
    es_viewer *v;
    const es_hot *h;
    es_canvas *c;
    const es_hot_plan *plan;
    const es_palette *p;
    float em;
    es_hot_stage stage;
} brush;

static es_ink ink_of(const brush *b, es_argb colour, bool bold)
{
    return (es_ink){.size = b->em, .colour = colour, .bold = bold};
}

/* ---- words ---- */

/* "one_hot(3797) [1, V=50257]" and what it is, where there is room for it. */
static void head(const brush *b, es_box line, const char *name, const char *says)
{
    const es_ink bold = ink_of(b, b->p->ink, true), dim = ink_of(b, b->p->dim, false);
    float w = es_canvas_width(b->c, name, strlen(name), &bold);
    es_canvas_fit(b->c, line.x, line.y + line.h / 2, line.w, 0, name, &bold);
    es_box_cut_left(&line, w + b->em);
    if (es_canvas_width(b->c, says, strlen(says), &dim) <= line.w)
        es_canvas_fit(b->c, line.x, line.y + line.h / 2, line.w, 0, says, &dim);
}

static void draw_heads(const brush *b)
{
    es_str name = {0}, says = {0};
    es_str_add(&name, "one_hot(%" PRId32 ")  [1, V=%" PRId64 "]", b->h->id, b->h->V);
    es_str_cat(&says, "a single 1, for ");
    es_hot_token(b->v, b->h->id, TOKEN_COLUMNS, &says);
    es_str_cat(&says, ", and ");
    es_show_count(&says, b->h->V - 1);
    es_str_cat(&says, b->h->V == 2 ? " zero" : " zeros");
    head(b, b->plan->head, name.s, says.s);
    es_str_cut(&name, 0);
    es_str_add(&name, "@  wte  [V=%" PRId64 ", C=%" PRId64 "]", b->h->V, b->h->C);
    head(b, b->plan->table_head, name.s, "each row times its place of the one-hot, added up");
    es_str_cut(&name, 0);
    es_str_add(&name, "=  tok_emb  [1, C=%" PRId64 "]", b->h->C);
    es_str_cut(&says, 0);
    es_str_add(&says, "row %" PRId32 " of wte, every number as it was", b->h->id);
    head(b, b->plan->result_head, name.s, says.s);
    es_str_free(&name);
    es_str_free(&says);
}

/* ---- the one-hot row ---- */

/* Where the 1 is now. */
static double hot_place(const brush *b)
{
    return (double)b->stage.run * b->h->id;
}

static bool arrived(const brush *b)
{
    return b->stage.run >= 1;
}

static float bar_x(const brush *b, double place)
{
    return b->plan->bar.x + (float)(place / (double)b->h->V) * b->plan->bar.w;
}

static void line_between(const brush *b, float x0, float y0, float x1, float y1)
{
    es_canvas_line(b->c, (const es_spot[]){{x0, y0}, {x1, y1}}, 2, 1, 0, b->p->edge);
}

static void draw_bar(const brush *b)
{
    const es_box *bar = &b->plan->bar;
    double at = hot_place(b);
    float x = bar_x(b, at), w = fmaxf(bar_x(b, at + 1) - x, 2);
    es_canvas_fill(b->c, *bar, b->p->panel);
    es_canvas_edge(b->c, *bar, 1, b->p->edge);
    es_canvas_fill(b->c, (es_box){fminf(x, bar->x + bar->w - w), bar->y, w, bar->h}, b->p->strong);
}

static void draw_cell(const brush *b, int64_t i)
{
    const es_hot_plan *plan = b->plan;
    int64_t place = plan->first_cell + i;
    bool hot = place == b->h->id, one = hot && arrived(b);
    float w = plan->cells.w / (float)plan->n_cells, x = plan->cells.x + (float)i * w;
    const es_ink value = ink_of(b, one ? b->p->ground : b->p->dim, one),
                 id = ink_of(b, b->p->dim, false), name = ink_of(b, b->p->ink, hot);
    es_str text = {0};
    if (one)
        es_canvas_fill(b->c, (es_box){x, plan->cells.y, w, plan->cells.h}, b->p->strong);
    if (i)
        es_canvas_fill(b->c, (es_box){x, plan->cells.y, 1, plan->cells.h}, b->p->edge);
    float middle = x + w / 2, room = w - b->em / 2;
    es_canvas_fit(b->c, middle, plan->cells.y + plan->cells.h / 2, room, 0.5f, one ? "1" : "0",
                  &value);
    es_str_add(&text, "%" PRId64, place);
    es_canvas_fit(b->c, middle, plan->ids.y + plan->ids.h / 2, room, 0.5f, text.s, &id);
    es_str_cut(&text, 0);
    es_hot_token(b->v, place, TOKEN_COLUMNS, &text);
    es_canvas_fit(b->c, middle, plan->names.y + plan->names.h / 2, room, 0.5f, text.s, &name);
    es_str_free(&text);
}

static void draw_magnified(const brush *b)
{
    const es_hot_plan *plan = b->plan;
    const es_box *cells = &plan->cells;
    float foot = plan->bar.y + plan->bar.h;
    if (!plan->n_cells)
        return;
    line_between(b, bar_x(b, (double)plan->first_cell), foot, cells->x, cells->y);
    line_between(b, bar_x(b, (double)(plan->first_cell + plan->n_cells)), foot, cells->x + cells->w,
                 cells->y);
    es_canvas_fill(b->c, *cells, b->p->panel);
    for (int64_t i = 0; i < plan->n_cells; i++)
        draw_cell(b, i);
    es_canvas_edge(b->c, *cells, 1, b->p->edge);
}

/* ---- the table ---- */

static float overview_y(const brush *b, double row)
{
    return b->plan->overview.y + (float)(row / (double)b->h->V) * b->plan->overview.h;
}

/* All of the table to scale, and which rows of it are shown beside it. */
static void draw_overview(const brush *b)
{
    const es_hot_plan *plan = b->plan;
    const es_box *all = &plan->overview;
    double at = hot_place(b);
    float y = overview_y(b, at), h = fmaxf(overview_y(b, at + 1) - y, 2);
    if (!(all->w > 0))
        return;
    es_canvas_fill(b->c, *all, b->p->panel);
    es_canvas_edge(b->c, *all, 1, b->p->edge);
    es_canvas_fill(b->c, (es_box){all->x, fminf(y, all->y + all->h - h), all->w, h}, b->p->strong);
    float right = all->x + all->w, left = plan->labels.x - b->em / 2;
    line_between(b, right, overview_y(b, (double)plan->first_row), left, plan->map.y);
    line_between(b, right, overview_y(b, (double)(plan->first_row + plan->n_rows)), left,
                 plan->map.y + plan->map.h);
}

/* "⋮ 3,793 rows more", where there are such. */
static void draw_beyond(const brush *b, es_box line, int64_t rows)
{
    const es_ink ink = ink_of(b, b->p->dim, false);
    es_str text = {0};
    if (!(line.w > 0) || rows <= 0)
        return;
    es_str_cat(&text, "⋮ ");
    es_show_count(&text, rows);
    es_str_cat(&text, rows == 1 ? " row more, times 0" : " rows more, times 0");
    es_canvas_fit(b->c, line.x, line.y + line.h / 2, line.w, 0, text.s, &ink);
    es_str_free(&text);
}

/* "1 ×  3797 ␣cat" */
static void draw_label(const brush *b, int64_t row, es_box line)
{
    bool hot = row == b->h->id, one = hot && arrived(b);
    const es_ink weight = ink_of(b, one ? b->p->strong : b->p->dim, one),
                 id = ink_of(b, b->p->dim, false), name = ink_of(b, b->p->ink, hot);
    float y = line.y + line.h / 2;
    es_str text = {0};
    es_canvas_fit(b->c, line.x, y, 2 * b->em, 0, one ? "1 ×" : "0 ×", &weight);
    es_box_cut_left(&line, 2.2f * b->em);
    es_str_add(&text, "%" PRId64, row);
    es_canvas_fit(b->c, line.x + 3.6f * b->em, y, 3.8f * b->em, 1, text.s, &id);
    es_box_cut_left(&line, 4.2f * b->em);
    es_str_cut(&text, 0);
    es_hot_token(b->v, row, TOKEN_COLUMNS, &text);
    es_canvas_fit(b->c, line.x, y, line.w - b->em / 2, 0, text.s, &name);
    es_str_free(&text);
}

static void draw_heat(const brush *b, const es_heat *heat, es_box box)
{
    es_canvas_fill(b->c, box, b->p->panel);
    es_heat_draw(heat, b->c, box, b->p);
    es_heat_grid(heat, b->c, box, b->p->ground);
    es_heat_numbers(heat, b->c, box, b->p, b->em, es_heat_decimals(heat->most));
}

static es_box row_box(const es_hot_plan *plan, int64_t row)
{
    float h = plan->map.h / (float)plan->n_rows;
    return (es_box){plan->map.x, plan->map.y + h * (float)(row - plan->first_row), plan->map.w, h};
}

static void draw_table(const brush *b)
{
    const es_hot_plan *plan = b->plan;
    es_heat heat = es_hot_rows(b->h, plan);
    draw_overview(b);
    draw_beyond(b, plan->above, plan->first_row);
    draw_heat(b, &heat, plan->map);
    es_canvas_edge(b->c, plan->map, 1, b->p->edge);
    for (int64_t i = 0; i < plan->n_rows; i++) {
        es_box line = row_box(plan, plan->first_row + i);
        line.x = plan->labels.x;
        line.w = plan->labels.w;
        draw_label(b, plan->first_row + i, line);
    }
    draw_beyond(b, plan->below, b->h->V - plan->first_row - plan->n_rows);
    if (arrived(b))
        es_canvas_edge(b->c, row_box(plan, b->h->id), 2, b->p->strong);
}

/* ---- the row that comes out ---- */

static void draw_result(const brush *b)
{
    const es_hot_plan *plan = b->plan;
    es_heat heat = es_hot_result(b->h);
    es_box from = row_box(plan, b->h->id), box = plan->result;
    es_canvas_fill(b->c, plan->result, b->p->panel);
    es_canvas_edge(b->c, plan->result, 1, b->p->edge);
    if (!arrived(b))
        return;
    box.y = from.y + b->stage.slide * (plan->result.y - from.y);
    draw_heat(b, &heat, box);
    es_canvas_edge(b->c, box, 2, b->p->strong);
}

static void draw_foot(const brush *b)
{
    const es_ink ink = ink_of(b, b->p->dim, false);
    es_str text = {0};
    if (b->plan->legend.w > 0) {
        es_str_cat(&text, "one scale for all rows");
        if (b->h->scale.beyond)
            es_str_add(&text, ", %" PRId64 " number%s beyond its ends", b->h->scale.beyond,
                       b->h->scale.beyond == 1 ? " is" : "s are");
        es_heat_legend(b->c, b->plan->legend, b->h->scale.most, es_str_text(&text), b->p, b->em);
    }
    es_str_cut(&text, 0);
    es_hot_costs(b->v, b->h, &text);
    if (b->plan->words.w > 0)
        es_words_draw(b->c, b->plan->words, 0, es_str_text(&text), &ink);
    es_str_free(&text);
}

void es_hot_draw(es_viewer *v, const es_hot *h, es_canvas *c, const es_hot_plan *plan,
                 es_hot_stage stage)
{
    const brush b = {v, h, c, plan, es_viewer_palette(v), es_viewer_em(v), stage};
    draw_heads(&b);
    draw_bar(&b);
    draw_magnified(&b);
    draw_table(&b);
    draw_foot(&b);
    draw_result(&b); /* on its way it passes over the others */
}
