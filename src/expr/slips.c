// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/slips.h"

#include <math.h>
#include <string.h>

#include "base/guess.h"
#include "expr/classes.h"
#include "expr/modules.h"
#include "expr/signature.h"

/* ---- __init__ ---- */

/* The __init__ that a class or one behind it was given, as a reference. */
static bool find_init(const es_value *cls, es_value *out)
{
    if (es_class_find(cls, 0, "__init__", 8, out) && out->kind == ES_V_FUNCTION)
        return true;
    es_value_unref(out);
    return false;
}

/* _init_, init, __int__: the word itself is at most one letter off. */
static bool resembles_init(const char *name)
{
    size_t n = strlen(name);
    while (n && name[n - 1] == '_')
        n--;
    for (; n && *name == '_'; n--)
        name++;
    return es_distance(name, n, "init", 4, 2) < 2;
}

/* The method that was to be __init__; NULL: there is an __init__, or nothing like it. */
static const char *misspelt_init(const es_value *cls)
{
    es_value at = *cls, init = es_none();
    const es_value *x;
    const char *name;
    if (cls->kind != ES_V_CLASS)
        return NULL;
    if (find_init(cls, &init)) {
        es_value_unref(&init);
        return NULL;
    }
    for (int64_t i = 0; (name = es_own_at(&at, i, &x)); i++)
        if (x->kind == ES_V_FUNCTION && resembles_init(name))
            return name;
    return NULL;
}

static bool advise_misspelt(const es_value *cls, es_error *err)
{
    const char *name = misspelt_init(cls);
    if (name)
        es_hint(err, "%s has no __init__ (two underscores on either side), but it has %s",
                es_class_name(cls), name);
    return name != NULL;
}

/* ---- what is not in self ---- */

static bool is_parameter(const es_function *f, const char *name)
{
    const es_node *params = f->def->kid[0];
    for (int i = 1; i < params->n_kids; i++)
        if (params->kid[i]->text && !strcmp(params->kid[i]->text, name))
            return true;
    return false;
}

/* emb = nn.Embedding(…), where self.emb was meant. */
static bool is_variable(const es_function *f, const char *name, size_t n)
{
    es_scopes home = {0};
    es_scope *own = es_scope_new(&home, NULL);
    es_declare(own, f->def->kid[1]);
    const es_slot *slot = es_scope_find(own, name, n);
    bool is = slot && slot->state == ES_SLOT_UNBOUND;
    es_scope_unref(own);
    return is;
}

/* __init__ has it, and self was not given it. */
static bool advise_kept(const es_value *cls, const char *name, size_t n, es_error *err)
{
    es_value init = es_none();
    if (!find_init(cls, &init))
        return false;
    const es_function *f = es_function_in(&init);
    bool given = is_parameter(f, name), made = !given && is_variable(f, name, n);
    if (given)
        es_hint(err, "__init__ is given %s; self.%s = %s in it keeps it", name, name, name);
    else if (made)
        es_hint(err, "%s is a variable of __init__ alone; self.%s = … keeps it", name, name);
    es_value_unref(&init);
    return given || made;
}

/* net.parameters() where class Net: stands without nn.Module. */
static bool advise_base(const es_value *cls, const char *name, size_t n, es_error *err)
{
    if (!es_module_entry("torch.nn.Module", name, n))
        return false;
    es_hint(err, "modules have it: class %s(nn.Module)", es_class_name(cls));
    return true;
}

/* m.weight, where m.fc.weight was meant: the first module within it that has one. */
static bool advise_within(const es_value *module, const char *name, size_t n, es_error *err)
{
    es_member m;
    for (int64_t i = 0; es_module_member(module, i, &m); i++)
        if (m.as == ES_SUBMODULE && m.x->kind == ES_V_INSTANCE && es_own_get(m.x, name, n)) {
            es_hint(err, "did you mean .%s.%s?", m.name, name);
            return true;
        }
    return false;
}

bool es_advise_member(const es_value *v, const char *name, size_t n, es_error *err)
{
    if (v->kind != ES_V_INSTANCE)
        return false;
    const es_value *cls = es_instance_class(v);
    return cls->kind == ES_V_CLASS &&
           (advise_kept(cls, name, n, err) || advise_misspelt(cls, err) ||
            (es_module_kind(v) ? advise_within(v, name, n, err) : advise_base(cls, name, n, err)));
}

/* ---- what is called ---- */

static bool is_method_def(const es_function *f)
{
    const es_node *params = f->def->kid[0];
    return params->n_kids && params->kid[0]->text && !strcmp(params->kid[0]->text, "self");
}

/* def forward(self, …) among the variables: an empty line, typed, ends a class. */
static bool stands_outside(es_interp *in)
{
    const es_slot *slot = es_scope_find(in->globals, "forward", 7);
    return slot && slot->state == ES_SLOT_BOUND && slot->v.kind == ES_V_FUNCTION &&
           is_method_def(es_function_in(&slot->v));
}

