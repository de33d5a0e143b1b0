// SPDX-License-Identifier: GPL-3.0-or-later
/* functools: partial, whose instances keep a function and some of its arguments; reduce and wraps. */
#include <stdlib.h>

#include "base/mem.h"
#include "expr/classes.h"
#include "expr/inside.h"

static const char FUNC[] = "func", ARGS[] = "args", KEYWORDS[] = "keywords";

static bool keep(const es_value *self, const char *name, es_value x, es_error *err)
{
    return es_own_put(self, name, strlen(name), x, err);
}

static const es_value *kept(const es_value *self, const char *name, es_value_kind kind)
{
    const es_value *x = es_own_get(self, name, strlen(name));
    return x && x->kind == kind ? x : NULL;
}

/* What of a call came by place as a tuple, and by name as a dict. */
static bool sort_arguments(es_args *a, int64_t first, es_value *places, es_value *names,
                           es_error *err)
{
    bool ok = true;
    *places = es_value_list(es_interp_containers(a->in));
    *names = es_value_dict(es_interp_containers(a->in));
    for (int64_t i = first; ok && i < a->n_given; i++) {
        const char *name = a->names ? a->names[i] : NULL;
        es_value key = name ? es_value_str(name, strlen(name)) : es_none();
        ok = name ? es_dict_put(a->in, names, &key, &a->given[i], err)
                  : es_items_add(es_value_items(places), es_value_ref(&a->given[i]), err);
        es_value_unref(&key);
    }
    if (ok)
        es_list_to_tuple(places, ES_V_TUPLE);
    return ok;
}

static bool can_call(const es_value *f)
{
    return f->kind == ES_V_BUILTIN || f->kind == ES_V_FUNCTION || f->kind == ES_V_TYPE ||
           f->kind == ES_V_CLASS || f->kind == ES_V_METHOD ||
           (f->kind == ES_V_INSTANCE && es_can_call(f));
}

static bool run_partial(es_args *a, es_value *out, es_error *err)
{
    const es_value type = es_value_named(ES_V_TYPE, ES_TYPE_PARTIAL);
    es_value places, names;
    if (!can_call(&a->v[0])) {
        es_fail(err, ES_ERR_TYPE, "the first argument must be callable");
        return es_arg_blame(a, 0, err);
    }
    if (!sort_arguments(a, 1, &places, &names, err)) {
        es_value_unref(&places);
        es_value_unref(&names);
        return false;
    }
    *out = es_instance_new(a->in, &type);
    keep(out, FUNC, es_value_ref(&a->v[0]), NULL);
    keep(out, ARGS, places, NULL);
    keep(out, KEYWORDS, names, NULL);
    return true;
}

/* The arguments of one call: those that were kept, then those it is given, whose names go before. */
typedef struct call {
    es_value *v;
    const char **names;
    int64_t n;
} call;

static void add(call *c, const es_value *v, const char *name)
{
    for (int64_t i = 0; name && i < c->n; i++)
        if (c->names[i] && !strcmp(c->names[i], name)) {
            c->v[i] = *v;
            return;
        }
    c->v[c->n] = *v;
    c->names[c->n++] = name;
}

/* Its keys and values, which stay when the dict is changed. */
static es_value all_of(const es_value *dict)
{
    const es_items *items = es_value_items(dict);
    for (int64_t i = 0; i < items->n; i++)
        es_value_ref(&items->of[i]);
    return es_value_tuple(items->of, items->n);
}

bool es_partial_call_run(es_args *a, es_value *out, es_error *err)
{
    const es_value *f = es_own_get(&a->v[0], FUNC, strlen(FUNC));
    const es_value *args = kept(&a->v[0], ARGS, ES_V_TUPLE),
                   *keywords = kept(&a->v[0], KEYWORDS, ES_V_DICT);
    if (!f || !args || !keywords)
        return es_fail_no_attribute(&a->v[0], FUNC, strlen(FUNC), err);
    int64_t skip = !a->method;
    size_t most = (size_t)(es_value_items(args)->n + es_value_items(keywords)->n + a->n_given + 1);
    call c = {.v = es_alloc_array(most, sizeof *c.v),
              .names = es_alloc_array(most, sizeof *c.names)};
    es_value held[] = {es_value_ref(f), es_value_ref(args), all_of(keywords)};
    const es_items *named = es_value_items(&held[2]);
    for (int64_t i = 0; i < es_value_items(args)->n; i++)
        add(&c, &es_value_items(args)->of[i], NULL);
    for (int64_t i = skip; i < a->n_given; i++)
        if (!a->names || !a->names[i])
            add(&c, &a->given[i], NULL);
    for (int64_t i = 0; i + 1 < named->n; i += 2)
        if (named->of[i].kind == ES_V_STR)
            add(&c, &named->of[i + 1], es_value_as_str(&named->of[i])->bytes);
    for (int64_t i = skip; a->names && i < a->n_given; i++)
        if (a->names[i])
            add(&c, &a->given[i], a->names[i]);
    bool ok =
        es_tick(a->in, err) && es_call_with(a->in, &held[0], c.v, c.n, c.names, NULL, out, err);
    for (int i = 0; i < 3; i++)
        es_value_unref(&held[i]);
    free(c.v);
    free(c.names);
    return ok;
}

