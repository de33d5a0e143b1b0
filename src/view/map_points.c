// SPDX-License-Identifier: GPL-3.0-or-later
/* Every row of wte as a point. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "view/map.h"

enum { BUCKETS = 64 };   /* of depth: what is nearer is drawn later */
#define CELL        8.0f /* pixels a side, in which points are counted */
#define MOST_SOLID  0.9f /* opacity of a point by itself, and at least */
#define LEAST_SOLID 0.1f
#define TONE        0.7f  /* the power of how many lie on each other by which each is fainter */
#define FADED       0.18f /* of what :find has not found */
#define NEARBY      8.0f  /* pixels outside of the area from where a point may reach in */

/* ---- crowds ---- */

static int cell(float x, float from, int n)
{
    float at = (x - from) / CELL;
    return at > 0 ? at < (float)(n - 1) ? (int)at : n - 1 : 0;
}

size_t es_map_cell(const es_map *m, es_spot s)
{
    return (size_t)(cell(s.y, m->crowds.y, m->lines) * m->columns +
                    cell(s.x, m->crowds.x, m->columns));
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
static float opacity(float n, float r)
{
    float covered = n * (float)M_PI * r * r / (CELL * CELL);
    return covered <= 1 ? MOST_SOLID : fmaxf(LEAST_SOLID, MOST_SOLID * powf(covered, -TONE));
}

static void weigh_crowds(es_map *m)
{
    size_t n = lay_cells(m);
    for (int64_t i = 0; i < m->n; i++)
        if (es_box_has(m->area, m->spot[i].x, m->spot[i].y))
            m->crowd[es_map_cell(m, m->spot[i])]++;
    for (size_t i = 0; i < n; i++)
        m->crowd[i] = opacity(m->crowd[i], m->r);
}

/* ---- points ---- */

/* In space what is far away is smaller and fainter. */
static es_disc disc_of(const es_map *m, int32_t id)
{
    es_spot s = m->spot[id];
    float r = m->r, shown = m->crowd[es_map_cell(m, s)];
    if (m->d == 3) {
        float near = fmaxf(0, fminf(1, 0.5f + 0.5f * m->depth[id]));
        r *= 0.75f + 0.5f * near;
        shown *= 0.55f + 0.45f * near;
    }
    if (m->any_lit)
        shown *= FADED;
    return (es_disc){s.x, s.y, r, es_fade(m->colour[id], shown), id};
}

static bool reaches(es_box a, es_spot s)
{
    return s.x >= a.x && s.y >= a.y && s.x <= a.x + a.w && s.y <= a.y + a.h;
}

/* Those in the area, the most important last. */
static size_t gather(es_map *m)
{
    const es_box a = es_box_inset(m->area, -NEARBY);
    size_t n = 0;
    for (int64_t i = m->n; i-- > 0;)
        if (reaches(a, m->spot[m->rank[i]]))
            m->disc[n++] = disc_of(m, m->rank[i]);
    return n;
}

static int bucket(float depth)
{
    return (int)fmaxf(0, fminf(BUCKETS - 1, (depth + 1) * BUCKETS / 2));
}

/* The same, the farthest first. */
static size_t gather_by_depth(es_map *m)
{
    const es_box a = es_box_inset(m->area, -NEARBY);
    size_t at[BUCKETS + 1] = {0};
    for (int64_t i = 0; i < m->n; i++)
        at[1 + bucket(m->depth[i])] += reaches(a, m->spot[i]);
    for (int b = 0; b < BUCKETS; b++)
        at[b + 1] += at[b];
    for (int64_t i = m->n; i-- > 0;) {
        int32_t id = m->rank[i];
        if (reaches(a, m->spot[id]))
            m->disc[at[bucket(m->depth[id])]++] = disc_of(m, id);
    }
    return at[BUCKETS];
}

static void light_up(es_map *m, es_canvas *c, const int32_t *found, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k < (size_t)m->n; i++)
        if (found[i] >= 0 && found[i] < m->n)
            m->disc[k++] = (es_disc){m->spot[found[i]].x, m->spot[found[i]].y, m->r + 1.5f,
                                     m->palette->found, found[i]};
    es_canvas_discs(c, m->disc, k);
}

void es_map_draw_points(es_map *m, es_viewer *v, es_canvas *c)
{
    size_t n;
    const int32_t *found = es_session_found(v->session, &n);
    m->any_lit = n > 0;
    weigh_crowds(m);
    es_canvas_discs(c, m->disc, m->d == 3 ? gather_by_depth(m) : gather(m));
    light_up(m, c, found, n);
}
