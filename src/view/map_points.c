// SPDX-License-Identifier: GPL-3.0-or-later
/* Every row of wte as a point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/map.h"

enum {
    BUCKETS = 64, /* of depth: what is nearer is drawn later */
    FEW = 64,     /* points in a cell */
    MANY = 1000   /* found tokens */
};
#define CELL         8.0f /* pixels a side, in which points are counted */
#define MOST_SOLID   0.9f /* opacity of a point by itself, and at least */
#define LEAST_SOLID  0.1f
#define TONE         0.7f  /* the power of how many lie on each other by which each is fainter */
#define LEAST_LIT    0.25f /* of many that were found, or are shown alone */
#define LEAST_VALUED 2.4f  /* pixels, the radius of one of few with a value */
#define FADED        0.18f /* of what :find has not found, and of what stands aside */

/* ---- crowds ---- */

static int along(float x, float from, int n)
{
    float at = (x - from) / CELL;
    return at > 0 ? at < (float)(n - 1) ? (int)at : n - 1 : 0;
}

int es_map_cell(const es_map *m, es_spot s)
{
    return along(s.y, m->crowds.y, m->lines) * m->columns + along(s.x, m->crowds.x, m->columns);
}

/* Cells over the area and a little more, at rest among the points: nothing shimmers when they move. */
static size_t lay_cells(es_map *m)
{
    const es_box a = m->area;
    m->crowds.x = a.x - CELL + fmodf(m->lens.x0 - a.x, CELL);
    m->crowds.y = a.y - CELL + fmodf(m->lens.y0 - a.y, CELL);
    m->columns = (int)(a.w / CELL) + 3;
    m->lines = (int)(a.h / CELL) + 3;
    size_t n = (size_t)m->columns * (size_t)m->lines;
    if (n > m->n_cells) {
        m->crowd = es_realloc(m->crowd, n * sizeof *m->crowd);
        m->asked = es_realloc(m->asked, n);
        m->n_cells = n;
    }
    memset(m->crowd, 0, n * sizeof *m->crowd);
    memset(m->asked, 0, n);
    return n;
}

/* The more lie on each other, the fainter is each: so one sees where there are many. */
static float opacity(const es_map *m, float n)
{
    float covered = n * (float)M_PI * m->r * m->r / (CELL * CELL);
    float shown = covered <= 1 ? MOST_SOLID : fmaxf(LEAST_SOLID, MOST_SOLID * powf(covered, -TONE));
    return m->any_lit && !m->isolates ? FADED * shown : shown;
}

/* Most cells have few points: for these it is worked out once. */
static void fade_crowds(es_map *m, size_t cells)
{
    float of[FEW];
    for (int n = 0; n < FEW; n++)
        of[n] = opacity(m, (float)n);
    for (size_t i = 0; i < cells; i++)
        m->crowd[i] = m->crowd[i] < FEW ? of[(int)m->crowd[i]] : opacity(m, m->crowd[i]);
}

/* How many lie where, of those in the area. */
static void count_crowds(es_map *m)
{
    size_t cells = lay_cells(m);
    const float right = m->area.x + m->area.w, bottom = m->area.y + m->area.h;
    for (es_map_seen *s = m->seen; s < m->seen + m->n_seen; s++) {
        bool in = s->spot.x >= m->area.x && s->spot.y >= m->area.y && s->spot.x < right &&
                  s->spot.y < bottom;
        s->cell = es_map_cell(m, s->spot);
        m->crowd[s->cell] += in ? 1 : 0;
    }
    fade_crowds(m, cells);
}

/* ---- points ---- */

static int bucket(float depth)
{
    float at = (depth + 1) * BUCKETS / 2;
    return at > 0 ? at < BUCKETS - 1 ? (int)at : BUCKETS - 1 : 0;
}

/* In space what is far away is smaller and fainter, all that is in a bucket equally. */
static es_disc disc_of(const es_map *m, const es_map_seen *s)
{
    float r = m->r, shown = m->crowd[s->cell] * (m->aside[s->id] ? FADED : 1);
    if (m->d == 3) {
        float near = ((float)bucket(s->depth) + 0.5f) / BUCKETS;
        r *= 0.75f + 0.5f * near;
        shown *= 0.55f + 0.45f * near;
    }
    return (es_disc){s->spot.x, s->spot.y, r, es_fade(m->colour[s->id], shown), s->id};
}

