// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "layer/cosine.h"
#include "view/cosine.h"

/* In ems. */
#define LINE     1.5F /* of text */
#define LARGEST  4.5F /* a cell */
#define SMALLEST 0.5F
#define ASIDE    1.6F /* between squares side by side */
#define BELOW    0.8F
#define LEGEND   2.4F
#define NOTES    3.0F
#define TIGHT    16.0F /* so little height leaves room for a line of notes alone */
#define TOKEN    7.0F  /* the widest label of a row */
#define WORTH    0.75F /* of the cell's size is not too much for showing the change as well, */
#define ROOMY    1.1F  /* unless cells get so small */

/* ---- the numbers ---- */

static es_direction *directions(const float *rows, int64_t n, int64_t C)
{
    es_direction *of = es_alloc_array((size_t)n, sizeof *of);
    for (int64_t i = 0; i < n; i++) {
        double length = es_length(rows + i * C, C);
        of[i] = length == 0 ? ES_LENGTH_ZERO : isfinite(length) ? ES_DIRECTION : ES_NOT_FINITE;
    }
    return of;
}

es_squares_sum es_squares_sum_of(const es_squares *q, int64_t n)
{
    const es_cosine_part *p = &q->part;
    es_squares_sum sum = {.i = -1, .j = -1};
    double most = -1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            double change = (double)q->change[i * p->n + j];
            if (isnan(change))
                continue;
            sum.pairs++;
            sum.before += (double)p->before[i * p->n + j];
            sum.after += (double)p->after[i * p->n + j];
            if (fabs(change) <= most)
                continue;
            most = fabs(change);
            sum.i = i;
            sum.j = j;
        }
    sum.before /= (double)(sum.pairs ? sum.pairs : 1);
    sum.after /= (double)(sum.pairs ? sum.pairs : 1);
    return sum;
}

static bool fill(es_squares *out, const es_scene *scene, es_error *err)
{
    es_cosine_part *p = &out->part;
    int64_t n = p->n, C = scene->C;
    size_t cells = (size_t)(n * n);
    es_backend *be = scene->text->context->layer.be;
    p->before = es_try_alloc(cells, sizeof(float), "the cosines", err);
    p->after = p->before ? es_try_alloc(cells, sizeof(float), "the cosines", err) : NULL;
    out->change = p->after ? es_try_alloc(cells, sizeof(float), "the cosines", err) : NULL;
    if (!out->change || !es_cosine_matrix(p->before, scene->tok_emb, n, C, be, NULL, err) ||
        !es_cosine_matrix(p->after, scene->x, n, C, be, NULL, err))
        return false;
    for (size_t i = 0; i < cells; i++)
        out->change[i] = p->after[i] - p->before[i];
    p->of_before = directions(scene->tok_emb, n, C);
    p->of_after = directions(scene->x, n, C);
    return true;
}

bool es_squares_make(es_squares *out, const es_scene *scene, es_error *err)
{
    int64_t n = scene->T < ES_COSINE_TOKENS ? scene->T : ES_COSINE_TOKENS;
    *out = (es_squares){0};
    if (scene->why.len)
        es_str_cat(&out->why, scene->why.s);
    else if (!scene->text)
        es_str_cat(&out->why, "No text yet. Type a sentence, such as: The cat sat on the cat. How "
                              "alike its tokens are appears here while you type.");
    else if (!n)
        es_str_cat(&out->why, "This text has no tokens, so there is nothing to compare.");
    else if (!scene->tok_emb || !scene->x)
        es_str_cat(&out->why,
                   "This model has no wte, so its tokens have no vectors to compare. How "
                   "alike places are is shown by the positions view.");
    if (out->why.len)
        return true;
    out->part.n = n;
    out->part.first = scene->at;
    if (fill(out, scene, err))
        return true;
    es_squares_free(out);
    return false;
}

void es_squares_free(es_squares *q)
{
    free(q->part.before);
    free(q->part.after);
    free(q->part.of_before);
    free(q->part.of_after);
    free(q->change);
    es_str_free(&q->why);
    *q = (es_squares){0};
}

/* ---- the layout ---- */

/* n squares, `across` of them beside each other. */
typedef struct arrangement {
    int n, across;
    float cell; /* how large its cells can be */
} arrangement;

static float label_width(const es_square_plan *plan, float em)
{
    return plan->place_w + plan->token_w + 1.2F * em;
}

static float place_width(const es_square_plan *plan, float em)
{
    return plan->place_w + 0.6F * em;
}

static arrangement arrange(const es_square_plan *plan, es_box room, int n, int across, int64_t T,
                           float em)
{
    int down = (n + across - 1) / across;
    float beside =
        label_width(plan, em) + (float)(across - 1) * (place_width(plan, em) + ASIDE * em);
    float above = (float)down * 2 * plan->line + (float)(down - 1) * BELOW * em;
    float w = (room.w - beside) / (float)across / (float)T;
    float h = (room.h - above) / (float)down / (float)T;
    return (arrangement){n, across, fminf(fminf(w, h), LARGEST * em)};
}

static arrangement better(arrangement a, arrangement b)
{
    return b.cell > a.cell ? b : a;
}

