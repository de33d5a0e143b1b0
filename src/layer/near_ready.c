// SPDX-License-Identifier: GPL-3.0-or-later
/* All rows are measured at once, where no search goes through them tile by tile: for many queries, and for a device far
 * away, which multiplies the table as it lies there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "layer/near_exact.h"
#include "layer/near_rows.h"

/* ---- in host memory ---- */

/* One thread's share: tiles, as they come. */
static void measure_share(es_near *n, atomic_bool *stop, es_watch *watch, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_products p;
    int64_t rows;
    bool ok = es_products_open(&p, n, NULL, &why);
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 4) nowait
#endif
    for (int64_t i = 0; i < n->n_tiles; i++)
        if (ok && !*stop && !n->ready[i])
            ok = es_watch_look(watch, &why) && es_products_rows(&p, i, &rows, &why);
#ifdef _OPENMP
#pragma omp critical(es_near_measure)
#endif
    {
        n->nonfinite += p.nonfinite;
        if (!ok && !*stop && err)
            *err = why;
        else
            es_error_free(&why);
        *stop = *stop || !ok;
    }
    es_products_close(&p);
}

static bool measure_tiles(es_near *n, es_watch *watch, es_error *err)
{
    atomic_bool stop = false;
    if (!memchr(n->ready, 0, (size_t)n->n_tiles))
        return true;
#ifdef _OPENMP
#pragma omp parallel num_threads(n->be->threads)
#endif
    measure_share(n, &stop, watch, err);
    return !stop;
}

/* ---- far away ---- */

enum { BLOCK = 1 << 20 }; /* numbers that are in host memory at once, unless they are kept there */

/* Rows first .. first+rows-1 into host memory: from the table, or from the device where that has none. */
static const float *block_of(es_near *n, float *room, int64_t first, int64_t rows, es_error *err)
{
    es_store store;
    es_tensor there;
    float *hand = es_near_at_hand(n), *out = hand ? hand + first * n->C : room;
    if (hand && !n->kept)
        return out;
    if (es_table_data(n->table, &store))
        return es_table_read(n->table, first, rows, out, err) ? out : NULL;
    if (!es_tensor_slice(&there, n->whole, 0, first, first + rows, err))
        return NULL;
    bool ok = es_tensor_read(&there, out, err);
    es_tensor_free(&there);
    return ok ? out : NULL;
}

static void measure_block(es_near *n, const float *v, int64_t first, int64_t rows)
{
    int64_t C = n->C, bad = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(n->be->threads) reduction(+ : bad)
#endif
    for (int64_t i = 0; i < rows; i++) {
        double square = es_exact_product(v + i * C, v + i * C, C);
        n->squares[first + i] = square;
        bad += !isfinite(square);
    }
    n->nonfinite += bad;
}

static bool measure_far(es_near *n, es_watch *watch, es_error *err)
{
    int64_t some = n->C < BLOCK ? BLOCK / n->C : 1;
    if (n->measured == n->V)
        return true;
    es_backend_ran_beside(n->be, "lengths of rows");
    float *room = es_near_at_hand(n)
                      ? NULL
                      : es_try_alloc((size_t)(some * n->C), sizeof *room, "some rows", err);
    bool ok = room || es_near_at_hand(n);
    while (ok && n->measured < n->V) {
        int64_t rows = n->V - n->measured < some ? n->V - n->measured : some;
        const float *v = NULL;
        ok = es_watch_look(watch, err) && (v = block_of(n, room, n->measured, rows, err));
        if (ok)
            measure_block(n, v, n->measured, rows);
        n->measured += ok ? rows : 0;
    }
    free(room);
    return ok;
}

bool es_near_ready(es_near *n, es_watch *watch, es_error *err)
{
    if (n->be->ops->host_memory)
        return measure_tiles(n, watch, err);
    n->whole = n->whole ? n->whole : es_table_whole(n->table, n->be, err);
    return n->whole && measure_far(n, watch, err);
}
