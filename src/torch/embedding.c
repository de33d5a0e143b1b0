// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "torch/device.h"
#include "torch/index.h"
#include "torch/label.h"
#include "torch/move.h"

/* ---- what can be wrong with ids ---- */

static bool wrong_dtype(const es_tensor *ids, es_error *err)
{
    es_fail(err, ES_ERR_DTYPE, "ids are whole numbers, int64 or int32, and these are %s",
            es_dtype_name(ids->dtype));
    es_hint(err, "try: .long()");
    return es_torch_says(
        err,
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
        "Long, Int; but got %s instead (while checking arguments for embedding)",
        ids->dtype == ES_BOOL ? "CPUBoolType" : es_torch_tensor_name(ids->dtype));
}

static bool wrong_weight(const es_tensor *weight, es_error *err)
{
    es_str shown = {0};
    es_shape_show(&shown, &weight->shape);
    es_fail(err, ES_ERR_VALUE, "a table has two axes, rows and channels, and this weight is %s",
            shown.s);
    es_str_free(&shown);
    return es_torch_says(err, "'weight' must be 2-D");
}

static bool two_devices(const es_tensor *weight, const es_tensor *ids, es_error *err)
{
    const char *table = weight->buf->be->name, *index = ids->buf->be->name;
    es_fail(err, ES_ERR_DEVICE, "the table is on %s and the ids are on %s", table, index);
    es_hint(err, "try: .to(\"%s\") for the ids", table);
    return es_torch_says_devices(table, index,
                                 "argument index in method wrapper_CUDA__index_select", err);
}

bool es_torch_is_positions(const es_tensor *weight, const char *name)
{
    bool named = name && (!strcmp(name, "wpe") || strstr(name, "pos"));
    return named || !strcmp(weight->shape.label[0].s, "P");
}

static void say_range(const es_tensor *weight, const char *name, int64_t id, es_error *err)
{
    const char *label = weight->shape.label[0].s;
    int64_t V = weight->shape.dim[0];
    bool positions = es_torch_is_positions(weight, name),
         named = es_label_is_named(&weight->shape.label[0]);
    if (V == 0) {
        es_hint(err, "the table has no rows");
        return;
    }
    es_hint(err,
            positions ? "the largest legal position is %s%s%" PRId64
                      : "the largest legal id is %s%s%" PRId64,
            named ? label : "", named ? "-1 = " : "", V - 1);
    if (id < 0)
        es_hint(err, "ids do not wrap: only weight[%" PRId64 "] counts from the end", id);
    else if (positions)
        es_hint(err,
                "a position is a place in the text: this table has a row for each of the first "
                "%" PRId64 " only",
                V);
}

static bool bad_id(const es_tensor *weight, const es_tensor *ids, const char *name, int64_t p,
                   int64_t id, es_error *err)
{
    es_str place = {0}, rows = {0};
    int64_t V = weight->shape.dim[0];
    const char *label = weight->shape.label[0].s;
    if (ids->shape.ndim > 0) {
        es_str_cat(&place, " at ");
        es_torch_place(&place, &ids->shape, p);
    }
    if (V > 0)
        es_str_add(&rows, ": 0..%" PRId64, V - 1);
    es_fail(err, ES_ERR_INDEX_RANGE,
            es_torch_is_positions(weight, name)
                ? "position %" PRId64 "%s is outside %s (%s%s%" PRId64 " rows%s)"
                : "id %" PRId64 "%s is outside %s (%s%s%" PRId64 " rows%s)",
            id, es_str_text(&place), name ? name : "the table", label, *label ? "=" : "", V,
            es_str_text(&rows));
    es_str_free(&place);
    es_str_free(&rows);
    say_range(weight, name, id, err);
    return es_torch_says(err,
                         "index out of range in self  (on a GPU: device-side assert triggered)");
}

/* ---- looking up ---- */

/* ids as int64, all of them rows of weight; free() it. */
static int64_t *read_ids(es_torch *k, const es_tensor *weight, const es_tensor *ids,
                         const char *name, es_error *err)
{
    int64_t n = es_shape_count(&ids->shape), V = weight->shape.dim[0];
    int64_t *id = es_torch_fits(k, ES_INT64, &ids->shape, err) &&
                          es_torch_ready(k, ids, "looking up ids", err)
                      ? es_try_alloc((size_t)(n ? n : 1), sizeof *id, "the ids", err)
                      : NULL;
    for (int64_t p = 0; id && p < n; p++) {
        id[p] = es_torch_get_int(ids, p);
        bool ok = id[p] >= 0 && id[p] < V ? true : bad_id(weight, ids, name, p, id[p], err);
        if (!ok || (p % 4096 == 4095 && !es_watch_step(k->watch, 0, err))) {
            free(id);
            return NULL;
        }
    }
    return id;
}

static bool shape_of_rows(es_shape *out, const es_shape *ids, const es_label *last, int64_t C,
                          es_error *err)
{
    *out = *ids;
    if (ids->ndim == ES_MAX_DIMS)
        return es_fail(err, ES_ERR_DIM_RANGE, "a tensor has at most %d axes here", ES_MAX_DIMS);
    out->dim[out->ndim] = C;
    out->label[out->ndim++] = *last;
    return true;
}

