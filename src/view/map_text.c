// SPDX-License-Identifier: GPL-3.0-or-later
/* Labels of the map: who wants one, how wide each would be, and where there is room. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/layouts.h"
#include "view/map.h"
#include "view/neighbours.h"

enum {
    PICKED = 400, /* found and selected tokens that go before those that were there */
    CROWD = 40,   /* places from which on they are named only where there is room */
    IN_CELL = 6,  /* of the others as many are asked for as may be shown at one spot */
    PLACES = 3    /* named with a token that the sentence has more often */
};
#define HEIGHT 1.15f /* of a label, in em */
#define PAD    0.15f
#define DENSE  0.5f /* where points are so faint, as there are many, of labels there is */
#define APART  7.0f /* one every so many ems across, */
#define BELOW  3.0f /* and down */

/* Why a label is there, and with that how it looks. */
/* SOUGHT: found, with few others; TOLD: what the picture is about. */
typedef enum role { NOBODY, COMMON, NEAR, SELECTED, FOUND, SOUGHT, TOLD, SPOKEN, PLACED } role;

/* How far from its point it may be, in em. */
static const float reach_of[] = {[NEAR] = 3, [SOUGHT] = 3, [TOLD] = 6, [SPOKEN] = 6, [PLACED] = 4};

/* ---- widths ---- */

static float measure(es_canvas *c, const char *text, size_t n, float em, bool bold)
{
    const es_ink ink = {.size = em, .bold = bold};
    return es_canvas_width(c, text, n, &ink);
}

static void measure_letters(es_map_widths *w, es_canvas *c, bool bold)
{
    memset(w->letter, 0, sizeof w->letter);
    for (int ch = '!'; ch <= '~'; ch++) {
        char letter = (char)ch;
        w->letter[ch] = measure(c, &letter, 1, w->em, bold);
    }
    w->letter[' '] = measure(c, "␣", 3, w->em, bold);
}

/* Ready for this canvas: what was measured with other letters is forgotten. */
static void widths_for(es_map *m, es_map_widths *w, es_canvas *c, float em, bool bold)
{
    float probe = measure(c, "Wim␣%", 7, em, bold);
    if (w->of && w->ops == c->ops && w->em == em && w->probe == probe)
        return;
    w->of = w->of ? w->of : es_alloc_array((size_t)m->n, sizeof *w->of);
    w->ops = c->ops;
    w->em = em;
    w->probe = probe;
    measure_letters(w, c, bold);
    for (int64_t i = 0; i < m->n; i++)
        w->of[i] = -1;
}

/* Letters one after the other; kerning only makes it narrower.  Below 0: these are more than plain letters. */
static float sum_letters(const es_map_widths *w, const char *bytes, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char ch = (unsigned char)bytes[i];
        if (ch < ' ' || ch > '~' || ch == '\\')
            return -1;
        sum += w->letter[ch];
    }
    return n <= ES_MAP_COLUMNS ? sum : -1;
}

static float width_of(es_map_widths *w, const es_viewer *v, es_canvas *c, int32_t id, bool bold)
{
    if (w->of[id] >= 0)
        return w->of[id];
    size_t n = 0;
    const es_context *context = v->atlas->context;
    const char *bytes = es_bpe_bytes(context->bpe, id, &n);
    float sum = bytes ? sum_letters(w, bytes, n) : -1;
    if (sum < 0) {
        es_str text = {0};
        es_scene_token(&text, context, id, ES_MAP_COLUMNS);
        sum = measure(c, es_str_text(&text), text.len, w->em, bold);
        es_str_free(&text);
    }
    return w->of[id] = sum;
}

/* ---- who wants one ---- */

/* A picture's wishes, in order of importance. */
typedef struct asking {
    es_map *map;
    es_viewer *viewer;
    es_canvas *canvas;
    float em;
    size_t n;
} asking;

static bool is_bold(role why)
{
    return why >= TOLD;
}

static void wish(asking *a, int32_t id, es_spot at, float w, float clear, float reach)
{
    a->map->wish[a->n++] = (es_wish){.id = id,
                                     .w = w + 2 * PAD * a->em,
                                     .h = HEIGHT * a->em,
                                     .at = at,
                                     .clear = clear,
                                     .reach = reach * a->em};
}

/* Its text; in a sentence of a few with the places where it stands: "3, 7 ␣the". */
static void name_of(const asking *a, int32_t id, role why, es_str *out)
{
    const es_map *m = a->map;
    int n = 0;
    for (int64_t t = 0; why == SPOKEN && m->T <= CROWD && t < m->T; t++) {
        if (m->place[t].id != id || n++ > PLACES)
            continue;
        if (n <= PLACES)
            es_str_add(out, "%s%lld", n > 1 ? ", " : "", (long long)(a->viewer->scene.at + t));
        else
            es_str_cat(out, ", …");
    }
    es_str_cat(out, n ? " " : "");
    es_scene_token(out, a->viewer->atlas->context, id, ES_MAP_COLUMNS);
}

