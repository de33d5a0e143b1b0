// SPDX-License-Identifier: GPL-3.0-or-later
/* Vectors brought to one scale: length 1, or mean 0 and variance 1. */
#include <math.h>

#include "torch/cast.h"
#include "torch/elementwise.h"
#include "torch/folds.h"
#include "torch/lines.h"
#include "torch/move.h"
#include "torch/reduce.h"
#include "torch/similar.h"

typedef struct scale {
    const char *name; /* what was called */
    double p, eps;
    bool weight, bias;
    bool root; /* about 0, not about the mean */
} scale;

static bool norm_of_line(es_lines *l, const es_cells *line, double p, double *norm, es_error *err)
{
    double v[ES_ROW];
    es_fold f = {.p = p};
    for (int64_t i = 0, n; i < l->n; i += n) {
        es_cells x = es_cells_from(line, i);
        n = es_lines_piece(l, i);
        es_cells_to_floats(v, &x, n, x.dtype);
        es_folds[ES_R_NORM].floats(&f, v, n);
        f.seen += n;
        if (!es_lines_pace(l, n, err))
            return false;
    }
    es_folds[ES_R_NORM].finish(&f);
    *norm = f.a;
    return true;
}

static bool normalize_line(es_lines *l, const es_cells *line, es_error *err)
{
    const scale *s = l->ctx;
    double v[ES_ROW], norm;
    if (!norm_of_line(l, &line[1], s->p, &norm, err))
        return false;
    norm = norm < s->eps ? s->eps : norm;
    for (int64_t i = 0, n; i < l->n; i += n) {
        es_cells out = es_cells_from(&line[0], i), x = es_cells_from(&line[1], i);
        n = es_lines_piece(l, i);
        es_cells_to_floats(v, &x, n, x.dtype);
        for (int64_t e = 0; e < n; e++)
            v[e] /= norm;
        es_cells_from_floats(&out, v, n);
        if (!es_lines_pace(l, n, err))
            return false;
    }
    return true;
}

/* On a device: x / max(its lengths, eps). */
static bool normalize_there(es_torch *k, es_tensor *out, const es_tensor *x, double p, int axis,
                            double eps, es_error *err)
{
    const es_over over = {.name = "normalize", .n = 1, .axis = {axis}, .keepdim = true, .p = p};
    es_torch quiet = *k; /* the axis that is reduced has no name in between */
    quiet.note = NULL;
    quiet.strict = false;
    es_tensor number = {0}, length = {0}, least = {0};
    bool ok = es_torch_float(k, &number, eps, err) &&
              es_torch_reduce(&quiet, &length, ES_R_NORM, x, &over, err) &&
              es_torch_binary(&quiet, &least, ES_B_MAXIMUM, &length, &number, err) &&
              es_torch_binary(&quiet, out, ES_B_DIV, x, &least, err);
    es_tensor_free(&number);
    es_tensor_free(&length);
    es_tensor_free(&least);
    if (ok)
        out->shape = x->shape; /* with its names */
    return ok;
}

bool es_torch_normalize(es_torch *k, es_tensor *out, const es_tensor *x, double p, int axis,
                        double eps, es_error *err)
{
    scale s = {.p = p, .eps = eps};
    *out = (es_tensor){0};
    if (!es_torch_floats(
            x, "normalize",
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ", "",
            err))
        return false;
    if (!k->shapes_only && !es_torch_meta(x) && es_torch_far(x) && x->shape.ndim > 0)
        return normalize_there(k, out, x, p, axis, eps, err);
    if (!es_torch_result(k, out, &x, 1, x->dtype, &x->shape, err))
        return false;
    if (es_torch_meta(out) ||
        (es_lines_along(k, out, &x, 1, NULL, axis, normalize_line, &s, "normalize", err) &&
         es_host_done(k, out, err)))
        return true;
    es_tensor_free(out);
    return false;
}

