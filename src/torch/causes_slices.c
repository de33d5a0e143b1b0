// SPDX-License-Identifier: GPL-3.0-or-later
/* The same slices at other indices of an axis: turned round, shifted, in another order, padded on the other side. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "torch/grid.h"
#include "torch/label.h"
#include "torch/theory.h"

enum { MOST_SLICES = 4096, PROBES = 12 };

/* "the axis T", "axis 1" */
static void add_axis(es_str *out, const es_tensor *t, int axis)
{
    const es_label *label = &t->shape.label[axis];
    if (es_label_is_named(label))
        es_str_add(out, "the axis %s", label->s);
    else
        es_str_add(out, "axis %d", axis);
}

/* Sentences lie along the first of three axes or more. */
static bool is_batch(const es_tensor *t, int axis)
{
    return axis == 0 && t->shape.ndim >= 3;
}

/* ---- moves ---- */

static int64_t wrapped(int64_t i, int64_t n)
{
    return ((i % n) + n) % n;
}

static bool move_flip(const es_theory *h, const int64_t *x, int64_t *y)
{
    memcpy(y, x, (size_t)(h->last + 1) * sizeof *y);
    y[h->axis] = h->term[0].t.shape.dim[h->axis] - 1 - x[h->axis];
    return true;
}

static bool move_roll(const es_theory *h, const int64_t *x, int64_t *y)
{
    memcpy(y, x, (size_t)(h->last + 1) * sizeof *y);
    y[h->axis] = wrapped(x[h->axis] + h->k, h->term[0].t.shape.dim[h->axis]);
    return true;
}

static bool move_shift(const es_theory *h, const int64_t *x, int64_t *y)
{
    memcpy(y, x, (size_t)(h->last + 1) * sizeof *y);
    y[h->axis] += h->k;
    return y[h->axis] >= 0 && y[h->axis] < h->term[0].t.shape.dim[h->axis];
}

static bool move_mapped(const es_theory *h, const int64_t *x, int64_t *y)
{
    memcpy(y, x, (size_t)(h->last + 1) * sizeof *y);
    y[h->axis] = h->map[x[h->axis]];
    return true;
}

/* map: by how much each sentence is shifted; the places at its end are padding. */
static bool move_sentence(const es_theory *h, const int64_t *x, int64_t *y)
{
    int64_t n = h->term[0].t.shape.dim[h->axis], at = x[h->axis] + h->map[x[0]];
    memcpy(y, x, (size_t)(h->last + 1) * sizeof *y);
    y[h->axis] = wrapped(at, n);
    return h->k || (at >= 0 && at < n);
}

static es_theory along(const es_case *c, int axis, int cost, es_move_fn *move)
{
    es_theory h = es_theory_of(c->y, cost, move);
    h.axis = axis;
    h.inner = axis == es_axis_C(c->x);
    h.moves = true;
    return h;
}

/* ---- turned round and shifted ---- */

static bool try_flip(es_case *c, int axis, es_error *err)
{
    bool won;
    es_theory h = along(c, axis, 30, move_flip);
    es_theory_call(&h, "flip(%d)", axis);
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won) {
        es_str_add(&c->best->says, "%s is %s with ", c->asked->x_name, c->asked->y_name);
        add_axis(&c->best->says, c->y, axis);
        es_str_cat(&c->best->says, " in reverse");
        es_str_add(&c->best->fix, "%s.flip(%d)", c->asked->x_name, axis);
    }
    return true;
}

static void say_shifted(es_case *c, int axis, int64_t k, bool rolls)
{
    int64_t by = k < 0 ? -k : k;
    es_str *s = &c->best->says;
    es_str_add(s, "%s is %s shifted by %" PRId64 " along ", c->asked->x_name, c->asked->y_name, by);
    add_axis(s, c->y, axis);
    es_str_add(s, ": place %" PRId64 " of %s has what place %" PRId64 " of %s has", k < 0 ? by : 0,
               c->asked->x_name, k < 0 ? 0 : by, c->asked->y_name);
    if (rolls)
        es_str_add(&c->best->fix, "torch.roll(%s, %" PRId64 ", %d)", c->asked->x_name, k, axis);
}

