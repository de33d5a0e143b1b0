// SPDX-License-Identifier: GPL-3.0-or-later
/* Arithmetic with one number: times sqrt(C), plus a constant, zeros where numbers were, dropout that was left on. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "torch/theory.h"

/* ---- factors ---- */

typedef struct factor {
    char name[24];
    double value;
} factor;

enum { MOST_FACTORS = 24 };

static int factors(const es_case *c, factor *f)
{
    static const factor plain[] = {
        {"-1", -1},       {"2", 2},     {"0.5", 0.5},        {"10", 10},
        {"0.1", 0.1},     {"100", 100}, {"0.01", 0.01},      {"1000", 1000},
        {"0.001", 0.001}, {"255", 255}, {"1/255", 1.0 / 255}};
    int n = sizeof plain / sizeof *plain;
    memcpy(f, plain, sizeof plain);
    double C = (double)c->y->shape.dim[es_axis_C(c->y)];
    if (C > 2) {
        f[n++] = (factor){"sqrt(C)", sqrt(C)};
        f[n++] = (factor){"1/sqrt(C)", 1 / sqrt(C)};
        f[n++] = (factor){"C", C};
        f[n++] = (factor){"1/C", 1 / C};
    }
    double T = c->y->shape.ndim > 1 ? (double)c->y->shape.dim[es_axis_T(c->y)] : 0;
    if (T > 2) {
        f[n++] = (factor){"T", T};
        f[n++] = (factor){"1/T", 1 / T};
    }
    return n;
}

/* sum of x y, of y y, and so on, over the samples where both are finite. */
typedef struct sums {
    double n, x, y, xy, yy;
} sums;

static sums sum_up(const es_case *c, bool but_zeros)
{
    sums s = {0};
    for (int i = 0; i < c->n_samples; i++) {
        double x = c->sample_x[i], y = c->sample_y[i];
        if (!isfinite(x) || !isfinite(y) || (but_zeros && x == 0))
            continue;
        s.n++;
        s.x += x;
        s.y += y;
        s.xy += x * y;
        s.yy += y * y;
    }
    return s;
}

static void say_scaled(es_case *c, const char *name, double value)
{
    const char *x = c->asked->x_name, *y = c->asked->y_name;
    double C = (double)c->y->shape.dim[es_axis_C(c->y)];
    if (value == -1) {
        es_str_add(&c->best->says, "%s is -%s: the sign of every number is the other", x, y);
        es_str_add(&c->best->fix, "-%s", x);
        return;
    }
    es_str_add(&c->best->says, "%s is %s times %s", x, y, name);
    if (strchr(name, 'C'))
        es_str_add(&c->best->says, " (C=%.0f)", C);
    bool root = strstr(name, "sqrt") != NULL, inverse = !strncmp(name, "1/", 2);
    es_str_add(&c->best->fix, "%s %s ", x, inverse ? "*" : "/");
    if (root)
        es_str_add(&c->best->fix, "%.0f ** 0.5", C);
    else if (inverse)
        es_str_add(&c->best->fix, "%.0f", 1 / value);
    else
        es_str_add(&c->best->fix, "%.9g", value);
}

static bool try_factor(es_case *c, const char *name, double value, int free, es_error *err)
{
    bool won;
    es_theory h = es_theory_of(c->y, free ? 15 : 12, NULL);
    h.term[0].by = value;
    h.free = free;
    es_theory_call(&h, value == -1 ? "negated" : "scaled");
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won)
        say_scaled(c, name, value);
    return true;
}

static bool try_scaled(es_case *c, es_error *err)
{
    factor f[MOST_FACTORS];
    sums s = sum_up(c, false);
    char name[24];
    if (s.yy == 0)
        return true;
    double found = s.xy / s.yy;
    for (int i = 0, n = factors(c, f); i < n; i++)
        if (fabs(found / f[i].value - 1) < 0.01 && !try_factor(c, f[i].name, f[i].value, 0, err))
            return false;
    if (found == 0)
        return true;
    snprintf(name, sizeof name, "%.6g", found);
    return try_factor(c, name, found, 1, err);
}

/* ---- constants ---- */

