// SPDX-License-Identifier: GPL-3.0-or-later
/* Picking by chance: which of several, and whether at all. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "torch/cast.h"
#include "torch/cells.h"
#include "torch/elementwise.h"
#include "torch/filling.h"
#include "torch/host.h"
#include "torch/make.h"

/* ---- multinomial ---- */

static bool bad_chances(const es_tensor *x, es_error *err)
{
    if (!es_dtype_is_float(x->dtype)) {
        es_fail(err, ES_ERR_DTYPE, "chances are floats, and these are %s", es_dtype_name(x->dtype));
        es_torch_says(err, "multinomial only supports floating-point dtypes for input, got: %s",
                      es_torch_scalar_name(x->dtype));
        return true;
    }
    if (x->shape.ndim == 1 || x->shape.ndim == 2)
        return false;
    es_fail(err, ES_ERR_DIM_RANGE, "chances have one axis, or rows of them, not %d axes",
            x->shape.ndim);
    es_torch_says(err, "prob_dist must be 1 or 2 dim");
    return true;
}

static bool bad_count(int64_t C, int64_t n, bool again, es_error *err)
{
    if (n <= 0) {
        es_fail(err, ES_ERR_VALUE, "%" PRId64 " are not picked: at least 1 is", n);
        es_torch_says(err, "cannot sample n_sample <= 0 samples");
    } else if (!again && n > C) {
        es_fail(err, ES_ERR_VALUE, "%" PRId64 " different ones are not picked of %" PRId64, n, C);
        es_hint(err, "the same one may come again: replacement=True");
        es_torch_says(err,
                      "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
    } else
        return false;
    return true;
}

/* The chances of one row as they are now, and their sum. */
static bool read_row(double *p, double *sum, const es_tensor *x, int64_t row, int64_t C,
                     es_error *err)
{
    *sum = 0;
    for (int64_t c = 0; c < C; c++) {
        p[c] = es_torch_get_float(x, row * C + c);
        if (!(p[c] >= 0) || isinf(p[c])) {
            es_fail(err, ES_ERR_VALUE, "chances are numbers from 0 on, and one of these is %g",
                    p[c]);
            return es_torch_says(err,
                                 "probability tensor contains either `inf`, `nan` or element < 0");
        }
        *sum += p[c];
    }
    if (*sum > 0)
        return true;
    es_fail(err, ES_ERR_VALUE, "no chance is above 0");
    return es_torch_says(err, "invalid multinomial distribution (sum of probabilities <= 0)");
}

/* The one into whose part of the sum the number falls; -1: none has a chance. */
static int64_t pick(const double *p, int64_t C, double number)
{
    int64_t last = -1;
    for (int64_t c = 0; c < C; c++) {
        if (p[c] <= 0)
            continue;
        last = c;
        if (number < p[c])
            break;
        number -= p[c];
    }
    return last;
}

static bool too_few(int64_t have, int64_t n, es_error *err)
{
    es_fail(err, ES_ERR_VALUE,
            "%" PRId64 " different ones are wanted, and only %" PRId64 " have a chance above 0", n,
            have);
    return es_torch_says(err, "invalid multinomial distribution (with replacement=False, not "
                              "enough non-negative category to sample)");
}

static bool pick_row(es_torch *k, const es_tensor *out, const es_tensor *x, const es_tensor *chance,
                     int64_t row, double *p, bool again, es_error *err)
{
    int64_t C = x->shape.dim[x->shape.ndim - 1], n = out->shape.dim[out->shape.ndim - 1];
    double sum;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 && !read_row(p, &sum, x, row, C, err))
            return false;
        int64_t c = pick(p, C, es_torch_get_float(chance, row * n + i) * sum);
        if (c < 0)
            return too_few(i, n, err);
        es_torch_put_int(out, row * n + i, c);
        if (!again) {
            sum -= p[c];
            p[c] = 0;
        }
        if (!es_watch_step(k->watch, 0, err))
            return false;
    }
    return true;
}

bool es_torch_multinomial(es_torch *k, es_tensor *out, const es_tensor *x, int64_t n, bool again,
                          es_error *err)
{
    *out = (es_tensor){0};
    if (bad_chances(x, err))
        return false;
    es_shape shape = x->shape;
    int64_t C = shape.dim[shape.ndim - 1], rows = shape.ndim == 2 ? shape.dim[0] : 1;
    if (bad_count(C, n, again, err))
        return false;
    shape.dim[shape.ndim - 1] = n;
    shape.label[shape.ndim - 1] = es_label_named("");
    es_tensor chance = {0}, here = {0};
    double *p = NULL;
    bool ok = es_torch_like(k, out, x, ES_INT64, &shape, err);
    if (ok && !es_torch_meta(out)) {
        p = es_try_alloc((size_t)C + 1, sizeof *p, "chances", err);
        ok = p && es_host_operand(k, &here, x, NULL, "multinomial", err) &&
             es_torch_rand(k, &chance, x->buf->be, ES_FLOAT64, &shape, err);
        for (int64_t r = 0; ok && r < rows; r++)
            ok = pick_row(k, out, &here, &chance, r, p, again, err);
    }
    free(p);
    es_tensor_free(&here);
    es_tensor_free(&chance);
    if (!ok)
        es_tensor_free(out);
    return ok;
}

/* ---- bernoulli ---- */

bool es_torch_bernoulli(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err)
{
    es_tensor chance, hit;
    *out = (es_tensor){0};
    if (!es_dtype_is_float(x->dtype)) {
        es_fail(err, ES_ERR_DTYPE, "chances are floats, and these are %s", es_dtype_name(x->dtype));
        return es_torch_says(err, "\"bernoulli_tensor_cpu_p_\" not implemented for '%s'",
                             es_torch_scalar_name(x->dtype));
    }
    if (!es_torch_rand(k, &chance, x->buf->be, ES_FLOAT64, &x->shape, err))
        return false;
    bool ok = es_torch_binary(k, &hit, ES_B_LT, &chance, x, err);
    es_tensor_free(&chance);
    if (!ok)
        return false;
    ok = es_torch_to(k, out, &hit, x->dtype, x->buf->be, err);
    es_tensor_free(&hit);
    return ok;
}
