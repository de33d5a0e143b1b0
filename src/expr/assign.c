// SPDX-License-Identifier: GPL-3.0-or-later
/* What stands to the left of "=": names, x[…], and several of them. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/object.h"

/* ---- a, *b, c = … ---- */

static bool is_sized(const es_value *v)
{
    return v->kind == ES_V_TENSOR || v->kind == ES_V_DICT || es_value_is_sequence(v);
}

static int64_t size_of(const es_value *v)
{
    if (v->kind == ES_V_TENSOR)
        return es_value_as_tensor(v)->shape.ndim ? es_value_as_tensor(v)->shape.dim[0] : 0;
    return v->kind == ES_V_DICT ? es_value_items(v)->n / 2 : es_value_items(v)->n;
}

/* "the shape [B=2, T=5]", "a tensor [B=2, T=5]", "a list". */
static void describe(es_str *out, const es_value *v)
{
    es_shape s = {0};
    if (v->kind == ES_V_TENSOR)
        s = es_value_as_tensor(v)->shape;
    for (int64_t i = 0; v->kind == ES_V_SIZE && i < es_value_items(v)->n && i < ES_MAX_DIMS; i++) {
        const es_value *size = &es_value_items(v)->of[i];
        s.dim[s.ndim] = size->u.i;
        s.label[s.ndim++] = size->label;
    }
    if (v->kind == ES_V_TENSOR || v->kind == ES_V_SIZE) {
        es_str_cat(out, v->kind == ES_V_SIZE ? "the shape " : "the tensor ");
        es_shape_show(out, &s);
    } else
        es_str_add(out, "this %s", v->kind == ES_V_STR ? "string" : es_value_type_name(v));
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* least: so many targets without the one that has a star. */
static bool fail_count(es_interp *in, const es_node *target, const es_value *v, int64_t got,
                       int least, bool star, es_error *err)
{
    es_str what = {0};
    describe(&what, v);
    es_fail(err, ES_ERR_UNPACK, "%s%d name%s on the left, and %s %s %s%" PRId64 " value%s",
            star ? "at least " : "", least, plural(least), es_str_text(&what),
            v->kind == ES_V_TENSOR ? "gives" : "has",
            is_sized(v) || got < least ? "" : "more than ",
            is_sized(v) || got < least ? got : (int64_t)least,
            plural(is_sized(v) || got < least ? got : (int64_t)least));
    es_str_free(&what);
    if (v->kind == ES_V_TENSOR)
        es_hint(err, "a tensor is taken apart along its first axis; its sizes are in .shape");
    if (got < least)
        es_torch_says(err, "not enough values to unpack (expected %s%d, got %" PRId64 ")",
                      star ? "at least " : "", least, got);
    else
        es_torch_says(err, "too many values to unpack (expected %d)", least);
    return es_blame(in, target, v, 1, err);
}

static int star_at(const es_node *target)
{
    for (int i = 0; i < target->n_kids; i++)
        if (target->kid[i]->kind == ES_N_STAR)
            return i;
    return -1;
}

/* All values of v, or one more than are wanted. */
static bool spread(es_interp *in, const es_node *target, const es_value *v, int64_t most,
                   es_value *list, es_error *err)
{
    es_iter w;
    es_value item;
    int more = 1;
    *list = es_value_list(&in->containers);
    bool ok = es_iter_begin(&w, in, v, err);
    if (!ok && err->code == ES_ERR_TYPE && v->kind != ES_V_TENSOR) {
        es_error_free(err);
        es_fail(err, ES_ERR_TYPE, "cannot unpack non-iterable %s object", es_value_type_name(v));
    }
    while (ok && es_value_items(list)->n <= most && (more = es_iter_next(&w, in, &item, err)) > 0)
        ok = es_items_add(es_value_items(list), item, err);
    es_iter_end(&w);
    ok = ok && more >= 0;
    if (ok)
        return true;
    es_value_unref(list);
    return es_blame(in, target, v, 1, err);
}

/* The values that a starred target takes, as a list. */
static es_value take_rest(es_interp *in, es_items *from, int64_t at, int64_t n)
{
    es_value rest = es_value_list(&in->containers);
    for (int64_t i = 0; i < n; i++)
        es_items_add(es_value_items(&rest), es_value_ref(&from->of[at + i]), NULL);
    return rest;
}

static bool unpack(es_interp *in, const es_node *target, const es_value *v, es_error *err)
{
    int star = star_at(target), wanted = target->n_kids - (star >= 0);
    es_value list;
    if (!spread(in, target, v, star >= 0 ? INT64_MAX - 1 : wanted, &list, err))
        return false;
    es_items *items = es_value_items(&list);
    int64_t got = star < 0 && items->n > wanted && is_sized(v) ? size_of(v) : items->n;
    bool ok = star >= 0 ? got >= wanted : got == wanted;
    if (!ok)
        fail_count(in, target, v, got, wanted, star >= 0, err);
    int64_t at = 0, rest = got - wanted;
    for (int i = 0; ok && i < target->n_kids; i++) {
        if (i == star) {
            ok = es_assign(in, target->kid[i]->kid[0], take_rest(in, items, at, rest), err);
            at += rest;
        } else
            ok = es_assign(in, target->kid[i], es_value_ref(&items->of[at++]), err);
    }
    es_value_unref(&list);
    return ok;
}

/* ---- x[…] = …, x.name = … ---- */

static bool assign_index(es_interp *in, const es_node *target, const es_value *v, es_error *err)
{
    es_value of[2];
    if (!es_eval(in, target->kid[0], &of[0], err))
        return false;
    bool ok = es_eval(in, target->kid[1], &of[1], err);
    if (ok) {
        ok = es_index_assign(in, &of[0], &of[1], v, err) || es_blame(in, target, of, 2, err);
        es_value_unref(&of[1]);
    }
    es_value_unref(&of[0]);
    return ok;
}

/* Has it attributes that can be assigned to? */
static bool has_attributes(const es_value *v)
{
    return v->kind == ES_V_INSTANCE || v->kind == ES_V_CLASS || v->kind == ES_V_SUPER;
}

static bool fail_attribute(es_interp *in, const es_node *target, es_error *err)
{
    es_fail(err, ES_ERR_UNSUPPORTED, "attributes are not assigned to here");
    es_hint(err, "a name of its own can be: %s = …", target->text);
    return es_blame(in, target, NULL, 0, err);
}

static bool put_attribute(es_interp *in, const es_value *of, const es_node *target,
                          const es_value *v, es_error *err)
{
    if (of->kind != ES_V_TENSOR && !has_attributes(of))
        return fail_attribute(in, target, err);
    es_str made = {0};
    size_t n = target->n_text;
    const char *name = es_private_here(in, target->text, &n, &made);
    bool ok = of->kind == ES_V_TENSOR
                  ? es_tensor_attribute_put(in, of, name, n, es_value_ref(v), err)
                  : es_object_put(in, of, name, n, es_value_ref(v), err);
    es_str_free(&made);
    return ok || es_blame(in, target, of, 1, err);
}

static bool assign_attribute(es_interp *in, const es_node *target, const es_value *v, es_error *err)
{
    es_value of;
    if (!es_eval(in, target->kid[0], &of, err))
        return false;
    bool ok = put_attribute(in, &of, target, v, err);
    es_value_unref(&of);
    return ok;
}

bool es_assign(es_interp *in, const es_node *target, es_value v, es_error *err)
{
    bool ok;
    switch (target->kind) {
    case ES_N_NAME: es_name_bind(in, target->text, target->n_text, v); return true;
    case ES_N_TUPLE:
    case ES_N_LIST: ok = unpack(in, target, &v, err); break;
    case ES_N_INDEX: ok = assign_index(in, target, &v, err); break;
    case ES_N_ATTRIBUTE: ok = assign_attribute(in, target, &v, err); break;
    default: ok = fail_attribute(in, target, err); break;
    }
    es_value_unref(&v);
    return ok;
}

/* ---- x += v ---- */

static bool augment_name(es_interp *in, const es_node *n, es_error *err)
{
    const es_node *target = n->kid[0];
    es_value v[2], result;
    if (!es_eval(in, target, &v[0], err))
        return false;
    bool ok = es_eval(in, n->kid[1], &v[1], err);
    if (ok) {
        ok = es_augment(in, n->op, &v[0], &v[1], &result, err) || es_blame(in, n, v, 2, err);
        es_value_unref(&v[1]);
    }
    es_value_unref(&v[0]);
    if (ok)
        es_name_bind(in, target->text, target->n_text, result);
    return ok;
}

/* of[0][of[1]] op= of[2]: a view is changed where it is, anything else is written back. */
static bool augment_item(es_interp *in, const es_node *n, const es_value *of, es_error *err)
{
    es_value v[2] = {es_none(), of[2]}, result;
    if (!es_index(in, &of[0], &of[1], &v[0], err))
        return es_blame(in, n->kid[0], of, 2, err);
    bool ok = es_augment(in, n->op, &v[0], &v[1], &result, err) || es_blame(in, n, v, 2, err);
    if (ok) {
        bool view = of[0].kind == ES_V_TENSOR && result.kind == ES_V_TENSOR &&
                    es_value_as_tensor(&of[0])->buf == es_value_as_tensor(&result)->buf;
        ok = view || es_index_assign(in, &of[0], &of[1], &result, err) ||
             es_blame(in, n->kid[0], of, 2, err);
        es_value_unref(&result);
    }
    es_value_unref(&v[0]);
    return ok;
}

static bool augment_index(es_interp *in, const es_node *n, es_error *err)
{
    const es_node *part[3] = {n->kid[0]->kid[0], n->kid[0]->kid[1], n->kid[1]};
    es_value of[3];
    bool ok = true;
    int have = 0;
    for (; ok && have < 3; have += ok)
        ok = es_eval(in, part[have], &of[have], err);
    ok = ok && augment_item(in, n, of, err);
    for (int i = 0; i < have; i++)
        es_value_unref(&of[i]);
    return ok;
}

/* of.name op= v.  x.data += 1, wte.weight *= 2: a tensor changes where it is, and where nothing can be assigned
 * to nothing is to be. */
static bool augment_member(es_interp *in, const es_node *n, const es_value *of, const char *name,
                           size_t len, es_error *err)
{
    const es_node *target = n->kid[0];
    es_value v[2], result;
    if (!es_attribute(in, of, name, len, &v[0], err))
        return es_blame(in, target, of, 1, err);
    bool put = has_attributes(of);
    bool ok = put || v[0].kind == ES_V_TENSOR || fail_attribute(in, target, err);
    ok = ok && es_eval(in, n->kid[1], &v[1], err);
    if (ok) {
        ok = es_augment(in, n->op, &v[0], &v[1], &result, err) || es_blame(in, n, v, 2, err);
        if (ok && put)
            ok = es_object_put(in, of, name, len, result, err) || es_blame(in, target, of, 1, err);
        else if (ok)
            es_value_unref(&result);
        es_value_unref(&v[1]);
    }
    es_value_unref(&v[0]);
    return ok;
}

static bool augment_attribute(es_interp *in, const es_node *n, es_error *err)
{
    es_value of;
    if (!es_eval(in, n->kid[0]->kid[0], &of, err))
        return false;
    es_str made = {0};
    size_t len = n->kid[0]->n_text;
    const char *name = es_private_here(in, n->kid[0]->text, &len, &made);
    bool ok = augment_member(in, n, &of, name, len, err);
    es_str_free(&made);
    es_value_unref(&of);
    return ok;
}

bool es_exec_augment(es_interp *in, const es_node *n, es_error *err)
{
    switch (n->kid[0]->kind) {
    case ES_N_NAME: return augment_name(in, n, err);
    case ES_N_INDEX: return augment_index(in, n, err);
    default: return augment_attribute(in, n, err);
    }
}
