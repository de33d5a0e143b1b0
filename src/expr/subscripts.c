// SPDX-License-Identifier: GPL-3.0-or-later
/* x[…]: what stands between the brackets, and what it means to tensors and tables of rows. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/modules.h"
#include "expr/protocols.h"
#include "expr/slips.h"
#include "torch/host.h"
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
bool es_slice_bound(es_interp *in, const es_value *v, int64_t *out, bool *has, es_error *err)
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
    return es_torch_read_int(&in->torch, out, t, "a slice", err);
}

bool es_slice_read(es_interp *in, const es_value *v, es_sub *sub, es_error *err)
{
    const es_slice *s = (const es_slice *)v->u.o;
    *sub = (es_sub){.kind = ES_SUB_SLICE, .text = v->label.s[0] ? v->label.s : NULL};
    return es_slice_bound(in, &s->begin, &sub->begin, &sub->has.begin, err) &&
           es_slice_bound(in, &s->end, &sub->end, &sub->has.end, err) &&
           es_slice_bound(in, &s->step, &sub->step, &sub->has.step, err);
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
    if (!es_advise_whole(v, err))
        es_hint(err, "integers, slices, ..., None, lists of integers, and tensors of integers or "
                     "bools can");
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
    case ES_V_SLICE: return es_slice_read(in, v, sub, err);
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
    *s = (subs){0};
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

/* ---- tables ---- */

/* wte[ids] is wte(ids); anything else indexes its weight. */
static bool index_embedding(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                            es_error *err)
{
    const char *name = es_module_called(v);
    if (!name)
        name = "emb";
    es_torch_note(&in->torch,
                  "PyTorch does not take %s[…], as NumPy does: there it is %s(ids) or "
                  "%s.weight[…]",
                  name, name, name);
    if (sub->kind == ES_V_TENSOR && es_value_as_tensor(sub)->dtype != ES_BOOL)
        return es_call_value(in, v, sub, 1, out, err);
    return index_tensor(in, es_own_get(v, "weight", 6), sub, out, err);
}

bool es_index(es_interp *in, const es_value *v, const es_value *sub, es_value *out, es_error *err)
{
    *out = es_none();
    switch (v->kind) {
    case ES_V_TENSOR: return index_tensor(in, v, sub, out, err);
    case ES_V_TUPLE:
    case ES_V_SIZE:
    case ES_V_LIST:
    case ES_V_STR:
    case ES_V_RANGE:
    case ES_V_DICT: return es_item_get(in, v, sub, out, err);
    case ES_V_INSTANCE:
        return es_embedding_weight(v) ? index_embedding(in, v, sub, out, err)
                                      : es_object_item(in, v, sub, out, err);
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

bool es_index_assign(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                     es_error *err)
{
    switch (of->kind) {
    case ES_V_TENSOR:
        if (!put_tensor(in, of, sub, v, err))
            return false;
        es_tensor_note_leaf(in, of);
        return true;
    case ES_V_LIST:
    case ES_V_DICT: return es_item_put(in, of, sub, v, err);
    case ES_V_INSTANCE:
        if (es_is_embedding(of))
            break;
        return es_object_item_put(in, of, sub, v, err);
    default: break;
    }
    es_fail(err, ES_ERR_TYPE, "'%s' object does not support item assignment",
            es_value_type_name(of));
    if (es_is_embedding(of))
        es_hint(err, "its rows are those of %s.weight", es_embedding_called(of));
    return false;
}
