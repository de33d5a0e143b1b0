// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/labels.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/vector.h"

enum { CELL = 4, WORD = 64, WIDEST = 1 << 17 };

/* Where a label is: on one of the sides or at a corner, and further away by so many steps. */
enum { SIDES = 4, CORNERS = 8, MOST_STEPS = 24 };
static const es_spot direction[CORNERS] = {{1, 0},  {-1, 0},  {0, -1}, {0, 1},
                                           {1, -1}, {-1, -1}, {1, 1},  {-1, 1}};
#define STEP 0.8f /* of its height */

/* Who was shown where: open addressing, at least half of it empty. */
typedef struct memory {
    int32_t *id;
    uint8_t *where; /* 1 + where; 0: empty */
    size_t size;    /* a power of two, or 0 */
} memory;

struct es_labels {
    memory last;
    uint64_t *taken; /* a bit a cell of CELL by CELL, rows of whole words */
    size_t cap;      /* words there is room for */
    int columns, lines, words;
    es_box *block;
    size_t n_blocks, blocks_cap;
};

es_labels *es_labels_new(void)
{
    return es_alloc(sizeof(es_labels));
}

void es_labels_forget(es_labels *l)
{
    free(l->last.id);
    free(l->last.where);
    l->last = (memory){0};
}

void es_labels_free(es_labels *l)
{
    if (!l)
        return;
    es_labels_forget(l);
    free(l->taken);
    free(l->block);
    free(l);
}

void es_labels_block(es_labels *l, es_box box)
{
    if (l->n_blocks == l->blocks_cap) {
        l->blocks_cap = 2 * l->blocks_cap + 8;
        l->block = es_realloc(l->block, l->blocks_cap * sizeof *l->block);
    }
    l->block[l->n_blocks++] = box;
}

/* ---- memory ---- */

static size_t slot(const memory *m, int32_t id)
{
    size_t at = (uint32_t)id * 2654435769u & (m->size - 1);
    while (m->where[at] && m->id[at] != id)
        at = (at + 1) & (m->size - 1);
    return at;
}

/* 1 + where, or 0: it was not shown. */
static int recall(const memory *m, int32_t id)
{
    return m->size ? m->where[slot(m, id)] : 0;
}

static void make_room(memory *m, size_t n)
{
    size_t size = 16;
    while (size < 2 * n)
        size *= 2;
    if (size > m->size) {
        m->id = es_realloc(m->id, size * sizeof *m->id);
        m->where = es_realloc(m->where, size);
        m->size = size;
    }
    memset(m->where, 0, m->size);
}

/* ---- the grid ---- */

/* Cells from x0, y0 and up to x1, y1. */
typedef struct cells {
    int x0, x1, y0, y1;
} cells;

/* Whole cells before x pixels, and cells that x pixels reach into; none is below 0 or beyond n. */
ES_INLINE int before(float x, int n)
{
    return x > 0 ? x < (float)n * CELL ? (int)(x / CELL) : n : 0;
}

ES_INLINE int up_to(float x, int n)
{
    int whole = before(x, n);
    return whole < n && (float)whole * CELL < x ? whole + 1 : whole;
}

/* Those that a box touches. */
ES_INLINE cells cells_of(const es_labels *l, es_box area, es_box b)
{
    float x = b.x - area.x, y = b.y - area.y;
    return (cells){before(x, l->columns), up_to(x + b.w, l->columns), before(y, l->lines),
                   up_to(y + b.h, l->lines)};
}

ES_INLINE bool inside(es_box area, es_box b)
{
    return b.x >= area.x && b.y >= area.y && b.x + b.w <= area.x + area.w &&
           b.y + b.h <= area.y + area.h;
}

/* The bits of word w that belong to columns x0..x1. */
ES_INLINE uint64_t bits(const cells *c, int w)
{
    int from = c->x0 - w * WORD, to = c->x1 - w * WORD;
    uint64_t mask = to >= WORD ? ~0ull : (1ull << to) - 1;
    return from > 0 ? mask & ~((1ull << from) - 1) : mask;
}

ES_INLINE bool is_free(const es_labels *l, const cells *c)
{
    uint64_t taken = 0;
    for (int w = c->x0 / WORD; w <= (c->x1 - 1) / WORD && !taken; w++) {
        const uint64_t *row = l->taken + c->y0 * l->words + w;
        for (int y = c->y0; y < c->y1; y++, row += l->words)
            taken |= *row;
        taken &= bits(c, w);
    }
    return !taken;
}

static void take(es_labels *l, const cells *c)
{
    for (int w = c->x0 / WORD; w <= (c->x1 - 1) / WORD; w++) {
        uint64_t mask = bits(c, w);
        for (int y = c->y0; y < c->y1; y++)
            l->taken[y * l->words + w] |= mask;
    }
}

