// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/umap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/crew.h"
#include "base/mem.h"
#include "core/vector.h"

/* Rows between two looks at the watch, and about how many rows' samples are measured. */
enum { SAMPLES = 5, LOOK = 512, MEASURED = 8192 };
static const float EXTENT = 10, JITTER = 1e-4f, CLIP = 4, NOT_BY_ZERO = 1e-3f,
                   LEAST_SQUARE = 1e-12f;
static const float MOST_ENTROPY = 9.2103404f; /* of one sample: -log 1e-4 */

/* Sums over some rows: of the ties, and of the epoch's samples. */
typedef struct sums {
    double pull, weight, push, samples;
} sums;

/* Ties are kept in the order of their rows; both ways of one are two. */
struct es_umap {
    int64_t n;
    int64_t *begin; /* (n + 1) row i's are begin[i]..begin[i + 1) */
    int32_t *to;
    float *rate;   /* how often each is sampled in an epoch, 0..1: its weight over the largest */
    float *at;     /* (n, 2) */
    float *before; /* (n, 2) as they stood when the last step began */
    float a, b;
    uint64_t seed;
    int epochs, done;
    es_crew *crew;
    double entropy;
};

/* ---- what is drawn ---- */

/* Source: the mixing of splitmix64 (Steele, Lea and Flood 2014), of a counter: nothing has to be remembered. */
ES_INLINE uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Whether a tie is sampled in an epoch: so that it is `rate` of the time, evenly. */
ES_INLINE bool is_sampled(float rate, double epoch)
{
    return (int64_t)((epoch + 1) * (double)rate) > (int64_t)(epoch * (double)rate);
}

/* ids[1..SAMPLES] = rows from all n. */
ES_INLINE void draw_samples(int32_t *ids, uint64_t stream, int64_t tie, int64_t n)
{
    uint64_t state = stream + (uint64_t)tie * 0x9E3779B97F4A7C15u, rows = (uint64_t)n, bits = 0;
    for (int s = 0; s < SAMPLES; s++) {
        bits = s % 2 ? bits >> 32 : mixed(state + (uint64_t)s * 0xD1B54A32D192ED03u);
        ids[1 + s] = (int32_t)(((bits & 0xFFFFFFFFu) * rows) >> 32);
    }
}

static uint64_t stream_of(const es_umap *u, int epoch)
{
    return mixed(u->seed * 0x9E3779B97F4A7C15u + 1 + (uint64_t)epoch);
}

/* ---- an epoch ---- */

/* What belongs to one tie that is sampled: a lane for its other row, one for each sample, and the rest lies where the
 * row itself lies, so that no force comes of it. */
typedef struct gathered {
    es_lanes dx, dy, square;
} gathered;

ES_INLINE gathered gather(const float *at, int64_t i, const int32_t *ids)
{
    es_lanes x = {0}, y = {0};
    for (int lane = 0; lane < ES_LANES; lane++) {
        x[lane] = at[2 * (int64_t)ids[lane]];
        y[lane] = at[2 * (int64_t)ids[lane] + 1];
    }
    gathered g = {.dx = at[2 * i] - x, .dy = at[2 * i + 1] - y};
    g.square = es_lanes_max(es_lanes_of(LEAST_SQUARE), g.dx * g.dx + g.dy * g.dy);
    return g;
}

/* a d^2b */
ES_INLINE es_lanes power(const es_umap *u, es_lanes square)
{
    return u->a * es_lanes_exp(u->b * es_lanes_log(square));
}

ES_INLINE es_lanes clipped(es_lanes v)
{
    return -es_lanes_max(-es_lanes_max(v, es_lanes_of(-CLIP)), es_lanes_of(-CLIP));
}

/* One tie pulls both its rows, its samples push the first: against es_umap_pull and es_umap_push, `rate` far, each at
 * most CLIP. */
