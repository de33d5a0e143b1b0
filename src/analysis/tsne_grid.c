// SPDX-License-Identifier: GPL-3.0-or-later
/* Points are put in the order of the rows of cells they are in.  Rows of cells come in bands; those that a band's splines
 * reach are its own and a few of the next, so that every other band may be worked on at the same time as a first, and
 * what is added where comes in one order. */
#include "analysis/tsne_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tsne_pairs.h"
#include "base/mem.h"

enum {
    FEW = 1024,       /* points that are faster each with each */
    REACH = 4,        /* nodes of a spline */
    LEAST_NODES = 42, /* a side */
    MOST_NODES = 4096,
    BAND = 8,      /* rows of cells */
    POINTS = 1024, /* of a chunk that reads */
    ALONE = 10000  /* points that are on the grid and back before others are awake */
};
static const double SPACING = 0.4; /* the kernels are about 1 wide */

/* So many that as many points as that fill it as t-SNE lays them out, and twice as many across; one far out then makes
 * cells wider, not the grid large. */
static int most_nodes(int64_t n)
{
    double most = 320 + 4 * sqrt((double)n);
    return most < MOST_NODES ? (int)most : MOST_NODES;
}

/* Rows of cells of such a grid, whose side is what transforms have room for, and where they end. */
static int most_rows(int64_t n)
{
    return es_field_nodes(es_field_length(most_nodes(n))) + 1;
}

/* ---- memory ---- */

bool es_tsne_grid_open(es_tsne_grid *g, int64_t n, es_crew *crew, es_error *err)
{
    *g = (es_tsne_grid){.n = n, .field.crew = crew};
    if (n <= FEW)
        return true;
    g->order = es_try_alloc((size_t)n, sizeof *g->order, "the points of a layout", err);
    if (!g->order)
        return false;
    g->begin = es_alloc_array((size_t)most_rows(n), sizeof *g->begin);
    return true;
}

void es_tsne_grid_close(es_tsne_grid *g)
{
    es_field_free(&g->field);
    free(g->order);
    free(g->begin);
    *g = (es_tsne_grid){0};
}

/* ---- where the grid is ---- */

static double span_of(es_tsne_grid *g, const float *at, double middle[2])
{
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < 2 * g->n; i++) {
        low[i % 2] = at[i] < low[i % 2] ? at[i] : low[i % 2];
        high[i % 2] = at[i] > high[i % 2] ? at[i] : high[i % 2];
    }
    for (int axis = 0; axis < 2; axis++)
        middle[axis] = ((double)low[axis] + (double)high[axis]) / 2;
    return fmax((double)high[0] - (double)low[0], (double)high[1] - (double)low[1]);
}

static bool place_grid(es_tsne_grid *g, const float *at, es_watch *watch, es_error *err)
{
    double middle[2], span = g->span = span_of(g, at, middle);
    double wanted = span / SPACING + REACH;
    double most = most_nodes(g->n);
    int nodes = (int)ceil(fmax(LEAST_NODES, fmin(wanted, most))), length = es_field_length(nodes);
    double cells = es_field_nodes(length) - REACH;
    bool fits = wanted >= LEAST_NODES && wanted <= most;
    double spacing = fits ? SPACING : fmax(span / cells, 1e-12);
    if (!es_field_set(&g->field, length, (float)spacing, watch, err))
        return false;
    g->nodes_a_unit = 1 / (double)g->field.spacing;
    for (int axis = 0; axis < 2; axis++)
        g->low[axis] = middle[axis] - (double)g->field.spacing * (cells / 2 + 1);
    return true;
}

/* Along one axis: the first of the nodes whose splines are not 0 there, and these. */
ES_INLINE int64_t spline(float weight[REACH], const es_tsne_grid *g, float at, int axis)
{
    double t = ((double)at - g->low[axis]) * g->nodes_a_unit, last = g->field.nodes - REACH;
    int64_t first = t - 1 > 0 ? (int64_t)fmin(t - 1, last) : 0;
    float f = (float)(t - 1 - (double)first), back = 1 - f;
    weight[0] = back * back * back * (1.0f / 6);
    weight[1] = 2.0f / 3 - f * f * (1 - 0.5f * f);
    weight[2] = 2.0f / 3 - back * back * (1 - 0.5f * back);
    weight[3] = f * f * f * (1.0f / 6);
    return first;
}

/* ---- onto the grid and back ---- */