/* false: there is no area to speak of. */
static bool clear_grid(es_labels *l, es_box area)
{
    if (!(area.w >= 1 && area.h >= 1 && area.w < WIDEST && area.h < WIDEST))
        return false;
    l->columns = (int)ceilf(area.w / CELL);
    l->lines = (int)ceilf(area.h / CELL);
    l->words = (l->columns + WORD - 1) / WORD;
    size_t n = (size_t)l->words * (size_t)l->lines;
    if (n > l->cap) {
        l->taken = es_realloc(l->taken, n * sizeof *l->taken);
        l->cap = n;
    }
    memset(l->taken, 0, n * sizeof *l->taken);
    return true;
}

static void take_blocks(es_labels *l, es_box area)
{
    for (size_t i = 0; i < l->n_blocks; i++) {
        cells c = cells_of(l, area, l->block[i]);
        if (c.x0 < c.x1 && c.y0 < c.y1)
            take(l, &c);
    }
}

/* ---- placing ---- */

typedef struct placing {
    es_labels *labels;
    es_box area;
    const es_wish *wish;
    size_t most;
    es_placed *out;
    uint8_t *where; /* of each that is placed */
    size_t n;
} placing;

ES_INLINE es_box box_at(const es_wish *w, int where)
{
    es_spot d = direction[where % CORNERS];
    int ring = where / CORNERS;
    float far = w->clear + STEP * w->h * (float)ring;
    return (es_box){w->at.x - w->w / 2 + d.x * (far + w->w / 2),
                    w->at.y - w->h / 2 + d.y * (far + w->h / 2), w->w, w->h};
}

static bool visible(es_box area, es_spot at)
{
    return at.x >= area.x && at.y >= area.y && at.x <= area.x + area.w && at.y <= area.y + area.h;
}

static bool apart(es_box a, es_box b)
{
    return a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;
}

/* Cells are coarse: two labels side by side may come to share one as they move together. */
static bool fits_exactly(const placing *p, es_box box)
{
    for (size_t i = 0; i < p->n; i++)
        if (!apart(p->out[i].box, box))
            return false;
    for (size_t i = 0; i < p->labels->n_blocks; i++)
        if (!apart(p->labels->block[i], box))
            return false;
    return true;
}

ES_INLINE bool put(placing *p, size_t i, int where, bool stays)
{
    es_box box = box_at(&p->wish[i], where);
    if (!inside(p->area, box))
        return false;
    cells c = cells_of(p->labels, p->area, box);
    if (!is_free(p->labels, &c) && !(stays && fits_exactly(p, box)))
        return false;
    take(p->labels, &c);
    p->out[p->n] = (es_placed){i, box};
    p->where[p->n++] = (uint8_t)where;
    return true;
}

/* How many places there are to try. */
static int places_of(const es_wish *w)
{
    float steps = 1 + w->reach / (STEP * w->h);
    return w->reach > 0 ? CORNERS * (int)fminf(steps, MOST_STEPS) : SIDES;
}

/* Where it was (was: 1 + where), else at the first place with room for it. */
static void place(placing *p, size_t i, int was)
{
    const es_wish *w = &p->wish[i];
    int places = places_of(w);
    if (p->n == p->most || !(w->w > 0 && w->h > 0) || !visible(p->area, w->at))
        return;
    if (was && put(p, i, was - 1, true))
        return;
    for (int where = 0; where < places; where++)
        if (put(p, i, where, false))
            return;
}

static void place_all(placing *p, size_t n, size_t must)
{
    const memory *last = &p->labels->last;
    for (size_t i = 0; i < must; i++)
        place(p, i, recall(last, p->wish[i].id));
    for (size_t i = must; last->size && i < n && p->n < p->most; i++) {
        int was = recall(last, p->wish[i].id);
        if (was)
            place(p, i, was);
    }
    for (size_t i = must; i < n && p->n < p->most; i++)
        if (!recall(last, p->wish[i].id))
            place(p, i, 0);
}

static void remember(es_labels *l, const placing *p)
{
    make_room(&l->last, p->n);
    for (size_t i = 0; i < p->n; i++) {
        int32_t id = p->wish[p->out[i].wish].id;
        size_t at = slot(&l->last, id);
        l->last.id[at] = id;
        l->last.where[at] = (uint8_t)(1 + p->where[i]);
    }
}

size_t es_labels_place(es_labels *l, es_box area, const es_wish *wish, size_t n, size_t must,
                       size_t most, es_placed *out)
{
    placing p = {l, area, wish, most < n ? most : n, out, NULL, 0};
    if (clear_grid(l, area)) {
        p.where = es_alloc(p.most ? p.most : 1);
        take_blocks(l, area);
        place_all(&p, n, must < n ? must : n);
        remember(l, &p);
        free(p.where);
    }
    l->n_blocks = 0;
    return p.n;
}

bool es_labels_lead(const es_wish *wish, es_box label, es_spot *to)
{
    const es_spot at = wish->at;
    *to = (es_spot){fmaxf(label.x, fminf(label.x + label.w, at.x)),
                    fmaxf(label.y, fminf(label.y + label.h, at.y))};
    return hypotf(to->x - at.x, to->y - at.y) > 1.5f * wish->clear;
}