static bool try_shift(es_case *c, int axis, int64_t k, bool rolls, es_error *err)
{
    bool won;
    int64_t n = c->x->shape.dim[axis];
    es_theory h = along(c, axis, rolls ? 31 : 33, rolls ? move_roll : move_shift);
    h.general = !rolls;
    h.k = rolls && k > n / 2 ? k - n : k; /* the shorter way round */
    es_theory_call(&h, "%s(%" PRId64 ", %d)", rolls ? "roll" : "shift", rolls ? h.k : k, axis);
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won)
        say_shifted(c, axis, h.k, rolls);
    return true;
}

static bool try_shifts(es_case *c, int axis, es_error *err)
{
    int64_t n = c->x->shape.dim[axis];
    for (int64_t k = 1; k < n && n <= MOST_SLICES; k++)
        if (!es_watch_step(c->k->watch, 0, err) || !try_shift(c, axis, k, true, err) ||
            (k <= n / 2 &&
             (!try_shift(c, axis, k, false, err) || !try_shift(c, axis, -k, false, err))))
            return false;
    return true;
}

/* ---- in another order ---- */

typedef struct slice {
    double sum;
    int64_t i;
} slice;

static int by_sum(const void *a, const void *b)
{
    const slice *p = a, *q = b;
    int order = (p->sum > q->sum) - (p->sum < q->sum);
    return order ? order : (p->i > q->i) - (p->i < q->i);
}

/* Each slice's numbers at a few places, in one sum; equal slices have equal sums. */
static slice *slices_of(const es_case *c, const es_tensor *t, int axis)
{
    int64_t n = t->shape.dim[axis];
    slice *s = es_alloc_array((size_t)n, sizeof *s);
    for (int64_t i = 0; i < n; i++) {
        s[i].i = i;
        for (int p = 0; p < c->n_samples && p < PROBES; p++) {
            int64_t place[ES_MAX_DIMS];
            memcpy(place, c->sample[p], sizeof place);
            place[axis] = i;
            double v = es_place_number(t, place);
            s[i].sum += isfinite(v) ? v * (1 + 0.37 * p) : 1000 + p;
        }
    }
    qsort(s, (size_t)n, sizeof *s, by_sum);
    return s;
}

/* The nearest of n slices, in order of their sums. */
static int64_t nearest(const slice *s, int64_t n, double sum)
{
    int64_t lo = 0, hi = n - 1;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (s[mid].sum < sum)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && fabs(s[lo - 1].sum - sum) < fabs(s[lo].sum - sum) ? s[lo - 1].i : s[lo].i;
}

static void say_map(es_case *c, int axis, const int64_t *map, bool again)
{
    int64_t i = 0;
    es_str *s = &c->best->says;
    while (map[i] == i)
        i++;
    es_str_add(s, "%s has %s's slices along ", c->asked->x_name, c->asked->y_name);
    add_axis(s, c->y, axis);
    es_str_add(s,
               again ? ", some of them more than once: %s[%s%" PRId64 "] is %s[%s%" PRId64 "]"
                     : " in another order: %s[%s%" PRId64 "] is %s[%s%" PRId64 "]",
               c->asked->x_name,
               axis == 0   ? ""
               : axis == 1 ? ":, "
                           : "…, ",
               i, c->asked->y_name,
               axis == 0   ? ""
               : axis == 1 ? ":, "
                           : "…, ",
               map[i]);
}

static bool try_map(es_case *c, int axis, const int64_t *map, bool again, es_error *err)
{
    bool won, batch = is_batch(c->x, axis);
    es_theory h = along(c, axis, again ? 37 : batch ? 29 : 35, move_mapped);
    h.map = map;
    h.general = true;
    if (batch && !again)
        es_theory_call(&h, "batch_permuted");
    else
        es_theory_call(&h, again ? "repeated(%d)" : "permuted(%d)", axis);
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won)
        say_map(c, axis, map, again);
    return true;
}

