// SPDX-License-Identifier: GPL-3.0-or-later
/* With the model's tables and the last text's ids: which positions and which tokens x has in place of y's. */
#include "torch/causes_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "torch/cells.h"
#include "torch/host.h"
#include "torch/weight.h"

/* ---- rows of a table, as x has axes ---- */

void es_known_free(es_known *r)
{
    es_tensor_free(&r->rows);
    es_tensor_free(&r->all);
}

/* The same numbers with x's shape: axes of 1 in front are dropped or stretched. */
static bool fit(es_known *r, const es_shape *x, es_error *err)
{
    es_tensor bare = r->rows;
    while (bare.shape.ndim > x->ndim && bare.shape.dim[0] == 1) {
        bare.shape.ndim--;
        memmove(bare.shape.dim, bare.shape.dim + 1, sizeof *bare.shape.dim * (ES_MAX_DIMS - 1));
        memmove(bare.stride, bare.stride + 1, sizeof *bare.stride * (ES_MAX_DIMS - 1));
    }
    int more = x->ndim - bare.shape.ndim;
    r->there = more >= 0;
    for (int d = 0; d < bare.shape.ndim && r->there; d++)
        r->there = bare.shape.dim[d] == x->dim[d + more] || bare.shape.dim[d] == 1;
    return !r->there || es_tensor_expand(&r->all, &bare, x, err);
}

bool es_known_of(es_case *c, es_known *r, const es_tensor *t, es_error *err)
{
    *r = (es_known){0};
    return !t || (es_torch_here(c->k, &r->rows, t, "compare", err) && fit(r, &c->x->shape, err));
}

bool es_known_rows(es_case *c, es_known *r, const es_tensor *table, const int64_t *row, int64_t n,
                   const es_shape *lead, es_error *err)
{
    es_tensor flat;
    *r = (es_known){0};
    for (int64_t i = 0; i < n; i++)
        if (row[i] < 0 || row[i] >= table->shape.dim[0])
            return true;
    if (!es_torch_gather_rows(c->k, &flat, table, row, n, err))
        return false;
    bool ok = es_torch_here(c->k, &r->rows, &flat, "compare", err);
    es_tensor_free(&flat);
    if (!ok)
        return false;
    r->rows.shape = *lead;
    r->rows.shape.dim[r->rows.shape.ndim++] = table->shape.dim[1];
    for (int64_t d = r->rows.shape.ndim - 1, step = 1; d >= 0; step *= r->rows.shape.dim[d--])
        r->rows.stride[d] = step;
    return fit(r, &c->x->shape, err);
}

static bool new_rows(es_case *c, es_known *r, es_shape shape, es_error *err)
{
    *r = (es_known){0};
    return es_tensor_new(&r->rows, c->k->be, ES_FLOAT64, &shape, err) && fit(r, &c->x->shape, err);
}

bool es_known_waves(es_case *c, es_known *r, bool halves, es_error *err)
{
    int64_t T = c->x->shape.dim[es_axis_T(c->x)], C = c->x->shape.dim[es_axis_C(c->x)];
    if (!new_rows(c, r, es_shape_2d("", T, "", C), err))
        return false;
    for (int64_t i = 0; i < T * C; i++) {
        int64_t t = i / C, ch = i % C, half = (C + 1) / 2;
        int64_t pair = halves ? ch % half : ch / 2;
        bool sine = halves ? ch < half : ch % 2 == 0;
        double angle = (double)t / pow(10000.0, 2 * (double)pair / (double)C);
        ((double *)r->rows.buf->mem)[i] = (double)(float)(sine ? sin(angle) : cos(angle));
    }
    return true;
}

bool es_known_narrowed(es_case *c, es_known *r, const es_known *a, const es_known *b,
                       const es_narrow *format, es_error *err)
{
    int64_t place[ES_MAX_DIMS] = {0}, i = 0;
    if (!new_rows(c, r, c->x->shape, err))
        return false;
    do {
        double v = es_narrowed(format, es_place_number(&a->all, place));
        if (b->there)
            v += es_narrowed(format, es_place_number(&b->all, place));
        ((double *)r->rows.buf->mem)[i++] = v;
        if (i % 4096 == 0 && !es_watch_step(c->k->watch, 0, err))
            return false;
    } while (es_place_next(place, &c->x->shape, c->x->shape.ndim));
    return true;
}

/* ---- x = y with something in place of something else ---- */