static bool try_added(es_case *c, es_error *err)
{
    bool won;
    sums s = sum_up(c, false);
    if (s.n == 0)
        return true;
    es_theory h = es_theory_of(c->y, 16, NULL);
    h.add = (s.x - s.y) / s.n;
    h.free = 1;
    es_theory_call(&h, "constant_added");
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won) {
        es_str_add(&c->best->says, "%s is %s %s %.6g everywhere", c->asked->x_name,
                   c->asked->y_name, h.add < 0 ? "minus" : "plus", fabs(h.add));
        es_str_add(&c->best->fix, "%s %s %.6g", c->asked->x_name, h.add < 0 ? "+" : "-",
                   fabs(h.add));
    }
    return true;
}

static bool try_affine(es_case *c, es_error *err)
{
    bool won;
    sums s = sum_up(c, false);
    double spread = s.n * s.yy - s.y * s.y;
    if (s.n < 4 || spread <= 1e-12 * s.n * s.yy)
        return true;
    double by = (s.n * s.xy - s.x * s.y) / spread, add = (s.x - by * s.y) / s.n;
    es_theory h = es_theory_of(c->y, 37, NULL);
    h.term[0].by = by;
    h.add = add;
    h.free = 2;
    es_theory_call(&h, "scaled_and_shifted");
    if (by == 0)
        return true;
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won) {
        es_str_add(&c->best->says, "%s is %s times %.6g, %s %.6g", c->asked->x_name,
                   c->asked->y_name, by, add < 0 ? "minus" : "plus", fabs(add));
        es_str_add(&c->best->fix, "(%s %s %.6g) / %.6g", c->asked->x_name, add < 0 ? "+" : "-",
                   fabs(add), by);
    }
    return true;
}

static bool try_constant(es_case *c, es_error *err)
{
    bool won;
    es_theory h = {.add = c->sample_x[0], .cost = 1};
    es_theory_call(&h, h.add == 0 ? "zeros" : "constant");
    if (!isfinite(h.add) || c->n_samples < 2)
        return true;
    for (int i = 1; i < c->n_samples; i++)
        if (c->sample_y[i] != c->sample_y[0]) {
            if (!es_case_try(c, &h, &won, err))
                return false;
            if (won)
                es_str_add(&c->best->says, "%s is %.6g everywhere", c->asked->x_name, h.add);
            return true;
        }
    return true;
}

/* ---- zeros in place of numbers ---- */

static void say_dropped(es_case *c, double share, double by, bool dropout)
{
    if (dropout)
        es_str_add(&c->best->says,
                   "%.3g%% of %s are zeros and the others are %.4g times what they should be: "
                   "dropout (p = %.2g) was left on",
                   100 * share, c->asked->x_name, by, 1 - 1 / by);
    else
        es_str_add(&c->best->says, "%s is %s with zeros in place of %" PRId64 " numbers",
                   c->asked->x_name, c->asked->y_name, c->dropped);
    es_str_cat(&c->best->fix, dropout ? "model.eval()" : "");
}

/* Dropout keeps a part 1/by of all numbers, and makes them larger by that. */
static bool try_dropped(es_case *c, double by, es_error *err)
{
    bool won, dropout = by > 1.0001;
    double zeros = 0, n = 0;
    for (int i = 0; i < c->n_samples; i++) {
        n += c->sample_y[i] != 0;
        zeros += c->sample_y[i] != 0 && c->sample_x[i] == 0;
    }
    double p = 1 - 1 / by, share = n ? zeros / n : 0;
    if (zeros == 0 || share > 0.97 || by < 0.9999 ||
        (dropout && fabs(share - p) > 4 * sqrt(p * (1 - p) / n) + 0.01))
        return true;
    es_theory h = es_theory_of(c->y, dropout ? 40 : 39, NULL);
    h.term[0].by = dropout ? by : 1;
    h.free = dropout;
    h.dropped = true;
    es_theory_call(&h, dropout ? "dropout" : "zeroed");
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won)
        say_dropped(c, share, by, dropout);
    return true;
}

bool es_causes_scale(es_case *c, es_error *err)
{
    if (!c->same_shape)
        return true;
    sums kept = sum_up(c, true);
    return try_constant(c, err) && try_scaled(c, err) && try_added(c, err) && try_affine(c, err) &&
           (kept.yy == 0 || try_dropped(c, kept.xy / kept.yy, err));
}
