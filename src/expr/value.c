// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/value.h"

#include "base/mem.h"

static es_value object(es_value_kind kind, void *o)
{
    es_value v = {.kind = kind, .u.o = o};
    v.u.o->refs = 1;
    return v;
}

/* ---- making them ---- */

es_value es_value_bool(bool b)
{
    return (es_value){.kind = ES_V_BOOL, .u.b = b};
}

es_value es_value_int(int64_t i)
{
    return (es_value){.kind = ES_V_INT, .u.i = i};
}

es_value es_value_size_of(const es_tensor *t, int axis)
{
    es_value v = es_value_int(t->shape.dim[axis]);
    v.label = t->shape.label[axis];
    return v;
}

es_value es_value_float(double f)
{
    return (es_value){.kind = ES_V_FLOAT, .u.f = f};
}

es_value es_value_str(const char *bytes, size_t n)
{
    es_str_object *s = es_alloc(sizeof *s);
    s->bytes = es_copy_bytes(bytes, n);
    s->n = n;
    return object(ES_V_STR, s);
}

es_value es_value_dtype(es_dtype dtype)
{
    return (es_value){.kind = ES_V_DTYPE, .u.dtype = dtype};
}

es_value es_value_device(const char *device)
{
    return es_value_named(ES_V_DEVICE, es_device_kept(device));
}

es_value es_value_named(es_value_kind kind, const char *name)
{
    return (es_value){.kind = kind, .u.name = name};
}

es_value es_value_tensor(es_tensor *t)
{
    es_tensor_object *o = es_alloc(sizeof *o);
    o->t = *t;
    *t = (es_tensor){0};
    return object(ES_V_TENSOR, o);
}

es_value es_value_parameter(es_tensor *t)
{
    es_tensor_object *o = es_alloc(sizeof *o);
    o->t = *t;
    o->parameter = o->requires_grad = true;
    *t = (es_tensor){0};
    return object(ES_V_TENSOR, o);
}

static es_value container(es_value_kind kind, const es_value *of, int64_t n)
{
    es_items *items = es_alloc(sizeof *items);
    items->n = items->cap = n;
    if (n) {
        items->of = es_alloc_array((size_t)n, sizeof *of);
        memcpy(items->of, of, (size_t)n * sizeof *of);
    }
    return object(kind, items);
}

es_value es_value_tuple(const es_value *of, int64_t n)
{
    return container(ES_V_TUPLE, of, n);
}

es_value es_value_size(const es_value *of, int64_t n)
{
    return container(ES_V_SIZE, of, n);
}

es_value es_value_pair(es_value a, es_value b, const char *type, const char *fields)
{
    es_value v = es_value_tuple((es_value[]){a, b}, 2);
    es_value_items(&v)->type = type;
    es_value_items(&v)->fields = fields;
    return v;
}

es_value es_value_shape(const es_tensor *t)
{
    es_value size[ES_MAX_DIMS];
    for (int d = 0; d < t->shape.ndim; d++)
        size[d] = es_value_size_of(t, d);
    return es_value_size(size, t->shape.ndim);
}

static es_value registered(es_value_kind kind, es_items **all)
{
    es_value v = container(kind, NULL, 0);
    es_items *items = es_value_items(&v);
    if (!all)
        return v;
    items->from = all;
    items->next = *all;
    if (items->next)
        items->next->from = &items->next;
    *all = items;
    return v;
}

es_value es_value_list(es_items **all)
{
    return registered(ES_V_LIST, all);
}

es_value es_value_dict(es_items **all)
{
    return registered(ES_V_DICT, all);
}

es_value es_value_dict_of(es_items **all, const es_value *owner)
{
    es_value v = registered(ES_V_DICT, all), *held = es_alloc(sizeof *held);
    *held = es_value_ref(owner);
    es_value_items(&v)->owner = held;
    return v;
}

es_value es_value_attributes(es_value_kind kind, es_items **all)
{
    return registered(kind, all);
}

es_value es_value_parts(es_value_kind kind, const es_value *of, int64_t n)
{
    return container(kind, of, n);
}

es_value es_value_range(const es_value *start, const es_value *stop, const es_value *step)
{
    es_range *r = es_alloc(sizeof *r);
    r->start = *start;
    r->stop = *stop;
    r->step = *step;
    return object(ES_V_RANGE, r);
}

es_value es_value_slice(const es_value *begin, const es_value *end, const es_value *step)
{
    es_slice *s = es_alloc(sizeof *s);
    s->begin = es_value_ref(begin);
    s->end = es_value_ref(end);
    s->step = es_value_ref(step);
    return object(ES_V_SLICE, s);
}

