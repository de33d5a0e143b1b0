// SPDX-License-Identifier: GPL-3.0-or-later
/* What + and its like do to two values, or to one; truth. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/modules.h"
#include "expr/protocols.h"
#include "expr/slips.h"
#include "torch/cast.h"
#include "torch/elementwise.h"
#include "torch/host.h"
#include "torch/product.h"

/* ---- tensors ---- */

static const int torch_op[ES_N_OPS] = {
    [ES_OP_ADD] = 1 + ES_B_ADD,
    [ES_OP_SUB] = 1 + ES_B_SUB,
    [ES_OP_MUL] = 1 + ES_B_MUL,
    [ES_OP_DIV] = 1 + ES_B_DIV,
    [ES_OP_FLOORDIV] = 1 + ES_B_FLOORDIV,
    [ES_OP_MOD] = 1 + ES_B_MOD,
    [ES_OP_POW] = 1 + ES_B_POW,
    [ES_OP_BITAND] = 1 + ES_B_BITAND,
    [ES_OP_BITOR] = 1 + ES_B_BITOR,
    [ES_OP_BITXOR] = 1 + ES_B_BITXOR,
    [ES_OP_SHL] = 1 + ES_B_SHL,
    [ES_OP_SHR] = 1 + ES_B_SHR,
    [ES_OP_LT] = 1 + ES_B_LT,
    [ES_OP_LE] = 1 + ES_B_LE,
    [ES_OP_GT] = 1 + ES_B_GT,
    [ES_OP_GE] = 1 + ES_B_GE,
    [ES_OP_EQ] = 1 + ES_B_EQ,
    [ES_OP_NE] = 1 + ES_B_NE,
};

static bool is_number(const es_value *v)
{
    return v->kind == ES_V_BOOL || v->kind == ES_V_INT || v->kind == ES_V_FLOAT;
}

const es_tensor *es_as_operand(es_interp *in, const es_value *v, es_tensor *made, es_error *err)
{
    *made = (es_tensor){0};
    switch (v->kind) {
    case ES_V_TENSOR: return es_value_as_tensor(v);
    case ES_V_BOOL: return es_torch_bool(&in->torch, made, v->u.b, err) ? made : NULL;
    case ES_V_INT: return es_torch_int(&in->torch, made, v->u.i, err) ? made : NULL;
    case ES_V_FLOAT: return es_torch_float(&in->torch, made, v->u.f, err) ? made : NULL;
    default: return NULL;
    }
}

bool es_tensor_binary(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
                      es_error *err)
{
    es_tensor x_made, y_made = {0}, result = {0};
    const es_tensor *x = es_as_operand(in, a, &x_made, err);
    const es_tensor *y = x ? es_as_operand(in, b, &y_made, err) : NULL;
    bool ok = y != NULL;
    if (ok && op == ES_OP_MATMUL)
        ok = es_torch_matmul(&in->torch, &result, x, y, err);
    else if (ok)
        ok = es_torch_binary(&in->torch, &result, (es_binary_op)(torch_op[op] - 1), x, y, err);
    es_tensor_free(&x_made);
    es_tensor_free(&y_made);
    if (ok)
        *out = es_value_tensor(&result);
    return ok;
}

bool es_write_into(es_interp *in, const es_tensor *dst, const es_tensor *src, bool computed,
                   es_error *err)
{
    if (!in->trial)
        return es_torch_assign(&in->torch, dst, src, computed, err);
    es_tensor twin = *dst; /* as large, and without memory */
    twin.buf = es_buffer_meta(dst->buf->be);
    bool ok = es_torch_assign(&in->torch, &twin, src, computed, err);
    es_buffer_unref(twin.buf);
    return ok;
}

/* ---- sequences ---- */

static bool too_many(es_interp *in, const char *what, double n, double each, es_error *err)
{
    double most = (double)in->torch.most_bytes;
    if (n * each <= most)
        return false;
    return !es_fail(err, ES_ERR_NOMEM,
                    "a %s of %.0f %s would take %.4g GiB; at most %.4g are allowed", what, n,
                    each == 1 ? "bytes" : "items", n * each / (1 << 30), most / (1 << 30));
}