/* The mean and 1 / the deviation of a line; or 0 and 1 / the root of its mean square. */
static bool moments(es_lines *l, const es_cells *line, const scale *s, double *mean, double *per,
                    es_error *err)
{
    double v[ES_ROW];
    es_fold f = {.length = l->n};
    for (f.pass = 0; f.pass < 2; f.pass++)
        for (int64_t i = 0, n; i < l->n; i += n) {
            es_cells x = es_cells_from(line, i);
            n = es_lines_piece(l, i);
            es_cells_to_floats(v, &x, n, x.dtype);
            es_folds[ES_R_VAR].floats(&f, v, n);
            if (!es_lines_pace(l, n, err))
                return false;
        }
    es_folds[ES_R_VAR].finish(&f);
    *mean = f.b / (double)f.length;
    *per = 1 / sqrt(f.a + (s->root ? *mean * *mean : 0) + s->eps);
    *mean = s->root ? 0 : *mean;
    return true;
}

/* line[0] = line[1] normalised, times line[2] if there is a weight, plus what comes next if there is a bias. */
static bool layer_norm_line(es_lines *l, const es_cells *line, es_error *err)
{
    const scale *s = l->ctx;
    double v[ES_ROW], w[ES_ROW], mean, per;
    if (!moments(l, &line[1], s, &mean, &per, err))
        return false;
    for (int64_t i = 0, n; i < l->n; i += n) {
        es_cells out = es_cells_from(&line[0], i), x = es_cells_from(&line[1], i);
        es_cells weight = es_cells_from(&line[s->weight ? 2 : 0], i),
                 bias = es_cells_from(&line[s->bias ? 2 + s->weight : 0], i);
        n = es_lines_piece(l, i);
        es_cells_to_floats(v, &x, n, x.dtype);
        for (int64_t e = 0; e < n; e++)
            v[e] = (v[e] - mean) * per;
        if (s->weight)
            es_cells_to_floats(w, &weight, n, weight.dtype);
        for (int64_t e = 0; e < n && s->weight; e++)
            v[e] *= w[e];
        if (s->bias)
            es_cells_to_floats(w, &bias, n, bias.dtype);
        for (int64_t e = 0; e < n && s->bias; e++)
            v[e] += w[e];
        es_cells_from_floats(&out, v, n);
        if (!es_lines_pace(l, n, err))
            return false;
    }
    return true;
}

static void add_sizes(es_str *s, const es_shape *shape)
{
    es_shape bare = {.ndim = shape->ndim};
    for (int d = 0; d < shape->ndim; d++)
        bare.dim[d] = shape->dim[d];
    es_shape_show(s, &bare);
}

static bool shape_fits(const es_shape *x, const es_shape *shape, const char *name, es_error *err)
{
    bool fits = shape->ndim <= x->ndim && shape->ndim > 0;
    for (int i = 1; fits && i <= shape->ndim; i++)
        fits = x->dim[x->ndim - i] == shape->dim[shape->ndim - i];
    if (fits)
        return true;
    es_str have = {0}, want = {0}, bare = {0};
    es_shape_show(&have, x);
    add_sizes(&want, shape);
    add_sizes(&bare, x);
    es_fail(err, ES_ERR_BROADCAST, "%s over %s: the last axes of %s are others", name, want.s,
            have.s);
    es_torch_says(err,
                  "Given normalized_shape=%s, expected input with shape [*, %s, but got input of "
                  "size%s",
                  want.s, want.s + 1, bare.s);
    es_str_free(&have);
    es_str_free(&want);
    es_str_free(&bare);
    return false;
}

static bool parameter_fits(const es_tensor *t, const es_shape *shape, const char *of,
                           const char *name, es_error *err)
{
    if (!t || es_shape_equal(&t->shape, shape))
        return true;
    es_str have = {0}, want = {0};
    add_sizes(&have, &t->shape);
    add_sizes(&want, shape);
    es_fail(err, ES_ERR_BROADCAST, "%s over %s needs a %s of that shape, not %s", of, want.s, name,
            have.s);
    es_torch_says(err,
                  "Expected %s to be of same shape as normalized_shape, but got %s of shape %s and "
                  "normalized_shape = %s",
                  name, name, have.s, want.s);
    es_str_free(&have);
    es_str_free(&want);
    return false;
}

