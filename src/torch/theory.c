// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/theory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "torch/grid.h"
#include "torch/weigh.h"

/* ---- making theories ---- */

es_theory es_theory_of(const es_tensor *t, int cost, es_move_fn *move)
{
    es_theory h = {.cost = cost, .n = 1, .move = move};
    h.term[0].t = *t;
    h.term[0].by = 1;
    h.term[0].moved = move != NULL;
    return h;
}

void es_theory_add(es_theory *h, const es_tensor *t, double by)
{
    h->term[h->n].t = *t;
    h->term[h->n++].by = by;
}

void es_theory_call(es_theory *h, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(h->name, sizeof h->name, fmt, ap);
    va_end(ap);
}

/* ---- what a theory says ---- */

/* One place: *size is what the sum is made of, taken without signs; -1 where nothing is said. */
static double said_at(const es_theory *h, const int64_t *place, double *size)
{
    int64_t moved[ES_MAX_DIMS] = {0};
    double v = h->add;
    *size = -1;
    if (h->move && !h->move(h, place, moved))
        return 0;
    *size = fabs(h->add);
    for (int i = 0; i < h->n; i++) {
        double part =
            h->term[i].by * es_place_number(&h->term[i].t, h->term[i].moved ? moved : place);
        v += part;
        *size += fabs(part);
    }
    return h->each ? (*size = fabs(h->each(v)), h->each(v)) : v;
}

static es_cells row_of(const es_tensor *t, const int64_t *place)
{
    int64_t at = t->offset;
    for (int d = 0; d < t->shape.ndim; d++)
        at += place[d] * t->stride[d];
    return (es_cells){(char *)t->buf->mem + at * (int64_t)es_dtype_size(t->dtype), t->dtype,
                      t->stride[t->shape.ndim - 1]};
}

/* n places from `place` on, along the last axis. */
static void said_along(const es_theory *h, const int64_t *place, double *v, double *size, int64_t n)
{
    int64_t moved[ES_MAX_DIMS] = {0}, at[ES_MAX_DIMS];
    int last = h->last;
    memcpy(at, place, sizeof at);
    if (h->inner || h->each) {
        for (int64_t i = 0; i < n; i++, at[last]++)
            v[i] = said_at(h, at, &size[i]);
        return;
    }
    bool says = !h->move || h->move(h, place, moved);
    for (int64_t i = 0; i < n; i++) {
        v[i] = h->add;
        size[i] = says ? fabs(h->add) : -1;
    }
    for (int t = 0; says && t < h->n; t++) {
        double part[ES_ROW];
        for (int64_t from = 0, m; from < n; from += m) {
            es_cells row = row_of(&h->term[t].t, h->term[t].moved ? moved : place);
            m = n - from < ES_ROW ? n - from : ES_ROW;
            row.at = (char *)row.at + from * row.step * (int64_t)es_dtype_size(row.dtype);
            es_cells_to_floats(part, &row, m, row.dtype);
            for (int64_t i = 0; i < m; i++) {
                v[from + i] += h->term[t].by * part[i];
                size[from + i] += fabs(h->term[t].by * part[i]);
            }
        }
    }
}

/* ---- weighing ---- */

/* What rounding does to one of its numbers depends on all of them. */
static void change_row(const es_theory *h, double *v, double *size, int64_t n)
{
    double squares = 0;
    h->row(v, n, h->p);
    for (int64_t i = 0; i < n; i++)
        squares += v[i] * v[i];
    for (int64_t i = 0; i < n; i++)
        size[i] = fabs(v[i]) + sqrt(squares / (double)n);
}

/* A whole row from `place`, in pieces of what there is room for. */
static bool weigh_row(es_case *c, const es_theory *h, es_weight *w, int64_t *place, es_error *err)
{
    int last = c->x->shape.ndim - 1;
    double *x = c->room, *v = c->room + c->room_n, *size = c->room + 2 * c->room_n;
    for (int64_t from = 0, n; from < c->x->shape.dim[last]; from += n) {
        place[last] = from;
        n = c->x->shape.dim[last] - from;
        n = n < c->room_n ? n : c->room_n;
        es_cells row = row_of(c->x, place);
        es_cells_to_floats(x, &row, n, row.dtype);
        said_along(h, place, v, size, n);
        if (h->row)
            change_row(h, v, size, n);
        es_weigh(w, x, v, size, n);
        c->worked += n + 16;
        if (c->worked < ES_STRETCH_WORK)
            continue;
        c->worked = 0;
        if (!es_watch_step(c->k->watch, 0, err))
            return false;
    }
    place[last] = 0;
    return true;
}

/* Theories about rows are weighed on a few whole ones. */
static bool weigh_rows_sampled(es_case *c, const es_theory *h, es_weight *w, es_error *err)
{
    for (int s = 0; s < c->n_samples && s < 16; s++) {
        int64_t place[ES_MAX_DIMS];
        memcpy(place, c->sample[s], sizeof place);
        if (!weigh_row(c, h, w, place, err))
            return false;
    }
    return true;
}

