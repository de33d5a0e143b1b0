// SPDX-License-Identifier: GPL-3.0-or-later
/* What operators, brackets, len() and truth do with instances: they call the methods that Python has for them,
 * __add__ and its like. */
#include "expr/protocols.h"

#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/slips.h"

/* ---- operators ---- */

static const struct {
    const char *left, *right, *in_place;
} operators[ES_N_OPS] = {
    [ES_OP_ADD] = {"__add__", "__radd__", "__iadd__"},
    [ES_OP_SUB] = {"__sub__", "__rsub__", "__isub__"},
    [ES_OP_MUL] = {"__mul__", "__rmul__", "__imul__"},
    [ES_OP_DIV] = {"__truediv__", "__rtruediv__", "__itruediv__"},
    [ES_OP_FLOORDIV] = {"__floordiv__", "__rfloordiv__", "__ifloordiv__"},
    [ES_OP_MOD] = {"__mod__", "__rmod__", "__imod__"},
    [ES_OP_MATMUL] = {"__matmul__", "__rmatmul__", "__imatmul__"},
    [ES_OP_POW] = {"__pow__", "__rpow__", "__ipow__"},
    [ES_OP_BITAND] = {"__and__", "__rand__", "__iand__"},
    [ES_OP_BITOR] = {"__or__", "__ror__", "__ior__"},
    [ES_OP_BITXOR] = {"__xor__", "__rxor__", "__ixor__"},
    [ES_OP_SHL] = {"__lshift__", "__rlshift__", "__ilshift__"},
    [ES_OP_SHR] = {"__rshift__", "__rrshift__", "__irshift__"},
    [ES_OP_LT] = {"__lt__", "__gt__", NULL},
    [ES_OP_LE] = {"__le__", "__ge__", NULL},
    [ES_OP_GT] = {"__gt__", "__lt__", NULL},
    [ES_OP_GE] = {"__ge__", "__le__", NULL},
    [ES_OP_EQ] = {"__eq__", "__eq__", NULL},
    [ES_OP_NE] = {"__ne__", "__ne__", NULL},
    [ES_OP_NEG] = {"__neg__", NULL, NULL},
    [ES_OP_POS] = {"__pos__", NULL, NULL},
    [ES_OP_INVERT] = {"__invert__", NULL, NULL},
};

bool es_is_not_implemented(const es_value *v)
{
    return v->kind == ES_V_TYPE && !strcmp(v->u.name, "NotImplemented");
}

/* a.name(b), unless a has none or does not want it. */
static int ask(es_interp *in, const es_value *a, const char *name, const es_value *b, es_value *out,
               es_error *err)
{
    if (a->kind != ES_V_INSTANCE || !name)
        return 0;
    int done = es_object_method(in, a, name, b, b ? 1 : 0, out, err);
    if (done <= 0 || !es_is_not_implemented(out))
        return done;
    *out = es_none();
    return 0;
}

int es_object_binary(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
                     es_error *err)
{
    if (a->kind != ES_V_INSTANCE && b->kind != ES_V_INSTANCE)
        return 0;
    es_value x = es_value_ref(a), y = es_value_ref(b); /* where they came from may change */
    int done = ask(in, &x, operators[op].left, &y, out, err);
    if (!done)
        done = ask(in, &y, operators[op].right, &x, out, err);
    es_value_unref(&x);
    es_value_unref(&y);
    return done;
}

int es_object_augment(es_interp *in, es_op op, const es_value *x, const es_value *v, es_value *out,
                      es_error *err)
{
    return ask(in, x, operators[op].in_place, v, out, err);
}

int es_object_unary(es_interp *in, es_op op, const es_value *a, es_value *out, es_error *err)
{
    return ask(in, a, operators[op].left, NULL, out, err);
}

/* a == b as a truth; 0: neither has a say in it. */
int es_object_equal(es_interp *in, const es_value *a, const es_value *b, bool *out, es_error *err)
{
    es_value v = es_none();
    int done = es_object_binary(in, ES_OP_EQ, a, b, &v, err);
    if (done > 0 && !es_truth(in, &v, out, err))
        done = -1;
    es_value_unref(&v);
    return done;
}

/* ---- truth and length ---- */

