// SPDX-License-Identifier: GPL-3.0-or-later
/* Values as JSON: an object each, its "kind" first. */
#include "base/utf8.h"
#include "expr/comparison.h"
#include "session/module_parts.h"
#include "session/show_value.h"
#include "torch/host.h"

enum {
    FEW = 4096,      /* elements that are given unasked */
    DEEPEST = 64,    /* of lists in lists */
    STRIDE = 1 << 12 /* elements between two looks at the brake */
};

static void json_shape(es_json *j, const es_shape *s)
{
    es_json_key(j, "shape");
    es_json_open(j, '[');
    for (int i = 0; i < s->ndim; i++)
        es_json_int(j, s->dim[i]);
    es_json_close(j, ']');
    es_json_key(j, "dims");
    es_json_open(j, '[');
    for (int i = 0; i < s->ndim; i++)
        es_json_string(j, s->label[i].s[0] ? s->label[i].s : NULL);
    es_json_close(j, ']');
}

void es_json_tensor_header(es_json *j, const es_tensor *t)
{
    json_shape(j, &t->shape);
    es_json_key_string(j, "dtype", es_dtype_name(t->dtype));
    es_json_key_string(j, "device", t->buf->be->name);
}

static void json_number(es_json *j, const es_tensor *t, int64_t i)
{
    switch (t->dtype) {
    case ES_FLOAT32: es_json_float(j, (float)es_torch_get_float(t, i)); break;
    case ES_FLOAT64: es_json_double(j, es_torch_get_float(t, i)); break;
    case ES_BOOL: es_json_bool(j, es_torch_get_int(t, i) != 0); break;
    default: es_json_int(j, es_torch_get_int(t, i)); break;
    }
}

static bool json_tensor(es_json *j, es_interp *in, const es_tensor *t, bool values, es_error *err)
{
    int64_t n = es_shape_count(&t->shape);
    es_json_tensor_header(j, t);
    es_json_key(j, "values");
    if (es_torch_meta(t) || (!values && n > FEW)) {
        es_json_null(j);
        return true;
    }
    es_tensor here = {0};
    if (n && !es_torch_here(es_interp_torch(in), &here, t, "this answer", err))
        return false;
    es_json_open(j, '[');
    for (int64_t i = 0; i < n; i++) {
        if (i % STRIDE == 0 && es_str_braked(j->out))
            break;
        json_number(j, &here, i);
    }
    es_tensor_free(&here);
    es_json_close(j, ']');
    return true;
}

static bool json_object(es_json *j, es_interp *in, const es_value *v, bool values, int depth,
                        es_error *err);
static bool json_fields(es_json *j, es_interp *in, const es_value *v, bool values, int depth,
                        es_error *err);

/* A list that holds itself, or hides too deep, is null. */
static bool json_items(es_json *j, es_interp *in, const es_value *v, bool values, int depth,
                       es_error *err)
{
    es_items *items = es_value_items(v);
    es_json_key(j, "items");
    if (items->busy || depth > DEEPEST) {
        es_json_null(j);
        return true;
    }
    bool ok = true;
    items->busy = true;
    es_json_open(j, '[');
    for (int64_t i = 0; ok && i < items->n && !es_str_braked(j->out); i++)
        ok = json_object(j, in, &items->of[i], values, depth + 1, err);
    es_json_close(j, ']');
    items->busy = false;
    return ok;
}

static void json_sizes(es_json *j, const es_items *sizes)
{
    es_json_key(j, "value");
    es_json_open(j, '[');
    for (int64_t i = 0; i < sizes->n; i++)
        es_json_int(j, sizes->of[i].u.i);
    es_json_close(j, ']');
}

static void json_str(es_json *j, const es_str_object *s)
{
    es_json_key(j, "value");
    es_json_text(j, s->bytes, s->n);
    if (es_utf8_valid(s->bytes, s->n))
        return;
    es_json_key(j, "hex");
    es_json_hex(j, s->bytes, s->n);
}

/* A place, a name, a number: bare. */
static void json_member(es_json *j, const es_value *v)
{
    switch (v->kind) {
    case ES_V_BOOL: es_json_bool(j, v->u.b); break;
    case ES_V_INT: es_json_int(j, v->u.i); break;
    case ES_V_FLOAT: es_json_double(j, v->u.f); break;
    case ES_V_STR: es_json_text(j, es_value_as_str(v)->bytes, es_value_as_str(v)->n); break;
    case ES_V_TUPLE:
        es_json_open(j, '[');
        for (int64_t i = 0; i < es_value_items(v)->n; i++)
            es_json_int(j, es_value_items(v)->of[i].u.i);
        es_json_close(j, ']');
        break;
    default: es_json_null(j); break;
    }
}

static void json_comparison(es_json *j, const es_items *items)
{
    const char *name = items->fields;
    for (int64_t i = 0; i < items->n; i++) {
        size_t n = strcspn(name, " ");
        char key[32] = {0};
        memcpy(key, name, n < sizeof key - 1 ? n : sizeof key - 1);
        es_json_key(j, key);
        json_member(j, &items->of[i]);
        name += n + (name[n] == ' ');
    }
}

