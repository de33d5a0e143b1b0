// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "layer/noise.h"
#include "session/numbers.h"
#include "view/card.h"
#include "view/words.h"

/* In ems. */
#define LINE  1.45F
#define GAP   0.7F
#define SCORE 4.0F /* columns, from the right */
#define NEAR  4.0F

enum { TOKEN_COLUMNS = 40, MADE_MOST = 1 << 24 /* numbers */ };

/* Where a line's columns end. */
typedef struct columns {
    float token, score, near;
} columns;

static columns columns_of(const es_pen *pen, es_box line, bool mapped)
{
    float right = line.x + line.w, near = mapped ? NEAR * pen->em : 0;
    return (columns){right - near - SCORE * pen->em, right - near, right};
}

static void draw_head(es_pen *pen, es_box line, bool mapped)
{
    const char *nearest = "nearest in wte";
    const es_ink ink = {.size = pen->em, .colour = pen->p->dim};
    columns k = columns_of(pen, line, mapped);
    float y = line.y + line.h / 2;
    bool whole = es_canvas_width(pen->c, nearest, strlen(nearest), &ink) <= k.token - line.x;
    es_canvas_fit(pen->c, line.x, y, k.token - line.x, 0, whole ? nearest : "nearest", &ink);
    es_canvas_fit(pen->c, k.score, y, SCORE * pen->em, 1, "cosine", &ink);
    if (mapped)
        es_canvas_fit(pen->c, k.near, y, NEAR * pen->em, 1,
                      pen->v->view == ES_VIEW_AXES ? "in axes" : "in map", &ink);
}

static void draw_row(es_pen *pen, es_box line, const es_close *near, bool mapped)
{
    const es_palette *p = pen->p;
    es_ink ink = {.size = pen->em, .colour = p->ink}, score = ink;
    columns k = columns_of(pen, line, mapped);
    float y = line.y + line.h / 2;
    es_str text = {0};
    bool pointed = pen->v->hovering && pen->v->hover.id == near->id && pen->v->hover.mark.w > 0 &&
                   pen->v->hover.mark.y == line.y;
    if (pointed)
        es_canvas_fill(pen->c, line, es_fade(p->strong, 0.18F));
    es_scene_token(&text, es_session_context(pen->v->session), near->id, TOKEN_COLUMNS);
    es_canvas_fit(pen->c, line.x, y, k.token - line.x - 0.3F * pen->em, 0, es_str_text(&text),
                  &ink);
    es_str_cut(&text, 0);
    es_str_add(&text, "%.2f", fabsf(near->cosine) < 0.005F ? 0.0 : (double)near->cosine);
    es_canvas_fit(pen->c, k.score, y, SCORE * pen->em, 1, text.s, &score);
    ink.colour = near->pictured ? p->ink : p->dim;
    if (mapped)
        es_canvas_fit(pen->c, k.near, y, NEAR * pen->em, 1, near->pictured ? "yes" : "no", &ink);
    es_str_free(&text);
}

/* What chance alone reaches: rows below this line say little. */
static void draw_floor(es_pen *pen, es_box line, double noise, int64_t others)
{
    const es_ink ink = {.size = pen->em, .colour = pen->p->dim};
    const es_spot rule[2] = {{line.x, line.y + 1}, {line.x + line.w, line.y + 1}};
    es_str text = {0}, brief = {0};
    es_str_add(&text, "%.2f: the best of ", noise);
    es_show_count(&text, others);
    es_str_cat(&text, " random rows");
    es_str_add(&brief, "%.2f: what chance reaches", noise);
    bool whole = es_canvas_width(pen->c, text.s, text.len, &ink) <= line.w;
    es_canvas_line(pen->c, rule, 2, 1, 3, pen->p->dim);
    es_canvas_fit(pen->c, line.x, line.y + line.h / 2, line.w, 0, whole ? text.s : brief.s, &ink);
    es_str_free(&text);
    es_str_free(&brief);
}

static void remember(es_viewer *v, const es_close *near, es_box line)
{
    es_card *card = &v->card;
    card->row[card->n] = line;
    card->id[card->n] = near->id;
    card->cosine[card->n++] = near->cosine;
}

static void draw_list(es_pen *pen, const es_neighbours *near, bool mapped)
{
    const es_model *m = es_session_context(pen->v->session)->model;
    int64_t others = m->config.vocab_size - 1;
    bool floor = others > 0;
    double noise = floor ? es_noise_floor(others, m->config.n_embd) : 0;
    es_box line;
    for (int i = 0; i < near->n; i++) {
        if (floor && (double)near->of[i].cosine < noise && es_pen_take(pen, LINE, &line)) {
            draw_floor(pen, line, noise, others);
            floor = false;
        }
        if (!es_pen_take(pen, LINE, &line))
            return;
        draw_row(pen, line, &near->of[i], mapped);
        remember(pen->v, &near->of[i], line);
    }
    if (floor && near->n && es_pen_take(pen, LINE, &line))
        draw_floor(pen, line, noise, others);
}

/* Can the rows be compared between two frames?  A large table that is made as it is read takes seconds. */
static bool quick(const es_table *wte)
{
    es_store store;
    return es_table_data(wte, &store) || es_table_rows(wte) < MADE_MOST / es_table_width(wte);
}

const es_neighbours *es_card_neighbours(es_viewer *v, int32_t id)
{
    const es_table *wte = es_session_context(v->session)->model->wte;
    return es_table_rows(wte) && quick(wte) ? es_neighbours_of(v, id) : NULL;
}

static void say_instead(es_pen *pen, const char *text)
{
    const es_ink ink = {.size = pen->em, .colour = pen->p->dim};
    es_box_cut_top(&pen->rest, es_words_draw(pen->c, pen->rest, 0, text, &ink));
}

void es_card_near(es_pen *pen, int32_t id)
{
    es_viewer *v = pen->v;
    const es_table *wte = es_session_context(v->session)->model->wte;
    es_box line;
    v->card.of = id;
    v->card.n = 0;
    if (pen->rest.h < ES_CARD_NEAR * pen->em || !es_table_rows(wte))
        return;
    es_pen_take(pen, GAP, &line);
    if (!quick(wte)) {
        say_instead(pen,
                    "The rows of this wte are made as they are read, which takes too long for a "
                    "picture: :near lists the nearest.");
        return;
    }
    const es_neighbours *near = es_neighbours_of(v, id);
    bool mapped = (v->view == ES_VIEW_MAP || v->view == ES_VIEW_AXES) && near->mapped;
    if (near->why.len) {
        say_instead(pen, near->why.s);
        return;
    }
    es_pen_take(pen, LINE, &line);
    draw_head(pen, line, mapped);
    draw_list(pen, near, mapped);
}
