// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/frame.h"

#include <string.h>

#include "base/visible.h"
#include "view/lesson_pictures.h"
#include "view/words.h"

#define LOW 22 /* ems: a picture so low under its caption has more room made for it */

/* ---- where things are ---- */

/* Room for prose of about so many letters, in whole lines. */
static float prose_height(float letters, float w, float em)
{
    int lines = 1 + (int)(letters * 0.55f * em / (w > em ? w - em : em));
    return (float)(lines < 3 ? lines : 3) * ES_LEADING * em;
}

es_frame es_frame_of(float w, float h, float em, unsigned parts)
{
    es_frame l = {0};
    es_box rest = {0, 0, w, h};
    const float least = 12 * em; /* of the picture's height: what would leave it less goes */
    const struct {
        unsigned part;
        es_box *box;
        bool top;
        float height;
    } bands[] = {
        {ES_FRAME_PROMPT, &l.prompt, false, 2 * em},
        {ES_FRAME_BAR, &l.bar, true, 2 * em},
        {ES_FRAME_HONESTY, &l.honesty, false, prose_height(220, w, em) + 0.6f * em},
        {ES_FRAME_CHIPS, &l.chips, false, 3.4f * em},
        {ES_FRAME_EXPRESSION, &l.expression, false, prose_height(100, w, em) + 0.4f * em},
    };
    float left = h;
    bool there[sizeof bands / sizeof *bands] = {false};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        there[i] = (parts & bands[i].part) && left - bands[i].height >= least;
        left -= there[i] ? bands[i].height : 0;
    }
    static const int order[] = {1, 0, 4, 3, 2}; /* from the edges inwards */
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        int i = order[k];
        if (there[i])
            *bands[i].box = bands[i].top ? es_box_cut_top(&rest, bands[i].height)
                                         : es_box_cut_bottom(&rest, bands[i].height);
    }
    float card = 23 * em < 0.32f * w ? 23 * em : 0.32f * w;
    if ((parts & ES_FRAME_CARD) && card >= 13 * em && rest.h >= 12 * em)
        l.card = es_box_cut_right(&rest, card);
    l.picture = rest;
    return l;
}

/* ---- the bar ---- */

enum { FACTS = 4, MODEL_ROOM = 12 }; /* ems that names of views leave to the model */

/* The model, its tables, the device: returns how many. */
static int describe_tables(const es_viewer *v, es_str fact[FACTS])
{
    const es_context *c = es_session_context(v->session);
    const es_model *m = c->model;
    int n = 0;
    es_str_cat(&fact[n++], m->name);
    if (m->config.vocab_size)
        es_str_add(&fact[n++], "wte [V=%lld, C=%lld]", (long long)m->config.vocab_size,
                   (long long)m->config.n_embd);
    if (m->config.n_ctx)
        es_str_add(&fact[n++], "wpe [P=%lld, C=%lld]", (long long)m->config.n_ctx,
                   (long long)m->config.n_embd);
    es_str_cat(&fact[n++], es_context_device(c));
    return n;
}

/* As many as there is room for, whole: half a shape is another shape.  The name may be cut. */
static void draw_tables(const es_viewer *v, es_canvas *c, es_box room)
{
    const es_ink ink = {.size = es_viewer_em(v), .colour = es_viewer_palette(v)->dim};
    es_str fact[FACTS] = {{0}};
    int n = describe_tables(v, fact);
    for (int i = 0; i < n; i++) {
        float w = es_canvas_width(c, es_str_text(&fact[i]), fact[i].len, &ink);
        if (i && w > room.w)
            break;
        es_canvas_fit(c, room.x, room.y + room.h / 2, room.w, 0, es_str_text(&fact[i]), &ink);
        es_box_cut_left(&room, w + ink.size);
    }
    for (int i = 0; i < n; i++)
        es_str_free(&fact[i]);
}

typedef struct tab {
    es_box box;
    int view;
    bool named; /* else its key alone */
} tab;