es_value es_value_builtin(const es_builtin *b, const es_value *self)
{
    es_bound *bound = es_alloc(sizeof *bound);
    bound->builtin = b;
    bound->self = self ? es_value_ref(self) : es_none();
    return object(ES_V_BUILTIN, bound);
}

es_value es_value_exception(const char *type, const es_value *message)
{
    es_exception *e = es_alloc(sizeof *e);
    e->type = type;
    e->message = es_value_ref(message);
    return object(ES_V_EXCEPTION, e);
}

/* ---- lists that grow ---- */

enum { MANY = 1 << 15 }; /* items: a megabyte */

bool es_items_room(es_items *items, double more, es_error *err)
{
    double wanted = (double)items->n + more;
    if (wanted > ES_MOST_ITEMS)
        return es_fail(err, ES_ERR_NOMEM, "%.0f items are more than a list may hold here: %d",
                       wanted, ES_MOST_ITEMS);
    if (wanted <= (double)items->cap)
        return true;
    int64_t cap = items->cap + items->cap / 2 + 4;
    cap = wanted > (double)cap ? (int64_t)wanted : cap;
    if (cap > MANY && !es_memory_for((double)(cap - items->n) * sizeof *items->of, err))
        return false;
    items->of = es_realloc(items->of, (size_t)cap * sizeof *items->of);
    items->cap = cap;
    return true;
}

bool es_items_add(es_items *items, es_value v, es_error *err)
{
    if (!es_items_room(items, 1, err)) {
        es_value_unref(&v);
        return false;
    }
    items->of[items->n++] = v;
    return true;
}

int64_t es_range_count(const es_range *r)
{
    uint64_t start = (uint64_t)r->start.u.i, stop = (uint64_t)r->stop.u.i;
    uint64_t step = (uint64_t)r->step.u.i, n = 0;
    if (r->step.u.i > 0 && r->start.u.i < r->stop.u.i)
        n = (stop - start - 1) / step + 1;
    else if (r->step.u.i < 0 && r->start.u.i > r->stop.u.i)
        n = (start - stop - 1) / -step + 1;
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* ---- looking at them ---- */

const es_tensor *es_value_as_tensor(const es_value *v)
{
    return &((const es_tensor_object *)v->u.o)->t;
}

const char *es_class_name(const es_value *cls)
{
    if (cls->kind == ES_V_CLASS)
        return es_value_as_str(&es_value_items(cls)->of[1])->bytes;
    const char *dot = cls->kind == ES_V_TYPE ? strrchr(cls->u.name, '.') : NULL;
    return dot ? dot + 1 : cls->kind == ES_V_TYPE ? cls->u.name : "object";
}

const char *es_value_type_name(const es_value *v)
{
    static const char *const name[ES_V_KINDS] = {
        [ES_V_NONE] = "NoneType",
        [ES_V_BOOL] = "bool",
        [ES_V_INT] = "int",
        [ES_V_FLOAT] = "float",
        [ES_V_STR] = "str",
        [ES_V_TUPLE] = "tuple",
        [ES_V_SIZE] = "torch.Size",
        [ES_V_LIST] = "list",
        [ES_V_DICT] = "dict",
        [ES_V_RANGE] = "range",
        [ES_V_SLICE] = "slice",
        [ES_V_ELLIPSIS] = "ellipsis",
        [ES_V_TENSOR] = "Tensor",
        [ES_V_DTYPE] = "torch.dtype",
        [ES_V_DEVICE] = "torch.device",
        [ES_V_BUILTIN] = "builtin_function_or_method",
        [ES_V_FUNCTION] = "function",
        [ES_V_NAMESPACE] = "module",
        [ES_V_TYPE] = "type",
        [ES_V_CLASS] = "type",
        [ES_V_METHOD] = "method",
        [ES_V_SUPER] = "super",
    };
    if (v->kind == ES_V_EXCEPTION)
        return ((const es_exception *)v->u.o)->type;
    if (v->kind == ES_V_TENSOR && ((const es_tensor_object *)v->u.o)->parameter)
        return "Parameter";
    if ((v->kind == ES_V_TUPLE || v->kind == ES_V_DICT) && es_value_items(v)->type)
        return es_value_items(v)->type;
    if (v->kind == ES_V_INSTANCE)
        return es_class_name(&es_value_items(v)->of[1]);
    if (v->kind == ES_V_DESCRIPTOR)
        return es_class_name(&es_value_items(v)->of[0]);
    return name[v->kind];
}
