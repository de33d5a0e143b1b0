// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/knn_select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/vector.h"
#include "layer/near_exact.h"

enum { SPARE = 32, CACHE_LINE = 64, AHEAD = 4 };

static int64_t room_for(int64_t n, int64_t k)
{
    return k < (n - SPARE) / 2 ? 2 * k + SPARE : n;
}

double es_candidates_bytes(int64_t n, int64_t k)
{
    int64_t place = (int64_t)(sizeof(es_standing) + sizeof(float));
    return (double)n * (double)(room_for(n, k) * (int64_t)sizeof(uint64_t) + place);
}

bool es_candidates_open(es_candidates *c, const es_pointing *rows, int64_t k, es_error *err)
{
    size_t n = (size_t)rows->n;
    *c = (es_candidates){.rows = rows, .k = k, .room = room_for(rows->n, k)};
    c->slack = es_float_slack(rows->C, 1);
    c->of = es_try_alloc(n * (size_t)c->room, sizeof *c->of, "the candidates", err);
    c->standing = c->of ? es_try_alloc(n, sizeof *c->standing, "the candidates", err) : NULL;
    c->low = c->standing ? es_try_alloc(n, sizeof *c->low, "the candidates", err) : NULL;
    for (size_t i = 0; c->low && i < n; i++) {
        c->standing[i] = (es_standing){.floor = -INFINITY};
        c->low[i] = -INFINITY;
    }
    return c->low != NULL;
}

void es_candidates_close(es_candidates *c)
{
    free(c->of);
    free(c->standing);
    free(c->low);
    *c = (es_candidates){0};
}

es_scored *es_candidates_desk(const es_candidates *c, es_error *err)
{
    return es_try_alloc((size_t)c->room, sizeof(es_scored), "the candidates", err);
}

/* ---- a product and a place in one number ---- */

