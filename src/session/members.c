// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/members.h"

#include "expr/classes.h"

/* ---- one ---- */

static bool of_instance(const es_value *v, const char *name, size_t n, es_value *out)
{
    const es_value *own = es_own_get(v, name, n);
    es_value found = es_none();
    if (own) {
        *out = es_value_ref(own);
        return true;
    }
    if (!es_class_find(es_instance_class(v), 0, name, n, &found))
        return false;
    *out = found.kind == ES_V_FUNCTION ? es_method_new(&found, v) : es_value_ref(&found);
    es_value_unref(&found);
    return true;
}

bool es_member_of(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out)
{
    switch (v->kind) {
    case ES_V_INSTANCE: return of_instance(v, name, n, out);
    case ES_V_CLASS: return es_class_find(v, 0, name, n, out);
    default: return es_attribute(in, v, name, n, out, NULL);
    }
}

bool es_member_chain(es_interp *in, const char *chain, size_t n, es_value *out)
{
    size_t at = 0;
    while (at < n && chain[at] != '.')
        at++;
    if (!es_interp_lookup(in, chain, at, out, NULL))
        return false;
    while (at < n) {
        size_t begin = ++at;
        es_value next = es_none();
        while (at < n && chain[at] != '.')
            at++;
        bool ok = es_member_of(in, out, chain + begin, at - begin, &next);
        es_value_unref(out);
        *out = next;
        if (!ok)
            return false;
    }
    return true;
}

/* ---- all ---- */

/* Entries of the tables are called "Linear.forward", "Module.parameters". */
static void each_entry(const char *class_name, es_member_fn *fn, void *user)
{
    const es_builtin *all[ES_MOST_BUILTINS];
    size_t n = strlen(class_name);
    for (size_t i = 0, n_all = es_builtin_all(all); i < n_all; i++)
        if (!strncmp(all[i]->name, class_name, n) && all[i]->name[n] == '.')
            fn(user, all[i]->name + n + 1, NULL);
}

void es_member_each(const es_value *v, es_member_fn *fn, void *user)
{
    const es_value *x, *cls = v->kind == ES_V_INSTANCE ? es_instance_class(v) : v;
    const char *name;
    es_value at;
    if (v->kind == ES_V_INSTANCE)
        for (int64_t i = 0; (name = es_own_at(v, i, &x)); i++)
            fn(user, name, x);
    for (int64_t i = 0; es_class_at(cls, i, &at); i++) {
        if (at.kind == ES_V_TYPE)
            each_entry(es_class_name(&at), fn, user);
        for (int64_t k = 0; at.kind == ES_V_CLASS && (name = es_own_at(&at, k, &x)); k++)
            fn(user, name, x);
    }
}