static float width_of_name(asking *a, int32_t id, role why)
{
    if (why != SPOKEN)
        return width_of(is_bold(why) ? &a->map->bold : &a->map->plain, a->viewer, a->canvas, id,
                        is_bold(why));
    es_str name = {0};
    name_of(a, id, why, &name);
    float w = measure(a->canvas, es_str_text(&name), name.len, a->em, true);
    es_str_free(&name);
    return w;
}

/* Each token once, for the first reason there is. */
static void wish_at(asking *a, int32_t id, es_spot at, role why)
{
    es_map *m = a->map;
    if (m->role[id] || !es_box_has(m->area, at.x, at.y))
        return;
    m->role[id] = (uint8_t)why;
    wish(a, id, at, width_of_name(a, id, why), m->r + (why == COMMON ? 2.5f : ES_MAP_MARK + 5),
         reach_of[why]);
}

static void wish_token(asking *a, int32_t id, role why)
{
    if (id >= 0 && id < a->map->n)
        wish_at(a, id, a->map->spot[id], why);
}

/* May one more be asked for there?  Few where points are dense: a crowd under labels is no longer to be seen. */
static uint8_t *asked_at(const asking *a, const es_map_seen *s, int *most)
{
    es_map *m = a->map;
    *most = IN_CELL;
    if (m->crowd[s->cell] >= DENSE)
        return &m->asked[s->cell];
    float w = APART * a->em,
          h = BELOW * a->em; /* whole ones: spots of the area are beyond crowds */
    int right = (int)((s->spot.x - m->crowds.x) / w), down = (int)((s->spot.y - m->crowds.y) / h);
    *most = 1;
    return &m->asked[es_map_cell(m, (es_spot){m->crowds.x + w * ((float)right + 0.5f),
                                              m->crowds.y + h * ((float)down + 0.5f)})];
}

/* All others, but no more at one spot than there can be room for. */
static void wish_common(asking *a)
{
    es_map *m = a->map;
    for (const es_map_seen *s = m->seen; s < m->seen + m->n_seen; s++) {
        int most;
        uint8_t *asked = asked_at(a, s, &most);
        size_t before = a->n;
        if (*asked < most && !m->aside[s->id])
            wish_at(a, s->id, s->spot, COMMON);
        *asked += a->n > before;
    }
}

static void block_around(asking *a, es_spot at, float r)
{
    if (es_box_has(a->map->area, at.x, at.y))
        es_labels_block(a->viewer->labels, (es_box){at.x - r, at.y - r, 2 * r, 2 * r});
}

/* Room for the marks themselves: of the sentence, of what the picture is about, and of a few that were found. */
static void block_marks(asking *a)
{
    es_map *m = a->map;
    size_t n;
    const int32_t *found = es_session_found(a->viewer->session, &n);
    for (int64_t t = 0; t < 2 * m->T; t++) {
        es_spot at = t % 2 ? m->place[t / 2].x_spot : m->place[t / 2].spot;
        block_around(a, at, m->r + ES_MAP_MARK);
    }
    for (int i = 0; i < m->n_told; i++)
        block_around(a, m->spot[m->told[i]], m->r + 2);
    for (size_t i = 0; n <= CROWD && i < n; i++)
        if (found[i] >= 0 && found[i] < m->n)
            block_around(a, m->spot[found[i]], m->r + 1);
}

static void place_name(char name[24], int64_t t)
{
    snprintf(name, 24, "@%lld", (long long)t);
}

static void wish_sentence(asking *a)
{
    es_map *m = a->map;
    for (int64_t t = 0; t < m->T; t++)
        wish_token(a, m->place[t].id, SPOKEN);
    for (int64_t t = 0; t < m->T; t++) {
        char name[24];
        es_spot at = m->place[t].x_spot;
        place_name(name, a->viewer->scene.at + t);
        if (es_box_has(m->area, at.x, at.y))
            wish(a, (int32_t)(m->n + t), at, sum_letters(&m->bold, name, strlen(name)),
                 m->r + ES_MAP_MARK + 5, m->T <= CROWD ? reach_of[PLACED] : 0);
    }
}

static void wish_told(asking *a)
{
    const es_map *m = a->map;
    for (int i = 0; i < m->n_told; i++)
        wish_token(a, m->told[i], i < m->n_own ? TOLD : NEAR);
}

static void wish_focus(asking *a)
{
    int64_t place;
    int32_t id = es_viewer_focus(a->viewer, &place);
    if (id >= 0 && id < a->map->n)
        wish_token(a, id, SELECTED);
}