/* len(v): 0 there is no __len__. */
int es_object_len(es_interp *in, const es_value *v, int64_t *n, es_error *err)
{
    es_value len;
    int done = es_object_method(in, v, "__len__", NULL, 0, &len, err);
    if (done <= 0)
        return done;
    bool ok = len.kind == ES_V_INT || len.kind == ES_V_BOOL;
    if (!ok)
        es_fail(err, ES_ERR_TYPE, "__len__() should return an int, not '%s'",
                es_value_type_name(&len));
    else if ((*n = len.kind == ES_V_INT ? len.u.i : len.u.b) < 0)
        ok = es_fail(err, ES_ERR_VALUE, "__len__() should return >= 0");
    es_value_unref(&len);
    return ok ? 1 : -1;
}

bool es_object_truth(es_interp *in, const es_value *v, bool *out, es_error *err)
{
    es_value truth;
    int64_t n = 1;
    int done = es_object_method(in, v, "__bool__", NULL, 0, &truth, err);
    if (!done) {
        done = es_object_len(in, v, &n, err);
        *out = n > 0;
        return done >= 0;
    }
    bool ok = done > 0 && truth.kind == ES_V_BOOL;
    if (ok)
        *out = truth.u.b;
    else if (done > 0)
        es_fail(err, ES_ERR_TYPE, "__bool__ should return bool, returned %s",
                es_value_type_name(&truth));
    es_value_unref(&truth);
    return ok;
}

/* ---- v[sub] ---- */

static bool fail_item(const es_value *v, const char *what, const char *method, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "'%s' object %s", es_value_type_name(v), what);
    if (!es_advise_kind(v, err) && v->kind == ES_V_INSTANCE)
        es_hint(err, "the method %s would do it", method);
    return false;
}

bool es_object_item(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                    es_error *err)
{
    int done = es_object_method(in, v, "__getitem__", sub, 1, out, err);
    return done ? done > 0 : fail_item(v, "is not subscriptable", "__getitem__(self, i)", err);
}

bool es_object_item_put(es_interp *in, const es_value *v, const es_value *sub, const es_value *x,
                        es_error *err)
{
    es_value out;
    const es_value args[] = {*sub, *x};
    int done = es_object_method(in, v, "__setitem__", args, 2, &out, err);
    es_value_unref(&out);
    return done ? done > 0
                : fail_item(v, "does not support item assignment", "__setitem__(self, i, x)", err);
}

bool es_object_item_delete(es_interp *in, const es_value *v, const es_value *sub, es_error *err)
{
    es_value out;
    int done = es_object_method(in, v, "__delitem__", sub, 1, &out, err);
    es_value_unref(&out);
    return done ? done > 0
                : fail_item(v, "does not support item deletion", "__delitem__(self, i)", err);
}

/* ---- one after another ---- */

static bool has_method(const es_value *v, const char *name)
{
    es_value f = es_none();
    bool has =
        v->kind == ES_V_INSTANCE && es_class_find(es_instance_class(v), 0, name, strlen(name), &f);
    es_value_unref(&f);
    return has;
}

bool es_object_iter_begin(es_iter *w, es_interp *in, const es_value *of, es_error *err)
{
    es_value v;
    int done = es_object_method(in, of, "__iter__", NULL, 0, &v, err);
    if (done < 0)
        return false;
    if (done == 0 && !has_method(of, "__getitem__"))
        return fail_item(of, "is not iterable", "__iter__(self)", err);
    if (done == 0)
        v = es_value_ref(of);
    bool ok = true;
    if (done == 0 || has_method(&v, "__next__"))
        *w = (es_iter){.of = es_value_ref(&v), .n = done == 0 ? ES_ITER_ITEMS : ES_ITER_NEXT};
    else if (v.kind == ES_V_INSTANCE)
        ok = es_fail(err, ES_ERR_TYPE, "iter() returned non-iterator of type '%s'",
                     es_value_type_name(&v));
    else
        ok = es_iter_begin(w, in, &v, err);
    es_value_unref(&v);
    return ok;
}

/* Did it fail because there are no more? */
static bool is_end(es_interp *in, const es_iter *w, const es_error *err)
{
    if (w->n == ES_ITER_NEXT)
        return es_is_raised(in, "StopIteration");
    return err && err->code == ES_ERR_INDEX_RANGE;
}

int es_object_iter_next(es_iter *w, es_interp *in, es_value *out, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    const es_value i = es_value_int(w->i++);
    in->guarded++; /* its end is no failure */
    int done = w->n == ES_ITER_NEXT ? es_object_method(in, &w->of, "__next__", NULL, 0, out, &why)
                                    : es_object_method(in, &w->of, "__getitem__", &i, 1, out, &why);
    in->guarded--;
    if (done > 0)
        return 1;
    if (done < 0 && is_end(in, w, &why)) {
        es_forgive(in, &why);
        return 0;
    }
    if (err)
        *err = why;
    else
        es_error_free(&why);
    return -1;
}

