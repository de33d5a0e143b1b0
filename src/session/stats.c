// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/stats.h"

#include <math.h>

enum { CHUNK = 2048 };

/* A walk over a tensor, a chunk of a row at a time. */
typedef struct walk {
    const es_tensor *t;
    int64_t dim[ES_MAX_DIMS], at[ES_MAX_DIMS];
    int ndim;
    bool over;
} walk;

/* What is stretched is looked at once. */
static walk walk_of(const es_tensor *t)
{
    walk w = {.t = t, .ndim = t->shape.ndim};
    for (int d = 0; d < w.ndim; d++) {
        w.dim[d] = t->stride[d] == 0 && t->shape.dim[d] > 0 ? 1 : t->shape.dim[d];
        w.over = w.over || w.dim[d] == 0;
    }
    return w;
}

static void read_row(double *out, const es_tensor *t, int64_t at, int64_t step, int64_t n)
{
    const void *mem = t->buf->mem;
    for (int64_t i = 0; i < n; i++, at += step)
        switch (t->dtype) {
        case ES_FLOAT32: out[i] = (double)((const float *)mem)[at]; break;
        case ES_FLOAT64: out[i] = ((const double *)mem)[at]; break;
        case ES_INT64: out[i] = (double)((const int64_t *)mem)[at]; break;
        case ES_INT32: out[i] = (double)((const int32_t *)mem)[at]; break;
        default: out[i] = (double)((const bool *)mem)[at]; break;
        }
}

/* The next up to CHUNK numbers; 0: there are no more. */
static int64_t next(walk *w, double *out)
{
    if (w->over)
        return 0;
    int last = w->ndim - 1;
    int64_t at = w->t->offset;
    for (int d = 0; d < w->ndim; d++)
        at += w->at[d] * w->t->stride[d];
    int64_t n = last < 0 ? 1 : w->dim[last] - w->at[last];
    n = n > CHUNK ? CHUNK : n;
    read_row(out, w->t, at, last < 0 ? 1 : w->t->stride[last], n);
    if (last >= 0)
        w->at[last] += n;
    int d = last;
    for (; d >= 0 && w->at[d] == w->dim[d]; d--) {
        w->at[d] = 0;
        if (d > 0)
            w->at[d - 1]++;
    }
    w->over = d < 0;
    return n;
}

static bool first_pass(es_stats *s, const es_tensor *t, es_watch *watch, es_error *err)
{
    double chunk[CHUNK], sum = 0;
    walk w = walk_of(t);
    for (int64_t n; (n = next(&w, chunk));) {
        if (!es_watch_step(watch, 0, err))
            return false;
        for (int64_t i = 0; i < n; i++) {
            double v = chunk[i];
            if (isfinite(v)) {
                s->low = s->finite == 0 || v < s->low ? v : s->low;
                s->high = s->finite == 0 || v > s->high ? v : s->high;
                s->finite++;
                sum += v;
            } else if (isnan(v)) {
                s->nans++;
            } else {
                s->infinities++;
            }
        }
    }
    s->mean = s->finite ? sum / (double)s->finite : 0;
    return true;
}

/* How far the numbers are from their mean, and where between the ends. */
static bool second_pass(es_stats *s, const es_tensor *t, es_watch *watch, es_error *err)
{
    double chunk[CHUNK], squares = 0, width = (s->high / ES_BINS - s->low / ES_BINS);
    walk w = walk_of(t);
    for (int64_t n; (n = next(&w, chunk));) {
        if (!es_watch_step(watch, 0, err))
            return false;
        for (int64_t i = 0; i < n; i++) {
            double v = chunk[i];
            if (!isfinite(v))
                continue;
            int bin = width > 0 ? (int)((v - s->low) / width) : 0;
            s->bin[bin < ES_BINS ? bin : ES_BINS - 1]++;
            squares += (v - s->mean) * (v - s->mean);
        }
    }
    s->std = s->finite > 1 ? sqrt(squares / (double)(s->finite - 1)) : NAN;
    return true;
}

bool es_stats_of(es_stats *out, const es_tensor *t, es_watch *watch, es_error *err)
{
    *out = (es_stats){0};
    return first_pass(out, t, watch, err) && second_pass(out, t, watch, err);
}