/* out (n, C), dense, seen as shape. */
static void unfold(es_tensor *out, const es_shape *shape)
{
    int64_t step = 1;
    out->shape = *shape;
    for (int d = shape->ndim - 1; d >= 0; d--) {
        out->stride[d] = step;
        step *= shape->dim[d] ? shape->dim[d] : 1;
    }
}

bool es_torch_embedding(es_torch *k, es_tensor *out, const es_tensor *weight, const es_tensor *ids,
                        const char *name, es_error *err)
{
    *out = (es_tensor){0};
    if (ids->dtype != ES_INT64 && ids->dtype != ES_INT32)
        return wrong_dtype(ids, err);
    if (weight->shape.ndim != 2)
        return wrong_weight(weight, err);
    if (weight->buf->be != ids->buf->be)
        return two_devices(weight, ids, err);
    es_shape shape;
    if (!shape_of_rows(&shape, &ids->shape, &weight->shape.label[1], weight->shape.dim[1], err))
        return false;
    if (es_torch_meta(ids))
        return es_torch_like(k, out, ids, weight->dtype, &shape, err);
    bool fits = k->shapes_only || es_torch_fits(k, weight->dtype, &shape, err);
    int64_t *id = fits ? read_ids(k, weight, ids, name, err) : NULL;
    bool ok = id && es_torch_gather_rows(k, out, weight, id, es_shape_count(&ids->shape), err);
    if (ok)
        unfold(out, &shape);
    free(id);
    return ok;
}

/* ---- one_hot ---- */

static bool bad_class(const es_tensor *ids, int64_t p, int64_t id, int64_t classes, es_error *err)
{
    es_str place = {0};
    if (ids->shape.ndim > 0) {
        es_str_cat(&place, " at ");
        es_torch_place(&place, &ids->shape, p);
    }
    if (id < 0) {
        es_fail(err, ES_ERR_INDEX_RANGE, "id %" PRId64 "%s is below 0, and no class is", id,
                es_str_text(&place));
        es_torch_says(err, "Class values must be non-negative.");
    } else {
        es_fail(err, ES_ERR_INDEX_RANGE,
                "id %" PRId64 "%s is none of %" PRId64 " classes: 0..%" PRId64, id,
                es_str_text(&place), classes, classes - 1);
        es_torch_says(err, "Class values must be smaller than num_classes.");
    }
    es_str_free(&place);
    return false;
}

static bool count_classes(es_torch *k, const es_tensor *ids, int64_t *classes, es_error *err)
{
    int64_t n = es_shape_count(&ids->shape), most = -1;
    if (*classes < -1 || *classes == 0) {
        es_fail(err, ES_ERR_VALUE, "%" PRId64 " is no number of classes", *classes);
        return es_torch_says(err, "num_classes should be positive");
    }
    if (*classes == -1 && n == 0) {
        es_fail(err, ES_ERR_VALUE, "there are no ids, so the number of classes must be given");
        return es_torch_says(err, "Can not infer total number of classes from empty tensor.");
    }
    if (*classes != -1 && es_torch_meta(ids))
        return true;
    if (!es_torch_ready(k, ids, "counting the classes of one_hot", err))
        return false;
    for (int64_t p = 0; p < n; p++) {
        int64_t id = es_torch_get_int(ids, p);
        if (id == INT64_MAX && *classes == -1)
            return es_fail(err, ES_ERR_NOMEM,
                           "id %" PRId64 " has more classes before it than can be counted", id);
        if (id < 0 || (*classes != -1 && id >= *classes))
            return bad_class(ids, p, id, *classes, err);
        most = id > most ? id : most;
        if (p % 4096 == 4095 && !es_watch_step(k->watch, 0, err))
            return false;
    }
    if (*classes == -1)
        *classes = most + 1;
    return true;
}

bool es_torch_one_hot(es_torch *k, es_tensor *out, const es_tensor *ids, int64_t classes,
                      const es_label *label, es_error *err)
{
    const es_label none = {{0}};
    es_shape shape;
    *out = (es_tensor){0};
    if (ids->dtype != ES_INT64) {
        es_fail(err, ES_ERR_DTYPE, "one_hot takes ids of int64, and these are %s",
                es_dtype_name(ids->dtype));
        es_hint(err, "try: .long()");
        return es_torch_says(err, "one_hot is only applicable to index tensor.");
    }
    if (!count_classes(k, ids, &classes, err) ||
        !shape_of_rows(&shape, &ids->shape, label ? label : &none, classes, err) ||
        !es_torch_like(k, out, ids, ES_INT64, &shape, err))
        return false;
    if (es_torch_meta(out))
        return true;
    int64_t *to = out->buf->mem;
    es_backend_ran_beside(ids->buf->be, "one_hot");
    memset(to, 0, (size_t)es_shape_count(&shape) * sizeof *to);
    for (int64_t p = 0, n = es_shape_count(&ids->shape); p < n; p++)
        to[p * classes + es_torch_get_int(ids, p)] = 1;
    return true;
}