bool es_try_instead(es_case *c, const es_instead *s, es_error *err)
{
    bool won;
    es_theory h = es_theory_of(c->y, s->cost, NULL);
    for (int i = 0; i < 2; i++)
        if (s->of_y[i] && !s->of_y[i]->there)
            return true;
        else if (s->of_y[i])
            es_theory_add(&h, &s->of_y[i]->all, -s->by_y);
    for (int i = 0; i < 2; i++)
        if (s->of_x[i] && !s->of_x[i]->there)
            return true;
        else if (s->of_x[i])
            es_theory_add(&h, &s->of_x[i]->all, s->by_x);
    h.move = s->move;
    h.k = s->k;
    es_theory_call(&h, "%s", s->name);
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won) {
        es_str_cat(&c->best->says, s->says);
        es_str_cat(&c->best->fix, s->fix);
    }
    return true;
}

/* ---- tokens ---- */

static bool in_the_middle(const es_theory *h, const int64_t *x, int64_t *y)
{
    int64_t t = x[h->last - 1] + h->k;
    (void)y;
    return t >= 0 && t < h->term[0].t.shape.dim[h->last - 1];
}

typedef struct world {
    es_case *c;
    const int64_t *id; /* B * T of them */
    int64_t *other;    /* as many, to be filled */
    int64_t B, T, C, V;
    es_shape lead; /* of the ids */
    es_known tok, pos;
} world;

static bool tokens_of(world *w, es_known *r, const es_tensor *table, es_error *err)
{
    return es_known_rows(w->c, r, table, w->other, w->B * w->T, &w->lead, err);
}

/* In x there are the rows w->other of wte. */
static bool try_tokens(world *w, const char *name, int cost, int64_t k, const char *fmt,
                       es_error *err)
{
    es_known rows;
    es_str says = {0};
    bool ok = tokens_of(w, &rows, w->c->asked->wte, err);
    es_str_add(&says, "%s has %s", w->c->asked->x_name, fmt);
    es_instead s = {.name = name,
                    .says = says.s,
                    .fix = "",
                    .cost = cost,
                    .k = k,
                    .by_y = 1,
                    .by_x = 1,
                    .of_y = {&w->tok},
                    .of_x = {&rows},
                    .move = k ? in_the_middle : NULL};
    ok = ok && es_try_instead(w->c, &s, err);
    es_known_free(&rows);
    es_str_free(&says);
    return ok;
}

static bool try_other_ids(world *w, es_error *err)
{
    for (int64_t by = -1; by <= 1; by += 2) {
        for (int64_t i = 0; i < w->B * w->T; i++)
            w->other[i] = w->id[i] + by;
        if (!try_tokens(w, by < 0 ? "ids_off_by(-1)" : "ids_off_by(1)", 30, 0,
                        by < 0 ? "wte[ids - 1] in place of wte[ids]"
                               : "wte[ids + 1] in place of wte[ids]",
                        err))
            return false;
        for (int64_t i = 0; i < w->B * w->T; i++) {
            int64_t t = i % w->T + by;
            w->other[i] = t < 0 || t >= w->T ? 0 : w->id[i + by];
        }
        if (w->T > 1 &&
            !try_tokens(w, by < 0 ? "tokens_shifted(-1)" : "tokens_shifted(1)", 32, by,
                        by < 0 ? "at each place the token before it, with its own position"
                               : "at each place the token behind it, with its own position",
                        err))
            return false;
    }
    for (int64_t i = 0; i < w->B * w->T; i++)
        w->other[i] = w->id[i - i % w->T + w->T - 1 - i % w->T];
    return try_tokens(w, "tokens_reversed", 32, 0, "the tokens in reverse, their positions not",
                      err);
}

/* tokens times sqrt(C) before positions are added, in one of the two; or none at all. */
static bool try_scaled_tokens(world *w, es_error *err)
{
    double root = sqrt((double)w->C);
    const char *x = w->c->asked->x_name, *y = w->c->asked->y_name;
    bool ok = true;
    for (int turned = 0; turned < 3 && ok; turned++) {
        es_str says = {0};
        es_instead s = {.name = turned == 2 ? "tokens_missing" : "tokens_scaled",
                        .fix = "",
                        .cost = turned == 2 ? 28 : 29,
                        .by_y = 1,
                        .of_y = {&w->tok}};
        if (turned == 2) {
            es_str_add(&says, "%s has the positions alone: tok_emb is missing", x);
        } else {
            s.by_y = turned ? root - 1 : 1 - root;
            es_str_add(&says, "in %s, not in %s, tok_emb is multiplied by sqrt(C) = %.6g",
                       turned ? y : x, turned ? x : y, root);
        }
        s.says = says.s;
        ok = (turned != 2 || w->pos.there) && w->C > 1 ? es_try_instead(w->c, &s, err) : true;
        es_str_free(&says);
    }
    return ok;
}

