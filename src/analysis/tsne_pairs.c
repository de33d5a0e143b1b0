// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/tsne_pairs.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/vector.h"

enum { ROWS = 64 };             /* of a chunk */
static const float FAR = 1e30f; /* where lanes are that stand for nobody */

typedef struct pairs {
    float *push;
    float *x, *y; /* (n, up to a multiple of eight) */
    double *sums; /* of chunks */
    int64_t n;
} pairs;

ES_INLINE void push_row_loop(const pairs *p, int64_t i, double *sum)
{
    es_lanes x = es_lanes_of(p->x[i]), y = es_lanes_of(p->y[i]), all = es_lanes_of(0);
    es_lanes push_x = all, push_y = all;
    int64_t own = i / ES_LANES * ES_LANES;
    for (int64_t j = 0; j < p->n; j += ES_LANES) {
        es_lanes dx = x - es_lanes_at(p->x + j), dy = y - es_lanes_at(p->y + j);
        es_lanes near = 1.0f / (1.0f + dx * dx + dy * dy), square;
        if (j == own)
            near[i - own] = 0;
        square = near * near;
        all += near;
        push_x += square * dx;
        push_y += square * dy;
    }
    p->push[2 * i] = es_lanes_sum(push_x);
    p->push[2 * i + 1] = es_lanes_sum(push_y);
    *sum += (double)es_lanes_sum(all);
}

ES_TWO_FORMS(static, push_row, (const pairs *p, int64_t i, double *sum), (p, i, sum))

static void push_rows(void *of, int64_t chunk, void *room)
{
    pairs *p = of;
    (void)room;
    p->sums[chunk] = 0;
    for (int64_t i = chunk * ROWS; i < (chunk + 1) * ROWS && i < p->n; i++)
        push_row(p, i, &p->sums[chunk]);
}

bool es_tsne_push_pairs(float *push, double *sum, const float *at, int64_t n, es_crew *crew,
                        es_watch *watch, es_error *err)
{
    size_t lanes = (size_t)(n + ES_LANES), chunks = (size_t)(n / ROWS + 1);
    pairs p = {push, es_alloc_array(lanes, sizeof *p.x), es_alloc_array(lanes, sizeof *p.y),
               es_alloc_array(chunks, sizeof *p.sums), n};
    const es_chunks all = {(int64_t)chunks, 0, push_rows, true};
    for (int64_t i = 0; i < (int64_t)lanes; i++) {
        p.x[i] = i < n ? at[2 * i] : FAR;
        p.y[i] = i < n ? at[2 * i + 1] : FAR;
    }
    bool ok = es_crew_work(crew, &all, &p, watch, err);
    *sum = 0;
    for (size_t i = 0; i < chunks; i++)
        *sum += p.sums[i];
    free(p.x);
    free(p.y);
    free(p.sums);
    return ok;
}