static bool json_repr(es_json *j, es_interp *in, const es_value *v, es_error *err)
{
    es_str repr = {.brake = j->out->brake};
    bool ok = es_value_repr(in, &repr, v, err);
    if (ok) {
        es_json_key(j, "value");
        es_json_text(j, es_str_text(&repr), repr.len);
    }
    es_str_free(&repr);
    return ok;
}

/* Attributes as objects with a name; an instance that holds itself, or hides too deep, has null. */
static bool json_attributes(es_json *j, es_interp *in, const es_value *v, bool values, int depth,
                            es_error *err)
{
    es_items *items = es_value_items(v);
    const es_value *x;
    const char *name;
    bool ok = true;
    es_json_key(j, "attributes");
    if (items->busy || depth > DEEPEST) {
        es_json_null(j);
        return true;
    }
    items->busy = true;
    es_json_open(j, '[');
    for (int64_t i = 0; ok && (name = es_own_at(v, i, &x)) && !es_str_braked(j->out); i++) {
        es_json_open(j, '{');
        es_json_key_string(j, "name", name);
        es_json_key_string(j, "kind", es_value_kind_name(x));
        ok = json_fields(j, in, x, values, depth + 1, err);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
    items->busy = false;
    return ok;
}

static bool json_instance(es_json *j, es_interp *in, const es_value *v, bool values, int depth,
                          es_error *err)
{
    es_json_key_string(j, "class", es_value_type_name(v));
    if (!json_repr(j, in, v, err))
        return false;
    if (!es_is_module(v))
        return json_attributes(j, in, v, values, depth, err);
    es_json_module(j, v);
    return true;
}

static bool json_kind(es_json *j, es_interp *in, const es_value *v, bool values, int depth,
                      es_error *err)
{
    if (es_comparison_report(v)) {
        json_comparison(j, es_value_items(v));
        return true;
    }
    switch (v->kind) {
    case ES_V_NONE: return true;
    case ES_V_BOOL:
        es_json_key(j, "value");
        es_json_bool(j, v->u.b);
        return true;
    case ES_V_INT: es_json_key_int(j, "value", v->u.i); return true;
    case ES_V_FLOAT:
        es_json_key(j, "value");
        es_json_double(j, v->u.f);
        return true;
    case ES_V_STR: json_str(j, (const es_str_object *)v->u.o); return true;
    case ES_V_DTYPE: es_json_key_string(j, "value", es_dtype_name(v->u.dtype)); return true;
    case ES_V_DEVICE: es_json_key_string(j, "value", v->u.name); return true;
    case ES_V_SIZE: json_sizes(j, es_value_items(v)); return true;
    case ES_V_TUPLE:
    case ES_V_LIST:
    case ES_V_DICT: return json_items(j, in, v, values, depth, err);
    case ES_V_TENSOR: return json_tensor(j, in, es_value_as_tensor(v), values, err);
    case ES_V_CLASS: return json_repr(j, in, v, err) && es_json_class(j, in, v, err);
    case ES_V_INSTANCE: return json_instance(j, in, v, values, depth, err);
    default: return json_repr(j, in, v, err);
    }
}

/* A reader's own __repr__ may change what holds the value: it is held here. */
static bool json_fields(es_json *j, es_interp *in, const es_value *v, bool values, int depth,
                        es_error *err)
{
    es_value held = es_value_ref(v);
    bool ok = json_kind(j, in, &held, values, depth, err);
    es_value_unref(&held);
    return ok;
}

static bool json_object(es_json *j, es_interp *in, const es_value *v, bool values, int depth,
                        es_error *err)
{
    es_json_open(j, '{');
    es_json_key_string(j, "kind", es_value_kind_name(v));
    bool ok = json_fields(j, in, v, values, depth, err);
    es_json_close(j, '}');
    return ok;
}

bool es_json_value(es_json *j, es_interp *in, const es_value *v, bool values, es_error *err)
{
    return json_fields(j, in, v, values, 0, err);
}

/* ---- types ---- */

static void json_type(es_json *j, const es_value *v, int depth)
{
    es_json_key_string(j, "of", es_value_kind_name(v));
    if (v->kind == ES_V_TENSOR) {
        const es_tensor *t = es_value_as_tensor(v);
        double bytes = (double)es_dtype_size(t->dtype);
        for (int i = 0; i < t->shape.ndim; i++)
            bytes *= (double)t->shape.dim[i];
        es_json_tensor_header(j, t);
        es_json_key(j, "bytes");
        es_json_double(j, bytes);
    }
    if (v->kind == ES_V_INSTANCE)
        es_json_key_string(j, "class", es_value_type_name(v));
    if (es_is_module(v))
        es_json_key_int(j, "parameters", es_module_sum(v).parameters);
    if (v->kind != ES_V_TUPLE && v->kind != ES_V_LIST)
        return;
    es_items *items = es_value_items(v);
    es_json_key(j, "items");
    if (items->busy || depth > DEEPEST) {
        es_json_null(j);
        return;
    }
    items->busy = true;
    es_json_open(j, '[');
    for (int64_t i = 0; i < items->n && !es_str_braked(j->out); i++) {
        es_json_open(j, '{');
        json_type(j, &items->of[i], depth + 1);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
    items->busy = false;
}

void es_json_type(es_json *j, const es_value *v)
{
    json_type(j, v, 0);
}