/* "F3 offset"; a file has no keys. */
static void tab_text(const tab *t, bool key, es_str *out)
{
    if (key)
        es_str_add(out, "F%d%s", t->view + 1, t->named ? " " : "");
    if (t->named)
        es_str_cat(out, es_view_kind_at(t->view)->name);
}

/* As wide as it is when it is the one that is shown. */
static float tab_width(const es_viewer *v, es_canvas *c, tab t, bool named, bool key)
{
    const es_ink ink = {.size = es_viewer_em(v), .bold = true};
    es_str text = {0};
    t.named = named;
    tab_text(&t, key, &text);
    float w = es_canvas_width(c, es_str_text(&text), text.len, &ink);
    es_str_free(&text);
    return w > 0 ? w + 1.2f * ink.size : 0;
}

/* Names for the view that is shown, and then for those beside it, the near ones first, until the room is short. */
static float name_tabs(const es_viewer *v, es_canvas *c, float room, bool key, tab tabs[ES_N_VIEWS])
{
    float all = 0;
    int shown = (int)v->view;
    for (int i = 0; i < ES_N_VIEWS; i++) {
        tabs[i] = (tab){.view = i, .named = i == shown};
        all += tab_width(v, c, tabs[i], i == shown, key);
    }
    for (int k = 2; k < 2 * ES_N_VIEWS; k++) {
        int i = k % 2 ? shown - k / 2 : shown + k / 2;
        if (i < 0 || i >= ES_N_VIEWS)
            continue;
        float more = tab_width(v, c, tabs[i], true, key) - tab_width(v, c, tabs[i], false, key);
        if (all + more > room)
            break;
        tabs[i].named = true;
        all += more;
    }
    return all;
}

/* The views' tabs up to the right edge: all with their names; where these would leave too little for the model, keys in
 * place of some; the one that is shown alone; or none. */
static int place_tabs(const es_viewer *v, es_canvas *c, es_box bar, bool key, tab tabs[ES_N_VIEWS])
{
    float em = es_viewer_em(v), all = name_tabs(v, c, bar.w - MODEL_ROOM * em, key, tabs), x;
    int n = 0;
    if (all > bar.w) {
        all = tab_width(v, c, tabs[v->view], true, key);
        for (int i = 0; i < ES_N_VIEWS; i++)
            tabs[i].view = i == (int)v->view ? i : -1;
    }
    x = bar.x + bar.w - all;
    for (int i = 0; i < ES_N_VIEWS && all <= bar.w; i++) {
        float w = tabs[i].view < 0 ? 0 : tab_width(v, c, tabs[i], tabs[i].named, key);
        if (w > 0)
            tabs[n++] = (tab){{x, bar.y, w, bar.h}, tabs[i].view, tabs[i].named};
        x += w;
    }
    return n;
}

static void draw_tab(const es_viewer *v, es_canvas *c, const tab *t, bool key)
{
    const es_palette *p = es_viewer_palette(v);
    float em = es_viewer_em(v);
    bool here = t->view == (int)v->view;
    const es_ink ink = {.size = em, .colour = here ? p->ink : p->dim, .bold = here};
    es_str text = {0};
    tab_text(t, key, &text);
    if (here)
        es_canvas_fill(c, (es_box){t->box.x, t->box.y + t->box.h - 2, t->box.w, 2}, p->strong);
    es_canvas_fit(c, t->box.x + t->box.w / 2, t->box.y + t->box.h / 2, t->box.w, 0.5f, text.s,
                  &ink);
    es_str_free(&text);
}

static void draw_bar(const es_viewer *v, es_canvas *c, es_box bar, bool keys)
{
    float em = es_viewer_em(v), used = 0;
    tab tabs[ES_N_VIEWS];
    int n = place_tabs(v, c, bar, keys, tabs);
    for (int i = 0; i < n; i++) {
        draw_tab(v, c, &tabs[i], keys);
        used += tabs[i].box.w;
    }
    es_box room = {bar.x + em, bar.y, bar.w - used - 2 * em, bar.h};
    if (room.w > 6 * em)
        draw_tables(v, c, room);
}

/* ---- the foot ---- */