static bool repeat_string(es_interp *in, const es_value *s, int64_t times, es_value *out,
                          es_error *err)
{
    const es_str_object *from = es_value_as_str(s);
    double n = (double)from->n * (double)times;
    if (n > ES_MOST_STRING)
        return es_fail(err, ES_ERR_NOMEM, "%.0f bytes are more than a string may have here: %d", n,
                       ES_MOST_STRING);
    if (too_many(in, "string", n, 1, err))
        return false;
    es_str result = {0};
    for (int64_t i = 0; from->n && i < times; i++)
        es_str_bytes(&result, from->bytes, from->n);
    *out = es_value_str(es_str_text(&result), result.len);
    es_str_free(&result);
    return true;
}

/* items[0..n) of a and then of b, into a sequence of a's kind. */
static bool join(es_interp *in, es_value_kind kind, const es_items *a, const es_items *b,
                 int64_t times, es_value *out, es_error *err)
{
    double n = ((double)a->n + (b ? (double)b->n : 0)) * (double)times;
    *out = es_value_list(&in->containers);
    es_items *items = es_value_items(out);
    if (too_many(in, "list", n, sizeof(es_value), err) || !es_items_room(items, n, err)) {
        es_value_unref(out);
        return false;
    }
    for (int64_t t = 0; t < times && n > 0; t++) {
        for (int64_t i = 0; i < a->n; i++)
            items->of[items->n++] = es_value_ref(&a->of[i]);
        for (int64_t i = 0; b && i < b->n; i++)
            items->of[items->n++] = es_value_ref(&b->of[i]);
    }
    if (kind != ES_V_LIST)
        es_list_to_tuple(out, kind);
    return true;
}

void es_list_to_tuple(es_value *list, es_value_kind kind)
{
    es_items *items = es_value_items(list);
    es_value tuple = kind == ES_V_SIZE ? es_value_size(items->of, items->n)
                                       : es_value_tuple(items->of, items->n);
    items->n = 0; /* they have moved */
    es_value_unref(list);
    *list = tuple;
}

static bool is_tuple(const es_value *v)
{
    return v->kind == ES_V_TUPLE || v->kind == ES_V_SIZE;
}

static bool concat_strings(const es_value *a, const es_value *b, es_value *out, es_error *err)
{
    const es_str_object *x = es_value_as_str(a), *y = es_value_as_str(b);
    if (x->n + y->n > ES_MOST_STRING)
        return es_fail(err, ES_ERR_NOMEM, "%zu bytes are more than a string may have here: %d",
                       x->n + y->n, ES_MOST_STRING);
    es_str s = {0};
    es_str_bytes(&s, x->bytes, x->n);
    es_str_bytes(&s, y->bytes, y->n);
    *out = es_value_str(es_str_text(&s), s.len);
    es_str_free(&s);
    return true;
}

static bool is_int(const es_value *v)
{
    return v->kind == ES_V_BOOL || v->kind == ES_V_INT;
}

/* a + b and a * n of strings, tuples and lists: 1 done, 0 not such, -1 failed. */
static int sequence_binary(es_interp *in, es_op op, const es_value *a, const es_value *b,
                           es_value *out, es_error *err)
{
    if (op == ES_OP_ADD && a->kind == ES_V_STR && b->kind == ES_V_STR)
        return concat_strings(a, b, out, err) ? 1 : -1;
    if (op == ES_OP_ADD &&
        ((is_tuple(a) && is_tuple(b)) || (a->kind == ES_V_LIST && b->kind == ES_V_LIST)))
        return join(in, a->kind, es_value_items(a), es_value_items(b), 1, out, err) ? 1 : -1;
    if (op != ES_OP_MUL)
        return 0;
    const es_value *s = is_int(b) ? a : b, *by = is_int(b) ? b : a;
    if (!is_int(by) || (s->kind != ES_V_STR && !es_value_is_sequence(s)))
        return 0;
    int64_t times = by->kind == ES_V_BOOL ? by->u.b : by->u.i > 0 ? by->u.i : 0;
    if (s->kind == ES_V_STR)
        return repeat_string(in, s, times, out, err) ? 1 : -1;
    return join(in, s->kind, es_value_items(s), NULL, times, out, err) ? 1 : -1;
}

/* ---- two operands ---- */

