// SPDX-License-Identifier: GPL-3.0-or-later
/* The model's position table known: whose rows does x have in place of those of 0, 1, 2, …? */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "torch/causes_model.h"
#include "torch/cells.h"
#include "torch/host.h"

enum { NEAREST = 4, CHANNELS = 24 };

typedef struct places {
    es_case *c;
    es_tensor wpe; /* host; buf NULL: there is none */
    int64_t T, C, P;
    int64_t *row;  /* T of them */
    es_known here; /* y's positions: pos_emb, or wpe[0:T] */
    bool text;     /* they are pos_emb */
} places;

static bool rows(places *p, es_known *r, es_error *err)
{
    es_shape lead = es_shape_1d("", p->T);
    return es_known_rows(p->c, r, &p->wpe, p->row, p->T, &lead, err);
}

static const char *source(const places *p)
{
    return p->text ? "pos_emb" : "wpe[0:T]";
}

/* ---- there or not ---- */

static bool try_presence(places *p, const es_known *table, const char *what, es_error *err)
{
    const char *x = p->c->asked->x_name, *y = p->c->asked->y_name;
    es_str says = {0}, fix = {0};
    bool learned = table == &p->here;
    es_str_add(&says,
               "positions are missing in %s: %s - %s is the same for every sentence, and is %s", x,
               y, x, what);
    if (learned)
        es_str_add(&fix, p->text ? "%s + pos_emb" : "%s + wpe(torch.arange(T))", x);
    es_instead s = {.name = "positions_missing",
                    .says = says.s,
                    .fix = es_str_text(&fix),
                    .cost = 28,
                    .by_y = 1,
                    .of_y = {table}};
    bool ok = es_try_instead(p->c, &s, err);
    es_str_cut(&says, 0);
    es_str_cut(&fix, 0);
    es_str_add(&says, "positions are in %s once more than in %s: %s - %s is %s", x, y, x, y, what);
    if (learned)
        es_str_add(&fix, p->text ? "%s - pos_emb" : "%s - wpe(torch.arange(T))", x);
    s = (es_instead){.name = "positions_extra",
                     .says = says.s,
                     .fix = es_str_text(&fix),
                     .cost = 28,
                     .by_x = 1,
                     .of_x = {table}};
    ok = ok && es_try_instead(p->c, &s, err);
    es_str_free(&says);
    es_str_free(&fix);
    return ok;
}

/* ---- other rows of wpe ---- */

static bool try_rows(places *p, const char *name, int cost, const char *what, es_error *err)
{
    es_known other;
    es_str says = {0};
    bool ok = rows(p, &other, err);
    es_str_add(&says, "%s has %s in place of %s", p->c->asked->x_name, what, source(p));
    es_instead s = {.name = name,
                    .says = says.s,
                    .fix = "",
                    .cost = cost,
                    .by_y = 1,
                    .by_x = 1,
                    .of_y = {&p->here},
                    .of_x = {&other}};
    ok = ok && es_try_instead(p->c, &s, err);
    es_known_free(&other);
    es_str_free(&says);
    return ok;
}

static bool try_off_by(places *p, int64_t k, es_error *err)
{
    char name[48], what[96];
    bool clamps = false;
    for (int64_t t = 0; t < p->T; t++) {
        int64_t at = t + k;
        clamps = clamps || at < 0 || at >= p->P;
        p->row[t] = at < 0 ? at + p->P : at;
    }
    snprintf(name, sizeof name, "positions_off_by(%" PRId64 ")", k);
    snprintf(what, sizeof what, "wpe[t %c %" PRId64 "]%s", k < 0 ? '-' : '+', k < 0 ? -k : k,
             clamps ? " (the rows before 0 are the last ones)" : "");
    if (!try_rows(p, name, 29, what, err))
        return false;
    for (int64_t t = 0; clamps && t < p->T; t++)
        p->row[t] = t + k < 0 ? 0 : t + k >= p->P ? p->P - 1 : t + k;
    snprintf(what, sizeof what, "wpe[t %c %" PRId64 "], held at its ends,", k < 0 ? '-' : '+',
             k < 0 ? -k : k);
    return !clamps || try_rows(p, name, 30, what, err);
}

/* The rows of wpe that come nearest to what x has at place t of the first sentence. */
static void nearest_rows(const places *p, int64_t t, int64_t best[NEAREST])
{
    double gap[NEAREST], want[CHANNELS];
    int64_t place[ES_MAX_DIMS] = {0}, n = p->C < CHANNELS ? p->C : CHANNELS;
    int last = es_axis_C(p->c->x);
    place[last - 1] = t;
    for (int64_t i = 0; i < n; i++) {
        place[last] = i * p->C / n;
        want[i] = es_place_number(p->c->x, place) - es_place_number(p->c->y, place) +
                  es_place_number(&p->here.all, place);
    }
    for (int i = 0; i < NEAREST; i++) {
        gap[i] = (double)INFINITY;
        best[i] = -1;
    }
    for (int64_t row = 0; row < p->P; row++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) {
            int64_t at[] = {row, i * p->C / n};
            sum += fabs(es_place_number(&p->wpe, at) - want[i]);
        }
        int at = NEAREST;
        for (; at > 0 && sum < gap[at - 1]; at--)
            if (at < NEAREST) {
                gap[at] = gap[at - 1];
                best[at] = best[at - 1];
            }
        if (at < NEAREST) {
            gap[at] = sum;
            best[at] = row;
        }
    }
}

