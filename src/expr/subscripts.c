// SPDX-License-Identifier: GPL-3.0-or-later
/* x[…]: what Python's subscripts mean to tensors, lists, strings and tables of rows. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/inside.h"
#include "torch/index.h"

/* ---- a subscript of a tensor ---- */

/* The subscripts between the brackets, and what was made for them. */
typedef struct subs {
    es_sub *of;
    es_value *made; /* tensors of lists; None where none was */
    int n;
} subs;

static bool is_int(const es_value *v)
{
    return v->kind == ES_V_BOOL || v->kind == ES_V_INT;
}

static int64_t int_of(const es_value *v)
{
    return v->kind == ES_V_BOOL ? v->u.b : v->u.i;
}

/* A bound of a slice: an int, a tensor of one int, or none. */
static bool slice_bound(es_interp *in, const es_value *v, int64_t *out, bool *has, es_error *err)
{
    *has = v->kind != ES_V_NONE;
    if (!*has)
        return true;
    if (is_int(v)) {
        *out = int_of(v);
        return true;
    }
    const es_tensor *t = v->kind == ES_V_TENSOR ? es_value_as_tensor(v) : NULL;
    if (!t || t->shape.ndim || (t->dtype != ES_INT64 && t->dtype != ES_INT32))
        return es_fail(err, ES_ERR_TYPE,
                       "slice indices must be integers or None or have an __index__ method");
    if (!es_torch_ready(&in->torch, t, "a slice", err))
        return false;
    *out = es_torch_get_int(t, 0);
    return true;
}

static bool read_slice(es_interp *in, const es_value *v, es_sub *sub, es_error *err)
{
    const es_slice *s = (const es_slice *)v->u.o;
    *sub = (es_sub){.kind = ES_SUB_SLICE, .text = v->label.s[0] ? v->label.s : NULL};
    return slice_bound(in, &s->begin, &sub->begin, &sub->has.begin, err) &&
           slice_bound(in, &s->end, &sub->end, &sub->has.end, err) &&
           slice_bound(in, &s->step, &sub->step, &sub->has.step, err);
}

static bool all_ints(const es_items *items)
{
    for (int64_t i = 0; i < items->n; i++)
        if (items->of[i].kind != ES_V_INT)
            return false;
    return true;
}

/* [0, 2]: what most lists in brackets are; [] is one of integers here. */
static bool tensor_of_ints(es_interp *in, const es_items *items, es_value *out, es_error *err)
{
    const es_shape shape = es_shape_1d("", items->n);
    const bool shapes_only = in->torch.shapes_only;
    es_tensor t;
    in->torch.shapes_only = false; /* they are known, whatever else is */
    bool ok = es_torch_new(&in->torch, &t, in->torch.be, ES_INT64, &shape, err);
    in->torch.shapes_only = shapes_only;
    if (!ok)
        return false;
    for (int64_t i = 0; i < items->n; i++)
        ((int64_t *)t.buf->mem)[i] = items->of[i].u.i;
    *out = es_value_tensor(&t);
    return true;
}

bool es_tensor_of_list(es_interp *in, const es_value *list, es_value *out, es_error *err)
{
    if (es_value_is_sequence(list) && all_ints(es_value_items(list)))
        return tensor_of_ints(in, es_value_items(list), out, err);
    const es_builtin *tensor = es_builtin_find("tensor", 6, ES_IN_TORCH);
    return es_builtin_call(in, tensor, NULL, list, 1, NULL, NULL, out, err);
}

static bool fail_kind(const es_value *v, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "a tensor cannot be indexed by '%s'", es_value_type_name(v));
    es_hint(err, "integers, slices, ..., None, lists of integers, and tensors of integers or bools "
                 "can");
    return es_torch_says(err,
                         "only integers, slices (`:`), ellipsis (`...`), None and long or byte "
                         "Variables are valid indices (got %s)",
                         es_value_type_name(v));
}

static bool read_tensor(es_interp *in, const es_value *v, es_sub *sub, es_value *made,
                        es_error *err)
{
    es_tensor truth;
    if (v->kind == ES_V_BOOL) {
        if (!es_torch_bool(&in->torch, &truth, v->u.b, err))
            return false;
        *made = es_value_tensor(&truth);
    } else if (v->kind == ES_V_TENSOR)
        *made = es_value_ref(v);
    else if (!es_tensor_of_list(in, v, made, err))
        return false;
    *sub = (es_sub){.kind = ES_SUB_TENSOR, .t = es_value_as_tensor(made)};
    return true;
}