ES_INLINE void move(es_umap *u, int64_t i, const int32_t *ids, float rate)
{
    const es_lanes not_by_zero = {0,           NOT_BY_ZERO, NOT_BY_ZERO, NOT_BY_ZERO,
                                  NOT_BY_ZERO, NOT_BY_ZERO, NOT_BY_ZERO, NOT_BY_ZERO};
    gathered g = gather(u->at, i, ids);
    es_lanes p = power(u, g.square), top = es_lanes_of(2 * u->b);
    top[0] *= -p[0];
    es_lanes by = top / ((not_by_zero + g.square) * (1 + p));
    es_lanes x = clipped(by * g.dx), y = clipped(by * g.dy);
    float *other = u->at + 2 * (int64_t)ids[0];
    other[0] -= rate * x[0];
    other[1] -= rate * y[0];
    u->at[2 * i] += rate * es_lanes_sum(x);
    u->at[2 * i + 1] += rate * es_lanes_sum(y);
}

ES_INLINE void move_rows_loop(es_umap *u, int64_t first, int64_t end, uint64_t stream)
{
    double epoch = u->done;
    float rate = 1 - (float)u->done / (float)u->epochs;
    for (int64_t i = first; i < end; i++) {
        int32_t self = (int32_t)i, ids[ES_LANES] = {self, self, self, self, self, self, self, self};
        for (int64_t tie = u->begin[i]; tie < u->begin[i + 1]; tie++) {
            if (!is_sampled(u->rate[tie], epoch))
                continue;
            ids[0] = u->to[tie];
            draw_samples(ids, stream, tie, u->n);
            move(u, i, ids, rate);
        }
    }
}

ES_TWO_FORMS(static, move_rows, (es_umap * u, int64_t first, int64_t end, uint64_t stream),
             (u, first, end, stream))

/* ---- what it comes to ---- */

/* -log v of ties, by their weights, a few at a time; each is met both ways, and once is enough. */
ES_INLINE void add_ties(const es_umap *u, int64_t i, sums *s)
{
    int64_t tie = u->begin[i];
    while (tie < u->begin[i + 1] && u->to[tie] < i)
        tie++;
    for (; tie < u->begin[i + 1]; tie += ES_LANES) {
        int n = u->begin[i + 1] - tie < ES_LANES ? (int)(u->begin[i + 1] - tie) : ES_LANES;
        int32_t self = (int32_t)i, ids[ES_LANES] = {self, self, self, self, self, self, self, self};
        memcpy(ids, u->to + tie, (size_t)n * sizeof *ids);
        es_lanes weight = es_lanes_some_at(u->rate + tie, n);
        gathered g = gather(u->before, i, ids);
        s->pull += (double)es_lanes_sum(weight * es_lanes_log(1 + power(u, g.square)));
        s->weight += (double)es_lanes_sum(weight);
    }
}

/* -log(1 - v) of the samples. */
ES_INLINE void add_samples(const es_umap *u, int64_t i, uint64_t stream, sums *s)
{
    int32_t self = (int32_t)i, ids[ES_LANES] = {self, self, self, self, self, self, self, self};
    for (int64_t tie = u->begin[i]; tie < u->begin[i + 1]; tie++) {
        if (!is_sampled(u->rate[tie], u->done))
            continue;
        draw_samples(ids, stream, tie, u->n);
        es_lanes p = power(u, gather(u->before, i, ids).square);
        es_lanes entropy = -es_lanes_max(-es_lanes_log(1 + 1 / p), es_lanes_of(-MOST_ENTROPY));
        for (int lane = 1; lane <= SAMPLES; lane++)
            if (ids[lane] != self) {
                s->push += (double)entropy[lane];
                s->samples++;
            }
    }
}

ES_INLINE void add_rows_loop(const es_umap *u, int64_t first, int64_t end, uint64_t stream, sums *s)
{
    int64_t apart = 1 + u->n / MEASURED;
    for (int64_t i = first; i < end; i++) {
        add_ties(u, i, s);
        if (i % apart == 0)
            add_samples(u, i, stream, s);
    }
}

ES_TWO_FORMS(static, add_rows,
             (const es_umap *u, int64_t first, int64_t end, uint64_t stream, sums *s),
             (u, first, end, stream, s))

/* Per tie: what an average one is, by weight, and what its samples are. */
static double entropy_of(const sums *s)
{
    return (s->weight > 0 ? s->pull / s->weight : 0) +
           (s->samples > 0 ? SAMPLES * s->push / s->samples : 0);
}

/* ---- from the start to the end ---- */