static void weigh_samples(es_case *c, const es_theory *h, es_weight *w)
{
    enum { FEW = 64 };
    double v[FEW], size[FEW];
    for (int from = 0, n; from < c->n_samples; from += n) {
        n = c->n_samples - from < FEW ? c->n_samples - from : FEW;
        for (int i = 0; i < n; i++)
            v[i] = said_at(h, c->sample[from + i], &size[i]);
        es_weigh(w, c->sample_x + from, v, size, n);
        for (int i = 0; c->same_shape && i < n; i++)
            es_weigh_against(w, c->sample_x[from + i], c->sample_y[from + i], v[i], size[i]);
        if (es_weight_hopeless(w))
            return;
    }
}

static bool weigh_all(es_case *c, const es_theory *h, es_weight *w, es_error *err)
{
    int64_t place[ES_MAX_DIMS] = {0};
    do
        if (!weigh_row(c, h, w, place, err))
            return false;
    while (es_place_next(place, &c->x->shape, c->x->shape.ndim - 1));
    return true;
}

/* ---- the best of them ---- */

/* What takes numbers from x fits more than what does not. */
static bool is_general(const es_theory *h)
{
    return h->general || h->free > 0;
}

static void also(es_case *c, const char *name, bool general)
{
    size_t n = strlen(c->best->others);
    int commas = 0;
    for (const char *s = c->best->others; *s; s++)
        commas += *s == ';';
    if (general || commas > 1 || !strcmp(name, c->best->name) || strstr(c->best->others, name) ||
        n + strlen(name) + 3 > sizeof c->best->others)
        return;
    snprintf(c->best->others + n, sizeof c->best->others - n, "%s%s", n ? "; " : "", name);
}

static void near_miss(es_case *c, const es_theory *h, const es_weight *w)
{
    int64_t fits = es_weight_most(w);
    double share = (double)fits / (double)(w->judged + !w->judged), as_it_is = 0;
    if (c->asked->difference)
        as_it_is = 1 - (double)c->asked->difference->different / (double)c->asked->difference->n;
    if (w->judged < 10 || w->judged * 2 < w->seen || share < 0.9 ||
        1 - share > (1 - as_it_is) / 2 ||
        (c->best->of && share <= (double)c->best->fits / (double)c->best->of))
        return;
    snprintf(c->best->nearest, sizeof c->best->nearest, "%s", h->name);
    c->best->fits = fits;
    c->best->of = w->judged;
}

/* Errors that differ by less than this are the same: only what explains much better wins by that. */
static const double MARGIN = 8;

static void crown(es_case *c, const es_theory *h, es_finish finish, double quality, int cost)
{
    static const char *const suffix[ES_N_FINISHES] = {"",       "bf16",  "f16",        "bf16_cut",
                                                      "y_bf16", "y_f16", "bf16_twice", "f16_twice"};
    char before[sizeof c->best->name];
    bool rival = c->quality >= 0 && c->quality <= MARGIN * quality;
    snprintf(before, sizeof before, "%s", c->best->name);
    snprintf(c->best->name, sizeof c->best->name, "%.48s%s%s", h->name,
             *h->name && finish ? " + " : "", suffix[finish]);
    es_str_cut(&c->best->says, 0);
    es_str_cut(&c->best->fix, 0);
    if (!rival)
        c->best->others[0] = '\0';
    else
        also(c, before, c->best_general);
    c->finish = finish;
    c->quality = quality;
    c->best_cost = cost;
    c->best_general = is_general(h);
}

/* On the samples; *settled: they are all there is to look at. */
static bool weigh_some(es_case *c, const es_theory *h, es_weight *w, bool *settled, es_error *err)
{
    *settled = !h->row && c->n_samples == es_shape_count(&c->x->shape);
    if (h->row)
        return weigh_rows_sampled(c, h, w, err);
    weigh_samples(c, h, w);
    return true;
}

/* Nothing explains better than the best does, and this is not simpler. */
static bool is_beaten(const es_case *c, const es_theory *h)
{
    return c->quality >= 0 && c->quality <= MARGIN * c->floor && c->best_cost <= h->cost;
}

static bool is_better(const es_case *c, double quality, int cost)
{
    return c->quality < 0 || quality * MARGIN < c->quality ||
           (quality <= MARGIN * c->quality && cost < c->best_cost);
}

bool es_case_try(es_case *c, const es_theory *tried, bool *won, es_error *err)
{
    es_theory h = *tried;
    es_weight w = es_weight_begin(c, &h);
    es_finish finish;
    double quality;
    bool settled;
    *won = false;
    h.last = c->x->shape.ndim - 1;
    if (!weigh_some(c, &h, &w, &settled, err))
        return false;
    bool fits = es_weight_verdict(&w, &finish, &quality) && es_weight_evidence(&w, finish);
    if (fits && !settled && is_beaten(c, &h)) {
        also(c, h.name, is_general(&h));
        return true;
    }
    if (fits && !settled) {
        w = es_weight_begin(c, &h);
        if (!weigh_all(c, &h, &w, err))
            return false;
        fits = es_weight_verdict(&w, &finish, &quality);
    }
    if (!fits) {
        near_miss(c, &h, &w);
        return true;
    }
    int cost = h.cost + es_finish_cost(finish);
    c->dropped = w.dropped;
    *won = is_better(c, quality, cost);
    if (*won)
        crown(c, &h, finish, quality, cost);
    else if (quality <= MARGIN * c->quality)
        also(c, h.name, is_general(&h));
    return true;
}
