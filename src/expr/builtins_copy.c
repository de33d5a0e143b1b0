// SPDX-License-Identifier: GPL-3.0-or-later
/* copy: what changes is made anew, once for all who share it; copy.deepcopy follows what is inside. */
#include <stdlib.h>

#include "base/mem.h"
#include "expr/bind_shapes.h"
#include "expr/inside.h"
#include "expr/object.h"
#include "torch/cast.h"
#include "torch/weight.h"

/* What one deepcopy has made, by what it was made from. */
typedef struct memo {
    es_interp *in;
    es_seen seen;
    es_value *kept; /* a reference to each copy */
    int64_t n, cap;
} memo;

static bool deep(memo *m, const es_value *v, es_value *out, int depth, es_error *err);

static void keep(memo *m, const es_value *from, const es_value *copy)
{
    if (m->n == m->cap) {
        m->cap = 2 * m->cap + 8;
        m->kept = es_realloc(m->kept, (size_t)m->cap * sizeof *m->kept);
    }
    m->kept[m->n] = es_value_ref(copy);
    es_seen_add(&m->seen, from->u.o)->count = ++m->n;
}

static bool known(const memo *m, const es_value *v, es_value *out)
{
    const es_seen_entry *e = es_seen_find(&m->seen, v->u.o);
    if (e)
        *out = es_value_ref(&m->kept[e->count - 1]);
    return e != NULL;
}

/* ---- of each kind ---- */

/* Empty, and of an instance the class alone: *first is how many items that were. */
static es_value container_like(es_interp *in, const es_value *v, int64_t *first)
{
    *first = v->kind == ES_V_INSTANCE ? 2 : 0;
    es_value like = v->kind == ES_V_INSTANCE ? es_instance_new(in, &es_value_items(v)->of[1])
                    : v->kind == ES_V_LIST   ? es_value_list(es_interp_containers(in))
                                             : es_value_dict(es_interp_containers(in));
    es_items *items = es_value_items(&like);
    while (items->n > *first)
        es_value_unref(&items->of[--items->n]);
    items->type = es_value_items(v)->type;
    return like;
}

static bool deep_container(memo *m, const es_value *v, es_value *out, int depth, es_error *err)
{
    int64_t first;
    bool ok = true;
    *out = container_like(m->in, v, &first);
    keep(m, v, out);
    for (int64_t i = first; ok && i < es_value_items(v)->n; i++) {
        es_value item = es_none();
        ok = deep(m, &es_value_items(v)->of[i], &item, depth + 1, err) &&
             es_items_add(es_value_items(out), item, err);
    }
    if (!ok)
        es_value_unref(out);
    return ok;
}

static bool deep_tuple(memo *m, const es_value *v, es_value *out, int depth, es_error *err)
{
    const es_items *from = es_value_items(v);
    es_value *of = es_alloc_array((size_t)from->n + 1, sizeof *of);
    int64_t n = 0;
    while (n < from->n && deep(m, &from->of[n], &of[n], depth + 1, err))
        n++;
    bool ok = n == from->n;
    if (ok && v->kind == ES_V_TUPLE) {
        *out = es_value_tuple(of, n);
        es_value_items(out)->type = from->type;
        es_value_items(out)->fields = from->fields;
    } else if (ok) {
        *out = es_value_parts(v->kind, of, n);
    }
    for (int64_t i = 0; !ok && i < n; i++)
        es_value_unref(&of[i]);
    free(of);
    return ok;
}

/* Numbers of its own, and for a table that nobody has read whole, its rows. */
static bool copy_tensor(es_torch *k, es_tensor *out, const es_tensor *t, es_error *err)
{
    es_table *table = t->buf->mem || es_torch_meta(t) ? NULL : es_torch_table_of(t);
    if (!table)
        return es_torch_clone(k, out, t, err);
    return es_torch_weight(out, table, t->buf->be, t->shape.label[0].s, t->shape.label[1].s);
}

static es_value tensor_like(const es_value *v, es_tensor *t)
{
    const es_tensor_object *from = (const es_tensor_object *)v->u.o;
    es_value copy = es_value_tensor(t);
    es_tensor_object *o = (es_tensor_object *)copy.u.o;
    o->parameter = from->parameter;
    o->requires_grad = from->requires_grad;
    return copy;
}

static bool deep_tensor(memo *m, const es_value *v, es_value *out, es_error *err)
{
    es_tensor t;
    if (!copy_tensor(es_interp_torch(m->in), &t, es_value_as_tensor(v), err))
        return false;
    *out = tensor_like(v, &t);
    keep(m, v, out);
    return true;
}

static bool deep(memo *m, const es_value *v, es_value *out, int depth, es_error *err)
{
    *out = es_none();
    if (depth >= ES_MOST_DEPTH)
        return es_fail(err, ES_ERR_RANGE, "values nested more than %d deep are not copied",
                       ES_MOST_DEPTH);
    if (!es_tick(m->in, err))
        return false;
    switch (v->kind) {
    case ES_V_LIST:
    case ES_V_DICT:
    case ES_V_INSTANCE: return known(m, v, out) || deep_container(m, v, out, depth, err);
    case ES_V_TUPLE:
    case ES_V_METHOD: return deep_tuple(m, v, out, depth, err);
    case ES_V_TENSOR: return known(m, v, out) || deep_tensor(m, v, out, err);
    default: *out = es_value_ref(v); return true;
    }
}

/* ---- the functions ---- */

static bool run_deepcopy(es_args *a, es_value *out, es_error *err)
{
    memo m = {.in = a->in};
    bool ok = deep(&m, &a->v[0], out, 0, err);
    for (int64_t i = 0; i < m.n; i++)
        es_value_unref(&m.kept[i]);
    free(m.kept);
    es_seen_free(&m.seen);
    return ok;
}

static bool run_copy(es_args *a, es_value *out, es_error *err)
{
    const es_value *v = &a->v[0];
    int64_t i;
    if (v->kind == ES_V_TENSOR) {
        es_tensor t;
        es_tensor_view(&t, es_value_as_tensor(v));
        return es_answer(out, tensor_like(v, &t));
    }
    if (v->kind != ES_V_LIST && v->kind != ES_V_DICT && v->kind != ES_V_INSTANCE)
        return es_answer(out, es_value_ref(v));
    *out = container_like(a->in, v, &i);
    for (; i < es_value_items(v)->n; i++)
        if (!es_items_add(es_value_items(out), es_value_ref(&es_value_items(v)->of[i]), err)) {
            es_value_unref(out);
            return false;
        }
    return true;
}

const es_builtin es_builtins_copy[] = {
    {"deepcopy", ES_IN_COPY, "x, memo=None", "a copy that shares nothing that can change", "",
     "Tensors have memory of their own; what is shared inside is shared in the copy as well.",
     "import copy\na = [torch.zeros(2), [1]]\nb = copy.deepcopy(a)\nb[0] += 1\na", run_deepcopy},
    {"copy", ES_IN_COPY, "x", "a copy of a list, dict or instance, with the same things in it", "",
     NULL, "import copy\na = [1, [2]]\nb = copy.copy(a)\nb[1] is a[1]", run_copy},
    {.name = NULL},
};