/* Ties that no epoch would sample make room for the next. */
static void keep_sampled(es_umap *u)
{
    float most = 0;
    int64_t ties = u->begin[u->n], kept = 0, from = 0;
    for (int64_t tie = 0; tie < ties; tie++)
        most = fmaxf(most, u->rate[tie]);
    for (int64_t i = 0; i < u->n; i++) {
        int64_t end = u->begin[i + 1];
        for (u->begin[i] = kept; from < end; from++) {
            float rate = u->rate[from] / most;
            if ((double)rate * u->epochs < 1)
                continue;
            u->to[kept] = u->to[from];
            u->rate[kept++] = rate;
        }
    }
    u->begin[u->n] = kept;
}

/* To a largest coordinate of EXTENT; and the least bit from there, for rows that start in one place or on one line would
 * stay on it. */
static void place(es_umap *u, const float *start)
{
    float most = 0;
    for (int64_t c = 0; c < 2 * u->n; c++)
        most = fmaxf(most, fabsf(start[c]));
    uint64_t stream = mixed(u->seed * 0x9E3779B97F4A7C15u);
    for (int64_t c = 0; c < 2 * u->n; c++) {
        uint64_t bits = mixed(stream + (uint64_t)c * 0xD1B54A32D192ED03u);
        float part = (float)(bits >> 40) * 0x1p-23f - 1;
        u->at[c] = (most > 0 ? start[c] / most * EXTENT : 0) + JITTER * part;
    }
}

es_umap *es_umap_new(es_graph *fuzzy, const float *start, int epochs, double min_dist,
                     uint64_t seed, es_error *err)
{
    double a, b;
    es_umap *u = es_alloc(sizeof *u);
    es_umap_curve(min_dist, &a, &b);
    *u = (es_umap){.n = fuzzy->n, .begin = fuzzy->begin, .to = fuzzy->to, .rate = fuzzy->weight};
    *fuzzy = (es_graph){0};
    u->a = (float)a;
    u->b = (float)b;
    u->seed = seed;
    u->epochs = epochs;
    u->entropy = NAN;
    size_t n = (size_t)u->n;
    u->at = es_try_alloc(n, 2 * sizeof *u->at, "the layout", err);
    u->before = u->at ? es_try_alloc(n, 2 * sizeof *u->before, "the layout", err) : NULL;
    if (!u->before) {
        es_umap_free(u);
        return NULL;
    }
    keep_sampled(u);
    place(u, start);
    u->crew = es_crew_new();
    return u;
}

void es_umap_free(es_umap *u)
{
    if (!u)
        return;
    es_crew_free(u->crew);
    free(u->begin);
    free(u->to);
    free(u->rate);
    free(u->at);
    free(u->before);
    free(u);
}

/* An epoch moves the points, and measures how they stood before: two threads can do that, where there are two,
 * and one of them writes. */
typedef struct epoch {
    es_umap *of;
    uint64_t stream;
    es_watch *watch;
    sums sums;
    bool whole[2]; /* a part has not been interrupted */
} epoch;

enum { MOVE, MEASURE };

static void do_part(void *of, int64_t part, void *room)
{
    epoch *e = of;
    es_umap *u = e->of;
    (void)room;
    for (int64_t first = 0; first < u->n; first += LOOK) {
        int64_t end = first + LOOK < u->n ? first + LOOK : u->n;
        if (!es_watch_look(e->watch, NULL))
            return;
        if (part == MOVE)
            move_rows(u, first, end, e->stream);
        else
            add_rows(u, first, end, e->stream, &e->sums);
    }
    e->whole[part] = true;
}

bool es_umap_step(es_umap *u, es_watch *watch, es_error *err)
{
    if (u->done == u->epochs)
        return false;
    epoch e = {.of = u, .stream = stream_of(u, u->done), .watch = watch};
    const es_chunks parts = {2, 0, do_part, u->n <= LOOK};
    size_t size = (size_t)u->n * 2 * sizeof *u->at;
    memcpy(u->before, u->at, size);
    bool ok = es_crew_work(u->crew, &parts, &e, watch, err);
    if (!ok || !e.whole[MOVE] || !e.whole[MEASURE]) {
        memcpy(u->at, u->before, size);
        return ok ? es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C") : es_failed();
    }
    u->entropy = entropy_of(&e.sums);
    u->done++;
    return true;
}

const float *es_umap_at(const es_umap *u)
{
    return u->at;
}

double es_umap_entropy(const es_umap *u)
{
    return u->entropy;
}