/* Python has words of its own for strings, tuples and lists. */
static bool fail_sequences(es_op op, const es_value *a, const es_value *b, es_error *err)
{
    const char *x = es_value_type_name(a), *y = es_value_type_name(b);
    if (op == ES_OP_MUL)
        return es_fail(err, ES_ERR_TYPE, "can't multiply sequence by non-int of type '%s'", y);
    es_fail(err, ES_ERR_TYPE, "can only concatenate %s (not \"%s\") to %s", x, y, x);
    return a->kind == ES_V_STR ? es_hint(err, "an f-string takes any value: f\"{x}\"") : false;
}

static bool fail_operands(es_op op, const es_value *a, const es_value *b, es_error *err)
{
    const char *x = es_value_type_name(a), *y = es_value_type_name(b);
    bool power = op == ES_OP_POW;
    bool sequence = a->kind == ES_V_STR || es_value_is_sequence(a);
    if (sequence && b->kind != ES_V_TENSOR && (op == ES_OP_ADD || op == ES_OP_MUL))
        return fail_sequences(op, a, b, err);
    es_fail(err, ES_ERR_TYPE, "unsupported operand type(s) for %s: '%s' and '%s'",
            power ? "** or pow()" : es_op_name(op), x, y);
    if (a->kind == ES_V_TENSOR || b->kind == ES_V_TENSOR)
        es_torch_says(err, "unsupported operand type(s) for %s: '%s' and '%s'",
                      power ? "** or pow()" : es_op_name(op), x, y);
    const es_value *table = es_is_embedding(a) ? a : b;
    if (es_is_embedding(table)) {
        const char *name = es_embedding_called(table);
        return es_hint(err, "%s(ids) looks rows up; %s.weight is the table itself", name, name);
    }
    const es_value *list = a->kind == ES_V_TENSOR ? b : a;
    if (list->kind == ES_V_LIST && (a->kind == ES_V_TENSOR || b->kind == ES_V_TENSOR))
        return es_hint(err, "a tensor of the list: torch.tensor(…)");
    if (!es_advise_kind(a, err))
        es_advise_kind(b, err);
    return false;
}

static bool is_bits(es_op op)
{
    return op == ES_OP_BITAND || op == ES_OP_BITOR || op == ES_OP_BITXOR || op == ES_OP_SHL ||
           op == ES_OP_SHR;
}

static double number_of(const es_value *v)
{
    return v->kind == ES_V_FLOAT ? v->u.f : v->kind == ES_V_INT ? (double)v->u.i : (double)v->u.b;
}

bool es_binary(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
               es_error *err)
{
    bool tensor = a->kind == ES_V_TENSOR || b->kind == ES_V_TENSOR;
    *out = es_none();
    int asked = es_object_binary(in, op, a, b, out, err);
    if (asked)
        return asked > 0;
    if (op == ES_OP_MOD && a->kind == ES_V_STR)
        return es_percent(in, a, b, out, err);
    if (is_int(a) && is_int(b) && op != ES_OP_MATMUL)
        return es_int_binary(op, a, b, out, err);
    if (is_number(a) && is_number(b) && op != ES_OP_MATMUL && !is_bits(op))
        return es_float_binary(op, number_of(a), number_of(b), out, err);
    if (tensor && (op == ES_OP_MATMUL ? a->kind == b->kind
                                      : (is_number(a) || a->kind == ES_V_TENSOR) &&
                                            (is_number(b) || b->kind == ES_V_TENSOR)))
        return es_tensor_binary(in, op, a, b, out, err);
    int done = sequence_binary(in, op, a, b, out, err);
    return done ? done > 0 : fail_operands(op, a, b, err);
}

/* ---- in place ---- */

bool es_augment(es_interp *in, es_op op, const es_value *x, const es_value *v, es_value *out,
                es_error *err)
{
    if (x->kind == ES_V_LIST && op == ES_OP_ADD)
        return es_list_extend(in, x, v, err) && (*out = es_value_ref(x), true);
    int asked = es_object_augment(in, op, x, v, out, err);
    if (asked)
        return asked > 0;
    es_value result;
    if (!es_binary(in, op, x, v, &result, err))
        return false;
    if (x->kind != ES_V_TENSOR) {
        *out = result;
        return true;
    }
    bool ok = es_write_into(in, es_value_as_tensor(x), es_value_as_tensor(&result), true, err);
    es_value_unref(&result);
    if (!ok)
        return false;
    es_tensor_note_leaf(in, x);
    *out = es_value_ref(x);
    return true;
}

