// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/card.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "layer/cosine.h"
#include "session/numbers.h"
#include "view/heat.h"
#include "view/meta.h"
#include "view/words.h"

/* In ems. */
#define TITLE   1.7F  /* letters of the token */
#define FACT    1.45F /* a line of facts */
#define NAMES   4.2F  /* their names, */
#define APART   0.4F  /* and room behind these */
#define GAP     0.7F  /* between sections */
#define POINTED 6.4F  /* what is said of the number under the pointer */
#define TALL    26.0F /* a card so tall keeps room for that, */
#define LOW     15.0F /* one so low makes it when there is a number */
#define STRIP   3.6F  /* its row: a gap, the cells, and what they are */

enum { TOKEN_COLUMNS = 40, MOST_BYTES = 24 };
#define IN_TRAINING " in training"

/* The token, and where it stands in the sentence. */
typedef struct subject {
    int32_t id;
    int64_t row; /* of the scene; -1: it is not in the sentence */
} subject;

bool es_pen_take(es_pen *pen, float ems, es_box *line)
{
    if (pen->rest.h < ems * pen->em)
        return false;
    *line = es_box_cut_top(&pen->rest, ems * pen->em);
    return true;
}

static es_ink ink_of(const es_pen *pen, es_argb colour)
{
    return (es_ink){.size = pen->em, .colour = colour};
}

/* ---- whose card ---- */

/* The card's own neighbour under the pointer; -1: none. */
static int pointed_row(const es_viewer *v)
{
    const es_box *mark = &v->hover.mark;
    for (int i = 0; v->hovering && i < v->card.n; i++)
        if (v->card.id[i] == v->hover.id && v->card.row[i].x == mark->x &&
            v->card.row[i].y == mark->y)
            return i;
    return -1;
}

/* A place as the pointer and as commands name it, if the token is there; else the first that the token has. */
static int64_t row_of(const es_scene *scene, int32_t id, int64_t place)
{
    const int64_t row[] = {place - scene->at, place};
    for (size_t i = 0; place >= 0 && i < sizeof row / sizeof *row; i++)
        if (row[i] >= 0 && row[i] < scene->T && scene->ids[row[i]] == id)
            return row[i];
    for (int64_t t = 0; t < scene->T; t++)
        if (scene->ids[t] == id)
            return t;
    return -1;
}

/* Pointing at a neighbour on the card does not turn the card into that one's. */
static subject subject_of(const es_viewer *v)
{
    int64_t place = -1;
    int32_t id;
    if (v->hovering && v->hover.id >= 0 && pointed_row(v) < 0) {
        id = v->hover.id;
        place = v->hover.place;
    } else if (pointed_row(v) >= 0) {
        id = v->card.of;
    } else {
        id = es_viewer_focus(v, &place);
    }
    return (subject){id, row_of(&v->scene, id, place)};
}

/* ---- facts ---- */

static void draw_title(es_pen *pen, int32_t id)
{
    es_box line;
    es_str text = {0};
    es_ink ink = ink_of(pen, pen->p->ink);
    ink.size *= TITLE;
    ink.bold = true;
    if (es_pen_take(pen, TITLE * 1.4F, &line)) {
        es_scene_token(&text, es_session_context(pen->v->session), id, TOKEN_COLUMNS);
        es_canvas_fit(pen->c, line.x, line.y + line.h / 2, line.w, 0, es_str_text(&text), &ink);
    }
    es_str_free(&text);
}

/* A name and what is to be said under it; `value` is emptied. */
static void draw_fact(es_pen *pen, const char *name, es_str *value)
{
    const es_ink says = ink_of(pen, pen->p->dim), ink = ink_of(pen, pen->p->ink);
    float x = NAMES * pen->em;
    es_box line;
    if (value->len && es_pen_take(pen, FACT, &line)) {
        float y = line.y + line.h / 2;
        es_canvas_fit(pen->c, line.x, y, x - APART * pen->em, 0, name, &says);
        es_canvas_fit(pen->c, line.x + x, y, line.w - x, 0, value->s, &ink);
    }
    es_str_free(value);
}