bool es_advise_forward(es_interp *in, const es_value *module, es_error *err)
{
    const es_value *cls = es_instance_class(module);
    const char *name = es_class_name(cls);
    es_guess g = es_guess_begin("forward", 7);
    es_guess_classes(&g, cls);
    if (g.best[0])
        es_hint(err, "it has one called %s", g.best);
    else if (cls->kind != ES_V_CLASS)
        es_hint(err, "it only keeps modules: a loop runs them, or nn.Sequential(…)");
    else if (stands_outside(in))
        es_hint(err,
                "one stands outside the class, which an empty line ended; it is put in by "
                "%s.forward = forward",
                name);
    else
        es_hint(err, "in the class: def forward(self, x): …, indented as far as __init__");
    return true;
}

/* A return with a value, in n itself and not in a def within it. */
static bool gives(const es_node *n)
{
    if (n->kind == ES_N_RETURN)
        return n->n_kids && n->kid[0];
    for (int i = 0; i < n->n_kids; i++)
        if (n->kid[i] && n->kid[i]->kind != ES_N_DEF && n->kid[i]->kind != ES_N_LAMBDA &&
            gives(n->kid[i]))
            return true;
    return false;
}

void es_note_no_return(es_interp *in, const es_value *forward, const es_value *given)
{
    const es_function *f = given->kind == ES_V_NONE ? es_function_in(forward) : NULL;
    if (!f || in->trial || f->def == in->nothing_noted || gives(f->def->kid[1]))
        return;
    in->nothing_noted = f->def;
    es_torch_note(&in->torch, "%s gives None: it has no return", es_function_called(f));
}

bool es_advise_callable(const es_value *instance, es_error *err)
{
    const es_value *cls = es_instance_class(instance);
    es_value forward = es_none();
    bool has = es_class_find(cls, 0, "forward", 7, &forward);
    es_value_unref(&forward);
    if (has)
        es_hint(err, "modules run forward when they are called: class %s(nn.Module)",
                es_class_name(cls));
    else
        es_hint(err, "a method __call__ would be called: def __call__(self, …)");
    return true;
}

/* TransformerEmbeddings(ids), where m(ids) was meant. */
static bool advise_instance(const es_value *cls, const es_value *args, int64_t n, es_error *err)
{
    const es_value module = es_value_named(ES_V_TYPE, "torch.nn.Module");
    bool tensor = false;
    for (int64_t i = 0; i < n; i++)
        tensor = tensor || args[i].kind == ES_V_TENSOR;
    if (!tensor || cls->kind != ES_V_CLASS || !es_is_subclass(cls, &module))
        return false;
    es_hint(err, "%s is the class: m = %s(…) makes a module, and m(…) runs its forward",
            es_class_name(cls), es_class_name(cls));
    return true;
}

bool es_advise_arguments(const es_value *cls, const es_value *args, int64_t n, es_error *err)
{
    return advise_misspelt(cls, err) || advise_instance(cls, args, n, err);
}

bool es_advise_unbound(const es_function *f, const es_value *args, int64_t n, es_error *err)
{
    const char *called = es_function_called(f), *dot = strrchr(called, '.');
    if (!dot || !is_method_def(f) || (n && args[0].kind == ES_V_INSTANCE))
        return false;
    bool forward = !strcmp(dot, ".forward");
    int len = (int)(dot - called);
    es_hint(err, "it is a method of what %.*s(…) makes: m = %.*s(…), then m%s(…)", len, called, len,
            called, forward ? "" : dot);
    return true;
}

/* ---- what it is ---- */

static const char *function_name(const es_value *v)
{
    if (v->kind != ES_V_BUILTIN)
        return es_function_name(es_function_in(v));
    const char *name = ((const es_bound *)v->u.o)->builtin->name, *dot = strrchr(name, '.');
    return dot ? dot + 1 : name; /* "Module.parameters" */
}

bool es_advise_kind(const es_value *v, es_error *err)
{
    const char *function = v->kind == ES_V_BUILTIN || es_function_in(v) ? function_name(v) : NULL;
    if (v->kind == ES_V_NONE)
        es_hint(err, "None is what a function without return gives");
    else if (function && !strcmp(function, "super"))
        es_hint(err, "it is called first: super().__init__()");
    else if (function)
        es_hint(err, "%s is a function, which is called: %s(…)", function, function);
    else if (es_module_kind(v))
        es_hint(err, "%s is a module, which is called: m(…)", es_value_type_name(v));
    else
        return false;
    return true;
}

bool es_advise_whole(const es_value *v, es_error *err)
{
    bool divided = v->kind == ES_V_FLOAT && v->u.f == floor(v->u.f);
    if (divided)
        es_hint(err, "/ gives a float, // a whole number");
    return divided;
}