bool es_list_extend(es_interp *in, const es_value *list, const es_value *from, es_error *err)
{
    es_iter w;
    es_value v;
    int more = -1;
    /* l += l: what is there now, once */
    int64_t most = from->u.o == list->u.o ? es_value_items(list)->n : INT64_MAX;
    if (!es_iter_begin(&w, in, from, err))
        return false;
    for (more = 0; w.i < most && (more = es_iter_next(&w, in, &v, err)) > 0;)
        if (!es_items_add(es_value_items(list), v, err)) {
            more = -1;
            break;
        }
    es_iter_end(&w);
    return more >= 0;
}

/* ---- one operand ---- */

static bool tensor_unary(es_interp *in, es_op op, const es_value *a, es_value *out, es_error *err)
{
    es_tensor result;
    es_unary_op u = op == ES_OP_NEG ? ES_U_NEG : ES_U_INVERT;
    if (op == ES_OP_POS) {
        *out = es_value_ref(a);
        return true;
    }
    if (!es_torch_unary(&in->torch, &result, u, es_value_as_tensor(a), err))
        return false;
    *out = es_value_tensor(&result);
    return true;
}

static bool int_unary(es_op op, const es_value *a, es_value *out, es_error *err)
{
    int64_t i = a->kind == ES_V_BOOL ? a->u.b : a->u.i;
    if (op == ES_OP_POS && a->kind == ES_V_INT)
        *out = *a;
    else if (op != ES_OP_NEG)
        *out = es_value_int(op == ES_OP_POS ? i : ~i);
    else if (i == INT64_MIN)
        return es_fail(err, ES_ERR_RANGE, "-(%" PRId64 ") does not fit 64 bits; Python would go on",
                       i);
    else
        *out = es_value_int(-i);
    return true;
}

bool es_unary(es_interp *in, es_op op, const es_value *a, es_value *out, es_error *err)
{
    *out = es_none();
    if (op == ES_OP_NOT) {
        bool truth;
        if (!es_truth(in, a, &truth, err))
            return false;
        *out = es_value_bool(!truth);
        return true;
    }
    int asked = es_object_unary(in, op, a, out, err);
    if (asked)
        return asked > 0;
    if (a->kind == ES_V_TENSOR)
        return tensor_unary(in, op, a, out, err);
    if (is_int(a))
        return int_unary(op, a, out, err);
    if (a->kind == ES_V_FLOAT && op != ES_OP_INVERT) {
        *out = es_value_float(op == ES_OP_NEG ? -a->u.f : a->u.f);
        return true;
    }
    return es_fail(err, ES_ERR_TYPE, "bad operand type for unary %s: '%s'", es_op_name(op),
                   es_value_type_name(a));
}

/* ---- truth ---- */

static bool tensor_truth(es_interp *in, const es_tensor *t, bool *out, es_error *err)
{
    int64_t n = es_shape_count(&t->shape);
    double number;
    if (n == 1 && !es_torch_read_float(&in->torch, &number, t, "a condition", err))
        return false;
    if (n == 1) {
        *out = number != 0;
        return true;
    }
    es_str shape = {0};
    es_shape_show(&shape, &t->shape);
    es_fail(err, ES_ERR_AMBIGUOUS, "a tensor of %" PRId64 " values, %s, is neither true nor false",
            n, es_str_text(&shape));
    es_str_free(&shape);
    return es_torch_says(err, "Boolean value of Tensor with %s is ambiguous",
                         n ? "more than one value" : "no values");
}

bool es_truth(es_interp *in, const es_value *v, bool *out, es_error *err)
{
    *out = true;
    switch (v->kind) {
    case ES_V_NONE: *out = false; return true;
    case ES_V_BOOL: *out = v->u.b; return true;
    case ES_V_INT: *out = v->u.i != 0; return true;
    case ES_V_FLOAT: *out = v->u.f != 0; return true;
    case ES_V_STR: *out = es_value_as_str(v)->n > 0; return true;
    case ES_V_TUPLE:
    case ES_V_SIZE:
    case ES_V_LIST:
    case ES_V_DICT: *out = es_value_items(v)->n > 0; return true;
    case ES_V_RANGE: *out = es_range_count((const es_range *)v->u.o) > 0; return true;
    case ES_V_INSTANCE: return es_object_truth(in, v, out, err);
    case ES_V_TENSOR: return tensor_truth(in, es_value_as_tensor(v), out, err);
    default: return true;
    }
}
