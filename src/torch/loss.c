// SPDX-License-Identifier: GPL-3.0-or-later
/* How far from the truth: losses. */
#include <inttypes.h>

#include "torch/cast.h"
#include "torch/elementwise.h"
#include "torch/label.h"
#include "torch/lines.h"
#include "torch/reduce.h"
#include "torch/similar.h"

/* The mean or sum of all of t, or t itself. */
static bool reduced(es_torch *k, es_tensor *out, const es_tensor *t, es_reduced how, es_error *err)
{
    es_over over = {.name = "loss", .n = t->shape.ndim, .all = true};
    for (int d = 0; d < over.n; d++)
        over.axis[d] = d;
    if (how == ES_EACH) {
        es_tensor_view(out, t);
        return true;
    }
    return es_torch_reduce(k, out, how == ES_MEAN_OF_ALL ? ES_R_MEAN : ES_R_SUM, t, &over, err);
}

bool es_torch_mse(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                  es_reduced how, es_error *err)
{
    es_tensor difference, squares;
    *out = (es_tensor){0};
    if (!es_torch_binary(k, &difference, ES_B_SUB, x, y, err))
        return false;
    bool ok = es_torch_binary(k, &squares, ES_B_MUL, &difference, &difference, err);
    es_tensor_free(&difference);
    if (!ok)
        return false;
    ok = reduced(k, out, &squares, how, err);
    es_tensor_free(&squares);
    return ok;
}

/* ---- cross entropy ---- */

typedef struct job {
    int64_t ignore;
    int64_t *counted;
    double *total;
} job;

static bool no_such_class(int64_t target, int64_t classes, es_error *err)
{
    es_fail(err, ES_ERR_INDEX_RANGE,
            "target %" PRId64 " is none of the %" PRId64 " classes (0..%" PRId64 ")", target,
            classes, classes - 1);
    return es_torch_says(err, "Target %" PRId64 " is out of bounds.", target);
}

/* line[0]: the loss; line[1]: scores; line[2]: the target. */
static bool loss_line(es_lines *l, const es_cells *line, es_error *err)
{
    const job *j = l->ctx;
    int64_t target = 0;
    double score = 0, max, log_sum, loss = 0;
    es_cells_to_ints(&target, &line[2], 1, ES_INT64);
    if (target != j->ignore) {
        if (target < 0 || target >= l->n)
            return no_such_class(target, l->n, err);
        es_cells at = es_cells_from(&line[1], target);
        es_cells_to_floats(&score, &at, 1, at.dtype);
        if (!es_lines_log_sum(l, &line[1], &max, &log_sum, err))
            return false;
        loss = log_sum - (score - max);
        ++*j->counted;
        *j->total += loss;
    }
    es_cells_from_floats(&line[0], &loss, 1);
    return true;
}

static void add_sizes(es_str *s, const es_shape *shape)
{
    es_shape bare = {.ndim = shape->ndim};
    for (int d = 0; d < shape->ndim; d++)
        bare.dim[d] = shape->dim[d];
    es_shape_show(s, &bare);
}

/* x without its class axis. */
static es_shape of_targets(const es_shape *x, int axis)
{
    es_shape s = *x;
    s.ndim--;
    for (int d = axis; d < s.ndim; d++) {
        s.dim[d] = x->dim[d + 1];
        s.label[d] = x->label[d + 1];
    }
    return s;
}

static bool targets_fit(const es_tensor *x, const es_tensor *target, const es_shape *want,
                        es_error *err)
{
    if (es_shape_equal(&target->shape, want))
        return true;
    es_str scores = {0}, targets = {0}, wanted = {0}, bare = {0};
    es_shape_show(&scores, &x->shape);
    es_shape_show(&targets, &target->shape);
    add_sizes(&wanted, want);
    add_sizes(&bare, &target->shape);
    es_fail(err, ES_ERR_BROADCAST,
            "scores %s have their classes on axis 1, so targets are %s and not %s", scores.s,
            wanted.s, targets.s);
    es_hint(err, "of (B, T, V) and (B, T): logits.view(-1, V) and targets.view(-1)");
    if (want->ndim == 1 && target->shape.ndim >= 1)
        es_torch_says(err,
                      "Expected input batch_size (%" PRId64 ") to match target batch_size (%" PRId64
                      ").",
                      want->dim[0], target->shape.dim[0]);
    else
        es_torch_says(err, "Expected target size %s, got %s", wanted.s, bare.s);
    es_str_free(&scores);
    es_str_free(&targets);
    es_str_free(&wanted);
    es_str_free(&bare);
    return false;
}

