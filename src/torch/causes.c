// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/causes.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "torch/grid.h"
#include "torch/weigh.h"

void es_cause_free(es_cause *c)
{
    es_str_free(&c->says);
    es_str_free(&c->fix);
}

/* ---- what is looked at first ---- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Places spread over all of x, in no order; half of them, where that is known, among those that differ. */
static void choose_samples(es_case *c)
{
    int64_t n = es_shape_count(&c->x->shape), step = (int64_t)((double)n * 0.6180339887) + 1;
    const es_difference *d = c->asked->difference;
    while (common_divisor(step, n) > 1)
        step++;
    int some = d && n > ES_MOST_SAMPLES ? d->n_some : 0;
    c->n_samples = n <= ES_MOST_SAMPLES ? (int)n : ES_MOST_SAMPLES / 2 + some;
    int64_t at = 0;
    for (int i = 0; i < c->n_samples; i++) {
        bool differs = i % 2 && i / 2 < some;
        es_place_split(c->sample[i], &c->x->shape, differs ? d->some[i / 2] : at);
        at = differs ? at : (at + step) % n;
    }
}

static void read_samples(es_case *c)
{
    double x2 = 0, y2 = 0;
    for (int i = 0; i < c->n_samples; i++) {
        double x = c->sample_x[i] = es_place_number(c->x, c->sample[i]), y = 0;
        if (c->same_shape)
            y = c->sample_y[i] = es_place_number(c->y, c->sample[i]);
        x2 += isfinite(x) ? x * x : 0;
        y2 += isfinite(y) ? y * y : 0;
    }
    c->level_x = sqrt(x2 / c->n_samples);
    c->level_y = c->same_shape ? sqrt(y2 / c->n_samples) : c->level_x;
}

static bool all_kept(const es_case *c, const double *of, const es_narrow *format)
{
    for (int i = 0; i < c->n_samples; i++)
        if (isfinite(of[i]) && es_narrowed(format, of[i]) != of[i])
            return false;
    return true;
}

/* Only numbers that a narrow format has room for were rounded to it. */
static unsigned possible_finishes(const es_case *c)
{
    unsigned f = 1 << ES_AS_IT_IS;
    if (!es_dtype_is_float(c->x->dtype) || !es_dtype_is_float(c->y->dtype))
        return f;
    if (all_kept(c, c->sample_x, &es_bf16))
        f |= 1 << ES_TO_BF16 | 1 << ES_CUT_TO_BF16 | 1 << ES_OFTEN_TO_BF16;
    if (all_kept(c, c->sample_x, &es_f16))
        f |= 1 << ES_TO_F16 | 1 << ES_OFTEN_TO_F16;
    if (c->same_shape)
        return f | (all_kept(c, c->sample_y, &es_bf16) ? 1U << ES_Y_TO_BF16 : 0) |
               (all_kept(c, c->sample_y, &es_f16) ? 1U << ES_Y_TO_F16 : 0);
    return f;
}

bool es_case_open(es_case *c, es_torch *k, const es_tensor *x, const es_tensor *y,
                  const es_causes *asked, es_cause *best, es_error *err)
{
    int64_t row = x->shape.dim[x->shape.ndim - 1];
    bool ints = !es_dtype_is_float(x->dtype) && !es_dtype_is_float(y->dtype),
         wide = x->dtype == ES_FLOAT64 && y->dtype == ES_FLOAT64;
    *c = (es_case){.k = k, .x = x, .y = y, .asked = asked, .best = best, .quality = -1};
    c->same_shape = es_shape_equal(&x->shape, &y->shape);
    c->floor = ints ? 0x1p-60 : wide ? 0x1p-48 : 0x1p-21;
    c->room_n = row < ES_ROW ? ES_ROW : row < ES_MOST_ROW ? row : ES_MOST_ROW;
    c->room = es_try_alloc((size_t)c->room_n * 3, sizeof *c->room, "comparing", err);
    c->sample = es_alloc_array(ES_MOST_SAMPLES, sizeof *c->sample);
    c->sample_x = es_alloc_array(ES_MOST_SAMPLES, sizeof *c->sample_x);
    c->sample_y = es_alloc_array(ES_MOST_SAMPLES, sizeof *c->sample_y);
    if (!c->room)
        return false;
    choose_samples(c);
    read_samples(c);
    c->rtol = fmin(asked->rtol, 1e-3);
    c->atol = fmin(asked->atol, 1e-6 * fmin(c->level_x, c->level_y));
    c->finishes = possible_finishes(c);
    return true;
}

void es_case_close(es_case *c)
{
    free(c->room);
    free(c->sample);
    free(c->sample_x);
    free(c->sample_y);
}

/* ---- rounding ---- */

static void say_rounding(es_case *c, bool alone)
{
    const es_narrow *f = es_finish_format(c->finish);
    const char *x = c->asked->x_name, *y = c->asked->y_name, *name = f->name;
    es_str *s = &c->best->says;
    if (!alone)
        es_str_cat(s, "; and ");
    switch (c->finish) {
    case ES_CUT_TO_BF16:
        es_str_add(s, "%s is %s cut off to bf16: towards 0, not to the nearest", alone ? x : "it",
                   alone ? y : "that");
        break;
    case ES_Y_TO_BF16:
    case ES_Y_TO_F16: es_str_add(s, "%s was rounded to %s, %s was not", y, name, x); break;
    case ES_OFTEN_TO_BF16:
    case ES_OFTEN_TO_F16:
        es_str_add(s, "%s was rounded to %s more than once on its way", x, name);
        break;
    default:
        if (alone)
            es_str_add(s, "%s is %s rounded to %s: %d binary digits are left of 24", x, y, name,
                       f->digits);
        else
            es_str_add(s, "%s is rounded to %s", x, name);
    }
}

static bool rounding(es_case *c, es_error *err)
{
    bool won;
    if (!c->same_shape || c->finishes == 1 << ES_AS_IT_IS)
        return true;
    es_theory h = es_theory_of(c->y, 10, NULL);
    h.moves = true;
    return es_case_try(c, &h, &won, err);
}

/* ---- all of them ---- */

static es_family *const families[] = {es_causes_scale,     rounding,         es_causes_turn,
                                      es_causes_part,      es_causes_slices, es_causes_bytes,
                                      es_causes_positions, es_causes_model,  es_causes_rows};

static bool look(es_case *c, es_error *err)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!es_watch_step(c->k->watch, 0, err) || !families[i](c, err))
            return false;
    if (c->quality >= 0 && c->finish != ES_AS_IT_IS)
        say_rounding(c, c->best->says.len == 0);
    return true;
}

/* A number is a row of one. */
static es_tensor with_an_axis(const es_tensor *t)
{
    es_tensor one = *t;
    if (t->shape.ndim == 0) {
        one.shape = es_shape_1d("", 1);
        one.stride[0] = 1;
    }
    return one;
}

bool es_torch_cause(es_torch *k, es_cause *out, const es_tensor *x, const es_tensor *y,
                    const es_causes *asked, es_error *err)
{
    es_tensor a = with_an_axis(x), b = with_an_axis(y);
    es_case c;
    *out = (es_cause){0};
    if (es_shape_count(&a.shape) == 0 || es_shape_count(&b.shape) == 0)
        return true;
    bool ok = es_case_open(&c, k, &a, &b, asked, out, err) && look(&c, err);
    es_case_close(&c);
    return ok;
}
