// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/tsne_ties.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/vector.h"

enum {
    ROWS = 256,   /* of a chunk */
    ALONE = 20000 /* eights that are pulled before others are awake */
};

static int64_t chunks_of(const es_tsne_ties *t)
{
    return t->n / ROWS + 1;
}

/* ---- P in eights ---- */

void es_tsne_ties_close(es_tsne_ties *t)
{
    free(t->begin);
    free(t->eight);
    free(t->sums);
    *t = (es_tsne_ties){0};
}

static void fill_row(es_tsne_ties *t, const es_graph *P, int64_t i)
{
    es_tsne_eight *eight = t->eight + t->begin[i];
    int64_t ties = P->begin[i + 1] - P->begin[i];
    for (int64_t a = 0; a < (t->begin[i + 1] - t->begin[i]) * ES_LANES; a++) {
        bool there = a < ties;
        float p = there ? P->weight[P->begin[i] + a] : 0;
        eight[a / ES_LANES].to[a % ES_LANES] = there ? P->to[P->begin[i] + a] : (int32_t)i;
        eight[a / ES_LANES].p[a % ES_LANES] = p;
        t->p += (double)p;
        t->p_log_p += there ? (double)p * log((double)p) : 0;
    }
}

bool es_tsne_ties_open(es_tsne_ties *t, const es_graph *P, es_crew *crew, es_error *err)
{
    static const char what[] = "the ties of a layout";
    *t = (es_tsne_ties){.crew = crew, .n = P->n};
    t->begin = es_try_alloc((size_t)P->n + 1, sizeof *t->begin, what, err);
    if (!t->begin)
        return false;
    t->begin[0] = 0;
    for (int64_t i = 0; i < P->n; i++)
        t->begin[i + 1] = t->begin[i] + (P->begin[i + 1] - P->begin[i] + ES_LANES - 1) / ES_LANES;
    t->eight = es_try_alloc((size_t)t->begin[P->n] + 1, sizeof *t->eight, what, err);
    t->sums = t->eight ? es_try_alloc((size_t)chunks_of(t), sizeof *t->sums, what, err) : NULL;
    if (!t->sums) {
        es_tsne_ties_close(t);
        return false;
    }
    for (int64_t i = 0; i < P->n; i++)
        fill_row(t, P, i);
    return true;
}

/* ---- pull ---- */

/* log x of 1 and more, relative error below 2e-7.  Source: Cephes' logf (Moshier): x = 2^e m, m from sqrt(1/2) on to
 * sqrt(2), a polynomial of m - 1. */
ES_INLINE es_lanes log_of(es_lanes x)
{
    const int32_t root = 0x3F3504F3; /* sqrt(1/2) */
    es_int_lanes bits = (es_int_lanes)x - root, whole = bits >> 23;
    es_lanes e = __builtin_convertvector(whole, es_lanes);
    es_lanes r = (es_lanes)((bits & 0x7FFFFF) + root) - 1.0f, square = r * r;
    es_lanes p = 7.0376836292e-2f * r - 1.1514610310e-1f;
    p = p * r + 1.1676998740e-1f;
    p = p * r - 1.2420140846e-1f;
    p = p * r + 1.4249322787e-1f;
    p = p * r - 1.6668057665e-1f;
    p = p * r + 2.0000714765e-1f;
    p = p * r - 2.4999993993e-1f;
    p = p * r + 3.3333331174e-1f;
    return (p * r * square - 2.12194440e-4f * e - 0.5f * square + r) + 0.693359375f * e;
}

/* Two coordinates in one load. */
typedef double point __attribute__((may_alias));
typedef double points __attribute__((vector_size(4 * sizeof(double))));

typedef struct pull {
    es_tsne_ties *ties;
    float *to;
    const float *at;
} pull;

ES_INLINE void pull_rows_loop(const pull *p, int64_t first, int64_t end, double *sum)
{
    const point *at = (const void *)p->at;
    for (int64_t i = first; i < end; i++) {
        es_lanes x = es_lanes_of(p->at[2 * i]), y = es_lanes_of(p->at[2 * i + 1]);
        es_lanes pull_x = es_lanes_of(0), pull_y = pull_x, logs = pull_x;
        for (int64_t e = p->ties->begin[i]; e < p->ties->begin[i + 1]; e++) {
            const int32_t *to = p->ties->eight[e].to;
            es_lanes tie = es_lanes_at(p->ties->eight[e].p);
            es_lanes a = (es_lanes)(points){at[to[0]], at[to[1]], at[to[4]], at[to[5]]};
            es_lanes b = (es_lanes)(points){at[to[2]], at[to[3]], at[to[6]], at[to[7]]};
            es_lanes dx = x - es_lanes_pick(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
            es_lanes dy = y - es_lanes_pick(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
            es_lanes far = 1.0f + dx * dx + dy * dy, near = tie / far;
            pull_x += near * dx;
            pull_y += near * dy;
            logs += tie * log_of(far);
        }
        p->to[2 * i] = es_lanes_sum(pull_x);
        p->to[2 * i + 1] = es_lanes_sum(pull_y);
        *sum += (double)es_lanes_sum(logs);
    }
}

ES_TWO_FORMS(static, pull_rows, (const pull *p, int64_t first, int64_t end, double *sum),
             (p, first, end, sum))

static void work(void *of, int64_t chunk, void *room)
{
    const pull *p = of;
    int64_t first = chunk * ROWS, end = first + ROWS;
    (void)room;
    p->ties->sums[chunk] = 0;
    pull_rows(p, first, end < p->ties->n ? end : p->ties->n, &p->ties->sums[chunk]);
}

bool es_tsne_pull(es_tsne_ties *t, float *to, double *sum, const float *at, es_watch *watch,
                  es_error *err)
{
    const es_chunks all = {chunks_of(t), 0, work, t->begin[t->n] < ALONE};
    *sum = 0;
    if (!es_crew_work(t->crew, &all, &(pull){t, to, at}, watch, err))
        return false;
    for (int64_t chunk = 0; chunk < all.n; chunk++)
        *sum += t->sums[chunk];
    return true;
}