static bool write_partial(es_interp *in, es_str *text, const es_value *f, const es_items *args,
                          const es_items *named, es_error *err)
{
    es_str_cat(text, "functools.partial(");
    bool ok = es_value_repr(in, text, f, err);
    for (int64_t i = 0; ok && i < args->n; i++) {
        es_str_cat(text, ", ");
        ok = es_value_repr(in, text, &args->of[i], err);
    }
    for (int64_t i = 0; ok && i + 1 < named->n; i += 2) {
        es_str_cat(text, ", ");
        ok = es_value_str_of(in, text, &named->of[i], err);
        es_str_char(text, '=');
        ok = ok && es_value_repr(in, text, &named->of[i + 1], err);
    }
    es_str_char(text, ')');
    return ok;
}

bool es_partial_repr_run(es_args *a, es_value *out, es_error *err)
{
    es_str text = {0};
    const es_value *f = es_own_get(&a->v[0], FUNC, strlen(FUNC));
    const es_value *args = kept(&a->v[0], ARGS, ES_V_TUPLE),
                   *keywords = kept(&a->v[0], KEYWORDS, ES_V_DICT);
    if (!f || !args || !keywords)
        return es_fail_no_attribute(&a->v[0], FUNC, strlen(FUNC), err);
    es_value held[] = {es_value_ref(args), all_of(keywords)}; /* a __repr__ may change them */
    bool ok =
        write_partial(a->in, &text, f, es_value_items(&held[0]), es_value_items(&held[1]), err);
    for (int i = 0; i < 2; i++)
        es_value_unref(&held[i]);
    if (ok)
        *out = es_value_str(es_str_text(&text), text.len);
    es_str_free(&text);
    return ok;
}

static bool fold(es_args *a, es_iter *w, es_value *out, es_error *err)
{
    es_value x, next;
    int more = 1;
    if (a->v[2].kind != ES_V_KINDS)
        *out = es_value_ref(&a->v[2]);
    else if ((more = es_iter_next(w, a->in, out, err)) == 0)
        return es_fail(err, ES_ERR_TYPE, "reduce() of empty iterable with no initial value");
    while (more > 0 && (more = es_iter_next(w, a->in, &x, err)) > 0) {
        bool ok = es_call_value(a->in, &a->v[0], (es_value[]){*out, x}, 2, &next, err);
        es_value_unref(&x);
        es_value_unref(out);
        if (!ok)
            return false;
        *out = next;
    }
    if (more < 0)
        es_value_unref(out);
    return more >= 0;
}

static bool run_reduce(es_args *a, es_value *out, es_error *err)
{
    es_iter w;
    if (!es_iter_begin(&w, a->in, &a->v[1], err))
        return es_arg_blame(a, 1, err);
    bool ok = fold(a, &w, out, err);
    es_iter_end(&w);
    return ok;
}

/* @wraps(f): the function below is left as it is. */
static bool run_wraps(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    (void)a;
    const es_builtin *same = es_builtin_find("update_wrapper", 14, ES_IN_FUNCTOOLS);
    return es_answer(out, es_value_builtin(same, NULL));
}

static bool run_update_wrapper(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    return es_answer(out, es_value_ref(&a->v[0]));
}

const es_builtin es_builtins_functools[] = {
    {"partial", ES_IN_FUNCTOOLS, "func, *args, **keywords",
     "a function with some of its arguments given", "what func gives", NULL,
     "from functools import partial\nnorm = partial(nn.LayerNorm, eps=1e-6)\nnorm(8)", run_partial},
    {"reduce", ES_IN_FUNCTOOLS, "function, iterable, initial=None",
     "function(function(a, b), c), and so on", "", NULL,
     "from functools import reduce\nreduce(lambda a, b: a * b, [2, 3, 4])", run_reduce},
    {"update_wrapper", ES_IN_FUNCTOOLS, "wrapper, wrapped=None",
     "the wrapper itself; its name is not changed", "wrapper", NULL,
     "import functools\nfunctools.update_wrapper(lambda x: x, len)", run_update_wrapper},
    {"wraps", ES_IN_FUNCTOOLS, "wrapped", "above a function within a decorator: changes nothing",
     "", NULL, "from functools import wraps\n@wraps(len)\ndef f(x):\n    return len(x)", run_wraps},
    {.name = NULL},
};