static void draw_bytes(es_pen *pen, int32_t id)
{
    es_str hex = {0};
    size_t n = 0;
    const char *bytes = es_bpe_bytes(es_session_context(pen->v->session)->bpe, id, &n);
    for (size_t i = 0; bytes && i < n && i < MOST_BYTES; i++)
        es_str_add(&hex, "%s%02X", i ? " " : "", (unsigned char)bytes[i]);
    es_str_cat(&hex, bytes && n > MOST_BYTES ? " …" : "");
    draw_fact(pen, "bytes", &hex);
}

static void draw_place(es_pen *pen, int64_t row)
{
    const es_scene *scene = &pen->v->scene;
    es_str says = {0};
    if (row >= 0)
        es_str_add(&says, "%" PRId64 ", of %" PRId64 " token%s", scene->at + row,
                   scene->T + scene->left, scene->T + scene->left == 1 ? "" : "s");
    else if (scene->T)
        es_str_cat(&says, "not in the sentence");
    draw_fact(pen, "place", &says);
}

/* Is there room for a fact with so much more behind it? */
static bool room_for(const es_pen *pen, const char *says, const char *more)
{
    const es_ink ink = ink_of(pen, pen->p->ink);
    float w = es_canvas_width(pen->c, says, strlen(says), &ink);
    return w + es_canvas_width(pen->c, more, strlen(more), &ink) <= pen->rest.w - NAMES * pen->em;
}

static void draw_seen(es_pen *pen, int32_t id)
{
    es_str says = {0};
    int64_t count = es_model_count(es_session_context(pen->v->session)->model, id);
    if (count < 0)
        es_str_cat(&says, "not known");
    else if (!count)
        es_str_cat(&says, "never in training");
    else
        es_show_count(&says, count);
    if (count > 0)
        es_str_cat(&says, count == 1 ? " time" : " times");
    if (count > 0 && room_for(pen, says.s, IN_TRAINING))
        es_str_cat(&says, IN_TRAINING);
    draw_fact(pen, "seen", &says);
}

/* Does the map say who of its nearest are near it? */
static const es_neighbours *in_map(const es_pen *pen, int32_t id)
{
    bool map = pen->v->view == ES_VIEW_MAP;
    const es_neighbours *near = map ? es_card_neighbours(pen->v, id) : NULL;
    return near && near->mapped && near->n ? near : NULL;
}

/* How many of its nearest the map keeps near it. */
static void draw_kept(es_pen *pen, int32_t id)
{
    const es_neighbours *near = in_map(pen, id);
    es_str says = {0};
    int kept = 0;
    if (!near)
        return;
    for (int i = 0; i < near->n; i++)
        kept += near->of[i].pictured;
    es_str_add(&says, "%d of its %d nearest", kept, near->n);
    draw_fact(pen, "here", &says);
}

static void draw_value(es_pen *pen, const es_str *name, const char *bytes, size_t n)
{
    es_str says = {0}, shown = {0}, called = {0};
    es_show_name(&shown, bytes, n);
    es_show_fit(&says, shown.s, shown.len, TOKEN_COLUMNS);
    es_show_name(&called, name->s, name->len);
    draw_fact(pen, called.s, &says);
    es_str_free(&shown);
    es_str_free(&called);
}

/* Of one's own table: the column that colours the map first, then from the left on, as many as leave room. */
static void draw_values(es_pen *pen, int32_t id, bool each)
{
    const es_viewer *v = pen->v;
    float below = ((each ? 3 : 1) * FACT + ES_CARD_NEAR) * pen->em;
    for (int i = -1; v->meta && i < v->meta->n; i++) {
        int k = i < 0 ? v->meta_column : i;
        const char *bytes = "";
        if (k < 0 || (i >= 0 && k == v->meta_column))
            continue;
        size_t n = es_meta_value(v->meta, k, id, &bytes);
        if (n && pen->rest.h - FACT * pen->em >= below)
            draw_value(pen, &v->meta->column[k].name, bytes, n);
    }
}