static bool read_sub(es_interp *in, const es_value *v, es_sub *sub, es_value *made, es_error *err)
{
    switch (v->kind) {
    case ES_V_INT: *sub = (es_sub){.kind = ES_SUB_INT, .i = v->u.i}; return true;
    case ES_V_SLICE: return read_slice(in, v, sub, err);
    case ES_V_NONE: *sub = (es_sub){.kind = ES_SUB_NEW}; return true;
    case ES_V_ELLIPSIS: *sub = (es_sub){.kind = ES_SUB_REST}; return true;
    case ES_V_BOOL:
    case ES_V_TENSOR:
    case ES_V_LIST:
    case ES_V_TUPLE:
    case ES_V_SIZE:
    case ES_V_RANGE: return read_tensor(in, v, sub, made, err);
    default: return fail_kind(v, err);
    }
}

static void free_subs(subs *s)
{
    for (int i = 0; i < s->n; i++)
        es_value_unref(&s->made[i]);
    free(s->of);
    free(s->made);
}

static bool read_subs(es_interp *in, const es_value *v, subs *s, es_error *err)
{
    bool many = v->kind == ES_V_TUPLE || v->kind == ES_V_SIZE;
    const es_items *items = many ? es_value_items(v) : NULL;
    int64_t n = many ? items->n : 1;
    *s = (subs){0};
    if (n > ES_MOST_HEIGHT)
        return es_fail(err, ES_ERR_DIM_RANGE, "%" PRId64 " subscripts are more than any tensor has",
                       n);
    s->of = es_alloc_array((size_t)n + 1, sizeof *s->of);
    s->made = es_alloc_array((size_t)n + 1, sizeof *s->made);
    for (; s->n < n; s->n++)
        if (!read_sub(in, many ? &items->of[s->n] : v, &s->of[s->n], &s->made[s->n], err)) {
            free_subs(s);
            return false;
        }
    return true;
}

static bool index_tensor(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                         es_error *err)
{
    subs s;
    es_tensor result;
    if (!read_subs(in, sub, &s, err))
        return false;
    bool ok = es_torch_index(&in->torch, &result, es_value_as_tensor(v), s.of, s.n, err);
    free_subs(&s);
    if (ok)
        *out = es_value_tensor(&result);
    return ok;
}

/* ---- sequences ---- */

static const char *called(const es_value *v)
{
    return v->kind == ES_V_SIZE ? "tuple" : v->kind == ES_V_STR ? "string" : es_value_type_name(v);
}

static bool fail_range(const es_value *v, int64_t i, int64_t n, es_error *err)
{
    const char *name = v->kind == ES_V_SIZE ? "torch.Size" : called(v);
    if (n)
        es_fail(err, ES_ERR_INDEX_RANGE,
                "index %" PRId64 " is outside this %s of %" PRId64 ": 0 to %" PRId64, i, name, n,
                n - 1);
    else
        es_fail(err, ES_ERR_INDEX_RANGE, "index %" PRId64 " is outside this %s, which is empty", i,
                name);
    return es_torch_says(err, "%s%s index out of range", called(v),
                         v->kind == ES_V_RANGE ? " object" : "");
}

/* 0 <= *i < n from what stands in the brackets. */
static bool position(es_interp *in, const es_value *v, const es_value *sub, int64_t n, int64_t *i,
                     es_error *err)
{
    bool has;
    int64_t typed = 0;
    if (!is_int(sub) && sub->kind != ES_V_TENSOR)
        return es_fail(err, ES_ERR_TYPE, "%s indices must be integers or slices, not %s", called(v),
                       es_value_type_name(sub));
    if (!slice_bound(in, sub, &typed, &has, err))
        return false;
    if (typed < -n || typed >= n)
        return fail_range(v, typed, n, err);
    *i = typed < 0 ? typed + n : typed;
    return true;
}

/* Python's bounds of a slice: first, one step after another, so many. */
typedef struct cut {
    int64_t first, step, count;
} cut;

static int64_t clamp(int64_t i, int64_t low, int64_t high)
{
    return i < low ? low : i > high ? high : i;
}

