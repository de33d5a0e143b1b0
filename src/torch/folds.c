// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/folds.h"

#include <math.h>

#define EACH for (int64_t j = 0; j < n; j++)

static void sum_floats(es_fold *f, const double *v, int64_t n)
{
    EACH f->a += v[j];
}

static void sum_ints(es_fold *f, const int64_t *v, int64_t n)
{
    EACH f->i = (int64_t)((uint64_t)f->i + (uint64_t)v[j]);
}

static void multiply_floats(es_fold *f, const double *v, int64_t n)
{
    EACH f->a *= v[j];
}

static void multiply_ints(es_fold *f, const int64_t *v, int64_t n)
{
    EACH f->i = (int64_t)((uint64_t)f->i * (uint64_t)v[j]);
}

static void finish_mean(es_fold *f)
{
    f->a /= (double)f->length;
}

/* The first NaN beats all, else the first of the extremes. */
#define EXTREME(name, type, field, better)                                                         \
    static void name(es_fold *f, const type *v, int64_t n)                                         \
    {                                                                                              \
        EACH                                                                                       \
        {                                                                                          \
            if (f->seen + j > 0 && !(better))                                                      \
                continue;                                                                          \
            f->field = v[j];                                                                       \
            f->at = f->seen + j;                                                                   \
        }                                                                                          \
    }

EXTREME(largest_float, double, a, v[j] > f->a || (isnan(v[j]) && !isnan(f->a)))
EXTREME(smallest_float, double, a, v[j] < f->a || (isnan(v[j]) && !isnan(f->a)))
EXTREME(largest_int, int64_t, i, v[j] > f->i)
EXTREME(smallest_int, int64_t, i, v[j] < f->i)

static void finish_place(es_fold *f)
{
    f->i = f->at;
}

#define COUNTS(name, type, expression)                                                             \
    static void name(es_fold *f, const type *v, int64_t n)                                         \
    {                                                                                              \
        EACH f->i = (expression);                                                                  \
    }

COUNTS(all_floats, double, f->i &&v[j] != 0)
COUNTS(all_ints, int64_t, f->i &&v[j] != 0)
COUNTS(any_floats, double, f->i || v[j] != 0)
COUNTS(any_ints, int64_t, f->i || v[j] != 0)
COUNTS(count_floats, double, f->i + (v[j] != 0))
COUNTS(count_ints, int64_t, f->i + (v[j] != 0))

/* The largest first (in b), so that no power overflows. */
static void exponentials(es_fold *f, const double *v, int64_t n)
{
    if (f->pass == 0)
        EACH f->b = f->seen + j == 0 || isnan(v[j]) || v[j] > f->b ? v[j] : f->b;
    else
        EACH f->a += exp(v[j] - (isinf(f->b) ? 0 : f->b));
}

static void finish_logsumexp(es_fold *f)
{
    f->a = log(f->a) + (isinf(f->b) ? 0 : f->b);
}

/* The mean first (in b), then squares of distances from it. */
static void distances(es_fold *f, const double *v, int64_t n)
{
    if (f->pass == 0)
        EACH f->b += v[j];
    else
        EACH f->a += (v[j] - f->b / (double)f->length) * (v[j] - f->b / (double)f->length);
}

static void finish_variance(es_fold *f)
{
    f->a /= fmax(0, (double)f->length - f->p);
}

static void finish_deviation(es_fold *f)
{
    finish_variance(f);
    f->a = sqrt(f->a);
}

static double larger(double x, double y)
{
    return isnan(x) || x > y ? x : y;
}

static double smaller(double x, double y)
{
    return isnan(x) || x < y ? x : y;
}

static void powers(es_fold *f, const double *v, int64_t n)
{
    if (f->p == 2)
        EACH f->a += v[j] * v[j];
    else if (f->p == 1)
        EACH f->a += fabs(v[j]);
    else if (f->p == 0)
        EACH f->a += v[j] != 0;
    else if (isinf(f->p))
        EACH f->a = f->seen + j == 0 ? fabs(v[j])
                    : f->p > 0       ? larger(fabs(v[j]), f->a)
                                     : smaller(fabs(v[j]), f->a);
    else
        EACH f->a += pow(fabs(v[j]), f->p);
}

static void finish_norm(es_fold *f)
{
    if (f->p == 2)
        f->a = sqrt(f->a);
    else if (f->p != 1 && f->p != 0 && !isinf(f->p))
        f->a = pow(f->a, 1 / f->p);
}

const es_fold_kind es_folds[ES_N_REDUCTIONS] = {
    [ES_R_SUM] = {.passes = 1, sum_floats, sum_ints},
    [ES_R_PROD] = {.passes = 1, multiply_floats, multiply_ints, .start_a = 1, .start_i = 1},
    [ES_R_MEAN] = {.passes = 1, sum_floats, NULL, finish_mean},
    [ES_R_MAX] = {.passes = 1, largest_float, largest_int},
    [ES_R_MIN] = {.passes = 1, smallest_float, smallest_int},
    [ES_R_ARGMAX] = {.passes = 1, largest_float, largest_int, finish_place},
    [ES_R_ARGMIN] = {.passes = 1, smallest_float, smallest_int, finish_place},
    [ES_R_ALL] = {.passes = 1, all_floats, all_ints, .start_i = 1},
    [ES_R_ANY] = {.passes = 1, any_floats, any_ints},
    [ES_R_COUNT_NONZERO] = {.passes = 1, count_floats, count_ints},
    [ES_R_LOGSUMEXP] = {.passes = 2, exponentials, NULL, finish_logsumexp},
    [ES_R_VAR] = {.passes = 2, distances, NULL, finish_variance},
    [ES_R_STD] = {.passes = 2, distances, NULL, finish_deviation},
    [ES_R_NORM] = {.passes = 1, powers, NULL, finish_norm},
};