static void draw_prose(const es_viewer *v, es_canvas *c, es_box box, es_argb colour,
                       void (*say)(const es_viewer *v, es_str *out))
{
    float em = es_viewer_em(v);
    const es_ink ink = {.size = em, .colour = colour};
    es_str text = {0};
    say(v, &text);
    es_box inside = {box.x + em, box.y, box.w - 2 * em, box.h};
    float spare = box.h - es_words_height(c, inside.w, es_str_text(&text), &ink);
    if (spare > 0) {
        inside.y += spare / 2;
        inside.h -= spare / 2;
    }
    es_words_draw(c, inside, 0, es_str_text(&text), &ink);
    es_str_free(&text);
}

/* The half-typed line, moved so that its cursor is in sight. */
static void draw_prompt(const es_viewer *v, es_canvas *c, es_box box)
{
    const es_palette *p = es_viewer_palette(v);
    float em = es_viewer_em(v), middle = box.y + box.h / 2, x = box.x + em;
    const es_ink said = {.size = em, .colour = p->dim, .mono = true};
    const es_ink typed = {.size = em, .colour = p->ink, .mono = true};
    es_str before = {0}, line = {0};
    const char *bytes = es_str_text(&v->line);
    size_t cursor = v->cursor < v->line.len ? v->cursor : v->line.len;
    es_show_prose(&before, bytes, cursor);
    es_show_prose(&line, bytes, cursor);
    es_show_prose(&line, bytes + cursor, v->line.len - cursor);
    es_canvas_text(c, x, middle, es_str_text(&v->prompt), v->prompt.len, &said);
    x += es_canvas_width(c, es_str_text(&v->prompt), v->prompt.len, &said);
    float at = es_canvas_width(c, before.s, before.len, &typed), room = box.x + box.w - x - em;
    float back = at > room ? at - room : 0;
    es_box outside = es_canvas_clip(c, (es_box){x, box.y, room + em, box.h});
    es_canvas_text(c, x - back, middle, line.s, line.len, &typed);
    es_canvas_fill(c, (es_box){x + at - back, middle - 0.6f * em, 1.5f, 1.2f * em}, p->strong);
    es_canvas_clip(c, outside);
    es_str_free(&before);
    es_str_free(&line);
}

/* ---- the picture ---- */

static void say_why(const es_viewer *v, es_canvas *c, es_box box)
{
    const es_palette *p = es_viewer_palette(v);
    float em = es_viewer_em(v);
    const es_ink ink = {.size = em, .colour = p->dim};
    const char *why =
        v->problem.len ? v->problem.s : "measuring the table: every row counts, none is sampled …";
    es_box inside = es_box_inset(box, 2 * em);
    inside.y += inside.h / 2 - 2 * em;
    es_words_draw(c, inside, 0.5f, why, &ink);
}

static void draw_picture(es_viewer *v, es_canvas *c, es_box box)
{
    const es_palette *p = es_viewer_palette(v);
    if (box.w < 1 || box.h < 1)
        return;
    es_box outside = es_canvas_clip(c, box);
    if (!es_viewer_ready(v))
        say_why(v, c, box);
    else
        es_view_kind_at((int)v->view)->draw(v, c, box);
    if (v->hovering && v->hover.mark.w > 0)
        es_canvas_edge(c, v->hover.mark, 1.5f, p->strong);
    if (v->drawn.w > 0) {
        es_canvas_fill(c, v->drawn, es_fade(p->strong, 0.12f));
        es_canvas_edge(c, v->drawn, 1, p->strong);
    }
    es_lasso_draw(&v->lasso, c, p->strong);
    es_canvas_clip(c, outside);
}

/* ---- all of it ---- */

/* Of a teaching picture, over the picture and the card beside it. */
static void cut_caption(es_viewer *v, es_canvas *c, es_frame *l)
{
    es_box both = l->picture;
    both.w += l->card.w;
    l->caption = es_lesson_caption_cut(v, c, &both);
    es_box_cut_top(&l->picture, l->caption.h);
    es_box_cut_top(&l->card, l->caption.h);
}

