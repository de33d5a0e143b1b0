// SPDX-License-Identifier: GPL-3.0-or-later
/* import: torch, nn, F, math and np are always there, so that it only gives them other names. */
#include "base/visible.h"
#include "expr/inside.h"

/* What stands for a module, from where a dotted name starts. */
static bool root_of(const char *name, size_t n, es_value *out)
{
    static const char *const roots[] = {"torch", "math", "numpy",       "dataclasses",
                                        "abc",   "copy", "collections", "functools"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strlen(roots[i]) == n && !memcmp(name, roots[i], n))
            return es_namespace_imported(name, n, out);
    return false;
}

/* Modules that have nothing to say here: what they give is used in annotations, which are not looked at, or
 * is about files, time and the program itself, which a module's layers do not ask. */
static bool is_ignored(const char *name)
{
    static const char *const names[] = {
        "typing", "__future__", "inspect", "os",   "sys",
        "time",   "warnings",   "logging", "json", "typing_extensions"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static bool fail_module(es_interp *in, const es_node *n, const char *name, es_error *err)
{
    es_str shown = {0};
    es_show_brief(&shown, name, strlen(name));
    es_fail(err, ES_ERR_NAME, "there is no module %s here", es_str_text(&shown));
    es_str_free(&shown);
    es_hint(err, "there are torch, torch.nn, torch.nn.functional, math and a little of numpy");
    return es_blame(in, n, NULL, 0, err);
}

/* torch.nn.functional: a namespace, by its names one after another. */
static bool find_module(es_interp *in, const es_node *n, const char *name, es_value *out,
                        es_error *err)
{
    const char *at = name;
    size_t len = strcspn(at, ".");
    *out = es_none();
    bool ok = root_of(at, len, out);
    for (at += len; ok && *at == '.'; at += len) {
        es_error why = ES_ERROR_NONE;
        es_value part = es_none();
        len = strcspn(++at, ".");
        ok = es_attribute(in, out, at, len, &part, &why);
        *out = part;
        ok = ok && part.kind == ES_V_NAMESPACE;
        es_error_free(&why);
    }
    if (!ok)
        es_value_unref(out);
    return ok || fail_module(in, n, name, err);
}

/* A name that means the same without a variable needs none; *needless says so. */
static void bind_import(es_interp *in, const char *name, size_t n, es_value v, bool *needless)
{
    es_value there;
    bool same =
        v.kind == ES_V_NAMESPACE && es_namespace_named(name, n, &there) && there.u.name == v.u.name;
    if (v.kind == ES_V_BUILTIN)
        same = ((const es_bound *)v.u.o)->builtin == es_builtin_find(name, n, ES_IN_PLAIN);
    *needless = *needless || same;
    if (same && !in->frame->scope) {
        es_scope_unbind(in->globals, name, n);
        es_value_unref(&v);
    } else
        es_name_bind(in, name, n, v);
}

static void note_once(es_interp *in)
{
    if (!in->import_noted)
        es_torch_note(&in->torch, "not needed here: torch, nn, F and math are always there");
    in->import_noted = true;
}

/* import torch.nn as nn; without "as", torch is bound. */
static bool import_module(es_interp *in, const es_node *alias, bool *needless, es_error *err)
{
    es_value v;
    if (is_ignored(alias->text))
        return *needless = true;
    if (!find_module(in, alias, alias->text, &v, err))
        return false;
    const es_node *as = alias->n_kids ? alias->kid[0] : NULL;
    if (as)
        bind_import(in, as->text, as->n_text, v, needless);
    else {
        size_t n = strcspn(alias->text, ".");
        root_of(alias->text, n, &v);
        bind_import(in, alias->text, n, v, needless);
    }
    return true;
}

/* from torch.nn import functional as F */
static bool import_name(es_interp *in, const es_value *module, const es_node *alias, bool *needless,
                        es_error *err)
{
    es_value v;
    if (!strcmp(alias->text, "*"))
        return *needless = true; /* bare names are known as they are */
    if (!es_attribute(in, module, alias->text, alias->n_text, &v, err))
        return es_blame(in, alias, module, 1, err);
    const es_node *as = alias->n_kids ? alias->kid[0] : alias;
    bind_import(in, as->text, as->n_text, v, needless);
    return true;
}

bool es_exec_import(es_interp *in, const es_node *n, es_error *err)
{
    const es_node *from = n->kid[0];
    es_value module = es_none();
    if (from && (is_ignored(from->text) || !strcmp(from->text, "abc")))
        return true; /* ABC and abstractmethod are known as they are */
    if (from && !find_module(in, from, from->text, &module, err))
        return false;
    bool ok = true, needless = false;
    for (int i = 1; ok && i < n->n_kids; i++)
        ok = from ? import_name(in, &module, n->kid[i], &needless, err)
                  : import_module(in, n->kid[i], &needless, err);
    if (ok && needless)
        note_once(in);
    return ok;
}