static bool may_compare(const es_tensor *x, const es_tensor *target, es_error *err)
{
    if (!es_torch_floats(x, "cross_entropy",
                         "\"log_softmax_lastdim_kernel_impl\" not implemented for '", "'", err))
        return false;
    if (x->shape.ndim == 0) {
        es_fail(err, ES_ERR_DIM_RANGE, "cross_entropy needs scores of classes, not one number");
        return es_torch_says(err, "Dimension out of range (expected to be in range of [-1, 0], but "
                                  "got 1)");
    }
    if (target->dtype == ES_INT64)
        return true;
    es_fail(err, ES_ERR_DTYPE, "targets are the numbers of classes, int64, and these are %s",
            es_dtype_name(target->dtype));
    return es_torch_says(err, "expected scalar type Long but found %s",
                         es_torch_scalar_name(target->dtype));
}

/* Each target's loss, its axis still there with size 1. */
static bool each_loss(es_torch *k, es_tensor *each, const es_tensor *x, const es_tensor *target,
                      int axis, const job *j, es_error *err)
{
    const es_tensor *const operand[] = {x, target};
    es_tensor here[2], column = {0};
    bool ok = es_host_operands(k, here, operand, 2, NULL, "cross_entropy", err) &&
              es_tensor_unsqueeze(&column, &here[1], axis, err);
    if (ok) {
        const es_tensor *const t[] = {each, &here[0], &column};
        ok = es_lines_run(k, t, 3, axis, loss_line, j, err);
    }
    es_tensor_free(&here[0]);
    es_tensor_free(&here[1]);
    es_tensor_free(&column);
    return ok;
}

/* The result: each as it is, or one number. */
static bool finished(es_torch *k, es_tensor *out, es_tensor *each, const job *j,
                     const es_shape *shape, es_reduced how, es_error *err)
{
    double value = how == ES_MEAN_OF_ALL ? *j->total / (double)*j->counted : *j->total;
    es_tensor number;
    if (how == ES_EACH) {
        if (!es_host_done(k, each, err))
            return false;
        es_tensor_view(out, each);
        out->shape = *shape;
        int64_t n = 1;
        for (int d = shape->ndim - 1; d >= 0; n *= shape->dim[d--])
            out->stride[d] = n;
        return true;
    }
    if (!es_torch_float(k, &number, value, err))
        return false;
    bool ok = es_torch_to(k, out, &number, each->dtype, each->buf->be, err);
    es_tensor_free(&number);
    return ok;
}

bool es_torch_cross_entropy(es_torch *k, es_tensor *out, const es_tensor *x,
                            const es_tensor *target, int64_t ignore, es_reduced how, es_error *err)
{
    int64_t counted = 0;
    double total = 0;
    const job j = {ignore, &counted, &total};
    const es_tensor *const t[] = {x, target};
    es_tensor each;
    *out = (es_tensor){0};
    if (!may_compare(x, target, err))
        return false;
    int axis = x->shape.ndim > 1;
    es_shape shape = of_targets(&x->shape, axis), ones = x->shape, one = {0};
    ones.dim[axis] = 1;
    if (!targets_fit(x, target, &shape, err))
        return false;
    if (!es_torch_result(k, &each, t, 2, x->dtype, &ones, err))
        return false;
    bool ok = es_torch_meta(&each)
                  ? es_torch_like(k, out, &each, x->dtype, how == ES_EACH ? &shape : &one, err)
                  : es_host_instead(&each, err) && each_loss(k, &each, x, target, axis, &j, err) &&
                        finished(k, out, &each, &j, &shape, how, err);
    es_tensor_free(&each);
    return ok;
}
