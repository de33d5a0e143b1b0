// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/near_judge.h"

#include <float.h>
#include <math.h>

#include "core/vector.h"
#include "layer/near_exact.h"

/* ---- the heap ---- */

static bool nearer(const es_neighbour *a, const es_neighbour *b)
{
    return a->score > b->score || (a->score == b->score && a->id < b->id);
}

static void exchange(es_neighbour *a, es_neighbour *b)
{
    es_neighbour t = *a;
    *a = *b;
    *b = t;
}

static void sink(es_neighbour *of, int64_t n)
{
    for (int64_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && nearer(&of[child], &of[child + 1]))
            child++;
        if (nearer(&of[child], &of[i]))
            return;
        exchange(&of[i], &of[child]);
    }
}

void es_heap_offer(es_heap *h, es_neighbour next)
{
    if (h->n == h->cap) {
        if (!nearer(&next, &h->of[0]))
            return;
        h->of[0] = next;
        sink(h->of, h->n);
        return;
    }
    int64_t i = h->n++;
    for (h->of[i] = next; i && nearer(&h->of[(i - 1) / 2], &h->of[i]); i = (i - 1) / 2)
        exchange(&h->of[i], &h->of[(i - 1) / 2]);
}

static void heap_sort(es_heap *h)
{
    for (int64_t n = h->n; n > 1; n--) {
        exchange(&h->of[0], &h->of[n - 1]);
        sink(h->of, n - 1);
    }
}

/* ---- a query ---- */

bool es_judge_begin(es_judge *j, const es_near *near, const es_near_query *query, es_error *err)
{
    *j = (es_judge){near, query, es_exact_length(query->q, near->C)};
    return query->by != ES_BY_COSINE || j->length > 0 ||
           es_fail(err, ES_ERR_VALUE, "a vector of zeros has no direction to compare by cosine");
}

void es_judge_unit(float *unit, const es_judge *j)
{
    for (int64_t c = 0; c < j->near->C; c++)
        unit[c] = j->length > 0 ? (float)(j->query->q[c] / j->length) : 0;
}

/* ---- by the product in float32 ---- */

/* What is the same for all rows. */
typedef struct reach {
    double q_length, worst, C; /* worst: the score to beat */
} reach;

/* Can a row of this length, with this product, not reach the worst of the best?  A product that overflowed says
 * nothing. */
ES_INLINE bool falls_short(const reach *r, es_measure by, double length, float product)
{
    double high = (double)product + es_float_slack((int64_t)r->C, length);
    double d = r->q_length * r->q_length + length * length;
    bool low = by == ES_BY_COSINE ? high < r->worst * length
               : by == ES_BY_DOT  ? high * r->q_length < r->worst
                                  : 2 * r->q_length * high - d + d * r->C * 0x1p-50 < r->worst;
    return (int)low & (int)(product > -FLT_MAX);
}

ES_INLINE void any_loop(int *any, const reach *r, es_measure by, const double *length,
                        const float *product, int64_t n)
{
    int found = 0;
#pragma omp simd reduction(| : found)
    for (int64_t i = 0; i < n; i++)
        found |= !falls_short(r, by, length[i], product[i]);
    *any = found;
}

ES_INLINE void any_in_reach_loop(int *any, const reach *r, es_measure by, const double *length,
                                 const float *product, int64_t n)
{
    switch (by) {
    case ES_BY_COSINE: any_loop(any, r, ES_BY_COSINE, length, product, n); break;
    case ES_BY_DOT: any_loop(any, r, ES_BY_DOT, length, product, n); break;
    default: any_loop(any, r, ES_BY_EUCLID, length, product, n);
    }
}
ES_TWO_FORMS(static, any_in_reach,
             (int *any, const reach *r, es_measure by, const double *length, const float *product,
              int64_t n),
             (any, r, by, length, product, n))

/* ---- in float64 ---- */

#define PRODUCT(c) ((double)v[c] * q[c])
#define GAP(c)     (((double)v[c] - q[c]) * ((double)v[c] - q[c]))

static double product(const float *v, const double *q, int64_t C)
{
    ES_SUM_OF(PRODUCT);
}

static double squared_distance(const float *v, const double *q, int64_t C)
{
    ES_SUM_OF(GAP);
}

static double exactly(const es_judge *j, int64_t id, const float *row)
{
    int64_t C = j->near->C;
    const double *q = j->query->q;
    switch (j->query->by) {
    case ES_BY_COSINE: return es_exact_cosine(product(row, q, C), j->length, j->near->squares[id]);
    case ES_BY_DOT: return product(row, q, C);
    default: return -squared_distance(row, q, C);
    }
}

static bool is_answer(const es_judge *j, int64_t id)
{
    double square = j->near->squares[id];
    if (!isfinite(square) || (square == 0 && j->query->by == ES_BY_COSINE))
        return false;
    for (size_t i = 0; i < j->query->n_skip; i++)
        if (j->query->skip[i] == id)
            return false;
    return true;
}

/* Row k of these; NULL if it cannot be read. */
static const float *row_of(const es_judge *j, const es_judged *rows, int64_t k, es_error *err)
{
    const es_table *t = j->near->table;
    es_store store;
    bool ok;
    if (rows->rows)
        return rows->rows + k * j->near->C;
    if (es_table_data(t, &store)) {
        ok = es_table_row(t, rows->first + k, rows->room, err);
    } else {
#ifdef _OPENMP
#pragma omp critical(es_near_row) /* it may come from a device */
#endif
        ok = es_table_row(t, rows->first + k, rows->room, err);
    }
    return ok ? rows->room : NULL;
}

static bool consider(const es_judge *j, es_heap *best, const es_judged *rows, int64_t k,
                     es_error *err)
{
    int64_t id = rows->first + k;
    reach r = {j->length, best->n ? best->of[0].score : 0, (double)j->near->C};
    if (best->n == best->cap && falls_short(&r, j->query->by, rows->length[k], rows->score[k]))
        return true;
    if (!is_answer(j, id))
        return true;
    const float *row = row_of(j, rows, k, err);
    if (row)
        es_heap_offer(best, (es_neighbour){id, exactly(j, id, row)});
    return row != NULL;
}

bool es_judge_rows(const es_judge *j, es_heap *best, const es_judged *rows, es_error *err)
{
    enum { LOOK = 64 }; /* rows passed over at once */
    for (int64_t i = 0; best->cap && i < rows->n; i += LOOK) {
        int64_t n = rows->n - i < LOOK ? rows->n - i : LOOK;
        int any = best->n < best->cap;
        reach r = {j->length, any ? 0 : best->of[0].score, (double)j->near->C};
        if (!any)
            any_in_reach(&any, &r, j->query->by, rows->length + i, rows->score + i, n);
        for (int64_t k = i; any && k < i + n; k++)
            if (!consider(j, best, rows, k, err))
                return false;
    }
    return true;
}

int64_t es_judge_end(const es_judge *j, es_heap *best)
{
    heap_sort(best);
    for (int64_t i = 0; j->query->by == ES_BY_EUCLID && i < best->n; i++)
        best->of[i].score = sqrt(-best->of[i].score);
    return best->n;
}
