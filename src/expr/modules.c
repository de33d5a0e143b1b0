// SPDX-License-Identifier: GPL-3.0-or-later
/* Modules are instances whose attributes are told apart by what they are: parameters, submodules, and, by a mark
 * that is kept beside them, buffers and parameters that are None. */
#include "expr/modules.h"

#include "base/mem.h"
#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/seen.h"

/* ---- classes ---- */

static const char *const types[] = {
    "torch.nn.Module",
    "torch.nn.Embedding",
    "torch.nn.Linear",
    "torch.nn.LayerNorm",
    "torch.nn.RMSNorm",
    "torch.nn.Dropout",
    "torch.nn.GELU",
    "torch.nn.ReLU",
    "torch.nn.SiLU",
    "torch.nn.Tanh",
    "torch.nn.Sigmoid",
    "torch.nn.Softmax",
    "torch.nn.LogSoftmax",
    "torch.nn.Flatten",
    "torch.nn.Identity",
    "torch.nn.Sequential",
    "torch.nn.ModuleList",
    "torch.nn.ModuleDict",
    "torch.nn.ParameterList",
    "torch.nn.MultiheadAttention",
    "torch.nn.NonDynamicallyQuantizableLinear",
};

static const char *last_name(const char *type)
{
    return strrchr(type, '.') + 1;
}

bool es_module_type(const char *name, size_t n, es_value *out)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (es_name_is(name, n, last_name(types[i]))) {
            *out = es_value_named(ES_V_TYPE, types[i]);
            return true;
        }
    return false;
}

const es_builtin *es_module_entry(const char *type, const char *name, size_t n)
{
    const char *last = last_name(type);
    if (es_name_is(name, n, "__init__"))
        return es_builtin_find(last, strlen(last), ES_CLASS);
    es_str both = {0};
    es_str_add(&both, "%s.%.*s", last, (int)n, name);
    const es_builtin *b = es_builtin_find(both.s, both.len, ES_IN_NN);
    es_str_free(&both);
    return b;
}

/* ---- marks: a dict of the instance's own, from names to what they are ---- */

static const char CALLED[] = ".called"; /* among the marks: no attribute has a dot in its name */

static const es_value *marks_of(const es_value *m)
{
    return es_own_get(m, ES_MODULE_MARKS, 1);
}

/* Borrowed; NULL: there is no such mark. */
static const es_value *find_mark(const es_value *m, const char *name, size_t n)
{
    const es_value *marks = marks_of(m);
    if (!marks || marks->kind != ES_V_DICT)
        return NULL;
    const es_items *items = es_value_items(marks);
    for (int64_t i = 0; i + 1 < items->n; i += 2) {
        const es_value *key = &items->of[i];
        if (key->kind == ES_V_STR && es_name_is(name, n, es_value_as_str(key)->bytes))
            return &items->of[i + 1];
    }
    return NULL;
}

/* Takes x over. */
static bool put_mark(es_interp *in, const es_value *m, const char *name, size_t n, es_value x,
                     es_error *err)
{
    const es_value *marks = marks_of(m);
    if (!marks || marks->kind != ES_V_DICT)
        es_own_put(m, ES_MODULE_MARKS, 1, es_value_dict(es_interp_containers(in)), NULL);
    es_value key = es_value_str(name, n);
    bool ok = es_dict_put(in, marks_of(m), &key, &x, err);
    es_value_unref(&key);
    es_value_unref(&x);
    return ok;
}

static void drop_mark(const es_value *m, const char *name, size_t n)
{
    const es_value *mark = find_mark(m, name, n);
    if (!mark)
        return;
    es_items *items = es_value_items(marks_of(m));
    int64_t i = mark - items->of - 1;
    es_value key = items->of[i], old = items->of[i + 1];
    memmove(&items->of[i], &items->of[i + 2], (size_t)(items->n - i - 2) * sizeof key);
    items->n -= 2;
    es_value_unref(&key);
    es_value_unref(&old);
}

const char *es_module_called(const es_value *m)
{
    const es_value *name = m->kind == ES_V_INSTANCE ? find_mark(m, CALLED, strlen(CALLED)) : NULL;
    return name && name->kind == ES_V_STR ? es_value_as_str(name)->bytes : NULL;
}

void es_module_call_it(es_interp *in, const es_value *m, const char *name)
{
    bool number = name[0] >= '0' && name[0] <= '9';
    if (!number && !es_module_called(m))
        put_mark(in, m, CALLED, strlen(CALLED), es_value_str(name, strlen(name)), NULL);
}