static void draw_length(es_pen *pen, const char *name, const float *v, int64_t C)
{
    es_str says = {0};
    if (v)
        es_heat_number(&says, es_length(v, C), 1, 2);
    draw_fact(pen, name, &says);
}

/* Its row of wte; NULL: it has none.  The caller frees. */
static float *row_of_wte(const es_viewer *v, int32_t id)
{
    const es_model *m = es_session_context(v->session)->model;
    float *row = id < 0 || id >= m->config.vocab_size
                     ? NULL
                     : es_try_alloc((size_t)m->config.n_embd, sizeof *row, "a row", NULL);
    if (row && es_table_row(m->wte, id, row, NULL))
        return row;
    free(row);
    return NULL;
}

/* In one line where more would leave no room for neighbours. */
static void draw_lengths_in_brief(es_pen *pen, const float *wte, const float *x, int64_t C)
{
    es_str says = {0};
    if (wte) {
        es_str_cat(&says, "wte ");
        es_heat_number(&says, es_length(wte, C), 1, 2);
    }
    if (x) {
        es_str_cat(&says, wte ? ", x " : "x ");
        es_heat_number(&says, es_length(x, C), 1, 2);
    }
    draw_fact(pen, "length", &says);
}

/* Is there room for all facts and neighbours, or for neither? */
static bool whole(const es_pen *pen, int32_t id)
{
    enum { FACTS = 7, IN_BRIEF = 5 };
    float room = pen->rest.h / pen->em, facts = FACTS + (in_map(pen, id) != NULL);
    bool all = room >= facts * FACT + ES_CARD_NEAR;
    bool brief = room >= IN_BRIEF * FACT + ES_CARD_NEAR || room < facts * FACT;
    return all || !brief;
}

static void draw_facts(es_pen *pen, const subject *s, const float *wte)
{
    const es_scene *scene = &pen->v->scene;
    int64_t C = es_session_context(pen->v->session)->model->config.n_embd;
    int64_t first = s->row * scene->C;
    bool here = s->row >= 0, each = whole(pen, s->id);
    const float *wpe = here && scene->pos_emb ? scene->pos_emb + first : NULL;
    const float *x = here && scene->x ? scene->x + first : NULL;
    es_str id = {0};
    es_str_add(&id, "%" PRId32, s->id);
    draw_fact(pen, "id", &id);
    draw_bytes(pen, s->id);
    draw_place(pen, s->row);
    draw_seen(pen, s->id);
    if (each)
        draw_kept(pen, s->id);
    draw_values(pen, s->id, each);
    if (!each) {
        draw_lengths_in_brief(pen, wte, x, C);
        return;
    }
    draw_length(pen, "|wte|", wte, C);
    draw_length(pen, "|wpe|", wpe, scene->C);
    draw_length(pen, "|x|", x, scene->C);
}

/* ---- its row ---- */

static void draw_strip(es_pen *pen, int32_t id, const float *wte)
{
    int64_t C = es_session_context(pen->v->session)->model->config.n_embd;
    const es_ink says = ink_of(pen, pen->p->dim);
    es_str text = {0};
    es_box cells, line;
    float most = 0;
    if (!wte || !es_pen_take(pen, STRIP, &cells))
        return;
    for (int64_t c = 0; c < C; c++)
        most = isfinite(wte[c]) ? fmaxf(most, fabsf(wte[c])) : most;
    most = most > 0 ? es_round_scale(most) : 0;
    line = es_box_cut_bottom(&cells, FACT * pen->em);
    es_box_cut_top(&cells, GAP * pen->em);
    const es_heat h = {wte, 1, C, C, most};
    es_heat_draw(&h, pen->c, cells, pen->p);
    es_canvas_edge(pen->c, cells, 1, pen->p->edge);
    es_str_add(&text, "wte[%" PRId32 "], ±%.4g", id, (double)most);
    es_canvas_fit(pen->c, line.x, line.y + line.h / 2, line.w, 0, text.s, &says);
    es_str_free(&text);
}