/* The change is shown as well unless the cells get much smaller by it. */
static arrangement choose(const es_square_plan *plan, es_box room, int64_t T, bool positions,
                          float em)
{
    if (!positions)
        return arrange(plan, room, 1, 1, T, em);
    arrangement two = better(arrange(plan, room, 2, 2, T, em), arrange(plan, room, 2, 1, T, em));
    arrangement three = better(arrange(plan, room, 3, 3, T, em), arrange(plan, room, 3, 2, T, em));
    return three.cell >= fmaxf(WORTH * two.cell, ROOMY * em) ? three : two;
}

static void place_squares(es_square_plan *plan, const es_canvas *c, es_box room,
                          const arrangement *a, float em)
{
    float side = plan->cell * (float)plan->shown, x = room.x, y = room.y;
    float over = place_width(plan, em) + (ASIDE - 0.6F) * em; /* a caption may go on so far */
    for (int i = 0; i < a->n; i++) {
        es_square *s = &plan->of[i];
        s->tokens = i % a->across == 0;
        float labels = s->tokens ? label_width(plan, em) : place_width(plan, em);
        if (s->tokens && i) {
            x = room.x;
            y += side + 2 * plan->line + BELOW * em;
        }
        bool last = i + 1 == a->n || (i + 1) % a->across == 0;
        float rest = room.x + room.w - x - labels;
        s->caption = (es_box){x + labels, y, last ? rest : side + over, plan->line};
        s->head = (es_box){x + labels, y + plan->line, side, plan->line};
        s->map = (es_box){x + labels, y + 2 * plan->line, side, side};
        s->labels = (es_box){x, s->map.y, labels, side};
        x += labels + side + ASIDE * em;
    }
    float foot = es_canvas_lines(c, plan->of[a->n - 1].map.y + side + 0.6F * em);
    plan->legend = (es_box){room.x, foot, room.w, LEGEND * em};
    plan->notes = (es_box){room.x, foot + plan->legend.h, room.w, plan->notes.h};
}

static void measure(es_square_plan *plan, const es_viewer *v, es_canvas *c, int64_t n)
{
    const es_scene *scene = &v->scene;
    const es_ink ink = {.size = es_viewer_em(v)};
    char place[24];
    int len = snprintf(place, sizeof place, "%" PRId64, scene->at + n - 1);
    plan->place_w = es_canvas_width(c, place, (size_t)len, &ink);
    for (int64_t t = 0; t < n; t++) {
        es_str text = {0};
        es_scene_token(&text, scene->text->context, scene->ids[t], 20);
        plan->token_w = fmaxf(plan->token_w, es_canvas_width(c, text.s, text.len, &ink));
        es_str_free(&text);
    }
    plan->token_w = fminf(plan->token_w, TOKEN * ink.size);
}

/* A cell's side in whole pixels; in lines, or halves of one, where text stands on such. */
static float whole(float side, const es_canvas *c)
{
    if (c->line > 0 && side >= c->line / 2)
        return side >= c->line ? floorf(side / c->line) * c->line : c->line / 2;
    return fmaxf(side > 4 ? floorf(side) : side, 1);
}

es_square_plan es_squares_plan(es_viewer *v, es_canvas *c, es_box area, const es_squares *q)
{
    float em = es_viewer_em(v);
    es_square_plan plan = {.n = 0};
    es_box room = es_canvas_room(c, area, em);
    bool positions = v->scene.pos_emb != NULL;
    if (!q->part.n)
        return plan;
    plan.line = es_canvas_lines(c, LINE * em);
    measure(&plan, v, c, q->part.n);
    plan.notes.h = room.h < TIGHT * em ? plan.line : NOTES * em;
    es_box_cut_bottom(&room, (LEGEND + 0.6F) * em + plan.notes.h);
    arrangement a = choose(&plan, room, q->part.n, positions, em);
    float fit = floorf(a.cell * (float)q->part.n / (SMALLEST * em));
    plan.shown = q->part.n;
    if (a.cell < SMALLEST * em) {
        plan.shown = fit < 1 ? 1 : fit < (float)plan.shown ? (int64_t)fit : plan.shown;
        a = choose(&plan, room, plan.shown, positions, em);
    }
    plan.cell = whole(a.cell, c);
    plan.n = a.n;
    plan.of[0] = (es_square){.name = positions ? "before" : "x",
                             .says = positions ? "tok_emb" : "= tok_emb: no positions are added",
                             .brief = positions ? "tok_emb" : "= tok_emb",
                             .value = q->part.before};
    plan.of[1] = (es_square){
        .name = "after", .says = "x = tok_emb + pos_emb", .brief = "x", .value = q->part.after};
    plan.of[2] =
        (es_square){.name = "change", .says = "after - before", .brief = "", .value = q->change};
    place_squares(&plan, c, room, &a, em);
    return plan;
}

es_heat es_square_heat(const es_square_plan *plan, const es_square *square, const es_squares *q)
{
    return (es_heat){.value = square->value,
                     .rows = plan->shown,
                     .columns = plan->shown,
                     .stride = q->part.n,
                     .most = 1};
}