static void wish_neighbours(asking *a)
{
    int64_t place;
    int32_t id = es_viewer_focus(a->viewer, &place);
    if (id < 0 || id >= a->map->n)
        return;
    const es_neighbours *near = es_neighbours_of(a->viewer, id);
    for (int i = 0; i < near->n; i++)
        wish_token(a, near->of[i].id, NEAR);
}

/* Of the tokens that were found those from `from` on, up to `to`.  A few are told wherever there is room. */
static void wish_found(asking *a, size_t from, size_t to)
{
    size_t n;
    const int32_t *found = es_session_found(a->viewer->session, &n);
    role why = n <= CROWD ? SOUGHT : FOUND;
    for (size_t i = from; i < to && i < n; i++)
        wish_token(a, found[i], why);
}

static void wish_selected(asking *a, size_t from, size_t to)
{
    const es_ids *chosen = &a->viewer->selected;
    for (size_t i = from; i < to && i < chosen->n; i++)
        wish_token(a, chosen->of[i], SELECTED);
}

static void wish_torn(asking *a)
{
    int n = 0;
    const es_torn *torn = a->viewer->view == ES_VIEW_MAP ? es_layouts_torn(a->viewer, &n) : NULL;
    for (int i = 0; i < n; i++)
        wish_token(a, torn[i].id, SELECTED);
}

/* All wishes; returns how many must come before those with memory. */
static size_t wish_all(asking *a)
{
    es_map *m = a->map;
    block_marks(a);
    wish_sentence(a);
    wish_told(a);
    wish_focus(a);
    wish_found(a, 0, PICKED);
    wish_neighbours(a);
    wish_selected(a, 0, PICKED);
    wish_torn(a);
    size_t must = a->n;
    wish_found(a, PICKED, SIZE_MAX);
    wish_selected(a, PICKED, SIZE_MAX);
    if (!m->any_lit)
        wish_common(a);
    return must;
}

/* ---- drawing ---- */

/* A label that found no room beside its point is led to it. */
static void lead(asking *a, const es_placed *p, es_argb colour)
{
    const es_wish *w = &a->map->wish[p->wish];
    es_spot to;
    if (es_labels_lead(w, p->box, &to))
        es_canvas_line(a->canvas, (const es_spot[]){w->at, to}, 2, 1, 0, es_fade(colour, 0.7f));
}

static void draw_label(asking *a, const es_placed *p)
{
    es_map *m = a->map;
    const es_palette *colours = m->palette;
    const es_argb of[] = {
        [NOBODY] = colours->dim,   [COMMON] = colours->dim,    [NEAR] = colours->ink,
        [SELECTED] = colours->ink, [FOUND] = colours->found,   [SOUGHT] = colours->found,
        [TOLD] = colours->ink,     [SPOKEN] = colours->strong, [PLACED] = colours->second};
    int32_t id = m->wish[p->wish].id;
    role why = id < m->n ? (role)m->role[id] : PLACED;
    bool lit = why == SPOKEN && es_map_found(a->viewer, id);
    const es_ink ink = {
        .size = a->em, .colour = lit ? colours->found : of[why], .bold = is_bold(why)};
    es_str text = {0};
    char name[24];
    place_name(name, a->viewer->scene.at + id - m->n);
    if (why == PLACED)
        es_str_cat(&text, name);
    else
        name_of(a, id, why, &text);
    lead(a, p, of[why]);
    es_canvas_fill(a->canvas, p->box, es_fade(colours->ground, why == COMMON ? 0.7f : 0.8f));
    es_canvas_text(a->canvas, p->box.x + PAD * a->em, p->box.y + p->box.h / 2, es_str_text(&text),
                   text.len, &ink);
    es_str_free(&text);
}

static void make_room(es_map *m, size_t n)
{
    if (n <= m->n_wishes)
        return;
    m->n_wishes = n;
    m->wish = es_realloc(m->wish, n * sizeof *m->wish);
    m->placed = es_realloc(m->placed, n * sizeof *m->placed);
}

void es_map_draw_labels(es_map *m, es_viewer *v, es_canvas *c)
{
    asking a = {m, v, c, es_viewer_em(v), 0};
    size_t most = v->most_labels > 0 ? (size_t)v->most_labels : 0;
    make_room(m, (size_t)(m->n + m->T));
    widths_for(m, &m->plain, c, a.em, false);
    widths_for(m, &m->bold, c, a.em, true);
    size_t must = wish_all(&a);
    size_t n = es_labels_place(v->labels, m->area, m->wish, a.n, must, most, m->placed);
    while (n-- > 0) /* the most important last */
        draw_label(&a, &m->placed[n]);
    memset(m->role, 0, (size_t)m->n);
}