typedef struct crossing {
    es_tsne_grid *g;
    const float *at;
    float *push;
    int64_t odd; /* bands 0, 2, 4... or 1, 3, 5... */
} crossing;

static int64_t row_of(const es_tsne_grid *g, const float *at, int64_t i)
{
    float unused[REACH];
    return spline(unused, g, at[2 * i + 1], 1);
}

/* By counting, so that points of a row stay in their own order. */
static void order_points(es_tsne_grid *g, const float *at)
{
    int64_t rows = g->field.nodes, *next = g->begin;
    memset(next, 0, (size_t)(rows + 1) * sizeof *next);
    for (int64_t i = 0; i < g->n; i++)
        next[row_of(g, at, i) + 1]++;
    for (int64_t r = 0; r < rows; r++)
        next[r + 1] += next[r];
    for (int64_t i = 0; i < g->n; i++)
        g->order[next[row_of(g, at, i)]++] = (int32_t)i;
    memmove(next + 1, next, (size_t)rows * sizeof *next);
    next[0] = 0;
}

typedef float four __attribute__((vector_size(REACH * sizeof(float))));

static void spread_band(void *of, int64_t chunk, void *room)
{
    const crossing *c = of;
    es_tsne_grid *g = c->g;
    int64_t first = (2 * chunk + c->odd) * BAND, end = first + BAND, width = g->field.width;
    (void)room;
    first = first < g->field.nodes ? first : g->field.nodes;
    end = end < g->field.nodes ? end : g->field.nodes;
    for (int64_t o = g->begin[first]; o < g->begin[end]; o++) {
        const float *at = c->at + 2 * (int64_t)g->order[o];
        float along[REACH], across[REACH];
        int64_t column = spline(along, g, at[0], 0), row = spline(across, g, at[1], 1);
        float *to = g->field.charge + row * width + column;
        four weight, sum;
        memcpy(&weight, along, sizeof weight);
        for (int r = 0; r < REACH; r++, to += width) {
            memcpy(&sum, to, sizeof sum);
            sum += weight * across[r];
            memcpy(to, &sum, sizeof sum);
        }
    }
}

static void read_points(void *of, int64_t chunk, void *room)
{
    const crossing *c = of;
    const es_tsne_grid *g = c->g;
    int64_t end = (chunk + 1) * POINTS, width = g->field.width;
    (void)room;
    for (int64_t o = chunk * POINTS; o < end && o < g->n; o++) {
        int64_t i = g->order[o];
        float along[REACH], across[REACH];
        int64_t column = spline(along, g, c->at[2 * i], 0);
        int64_t row = spline(across, g, c->at[2 * i + 1], 1);
        const float *from = g->field.push + 2 * (row * width + column);
        float x = 0, y = 0;
        for (int r = 0; r < REACH; r++, from += 2 * width)
            for (int k = 0; k < REACH; k++) {
                x += across[r] * along[k] * from[2 * k];
                y += across[r] * along[k] * from[2 * k + 1];
            }
        c->push[2 * i] = x;
        c->push[2 * i + 1] = y;
    }
}

static bool cross(crossing *c, double *sum, es_watch *watch, es_error *err)
{
    es_field *f = &c->g->field;
    bool alone = c->g->n < ALONE;
    const es_chunks bands = {f->nodes / (2 * BAND) + 1, 0, spread_band, alone};
    const es_chunks points = {c->g->n / POINTS + 1, 0, read_points, alone};
    order_points(c->g, c->at);
    memset(f->charge, 0, (size_t)f->width * (size_t)f->width * sizeof *f->charge);
    for (c->odd = 0; c->odd < 2; c->odd++)
        if (!es_crew_work(f->crew, &bands, c, watch, err))
            return false;
    if (!es_field_solve(f, sum, watch, err) || !es_crew_work(f->crew, &points, c, watch, err))
        return false;
    double n = (double)c->g->n, span = c->g->span;
    *sum = fmax(*sum - n * f->self, n * (n - 1) / (1 + 2 * span * span));
    return true;
}

bool es_tsne_push(es_tsne_grid *g, float *push, double *sum, const float *at, es_watch *watch,
                  es_error *err)
{
    if (g->n <= FEW)
        return es_tsne_push_pairs(push, sum, at, g->n, g->field.crew, watch, err);
    return place_grid(g, at, watch, err) && cross(&(crossing){g, at, push, 0}, sum, watch, err);
}