/* As whole numbers these are in the order of the floats. */
static uint32_t bits_in_order(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static float product_of(uint64_t packed)
{
    uint32_t bits = (uint32_t)(packed >> 32);
    float x;
    bits = bits >> 31 ? bits & 0x7fffffffu : ~bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int32_t place_of(uint64_t packed)
{
    return (int32_t) ~(uint32_t)packed;
}

static uint64_t pack(float product, int64_t place)
{
    return (uint64_t)bits_in_order(product) << 32 | (uint32_t) ~(uint32_t)place;
}

/* ---- exactly ---- */

/* The beginning of a row that is soon to be read: its end follows by itself. */
ES_INLINE void ask_for(const float *row, int64_t C)
{
    enum { FIRST = 256 };
    for (int64_t c = 0; c < C && c < FIRST; c += CACHE_LINE / (int64_t)sizeof *row)
        __builtin_prefetch(row + c);
}

ES_INLINE void measure_loop(es_scored *out, const es_pointing *r, int64_t i, const uint64_t *of,
                            int64_t n)
{
    const float *q = r->rows + r->id[i] * r->C;
    for (int64_t k = 0; k < n; k++) {
        int32_t place = place_of(of[k]);
        ask_for(r->rows + r->id[place_of(of[k + AHEAD < n ? k + AHEAD : k])] * r->C, r->C);
        double product = es_exact_product(r->rows + r->id[place] * r->C, q, r->C);
        double cosine = es_exact_cosine(product, r->own_length[i], r->square[place]);
        out[k] = (es_scored){cosine, place, product_of(of[k])};
    }
}

ES_TWO_FORMS(static, measure,
             (es_scored * out, const es_pointing *r, int64_t i, const uint64_t *of, int64_t n),
             (out, r, i, of, n))

static bool is_nearer(double cosine, int32_t place, double than, int32_t than_place)
{
    return cosine > than || (cosine == than && place < than_place);
}

static int nearest_first(const void *a, const void *b)
{
    const es_scored *x = a, *y = b;
    return is_nearer(x->cosine, x->place, y->cosine, y->place) ? -1 : 1;
}

/* ---- who can still win ---- */

/* At most x, for all that rounding does. */
static float float_below(double x)
{
    return nextafterf((float)x, -INFINITY);
}

/* The k-th largest of n different numbers, which change their order.  Moves without branches: which way a number
 * goes is a coin's throw. */
static uint64_t kth_largest(uint64_t *of, int64_t n, int64_t k)
{
    for (;;) {
        uint64_t a = of[0], b = of[n / 2], c = of[n - 1];
        uint64_t low = a < b ? a : b, high = a < b ? b : a,
                 pivot = c < low    ? low
                         : c > high ? high
                                    : c;
        int64_t larger = 0;
        for (int64_t i = 0; i < n; i++) {
            uint64_t x = of[i];
            of[i] = of[larger];
            of[larger] = x;
            larger += x > pivot;
        }
        if (larger == k - 1)
            return pivot;
        if (larger >= k) {
            n = larger;
        } else {
            of += larger;
            n -= larger;
            k -= larger;
        }
    }
}

/* Those whose product is not below: how many. */
static int64_t keep_from(uint64_t *of, int64_t n, float low)
{
    uint64_t least = (uint64_t)bits_in_order(low) << 32;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        of[kept] = of[i];
        kept += of[i] >= least;
    }
    return kept;
}

/* k of n, by float64. */
static void keep_exactly(es_candidates *c, es_scored *desk, int64_t i, uint64_t *of, int64_t n)
{
    measure(desk, c->rows, i, of, n);
    qsort(desk, (size_t)n, sizeof *desk, nearest_first);
    for (int64_t k = 0; k < c->k; k++)
        of[k] = pack(desk[k].product, desk[k].place);
    const es_scored *last = &desk[c->k - 1];
    c->standing[i].floor = last->cosine;
    c->standing[i].floor_place = last->place;
    float low = float_below(last->cosine - c->slack);
    c->low[i] = low > c->low[i] ? low : c->low[i];
}

/* The room of place i has ended: of its candidates stay those that can be among the k best of all so far, and there is
 * room again. */
static void make_room(es_candidates *c, es_scored *desk, int64_t i)
{
    uint64_t *of = c->of + i * c->room;
    float kth = product_of(kth_largest(of, c->room, c->k));
    float low = float_below((double)kth - 2 * c->slack);
    c->low[i] = low > c->low[i] ? low : c->low[i];
    int64_t kept = keep_from(of, c->room, low);
    if (kept > (c->k + c->room) / 2) {
        keep_exactly(c, desk, i, of, kept);
        kept = c->k;
    }
    c->standing[i].count = (int32_t)kept;
}

/* Nobody is let in by a product where products cannot tell.  A twin of the last one in needs no look: he comes later. */
static bool is_refused(const es_candidates *c, int64_t i, uint64_t packed)
{
    const es_standing *at = &c->standing[i];
    const int32_t *twin = c->rows->twin;
    es_scored next;
    if (at->floor == -INFINITY)
        return false;
    int32_t place = place_of(packed);
    if (place > at->floor_place && twin[place] == twin[at->floor_place])
        return true;
    measure(&next, c->rows, i, &packed, 1);
    return !is_nearer(next.cosine, next.place, at->floor, at->floor_place);
}

void es_candidates_expect(const es_candidates *c, int64_t first, int64_t n)
{
    for (int64_t i = first; i < first + n; i++) {
        const uint64_t *next = c->of + i * c->room + c->standing[i].count;
        __builtin_prefetch(next, 1);
        __builtin_prefetch(next + CACHE_LINE / sizeof *next, 1);
    }
}

void es_candidates_offer(es_candidates *c, es_scored *desk, int64_t i, int64_t other, float product)
{
    uint64_t packed = pack(product, other);
    if (is_refused(c, i, packed))
        return;
    int32_t n = ++c->standing[i].count;
    c->of[i * c->room + n - 1] = packed;
    if (n == c->room && c->room < c->rows->n)
        make_room(c, desk, i);
}

void es_candidates_best(const es_candidates *c, es_scored *desk, int64_t i, int32_t *id,
                        float *cosine)
{
    uint64_t *of = c->of + i * c->room;
    int64_t n = c->standing[i].count;
    if (n > c->k) {
        float kth = product_of(kth_largest(of, n, c->k));
        n = keep_from(of, n, float_below((double)kth - 2 * c->slack));
    }
    measure(desk, c->rows, i, of, n);
    qsort(desk, (size_t)n, sizeof *desk, nearest_first);
    for (int64_t k = 0; k < c->k; k++) {
        id[k] = k < n ? c->rows->id[desk[k].place] : -1;
        cosine[k] = k < n ? (float)desk[k].cosine : 0;
    }
}