static bool read_cut(es_interp *in, const es_value *sub, int64_t n, cut *c, es_error *err)
{
    es_sub s;
    if (!read_slice(in, sub, &s, err))
        return false;
    c->step = s.has.step ? s.step : 1;
    if (c->step == 0)
        return es_fail(err, ES_ERR_SLICE, "slice step cannot be zero");
    if (c->step == INT64_MIN)
        c->step++;
    bool down = c->step < 0;
    int64_t low = down ? -1 : 0, high = down ? n - 1 : n;
    int64_t begin = s.has.begin ? (s.begin < 0 ? s.begin + n : s.begin) : down ? high : low;
    int64_t end = s.has.end ? (s.end < 0 ? s.end + n : s.end) : down ? low : high;
    begin = clamp(begin, low, high);
    end = clamp(end, low, high);
    int64_t span = down ? begin - end : end - begin, step = down ? -c->step : c->step;
    c->first = begin;
    c->count = span > 0 ? (span - 1) / step + 1 : 0;
    return true;
}

static bool cut_items(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                      es_error *err)
{
    const es_items *items = es_value_items(v);
    cut c;
    if (!read_cut(in, sub, items->n, &c, err))
        return false;
    *out = es_value_list(&in->containers);
    es_items *taken = es_value_items(out);
    if (!es_items_room(taken, (double)c.count, err)) {
        es_value_unref(out);
        return false;
    }
    for (int64_t k = 0; k < c.count; k++)
        taken->of[taken->n++] = es_value_ref(&items->of[c.first + k * c.step]);
    if (v->kind != ES_V_LIST)
        es_list_to_tuple(out, v->kind);
    return true;
}

static bool index_items(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                        es_error *err)
{
    int64_t i;
    if (sub->kind == ES_V_SLICE)
        return cut_items(in, v, sub, out, err);
    if (!position(in, v, sub, es_value_items(v)->n, &i, err))
        return false;
    *out = es_value_ref(&es_value_items(v)->of[i]);
    return true;
}

/* Where each character of a string begins, and where the last ends. */
static size_t *char_starts(const es_str_object *s, int64_t *n)
{
    size_t *start = es_alloc_array(s->n + 1, sizeof *start);
    *n = 0;
    for (size_t at = 0; at < s->n; at += (size_t)es_char_at(s->bytes + at, s->n - at))
        start[(*n)++] = at;
    start[*n] = s->n;
    return start;
}

static bool index_string(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                         es_error *err)
{
    const es_str_object *s = es_value_as_str(v);
    int64_t n;
    size_t *start = char_starts(s, &n);
    cut c = {.step = 1, .count = 1};
    bool ok = sub->kind == ES_V_SLICE ? read_cut(in, sub, n, &c, err)
                                      : position(in, v, sub, n, &c.first, err);
    es_str taken = {0};
    for (int64_t k = 0; ok && k < c.count; k++) {
        int64_t i = c.first + k * c.step;
        es_str_bytes(&taken, s->bytes + start[i], start[i + 1] - start[i]);
    }
    if (ok)
        *out = es_value_str(es_str_text(&taken), taken.len);
    es_str_free(&taken);
    free(start);
    return ok;
}

static bool index_range(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                        es_error *err)
{
    const es_range *r = (const es_range *)v->u.o;
    int64_t n = es_range_count(r);
    cut c = {.step = 1, .count = 1};
    bool slice = sub->kind == ES_V_SLICE;
    if (slice ? !read_cut(in, sub, n, &c, err) : !position(in, v, sub, n, &c.first, err))
        return false;
    uint64_t start = (uint64_t)r->start.u.i, step = (uint64_t)r->step.u.i;
    es_value first = es_value_int((int64_t)(start + (uint64_t)c.first * step));
    if (!slice) {
        *out = first;
        return true;
    }
    uint64_t stride = step * (uint64_t)c.step;
    es_value by = es_value_int((int64_t)stride);
    es_value stop = es_value_int((int64_t)((uint64_t)first.u.i + (uint64_t)c.count * stride));
    *out = es_value_range(&first, &stop, &by);
    return true;
}

/* ---- dicts ---- */

static bool fail_key(es_interp *in, const es_value *key, es_error *err)
{
    if (err->code != ES_OK)
        return false;
    es_str text = {0}, shown = {0};
    if (!es_value_repr(in, &text, key, err)) {
        es_str_free(&text);
        return false;
    }
    es_show_prose(&shown, es_str_text(&text), text.len < 60 ? text.len : 60);
    es_fail(err, ES_ERR_NAME, "the dict has no key %s", es_str_text(&shown));
    es_torch_says(err, "KeyError: %s", es_str_text(&shown));
    es_str_free(&shown);
    es_str_free(&text);
    return false;
}

static bool index_dict(es_interp *in, const es_value *v, const es_value *key, es_value *out,
                       es_error *err)
{
    const es_value *found = es_dict_find(in, v, key, err);
    if (!found)
        return fail_key(in, key, err);
    *out = es_value_ref(found);
    return true;
}