/* ---- what attributes are ---- */

static bool is_module(const es_value *x)
{
    return x->kind == ES_V_INSTANCE && es_module_kind(x);
}

static bool is_parameter(const es_value *x)
{
    return x->kind == ES_V_TENSOR && ((const es_tensor_object *)x->u.o)->parameter;
}

static es_part_of part_of(const es_value *m, const char *name, size_t n, const es_value *x)
{
    if (is_parameter(x))
        return ES_PARAMETER;
    if (is_module(x))
        return ES_SUBMODULE;
    const es_value *mark =
        x->kind == ES_V_TENSOR || x->kind == ES_V_NONE ? find_mark(m, name, n) : NULL;
    return mark && mark->kind == ES_V_INT ? (es_part_of)mark->u.i : ES_PLAIN;
}

bool es_module_member(const es_value *m, int64_t i, es_member *out)
{
    out->name = es_own_at(m, i, &out->x);
    if (!out->name)
        return false;
    out->as = part_of(m, out->name, strlen(out->name), out->x);
    return true;
}

es_part_of es_module_part(const es_value *m, const char *name, size_t n)
{
    const es_value *x = es_own_get(m, name, n);
    return x ? part_of(m, name, n, x) : ES_PLAIN;
}

/* ---- assignment ---- */

bool es_module_begun(const es_value *m)
{
    return es_own_get(m, "training", 8) != NULL;
}

bool es_fail_not_begun(const es_value *m, es_error *err)
{
    const char *name = es_value_type_name(m);
    es_fail(err, ES_ERR_NAME,
            "this %s is no whole module: its __init__ did not call "
            "super().__init__()",
            name);
    es_hint(err, "that call is the first line of __init__");
    return es_torch_says(err, "AttributeError: '%s' object has no attribute '_backward_hooks'",
                         name);
}

bool es_fail_before_init(const char *what, es_error *err)
{
    es_fail(err, ES_ERR_NAME, "cannot assign %s before Module.__init__() call", what);
    es_hint(err, "the first line of __init__ is super().__init__()");
    return es_torch_says(err, "cannot assign %s before Module.__init__() call", what);
}

const char *es_torch_type_name(const es_value *x)
{
    return x->kind == ES_V_TENSOR ? es_torch_tensor_name(es_value_as_tensor(x)->dtype)
                                  : es_value_type_name(x);
}

static bool fail_part(es_part_of as, const char *name, size_t n, const es_value *x, es_error *err)
{
    static const struct {
        const char *what, *wanted;
    } of[] = {
        [ES_PARAMETER] = {"parameter", "torch.nn.Parameter"},
        [ES_BUFFER] = {"buffer", "torch.Tensor"},
        [ES_BUFFER_UNSAVED] = {"buffer", "torch.Tensor"},
        [ES_SUBMODULE] = {"child module", "torch.nn.Module"},
    };
    es_str shown = {0}, text = {0};
    es_show_name(&shown, name, n);
    es_str_add(&text, "cannot assign '%s' as %s '%s' (%s or None expected)", es_torch_type_name(x),
               of[as].what, es_str_text(&shown), of[as].wanted);
    es_fail(err, ES_ERR_TYPE, "%s", text.s);
    es_torch_says(err, "%s", text.s);
    if (as == ES_PARAMETER && x->kind == ES_V_TENSOR)
        es_hint(err, "its numbers: .%s.data = …; another parameter: .%s = nn.Parameter(…)",
                es_str_text(&shown), es_str_text(&shown));
    es_str_free(&shown);
    es_str_free(&text);
    return false;
}

/* May a part of that kind become x? */
static bool may_become(es_part_of as, const es_value *x)
{
    switch (as) {
    case ES_PARAMETER: return x->kind == ES_V_NONE || is_parameter(x);
    case ES_SUBMODULE: return x->kind == ES_V_NONE || is_module(x);
    case ES_BUFFER:
    case ES_BUFFER_UNSAVED: return x->kind == ES_V_NONE || x->kind == ES_V_TENSOR;
    default: return true;
    }
}

bool es_module_register(es_interp *in, const es_value *m, const char *name, size_t n, es_value x,
                        es_part_of as, es_error *err)
{
    if (es_module_part(m, name, n) != as) { /* it comes last, as it does in PyTorch */
        es_own_delete(m, name, n);
        drop_mark(m, name, n);
    }
    bool itself = is_parameter(&x) || is_module(&x);
    bool ok = as == ES_PLAIN || itself || put_mark(in, m, name, n, es_value_int(as), err);
    if (is_module(&x))
        es_module_call_it(in, &x, name);
    if (ok)
        return es_own_put(m, name, n, x, err);
    es_value_unref(&x);
    return false;
}

