// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/cosine.h"
#include "view/words.h"

#define ROW_LEAST 1.1F /* ems: the height of a label that can be read */

enum { DECIMALS = 2, TOKEN_COLUMNS = 20 };

static es_ink ink_of(const es_viewer *v, es_argb colour)
{
    return (es_ink){.size = es_viewer_em(v), .colour = colour};
}

static void token_at(const es_scene *scene, int64_t i, es_str *out)
{
    es_scene_token(out, scene->text->context, scene->ids[i], TOKEN_COLUMNS);
}

static void draw_caption(es_viewer *v, es_canvas *c, const es_square *s)
{
    const es_palette *p = es_viewer_palette(v);
    es_ink name = ink_of(v, p->ink), says = ink_of(v, p->dim);
    name.bold = true;
    float y = s->caption.y + s->caption.h / 2,
          w = es_canvas_width(c, s->name, strlen(s->name), &name);
    float gap = 0.6F * says.size, left = s->caption.w - w - gap;
    es_canvas_fit(c, s->caption.x, y, s->caption.w, 0, s->name, &name);
    const char *what = s->says;
    if (es_canvas_width(c, what, strlen(what), &says) > left)
        what = s->brief;
    if (es_canvas_width(c, what, strlen(what), &says) <= left)
        es_canvas_string(c, s->caption.x + w + gap, y, what, &says);
}

/* Rows have place and token, where a line has room for text; every so many where it has not. */
static void draw_rows(es_viewer *v, es_canvas *c, const es_square_plan *plan, const es_square *s)
{
    const es_palette *p = es_viewer_palette(v);
    es_ink place = ink_of(v, p->dim), token = ink_of(v, p->ink);
    float em = token.size, x = s->labels.x + plan->place_w;
    int64_t every = (int64_t)ceilf(ROW_LEAST * em / plan->cell);
    for (int64_t i = 0; i < plan->shown; i += every) {
        float y = s->map.y + ((float)i + 0.5F) * plan->cell;
        es_str text = {0};
        es_str_add(&text, "%" PRId64, v->scene.at + i);
        es_canvas_fit(c, x, y, plan->place_w + em, 1, text.s, &place);
        es_str_cut(&text, 0);
        token_at(&v->scene, i, &text);
        if (s->tokens)
            es_canvas_fit(c, x + 0.6F * em, y, plan->token_w, 0, es_str_text(&text), &token);
        es_str_free(&text);
    }
}

/* Columns have their token where all of them fit, else their place. */
static void draw_columns(es_viewer *v, es_canvas *c, const es_square_plan *plan, const es_square *s)
{
    const es_palette *p = es_viewer_palette(v);
    es_ink ink = ink_of(v, p->dim);
    float em = ink.size, y = s->head.y + s->head.h / 2;
    bool tokens = plan->token_w + 0.4F * em <= plan->cell;
    int64_t every = tokens ? 1 : (int64_t)ceilf((plan->place_w + 0.5F * em) / plan->cell);
    ink.colour = tokens ? p->ink : p->dim;
    for (int64_t i = 0; i < plan->shown; i += every) {
        es_str text = {0};
        if (tokens)
            token_at(&v->scene, i, &text);
        else
            es_str_add(&text, "%" PRId64, v->scene.at + i);
        es_canvas_fit(c, s->map.x + ((float)i + 0.5F) * plan->cell, y, plan->cell * (float)every,
                      0.5F, es_str_text(&text), &ink);
        es_str_free(&text);
    }
}

static void draw_square(es_viewer *v, es_canvas *c, const es_square_plan *plan, const es_square *s,
                        const es_squares *q)
{
    const es_palette *p = es_viewer_palette(v);
    es_heat h = es_square_heat(plan, s, q);
    es_heat_draw(&h, c, s->map, p);
    es_heat_grid(&h, c, s->map, p->ground);
    es_heat_numbers(&h, c, s->map, p, es_viewer_em(v), DECIMALS);
    es_canvas_edge(c, s->map, 1, p->edge);
    draw_caption(v, c, s);
    draw_rows(v, c, plan, s);
    draw_columns(v, c, plan, s);
}