/* The most important last. */
static void gather(es_map *m)
{
    const es_map_seen *s = m->seen + m->n_seen;
    for (size_t n = 0; n < m->n_seen; n++)
        m->disc[n] = disc_of(m, --s);
}

static bool has_value(const es_map *m, const es_viewer *v, const es_map_seen *s)
{
    return es_meta_has(v->meta, m->colouring.column, s->id);
}

/* Few are not lost in the crowd of those without a value. */
static es_disc valued_disc(const es_map *m, const es_map_seen *s, bool few)
{
    es_disc disc = disc_of(m, s);
    if (few) {
        disc.r = fmaxf(disc.r, LEAST_VALUED);
        disc.colour = es_fade(m->colour[s->id], m->aside[s->id] ? FADED : MOST_SOLID);
    }
    return disc;
}

/* Those with a value in one's own table over those without. */
static void gather_by_value(es_map *m, const es_viewer *v)
{
    size_t n = 0, valued = 0;
    for (const es_map_seen *s = m->seen + m->n_seen; s-- > m->seen;)
        if (has_value(m, v, s))
            valued++;
        else
            m->disc[n++] = disc_of(m, s);
    for (const es_map_seen *s = m->seen + m->n_seen; s-- > m->seen;)
        if (has_value(m, v, s))
            m->disc[n++] = valued_disc(m, s, valued <= MANY);
}

/* The same, the farthest first. */
static void gather_by_depth(es_map *m)
{
    size_t at[BUCKETS + 1] = {0};
    for (size_t k = 0; k < m->n_seen; k++)
        at[1 + bucket(m->seen[k].depth)]++;
    for (int b = 0; b < BUCKETS; b++)
        at[b + 1] += at[b];
    for (size_t k = m->n_seen; k-- > 0;)
        m->disc[at[bucket(m->seen[k].depth)]++] = disc_of(m, &m->seen[k]);
}

static int by_id(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

bool es_map_found(const es_viewer *v, int32_t id)
{
    size_t n;
    const int32_t *found = es_session_found(v->session, &n);
    return n && bsearch(&id, found, n, sizeof *found, by_id);
}

/* How solid one of those is that stand out. */
static float lit(const es_map *m, es_spot s, bool many)
{
    bool crowded = many && es_box_has(m->area, s.x, s.y);
    return crowded ? fmaxf(LEAST_LIT, m->crowd[es_map_cell(m, s)]) : 1;
}

/* A few are larger than the others; many are no larger, and fainter where they crowd, or they would be one blot. */
static void light_up(es_map *m, es_canvas *c, const int32_t *found, size_t n)
{
    size_t k = 0;
    bool many = n > MANY;
    for (size_t i = 0; i < n && k < (size_t)m->n; i++) {
        if (found[i] < 0 || found[i] >= m->n)
            continue;
        es_spot s = m->spot[found[i]];
        float shown = lit(m, s, many);
        m->disc[k++] = (es_disc){s.x, s.y, m->r + (many ? 0 : 1.5f),
                                 es_fade(m->palette->found, shown), found[i]};
    }
    es_canvas_discs(c, m->disc, k);
}

/* What is selected once more, over others that are faded. */
static void put_on_top(es_map *m, const es_viewer *v, es_canvas *c)
{
    size_t k = 0, n = v->selected.n;
    for (size_t i = 0; i < n && !m->hides && v->selected.of[i] < m->n; i++) {
        int32_t id = v->selected.of[i];
        es_spot s = m->spot[id];
        m->disc[k++] = (es_disc){s.x, s.y, m->r + (n > MANY ? 0 : 1),
                                 es_fade(m->colour[id], lit(m, s, n > MANY)), id};
    }
    es_canvas_discs(c, m->disc, k);
}

void es_map_draw_points(es_map *m, es_viewer *v, es_canvas *c)
{
    size_t n;
    const int32_t *found = es_session_found(v->session, &n);
    m->any_lit = n > 0;
    count_crowds(m);
    if (m->d == 3)
        gather_by_depth(m);
    else if (m->colouring.column >= 0)
        gather_by_value(m, v);
    else
        gather(m);
    es_canvas_discs(c, m->disc, m->n_seen);
    if (m->isolates)
        put_on_top(m, v, c);
    light_up(m, c, found, n);
}