/* A caption that leaves a low picture has the expression give way, and the sentence where there is none. */
es_frame es_frame_shown(es_viewer *v, const es_canvas *on, unsigned parts)
{
    float em = es_viewer_em(v);
    es_canvas *c = (es_canvas *)on; /* measured with, not drawn on */
    unsigned spare = ES_FRAME_EXPRESSION | (v->scene.T ? 0 : ES_FRAME_CHIPS);
    es_frame l = es_frame_of(c->w, c->h, em, parts);
    if (!(parts & ES_FRAME_CAPTION))
        return l;
    cut_caption(v, c, &l);
    if (l.caption.h > 0 && l.picture.h < LOW * em) {
        l = es_frame_of(c->w, c->h, em, parts & ~spare);
        cut_caption(v, c, &l);
    }
    return l;
}

static void panel(es_canvas *c, es_box box, const es_palette *p, bool line_above)
{
    es_canvas_fill(c, box, p->panel);
    if (line_above)
        es_canvas_fill(c, (es_box){box.x, box.y, box.w, 1}, p->edge);
}

static void draw_foot(es_viewer *v, es_canvas *c, const es_frame *l)
{
    const es_palette *p = es_viewer_palette(v);
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    bool ready = es_viewer_ready(v);
    if (l->honesty.h > 0) {
        panel(c, l->honesty, p, true);
        if (ready)
            draw_prose(v, c, l->honesty, p->ink, kind->honesty);
    }
    if (l->chips.h > 0) {
        panel(c, l->chips, p, false);
        es_box outside = es_canvas_clip(c, l->chips);
        es_chips_draw(v, c, l->chips);
        es_canvas_clip(c, outside);
    }
    if (l->expression.h > 0) {
        panel(c, l->expression, p, false);
        if (ready)
            draw_prose(v, c, l->expression, p->dim, kind->expression);
    }
    if (l->prompt.h > 0) {
        panel(c, l->prompt, p, true);
        draw_prompt(v, c, l->prompt);
    }
}

void es_frame_draw(es_viewer *v, es_canvas *c, unsigned parts)
{
    const es_palette *p = es_viewer_palette(v);
    es_frame l = es_frame_shown(v, c, parts);
    es_canvas_fill(c, (es_box){0, 0, c->w, c->h}, p->ground);
    draw_picture(v, c, l.picture);
    es_lesson_caption_draw(v, c, l.caption);
    if (l.bar.h > 0) {
        panel(c, l.bar, p, false);
        draw_bar(v, c, l.bar, parts & ES_FRAME_PROMPT);
    }
    if (l.card.w > 0) {
        panel(c, l.card, p, false);
        es_canvas_fill(c, (es_box){l.card.x, l.card.y, 1, l.card.h}, p->edge);
        es_box outside = es_canvas_clip(c, l.card);
        es_card_draw(v, c, es_box_inset(l.card, es_viewer_em(v)));
        es_canvas_clip(c, outside);
    }
    draw_foot(v, c, &l);
}

bool es_frame_pick(es_viewer *v, es_canvas *c, unsigned parts, es_spot at, es_pick *out, int *view)
{
    float em = es_viewer_em(v);
    es_frame l = es_frame_shown(v, c, parts);
    *out = ES_PICK_NONE;
    *view = -1;
    if (es_box_has(l.picture, at.x, at.y))
        return es_viewer_ready(v) && es_view_kind_at((int)v->view)->pick(v, c, l.picture, at, out);
    if (es_box_has(l.card, at.x, at.y))
        return es_card_pick(v, es_box_inset(l.card, em), at, out);
    if (es_box_has(l.chips, at.x, at.y))
        return es_chips_pick(v, c, l.chips, at, out);
    tab tabs[ES_N_VIEWS];
    bool keys = parts & ES_FRAME_PROMPT;
    int n = es_box_has(l.bar, at.x, at.y) ? place_tabs(v, c, l.bar, keys, tabs) : 0;
    for (int i = 0; i < n; i++)
        if (es_box_has(tabs[i].box, at.x, at.y))
            *view = i;
    return *view >= 0;
}