/* ---- what is to be seen in it ---- */

static double no_minus_zero(double value)
{
    return fabs(value) < 0.005 ? 0 : value;
}

static void say_pair(const es_scene *scene, const es_squares *q, const es_squares_sum *sum,
                     es_str *out)
{
    int64_t cell = sum->i * q->part.n + sum->j;
    es_str_cat(out, " Changed most: ");
    token_at(scene, sum->i, out);
    es_str_add(out, " (%" PRId64 ") and ", scene->at + sum->i);
    token_at(scene, sum->j, out);
    es_str_add(out, " (%" PRId64 "), %.2f before, %.2f after", scene->at + sum->j,
               no_minus_zero((double)q->part.before[cell]),
               no_minus_zero((double)q->part.after[cell]));
    es_str_cat(out, scene->ids[sum->i] == scene->ids[sum->j]
                        ? ": one row of wte, and only their places tell them apart."
                        : ".");
}

static void sentence(es_str *out, const char *fmt, ...) ES_PRINTF(2, 3);
static void sentence(es_str *out, const char *fmt, ...)
{
    va_list ap;
    es_str_cat(out, out->len ? " " : "");
    va_start(ap, fmt);
    es_str_vadd(out, fmt, ap);
    va_end(ap);
}

static bool without_direction(const es_cosine_part *p, int64_t n)
{
    bool any = false;
    for (int64_t i = 0; i < n; i++)
        any |= p->of_before[i] != ES_DIRECTION || p->of_after[i] != ES_DIRECTION;
    return any;
}

/* How much of what is to be seen is said in words: as much as fits whole, for the cells have the numbers, too. */
typedef enum telling { NO_NUMBERS, MEANS, ALL } telling;

static void say_notes(const es_viewer *v, const es_square_plan *plan, const es_squares *q,
                      telling much, es_str *out)
{
    const es_scene *scene = &v->scene;
    int64_t n = plan->shown, all = scene->T + scene->left;
    const es_squares_sum sum = es_squares_sum_of(q, n);
    const char *s = sum.pairs == 1 ? "" : "s";
    if (scene->preview)
        sentence(out, "Not entered yet.");
    if (n < all)
        sentence(out, "The first %" PRId64 " of %" PRId64 " tokens.", n, all);
    if (n == 1)
        sentence(out, "One token alone: there is no pair.");
    if (much != NO_NUMBERS && sum.pairs && scene->pos_emb) {
        sentence(out, "%" PRId64 " pair%s: %.2f on average before, %.2f after.", sum.pairs, s,
                 no_minus_zero(sum.before), no_minus_zero(sum.after));
        if (much == ALL)
            say_pair(scene, q, &sum, out);
    } else if (much != NO_NUMBERS && sum.pairs) {
        sentence(out, "%" PRId64 " pair%s: %.2f on average.", sum.pairs, s,
                 no_minus_zero(sum.before));
    }
    if (without_direction(&q->part, n))
        sentence(out, "NaN: a vector of length 0, or with NaN in it, has no direction.");
}

void es_squares_draw(es_viewer *v, es_canvas *c, const es_square_plan *plan, const es_squares *q)
{
    const es_palette *p = es_viewer_palette(v);
    const es_ink ink = ink_of(v, p->ink);
    es_str notes = {0};
    for (int i = 0; i < plan->n; i++)
        draw_square(v, c, plan, &plan->of[i], q);
    es_box box = plan->notes;
    box.y = plan->legend.y + es_heat_legend(c, plan->legend, 1, "cosine", p, ink.size);
    for (int much = ALL; much >= NO_NUMBERS; much--) {
        es_str_cut(&notes, 0);
        say_notes(v, plan, q, (telling)much, &notes);
        if (es_words_height(c, box.w, es_str_text(&notes), &ink) <= box.h + 0.5F)
            break;
    }
    es_words_draw(c, box, 0, es_str_text(&notes), &ink);
    es_str_free(&notes);
}
