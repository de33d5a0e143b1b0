// SPDX-License-Identifier: GPL-3.0-or-later
/* The sentence among the points, what is in focus, and what was picked out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/map.h"
#include "view/neighbours.h"

enum { RING = 32, CROWD = 40 }; /* corners of a ring; tokens from which the path is drawn fainter */
#define APART    5.0f           /* of spots on a line that are kept free of labels */
#define FARTHEST 4000.0f
#define GONE     ((es_spot){NAN, NAN})
#define NOWHERE                                                                                    \
    {                                                                                              \
        NAN, NAN, NAN                                                                              \
    }

/* ---- where it is ---- */

static void copy_row(float to[3], const es_map *m, int32_t id)
{
    const float nowhere[3] = NOWHERE;
    memcpy(to, id >= 0 && id < m->n ? m->at + 3 * (int64_t)id : nowhere, 3 * sizeof *to);
}

void es_map_read_text(es_map *m, const es_viewer *v)
{
    const es_scene *scene = &v->scene;
    es_text *mine = scene->text ? es_text_ref(scene->text) : NULL;
    es_text_unref(m->text);
    free(m->place);
    m->text = mine;
    m->stamp = v->stamp;
    m->T = scene->T;
    m->place = es_alloc_array((size_t)m->T + 1, sizeof *m->place);
    for (int64_t t = 0; t < m->T; t++) {
        es_map_place *p = &m->place[t];
        *p = (es_map_place){.id = scene->ids[t], .x_at = NOWHERE, .spot = GONE, .x_spot = GONE};
        copy_row(p->at, m, p->id);
        while (m->place[p->first].id != p->id)
            p->first++;
    }
    if (scene->x && m->T && scene->C == v->atlas->tokens.pca.C)
        m->place_x(m, v);
}

/* ---- lines beneath ---- */

/* Under a line, so that it is seen among points. */
static void clear_way(const es_map *m, es_canvas *c, es_spot from, es_spot to, float width)
{
    const es_spot line[] = {from, to};
    es_canvas_line(c, line, 2, width, 0, es_fade(m->palette->ground, 0.6f));
}

void es_map_draw_tie(const es_map *m, es_canvas *c, es_spot from, es_spot to, bool pictured)
{
    const es_spot line[] = {from, to};
    clear_way(m, c, from, to, 3.6f);
    es_canvas_line(c, line, 2, 1.2f, pictured ? 0 : ES_MAP_DASH, es_fade(m->palette->ink, 0.8f));
}

void es_map_block_way(es_viewer *v, es_spot from, es_spot to)
{
    float far = hypotf(to.x - from.x, to.y - from.y);
    for (float at = 0; at < far && at < FARTHEST; at += APART)
        es_labels_block(v->labels, (es_box){from.x + (to.x - from.x) * at / far - 1,
                                            from.y + (to.y - from.y) * at / far - 1, 2, 2});
}

/* From one mark to another, from edge to edge. */
static void join(const es_map *m, es_viewer *v, es_canvas *c, es_spot from, es_spot to, float gap,
                 es_argb colour)
{
    float dx = to.x - from.x, dy = to.y - from.y, far = hypotf(dx, dy);
    if (!(far > 2 * gap + 2))
        return;
    dx *= gap / far;
    dy *= gap / far;
    from = (es_spot){from.x + dx, from.y + dy};
    to = (es_spot){to.x - dx, to.y - dy};
    clear_way(m, c, from, to, 4);
    es_canvas_arrow(c, from, to, 1.6f, colour);
    if (m->T <= CROWD)
        es_map_block_way(v, from, to);
}

static void draw_path(const es_map *m, es_viewer *v, es_canvas *c)
{
    es_argb colour = es_fade(m->palette->strong, m->T > CROWD ? 0.45f : 0.9f);
    for (int64_t t = 1; t < m->T; t++)
        join(m, v, c, m->place[t - 1].spot, m->place[t].spot, m->r + ES_MAP_MARK + 1, colour);
}