bool es_module_put(es_interp *in, const es_value *m, const char *name, size_t n, es_value x,
                   es_error *err)
{
    es_part_of was = es_module_part(m, name, n);
    es_part_of as = is_parameter(&x)                        ? ES_PARAMETER
                    : was == ES_PARAMETER || !is_module(&x) ? was
                                                            : ES_SUBMODULE;
    bool begun = as == ES_PLAIN || es_module_begun(m);
    bool ok = begun ? may_become(as, &x) || fail_part(as, name, n, &x, err)
                    : es_fail_before_init(as == ES_PARAMETER ? "parameters" : "module", err);
    if (ok)
        return es_module_register(in, m, name, n, x, as, err);
    es_value_unref(&x);
    return false;
}

void es_module_forget(const es_value *m, const char *name, size_t n)
{
    drop_mark(m, name, n);
}

/* ---- modules within modules ---- */

bool es_module_enter(es_interp *in, es_error *err)
{
    if (in->calls < ES_MOST_CALLS) {
        in->calls++;
        return es_tick(in, err) || (in->calls--, false);
    }
    es_fail(err, ES_ERR_RANGE, "modules within modules more than %d deep", ES_MOST_CALLS);
    return es_torch_says(err, "RecursionError: maximum recursion depth exceeded");
}

void es_module_leave(es_interp *in)
{
    in->calls--;
}

typedef struct walk {
    es_interp *in;
    es_seen seen;
    bool once;
    es_module_visit *fn;
    void *user;
} walk;

static bool walk_into(walk *w, const char *name, const es_value *m, es_error *err);

static bool walk_parts(walk *w, const char *name, const es_value *m, es_error *err)
{
    es_member part;
    bool ok = true;
    for (int64_t i = 0; ok && es_module_member(m, i, &part); i++) {
        es_str whole = {0};
        if (!is_module(part.x))
            continue;
        es_str_add(&whole, "%s%s%s", name, *name ? "." : "", part.name);
        ok = walk_into(w, es_str_text(&whole), part.x, err);
        es_str_free(&whole);
    }
    return ok;
}

static bool walk_into(walk *w, const char *name, const es_value *m, es_error *err)
{
    if (w->once && es_seen_find(&w->seen, m->u.o))
        return true;
    if (!es_module_enter(w->in, err))
        return false;
    es_seen_add(&w->seen, m->u.o);
    es_value held = es_value_ref(m);
    bool ok = w->fn(w->user, name, &held, err) && walk_parts(w, name, &held, err);
    es_value_unref(&held);
    es_module_leave(w->in);
    return ok;
}

bool es_module_walk(es_interp *in, const es_value *m, const char *prefix, bool once,
                    es_module_visit *fn, void *user, es_error *err)
{
    walk w = {.in = in, .once = once, .fn = fn, .user = user};
    bool ok = walk_into(&w, prefix, m, err);
    es_seen_free(&w.seen);
    return ok;
}

/* ---- for the entries of nn's modules ---- */

const es_value *es_arg_module(es_args *a, int i, es_error *err)
{
    if (is_module(&a->v[i]))
        return &a->v[i];
    es_fail(err, ES_ERR_TYPE, "%s() is a method of modules, and '%s' is none", a->of->name,
            es_value_type_name(&a->v[i]));
    es_arg_blame(a, i, err);
    return NULL;
}

bool es_arg_named_module(es_args *a, const es_str_object **name, es_error *err)
{
    *name = es_value_as_str(&a->v[1]);
    return es_arg_module(a, 0, err) && (a->v[1].kind == ES_V_STR || es_arg_wrong(a, 1, "str", err));
}

bool es_module_begin(es_args *a, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && es_own_put(self, "training", 8, es_value_bool(true), err);
}

bool es_module_set(es_args *a, const char *name, es_value x, es_error *err)
{
    return es_module_register(a->in, &a->v[0], name, strlen(name), x,
                              is_parameter(&x) ? ES_PARAMETER
                              : is_module(&x)  ? ES_SUBMODULE
                                               : ES_PLAIN,
                              err);
}

bool es_module_set_parameter(es_args *a, const char *name, es_tensor *t, bool made, es_error *err)
{
    if (!made)
        return false;
    es_value x = es_value_parameter(t);
    return es_module_set(a, name, x, err);
}