/* ---- tables ---- */

/* wte[ids] is wte(ids); anything else indexes its weight. */
static bool index_embedding(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                            es_error *err)
{
    if (sub->kind == ES_V_TENSOR && es_value_as_tensor(sub)->dtype != ES_BOOL)
        return es_call_value(in, v, sub, 1, out, err);
    return index_tensor(in, &((const es_embedding_object *)v->u.o)->weight, sub, out, err);
}

bool es_index(es_interp *in, const es_value *v, const es_value *sub, es_value *out, es_error *err)
{
    *out = es_none();
    switch (v->kind) {
    case ES_V_TENSOR: return index_tensor(in, v, sub, out, err);
    case ES_V_TUPLE:
    case ES_V_SIZE:
    case ES_V_LIST: return index_items(in, v, sub, out, err);
    case ES_V_STR: return index_string(in, v, sub, out, err);
    case ES_V_RANGE: return index_range(in, v, sub, out, err);
    case ES_V_DICT: return index_dict(in, v, sub, out, err);
    case ES_V_EMBEDDING: return index_embedding(in, v, sub, out, err);
    default: break;
    }
    es_fail(err, ES_ERR_TYPE, "'%s' object is not subscriptable", es_value_type_name(v));
    return v->kind == ES_V_BUILTIN || v->kind == ES_V_FUNCTION
               ? es_hint(err, "a function is called with parentheses")
               : false;
}

/* ---- x[…] = v ---- */

static bool put_tensor(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                       es_error *err)
{
    es_tensor made, twin;
    es_value list = es_none();
    if (es_value_is_sequence(v) && !es_tensor_of_list(in, v, &list, err))
        return false;
    const es_tensor *value = es_as_operand(in, list.kind == ES_V_NONE ? v : &list, &made, err);
    subs s = {0};
    bool ok = value && read_subs(in, sub, &s, err);
    if (!value && err->code == ES_OK)
        es_fail(err, ES_ERR_TYPE, "can't assign a %s to a torch.FloatTensor",
                es_value_type_name(v));
    if (ok) {
        twin = *es_value_as_tensor(of);
        twin.buf = in->trial ? es_buffer_meta(twin.buf->be) : es_buffer_ref(twin.buf);
        ok = es_torch_index_put(&in->torch, &twin, s.of, s.n, value, err);
        es_buffer_unref(twin.buf);
    }
    free_subs(&s);
    es_tensor_free(&made);
    es_value_unref(&list);
    return ok;
}

static bool put_item(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                     es_error *err)
{
    int64_t i;
    if (sub->kind == ES_V_SLICE) {
        es_fail(err, ES_ERR_UNSUPPORTED, "a part of a list is not assigned to here");
        return es_hint(err, "one item at a time: l[0] = …; or join lists: l[:1] + new + l[3:]");
    }
    if (!position(in, of, sub, es_value_items(of)->n, &i, err))
        return false;
    es_value *item = &es_value_items(of)->of[i], old = *item;
    *item = es_value_ref(v);
    es_value_unref(&old);
    return true;
}

bool es_index_assign(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                     es_error *err)
{
    switch (of->kind) {
    case ES_V_TENSOR: return put_tensor(in, of, sub, v, err);
    case ES_V_LIST: return put_item(in, of, sub, v, err);
    case ES_V_DICT: return es_dict_put(in, of, sub, v, err);
    default: break;
    }
    es_fail(err, ES_ERR_TYPE, "'%s' object does not support item assignment",
            es_value_type_name(of));
    if (of->kind == ES_V_EMBEDDING)
        es_hint(err, "its rows are those of %s.weight",
                ((const es_embedding_object *)of->u.o)->name);
    return false;
}

bool es_index_delete(es_interp *in, const es_value *of, const es_value *sub, es_error *err)
{
    bool found = false;
    int64_t i;
    if (of->kind == ES_V_DICT)
        return es_dict_delete(in, of, sub, &found, err) && (found || fail_key(in, sub, err));
    if (of->kind != ES_V_LIST)
        return es_fail(err, ES_ERR_TYPE, "'%s' object does not support item deletion",
                       es_value_type_name(of));
    es_items *items = es_value_items(of);
    if (!position(in, of, sub, items->n, &i, err))
        return false;
    es_value old = items->of[i];
    memmove(&items->of[i], &items->of[i + 1], (size_t)(items->n - i - 1) * sizeof old);
    items->n--;
    es_value_unref(&old);
    return true;
}