/* wpe[ids] + wte[positions] */
static bool try_swapped_tables(world *w, es_error *err)
{
    const es_causes *a = w->c->asked;
    es_known from_wpe = {0}, from_wte = {0};
    if (!a->wpe || !w->pos.there)
        return true;
    memcpy(w->other, w->id, (size_t)(w->B * w->T) * sizeof *w->id);
    bool ok = tokens_of(w, &from_wpe, a->wpe, err);
    for (int64_t i = 0; i < w->B * w->T; i++)
        w->other[i] = i % w->T;
    ok = ok && tokens_of(w, &from_wte, a->wte, err);
    es_str says = {0};
    es_str_add(&says, "%s is wpe[ids] + wte[positions]: the two tables are swapped", a->x_name);
    es_instead s = {.name = "tables_swapped",
                    .says = says.s,
                    .fix = "wte(ids) + wpe(positions)",
                    .cost = 31,
                    .by_y = 1,
                    .by_x = 1,
                    .of_y = {&w->tok, &w->pos},
                    .of_x = {&from_wpe, &from_wte}};
    ok = ok && es_try_instead(w->c, &s, err);
    es_str_free(&says);
    es_known_free(&from_wpe);
    es_known_free(&from_wte);
    return ok;
}

/* The tables were rounded, not (or not only) their sum. */
static bool try_narrow_tables(world *w, const es_narrow *format, es_error *err)
{
    es_known rounded;
    es_str says = {0};
    bool ok = es_known_narrowed(w->c, &rounded, &w->tok, &w->pos, format, err);
    rounded.there = ok;
    es_str_add(&says, "%s is the sum of tables rounded to %s", w->c->asked->x_name, format->name);
    es_instead s = {.name = format == &es_bf16 ? "tables_bf16" : "tables_f16",
                    .says = says.s,
                    .fix = "",
                    .cost = 30,
                    .by_y = 1,
                    .by_x = 1,
                    .of_y = {&w->tok, w->pos.there ? &w->pos : NULL},
                    .of_x = {&rounded}};
    ok = ok && es_try_instead(w->c, &s, err);
    es_str_free(&says);
    es_known_free(&rounded);
    return ok;
}

/* Those of the text, or the first rows of wpe. */
static bool positions_of(world *w, es_error *err)
{
    const es_causes *a = w->c->asked;
    if (!es_known_of(w->c, &w->pos, a->pos_emb, err))
        return false;
    if (w->pos.there || !a->wpe)
        return true;
    for (int64_t i = 0; i < w->B * w->T; i++)
        w->other[i] = i % w->T;
    es_known_free(&w->pos);
    return tokens_of(w, &w->pos, a->wpe, err);
}

static bool look_at_tokens(world *w, es_error *err)
{
    const es_causes *a = w->c->asked;
    if (!positions_of(w, err))
        return false;
    memcpy(w->other, w->id, (size_t)(w->B * w->T) * sizeof *w->id);
    if (!tokens_of(w, &w->tok, a->wte, err))
        return false;
    if (!w->tok.there)
        return true;
    return try_other_ids(w, err) && try_scaled_tokens(w, err) && try_swapped_tables(w, err) &&
           try_narrow_tables(w, &es_bf16, err) && try_narrow_tables(w, &es_f16, err);
}

static bool with_ids(es_case *c, const es_tensor *ids, es_error *err)
{
    world w = {.c = c,
               .B = ids->shape.dim[0],
               .T = ids->shape.dim[1],
               .C = c->x->shape.dim[es_axis_C(c->x)],
               .V = c->asked->wte->shape.dim[0]};
    int64_t n = w.B * w.T, *id = es_try_alloc((size_t)n + 1, sizeof *id, "comparing", err);
    w.other = id ? es_try_alloc((size_t)n + 1, sizeof *id, "comparing", err) : NULL;
    w.id = id;
    w.lead = ids->shape;
    bool ok = w.other != NULL;
    for (int64_t i = 0; ok && i < n; i++)
        id[i] = es_torch_get_int(ids, i);
    ok = ok && look_at_tokens(&w, err);
    es_known_free(&w.tok);
    es_known_free(&w.pos);
    free(id);
    free(w.other);
    return ok;
}

/* The last text's ids have x's first axes. */
static bool ids_fit(const es_case *c)
{
    const es_tensor *ids = c->asked->ids;
    int n = c->x->shape.ndim;
    if (!ids || !c->asked->wte || n < 2 || n > 3 || ids->shape.ndim != 2 ||
        ids->shape.dim[1] != c->x->shape.dim[n - 2])
        return false;
    return ids->shape.dim[0] == (n == 3 ? c->x->shape.dim[0] : 1);
}

bool es_causes_model(es_case *c, es_error *err)
{
    es_tensor ids;
    if (!c->same_shape || !es_dtype_is_float(c->x->dtype) || c->x->shape.ndim < 2)
        return true;
    if (!es_causes_places(c, err))
        return false;
    if (!ids_fit(c))
        return true;
    if (!es_torch_here(c->k, &ids, c->asked->ids, "compare", err))
        return false;
    bool ok = with_ids(c, &ids, err);
    es_tensor_free(&ids);
    return ok;
}