static bool try_maps(es_case *c, int axis, es_error *err)
{
    int64_t n = c->x->shape.dim[axis];
    if (n > MOST_SLICES)
        return true;
    slice *x = slices_of(c, c->x, axis), *y = slices_of(c, c->y, axis);
    int64_t *map = es_alloc_array((size_t)n, sizeof *map);
    for (int64_t i = 0; i < n; i++) /* the least to the least, and so on */
        map[x[i].i] = y[i].i;
    bool ok = try_map(c, axis, map, false, err);
    for (int64_t i = 0; i < n; i++)
        map[x[i].i] = nearest(y, n, x[i].sum);
    ok = ok && try_map(c, axis, map, true, err);
    free(map);
    free(x);
    free(y);
    return ok;
}

/* ---- padding on the other side ---- */

static bool agrees(const es_case *c, int64_t b, int axis, int64_t k, bool wraps)
{
    int64_t n = c->x->shape.dim[axis];
    int seen = 0;
    for (int p = 0; p < c->n_samples && seen < PROBES; p++) {
        int64_t place[ES_MAX_DIMS];
        memcpy(place, c->sample[p], sizeof place);
        place[0] = b;
        double x = es_place_number(c->x, place);
        int64_t at = place[axis] + k;
        if (!wraps && (at < 0 || at >= n))
            continue;
        place[axis] = wrapped(at, n);
        if (fabs(x - es_place_number(c->y, place)) > 1e-2 * fabs(x) + c->atol)
            return false;
        seen++;
    }
    return seen > 1;
}

/* By how much each sentence is shifted; false: one of them by nothing that fits. */
static bool find_shifts(es_case *c, int axis, bool wraps, int64_t *by, bool *found, es_error *err)
{
    int64_t B = c->x->shape.dim[0], n = c->x->shape.dim[axis], most = wraps ? n - 1 : n / 2;
    *found = true;
    for (int64_t b = 0; b < B && *found; b++) {
        int64_t k = 0;
        while (k <= most && !agrees(c, b, axis, k, wraps) && !agrees(c, b, axis, -k, wraps))
            k++;
        *found = k <= most;
        by[b] = agrees(c, b, axis, k, wraps) ? k : -k;
        if (!es_watch_step(c->k->watch, 0, err))
            return false;
    }
    return true;
}

static bool try_sentences(es_case *c, bool wraps, int64_t *by, es_error *err)
{
    bool won, found;
    if (!find_shifts(c, 1, wraps, by, &found, err))
        return false;
    if (!found)
        return true;
    es_theory h = along(c, 1, wraps ? 32 : 34, move_sentence);
    h.map = by;
    h.k = wraps;
    h.general = true;
    es_theory_call(&h, "padding_side");
    if (!es_case_try(c, &h, &won, err))
        return false;
    int64_t b = 0;
    while (b < c->x->shape.dim[0] - 1 && by[b] == 0)
        b++;
    if (won)
        es_str_add(&c->best->says,
                   "each sentence is shifted by as many places as another is longer: padding is on "
                   "the other side; in %s[%" PRId64 "] by %" PRId64,
                   c->asked->x_name, b, by[b] < 0 ? -by[b] : by[b]);
    return true;
}

static bool try_padding(es_case *c, es_error *err)
{
    if (c->x->shape.ndim < 2 || c->x->shape.dim[0] < 2 || c->x->shape.dim[0] > MOST_SLICES ||
        c->x->shape.dim[1] > MOST_SLICES)
        return true;
    int64_t *by = es_alloc_array((size_t)c->x->shape.dim[0], sizeof *by);
    bool ok = try_sentences(c, true, by, err) && try_sentences(c, false, by, err);
    free(by);
    return ok;
}

bool es_causes_slices(es_case *c, es_error *err)
{
    if (!c->same_shape)
        return true;
    for (int d = 0; d < c->x->shape.ndim; d++) {
        if (c->x->shape.dim[d] < 2)
            continue;
        if (!try_maps(c, d, err))
            return false;
        if (!is_batch(c->x, d) && (!try_flip(c, d, err) || !try_shifts(c, d, err)))
            return false;
    }
    return try_padding(c, err);
}