/* A dense tensor's last axes as one: (rows, n), or (1, n) of a parameter stretched to that. */
static void flatten_last(es_tensor *t, int64_t rows, int64_t n, bool stretch)
{
    t->shape = es_shape_2d("", rows, "", n);
    t->stride[0] = stretch ? 0 : n;
    t->stride[1] = 1;
}

/* t, in host memory, or a copy there with its numbers in order. */
static bool dense(es_torch *k, es_tensor *out, const es_tensor *t, es_error *err)
{
    static const int64_t *const as_it_is[ES_MAX_DIMS];
    if (!es_torch_is_contiguous(t))
        return es_torch_take(k, out, t, &t->shape, as_it_is, err);
    es_tensor_view(out, t);
    return true;
}

static bool normed(es_torch *k, es_tensor *out, const es_tensor *const *x, int n_x, int64_t n,
                   const scale *s, es_error *err)
{
    es_tensor flat[ES_MOST_GRID] = {0};
    const es_tensor *t[ES_MOST_GRID];
    int64_t rows = n ? es_shape_count(&out->shape) / n : 0;
    es_tensor here[ES_MOST_GRID - 1] = {0};
    bool ok = es_host_operands(k, here, x, n_x, NULL, s->name, err);
    for (int i = 0; ok && i < n_x; i++) {
        ok = dense(k, &flat[i + 1], &here[i], err);
        flatten_last(&flat[i + 1], rows, n, i > 0);
        t[i + 1] = &flat[i + 1];
    }
    for (int i = 0; i < n_x; i++)
        es_tensor_free(&here[i]);
    flat[0] = *out; /* borrows */
    flatten_last(&flat[0], rows, n, false);
    t[0] = &flat[0];
    ok = ok && es_lines_run(k, t, n_x + 1, 1, layer_norm_line, s, err);
    for (int i = 1; i < ES_MOST_GRID; i++)
        es_tensor_free(&flat[i]);
    return ok;
}

/* Over the last axes, those of shape; weight and bias: NULL for none. */
static bool scaled(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                   const es_tensor *weight, const es_tensor *bias, const scale *s, es_error *err)
{
    const es_tensor *t[3] = {x};
    int n = 1;
    *out = (es_tensor){0};
    if (weight)
        t[n++] = weight;
    if (bias)
        t[n++] = bias;
    if (!es_torch_floats(x, s->name, "\"LayerNormKernelImpl\" not implemented for '", "'", err) ||
        !shape_fits(&x->shape, shape, s->name, err) ||
        !parameter_fits(weight, shape, s->name, "weight", err) ||
        !parameter_fits(bias, shape, s->name, "bias", err) ||
        !es_torch_result(k, out, t, n, x->dtype, &x->shape, err))
        return false;
    if (es_torch_meta(out) ||
        (es_host_instead(out, err) && normed(k, out, t, n, es_shape_count(shape), s, err) &&
         es_host_done(k, out, err)))
        return true;
    es_tensor_free(out);
    return false;
}

bool es_torch_layer_norm(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                         const es_tensor *weight, const es_tensor *bias, double eps, es_error *err)
{
    const scale s = {
        .name = "layer_norm", .eps = eps, .weight = weight != NULL, .bias = bias != NULL};
    return scaled(k, out, x, shape, weight, bias, &s, err);
}

bool es_torch_rms_norm(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                       const es_tensor *weight, double eps, es_error *err)
{
    const scale s = {.name = "rms_norm", .root = true, .eps = eps, .weight = weight != NULL};
    return scaled(k, out, x, shape, weight, NULL, &s, err);
}
