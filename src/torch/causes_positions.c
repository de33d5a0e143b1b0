// SPDX-License-Identifier: GPL-3.0-or-later
/* The same difference in every row, or in every sentence: a bias, positions.  What it is made of is not known. */
#include <math.h>

#include "torch/cells.h"
#include "torch/theory.h"

/* The first row, the first sentence are what the others are measured by: of them nothing is said. */
static bool other_rows(const es_theory *h, const int64_t *x, int64_t *y)
{
    (void)y;
    for (int d = 0; d < h->last; d++)
        if (x[d])
            return true;
    return false;
}

static bool other_sentences(const es_theory *h, const int64_t *x, int64_t *y)
{
    (void)y;
    for (int d = 0; d + 1 < h->last; d++)
        if (x[d])
            return true;
    return false;
}

/* t with its first `axes` axes stretched from their first index. */
static es_tensor stretched(const es_tensor *t, int axes)
{
    es_tensor s = *t;
    for (int d = 0; d < axes; d++)
        s.stride[d] = 0;
    return s;
}

static es_theory beside_first(const es_case *c, int axes, int cost, es_move_fn *others)
{
    es_tensor y0 = stretched(c->y, axes), x0 = stretched(c->x, axes);
    es_theory h = es_theory_of(c->y, cost, NULL);
    es_theory_add(&h, &y0, -1);
    es_theory_add(&h, &x0, 1);
    h.move = others;
    h.general = true;
    return h;
}

/* Where all rows are the same, all differences are. */
static bool is_telling(const es_case *c, int axes)
{
    es_tensor x0 = stretched(c->x, axes);
    int seen = 0, other = 0;
    for (int i = 0; i < c->n_samples; i++) {
        bool first = true;
        for (int d = 0; d < axes; d++)
            first = first && c->sample[i][d] == 0;
        seen += !first;
        other += !first && es_place_number(&x0, c->sample[i]) != c->sample_x[i];
    }
    return other > 1 && other > seen / 16;
}

static bool try_bias(es_case *c, es_error *err)
{
    bool won;
    es_theory h = beside_first(c, es_axis_C(c->x), 36, other_rows);
    es_theory_call(&h, "bias");
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won)
        es_str_add(&c->best->says, "%s - %s is the same vector in every row, as a bias is",
                   c->asked->x_name, c->asked->y_name);
    return true;
}

/* ---- positions ---- */

typedef enum reading { MISSING, EXTRA, OTHER } reading;

/* What is added to y and is independent of x is missing in x.  The product of x with the difference tells: 0 where x
 * has nothing of it, -1 of its square where x has it once more, -1/2 for two tables. */
static reading read_difference(const es_case *c)
{
    double xr = 0, rr = 0, xx = 0;
    for (int i = 0; i < c->n_samples; i++) {
        double x = c->sample_x[i], r = c->sample_y[i] - x;
        if (!isfinite(r))
            continue;
        xr += x * r;
        rr += r * r;
        xx += x * x;
    }
    double share = xr / rr, chance = sqrt(xx / rr / c->n_samples);
    if (fabs(share) + 2 * chance < 0.3)
        return MISSING;
    return fabs(share + 1) + 2 * chance < 0.3 ? EXTRA : OTHER;
}

static bool try_positions(es_case *c, es_error *err)
{
    static const char *const name[] = {"positions_missing", "positions_extra", "positions_differ"};
    bool won;
    es_theory h = beside_first(c, es_axis_T(c->x), 45, other_sentences);
    reading r = read_difference(c);
    es_theory_call(&h, "%s", name[r]);
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (!won)
        return true;
    es_str *s = &c->best->says;
    es_str_add(s, "%s - %s is the same for every sentence", c->asked->y_name, c->asked->x_name);
    if (r == MISSING)
        es_str_add(s, ": positions are missing in %s", c->asked->x_name);
    else if (r == EXTRA)
        es_str_add(s, ": positions are in %s once more than in %s", c->asked->x_name,
                   c->asked->y_name);
    else
        es_str_cat(s, ": positions differ; they are missing, shifted or of another table");
    return true;
}

static int64_t rows_but(const es_tensor *t, int axes)
{
    int64_t n = 1;
    for (int d = 0; d < axes; d++)
        n *= t->shape.dim[d];
    return n;
}

bool es_causes_positions(es_case *c, es_error *err)
{
    int n = c->x->shape.ndim;
    if (!c->same_shape || !es_dtype_is_float(c->x->dtype) || n < 2)
        return true;
    if (rows_but(c->x, n - 1) > 1 && is_telling(c, n - 1) && !try_bias(c, err))
        return false;
    return n < 3 || rows_but(c->x, n - 2) < 2 || !is_telling(c, n - 2) || try_positions(c, err);
}