/* v in of */
bool es_object_contains(es_interp *in, const es_value *v, const es_value *of, bool *out,
                        es_error *err)
{
    es_value answer, x;
    es_iter w;
    int done = es_object_method(in, of, "__contains__", v, 1, &answer, err), more = 1;
    if (done) {
        bool ok = done > 0 && es_truth(in, &answer, out, err);
        es_value_unref(&answer);
        return ok;
    }
    if (!es_iter_begin(&w, in, of, err))
        return false;
    *out = false;
    bool ok = true;
    while (ok && !*out && (more = es_iter_next(&w, in, &x, err)) > 0) {
        ok = es_equal(in, &x, v, out, err);
        es_value_unref(&x);
    }
    es_iter_end(&w);
    return ok && more >= 0;
}

/* ---- as text ---- */

/* What __repr__, __str__ or __format__ gives, which is a string. */
static int text_by(es_interp *in, es_str *out, const es_value *v, const char *name,
                   const es_value *args, int64_t n, es_error *err)
{
    es_value text;
    int done = es_object_method(in, v, name, args, n, &text, err);
    if (done <= 0)
        return done;
    bool ok = text.kind == ES_V_STR;
    if (ok)
        es_str_bytes(out, es_value_as_str(&text)->bytes, es_value_as_str(&text)->n);
    else
        es_fail(err, ES_ERR_TYPE, "%s returned non-string (type %s)", name,
                es_value_type_name(&text));
    es_value_unref(&text);
    return ok ? 1 : -1;
}

int es_object_format(es_interp *in, es_str *out, const es_value *v, const char *spec, size_t n,
                     es_error *err)
{
    es_value held = es_value_ref(v), asked = es_value_str(spec, n);
    int done = text_by(in, out, &held, "__format__", &asked, 1, err);
    es_value_unref(&asked);
    es_value_unref(&held);
    return done;
}

/* The arguments of an exception: MyError('too long'). */
static bool exception_repr(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    const es_value *args = es_own_get(v, "args", 4);
    es_str_cat(out, es_value_type_name(v));
    if (!args || args->kind != ES_V_TUPLE)
        return es_str_cat(out, "()"), true;
    bool one = es_value_items(args)->n == 1;
    es_value held = es_value_ref(args);
    if (one)
        es_str_char(out, '(');
    bool ok = es_value_repr(in, out, one ? &es_value_items(&held)->of[0] : &held, err);
    if (one)
        es_str_char(out, ')');
    es_value_unref(&held);
    return ok;
}

/* Exceptions within exceptions. */
static bool deeper(es_interp *in, es_error *err)
{
    if (in->within >= ES_MOST_WITHIN)
        return es_fail_nested(err);
    in->within++;
    return true;
}

bool es_object_repr(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    if (!deeper(in, err))
        return false;
    es_value held = es_value_ref(v); /* what holds it may change */
    int done = text_by(in, out, &held, "__repr__", NULL, 0, err);
    bool ok = done > 0;
    if (!done && es_exception_kind(&held))
        ok = exception_repr(in, out, &held, err);
    else if (!done) {
        es_str_add(out, "<%s object>", es_value_type_name(&held));
        ok = true;
    }
    es_value_unref(&held);
    in->within--;
    return ok;
}

static bool exception_str(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    const es_value *args = es_own_get(v, "args", 4);
    if (!args || args->kind != ES_V_TUPLE || !es_value_items(args)->n)
        return true;
    es_value held = es_value_ref(args);
    bool key = !strcmp(es_exception_kind(v), "KeyError");
    bool ok = es_value_items(&held)->n == 1 && !key
                  ? es_value_str_of(in, out, &es_value_items(&held)->of[0], err)
              : es_value_items(&held)->n == 1
                  ? es_value_repr(in, out, &es_value_items(&held)->of[0], err)
                  : es_value_repr(in, out, &held, err);
    es_value_unref(&held);
    return ok;
}

bool es_object_str(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    if (!deeper(in, err))
        return false;
    es_value held = es_value_ref(v);
    int done = text_by(in, out, &held, "__str__", NULL, 0, err);
    bool ok = done                       ? done > 0
              : es_exception_kind(&held) ? exception_str(in, out, &held, err)
                                         : es_object_repr(in, out, &held, err);
    es_value_unref(&held);
    in->within--;
    return ok;
}