static bool try_off_by_some(places *p, es_error *err)
{
    int64_t best[NEAREST], ends[] = {0, p->T - 1};
    for (int e = 0; e < (p->T > 1 ? 2 : 1); e++) {
        nearest_rows(p, ends[e], best);
        for (int i = 0; i < NEAREST; i++)
            if (best[i] >= 0 && best[i] != ends[e] && !try_off_by(p, best[i] - ends[e], err))
                return false;
    }
    return true;
}

static bool try_orders(places *p, es_error *err)
{
    for (int64_t t = 0; t < p->T; t++)
        p->row[t] = p->T - 1 - t;
    if (p->T > 1 &&
        !try_rows(p, "positions_reversed", 28, "wpe[T - 1 - t], positions in reverse,", err))
        return false;
    for (int64_t t = 0; t < p->T; t++)
        p->row[t] = 0;
    return p->T < 2 || try_rows(p, "positions_all_0", 29, "wpe[0] at every place", err);
}

/* wpe[b] for wpe[t]: positions were counted along the wrong axis. */
static bool try_by_sentence(places *p, es_error *err)
{
    int64_t B = p->c->x->shape.dim[0], *row = NULL;
    if (p->c->x->shape.ndim != 3 || B < 2 || B > p->P)
        return true;
    row = es_alloc_array((size_t)B, sizeof *row);
    for (int64_t b = 0; b < B; b++)
        row[b] = b;
    es_known other;
    es_str says = {0};
    es_shape lead = es_shape_2d("", B, "", 1);
    bool ok = es_known_rows(p->c, &other, &p->wpe, row, B, &lead, err);
    es_str_add(&says, "%s has wpe[b] in place of %s: positions count sentences, not places",
               p->c->asked->x_name, source(p));
    es_instead s = {.name = "positions_by_sentence",
                    .says = says.s,
                    .fix = "torch.arange(T)",
                    .cost = 30,
                    .by_y = 1,
                    .by_x = 1,
                    .of_y = {&p->here},
                    .of_x = {&other}};
    ok = ok && es_try_instead(p->c, &s, err);
    es_known_free(&other);
    es_str_free(&says);
    free(row);
    return ok;
}

/* ---- sines and cosines ---- */

static bool try_waves(places *p, bool halves, es_error *err)
{
    es_known waves;
    const char *x = p->c->asked->x_name, *y = p->c->asked->y_name;
    bool ok = es_known_waves(p->c, &waves, halves, err) &&
              try_presence(p, &waves, "the sinusoidal table", err);
    for (int turned = 0; turned < 2 && ok; turned++) {
        es_str says = {0};
        es_str_add(&says, "%s has sinusoidal positions%s, %s the learned ones", turned ? y : x,
                   halves ? " (sines first, then cosines)" : "", turned ? x : y);
        es_instead s = {.name = "positions_sinusoidal",
                        .says = says.s,
                        .fix = "",
                        .cost = 31,
                        .by_y = 1,
                        .by_x = 1,
                        .of_y = {turned ? &waves : &p->here},
                        .of_x = {turned ? &p->here : &waves}};
        ok = es_try_instead(p->c, &s, err);
        es_str_free(&says);
    }
    es_known_free(&waves);
    return ok;
}

static bool look(places *p, es_error *err)
{
    const es_causes *a = p->c->asked;
    for (int64_t t = 0; t < p->T; t++)
        p->row[t] = t;
    if (!es_known_of(p->c, &p->here, a->pos_emb, err))
        return false;
    p->text = p->here.there;
    if (!p->text && p->wpe.buf && !rows(p, &p->here, err))
        return false;
    if (p->here.there && !try_presence(p, &p->here, source(p), err))
        return false;
    if (!try_waves(p, false, err) || !try_waves(p, true, err))
        return false;
    return !p->here.there || !p->wpe.buf ||
           (try_orders(p, err) && try_off_by_some(p, err) && try_by_sentence(p, err));
}

bool es_causes_places(es_case *c, es_error *err)
{
    const es_tensor *wpe = c->asked->wpe;
    places p = {
        .c = c, .T = c->x->shape.dim[es_axis_T(c->x)], .C = c->x->shape.dim[es_axis_C(c->x)]};
    bool fits = wpe && wpe->shape.ndim == 2 && wpe->shape.dim[1] == p.C;
    if (fits && !es_torch_here(c->k, &p.wpe, wpe, "compare", err))
        return false;
    p.P = fits ? wpe->shape.dim[0] : 0;
    p.row = es_try_alloc((size_t)p.T, sizeof *p.row, "comparing", err);
    bool ok = p.row && look(&p, err);
    free(p.row);
    es_known_free(&p.here);
    es_tensor_free(&p.wpe);
    return ok;
}