static void draw_offsets(const es_map *m, es_viewer *v, es_canvas *c)
{
    es_argb colour = es_fade(m->palette->second, m->T > CROWD ? 0.5f : 0.95f);
    for (int64_t t = 0; t < m->T; t++)
        join(m, v, c, m->place[t].spot, m->place[t].x_spot, m->r + ES_MAP_MARK, colour);
}

static void draw_neighbours(const es_map *m, es_viewer *v, es_canvas *c)
{
    int64_t place;
    int32_t id = es_viewer_focus(v, &place);
    if (id < 0 || id >= m->n)
        return;
    const es_neighbours *near = es_neighbours_of(v, id);
    for (int i = 0; i < near->n; i++)
        es_map_draw_tie(m, c, m->spot[id], m->spot[near->of[i].id], near->of[i].pictured);
}

void es_map_draw_lines(es_map *m, es_viewer *v, es_canvas *c)
{
    es_map_draw_torn(m, v, c);
    draw_neighbours(m, v, c);
    draw_path(m, v, c);
    draw_offsets(m, v, c);
}

/* ---- points on top ---- */

static void dot(es_canvas *c, es_spot at, float r, es_argb colour, int32_t id)
{
    const es_disc disc = {at.x, at.y, r, colour, id};
    es_canvas_discs(c, &disc, 1);
}

/* With an edge around it, of the ground or of ink. */
static void edged(es_canvas *c, es_spot at, float r, es_argb colour, es_argb edge, int32_t id)
{
    dot(c, at, r + 1.2f, edge, id);
    dot(c, at, r, colour, id);
}

static void ring(es_canvas *c, es_spot at, float r, es_argb colour)
{
    es_spot round[RING + 1];
    for (int i = 0; i <= RING; i++) {
        float a = 2 * (float)M_PI * (float)i / RING;
        round[i] = (es_spot){at.x + r * cosf(a), at.y + r * sinf(a)};
    }
    es_canvas_line(c, round, RING + 1, 1.8f, 0, colour);
}

/* A colour that is seen through would show the edge under it. */
static es_argb opaque(const es_map *m, int32_t id)
{
    return es_blend(m->palette->ground, m->colour[id]);
}

/* By themselves they need no edge to stand out: their colours do. */
static void mark_selected(const es_map *m, const es_viewer *v, es_canvas *c)
{
    if (m->isolates)
        return;
    for (size_t i = 0; i < v->selected.n; i++) {
        int32_t id = v->selected.of[i];
        if (id >= 0 && id < m->n && es_box_has(m->area, m->spot[id].x, m->spot[id].y))
            edged(c, m->spot[id], m->r + 1, opaque(m, id), m->palette->ink, id);
    }
}

static void mark_focus(const es_map *m, es_viewer *v, es_canvas *c)
{
    int64_t place;
    int32_t id = es_viewer_focus(v, &place);
    if (id < 0 || id >= m->n)
        return;
    const es_neighbours *near = es_neighbours_of(v, id);
    for (int i = 0; i < near->n; i++) {
        int32_t who = near->of[i].id;
        edged(c, m->spot[who], m->r + 1, opaque(m, who), m->palette->ink, who);
    }
    edged(c, m->spot[id], m->r + 1.5f, opaque(m, id), m->palette->ground, id);
    ring(c, m->spot[id], m->r + ES_MAP_MARK + 4, m->palette->strong);
}

static void mark_sentence(const es_map *m, const es_viewer *v, es_canvas *c)
{
    const es_palette *p = m->palette;
    for (int64_t t = 0; t < m->T; t++) {
        dot(c, m->place[t].x_spot, m->r + 2.2f, p->second, ES_NO_ID);
        dot(c, m->place[t].x_spot, m->r + 0.6f, p->ground, ES_NO_ID);
    }
    for (int64_t t = m->T; t-- > 0;)
        if (m->place[t].first == t)
            edged(c, m->place[t].spot, m->r + ES_MAP_MARK - 1,
                  es_map_found(v, m->place[t].id) ? p->found : p->strong, p->ground,
                  m->place[t].id);
}

void es_map_draw_marks(es_map *m, es_viewer *v, es_canvas *c)
{
    es_map_mark_torn(m, v, c);
    mark_selected(m, v, c);
    mark_focus(m, v, c);
    mark_sentence(m, v, c);
}