/* The neighbours, and the row under them where it leaves them room for a few. */
static void draw_rows(es_pen *pen, int32_t id, const float *wte)
{
    float strip = wte ? STRIP * pen->em : 0;
    bool both = pen->rest.h - strip >= ES_CARD_NEAR * pen->em;
    es_box foot = {0};
    if (both)
        foot = es_box_cut_bottom(&pen->rest, strip);
    es_card_near(pen, id);
    pen->rest.h += foot.h;
    draw_strip(pen, id, wte);
}

/* ---- the number under the pointer ---- */

static void draw_pointed(es_pen *pen, es_box box)
{
    const es_viewer *v = pen->v;
    es_ink says = ink_of(pen, pen->p->ink), statement = ink_of(pen, pen->p->dim);
    const char *text = "Point at something to read its number.";
    if (v->hovering && v->hover.what.len)
        text = v->hover.what.s;
    else
        says = statement;
    statement.mono = true;
    es_canvas_fill(pen->c, (es_box){box.x, box.y, box.w, 1}, pen->p->edge);
    es_box_cut_top(&box, 0.5F * pen->em);
    float used = es_words_draw(pen->c, box, 0, text, &says);
    es_box_cut_top(&box, used + 0.1F * pen->em);
    if (v->hovering && v->hover.statement.len)
        es_words_draw(pen->c, box, 0, v->hover.statement.s, &statement);
}

void es_card_draw(es_viewer *v, es_canvas *c, es_box area)
{
    const subject s = subject_of(v);
    es_pen pen = {v, c, es_viewer_palette(v), es_viewer_em(v), area};
    es_box before = es_canvas_clip(c, es_box_meet(c->inside, area));
    bool number = v->hovering && v->hover.what.len;
    bool pointed = (v->window && area.h >= TALL * pen.em) || (number && area.h >= LOW * pen.em);
    if (pointed)
        draw_pointed(&pen, es_box_cut_bottom(&pen.rest, POINTED * pen.em));
    if (s.id >= 0) {
        float *wte = row_of_wte(v, s.id);
        draw_title(&pen, s.id);
        draw_facts(&pen, &s, wte);
        draw_rows(&pen, s.id, wte);
        free(wte);
    } else {
        const es_ink says = ink_of(&pen, pen.p->dim);
        v->card.n = 0;
        es_words_draw(
            c, pen.rest, 0,
            "No token yet. Type a sentence, or point at a token, and this is what is known "
            "of it.",
            &says);
    }
    es_canvas_clip(c, before);
}

bool es_card_pick(es_viewer *v, es_box area, es_spot at, es_pick *out)
{
    const es_context *c = es_session_context(v->session);
    for (int i = 0; es_box_has(area, at.x, at.y) && i < v->card.n; i++) {
        if (!es_box_has(v->card.row[i], at.x, at.y))
            continue;
        out->id = v->card.id[i];
        out->value = (double)v->card.cosine[i];
        out->mark = v->card.row[i];
        es_str_cat(&out->what, "cosine of ");
        es_scene_token(&out->what, c, v->card.of, TOKEN_COLUMNS);
        es_str_cat(&out->what, " and ");
        es_scene_token(&out->what, c, out->id, TOKEN_COLUMNS);
        es_str_add(&out->what, ": %.4f", out->value);
        es_str_add(&out->statement,
                   "F.cosine_similarity(wte.weight[%" PRId32 "], wte.weight[%" PRId32 "], dim=0)",
                   v->card.of, out->id);
        return true;
    }
    return false;
}
