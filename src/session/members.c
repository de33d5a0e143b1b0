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

static bool member(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out)
{
    switch (v->kind) {
    case ES_V_INSTANCE: return of_instance(v, name, n, out);
    case ES_V_CLASS: return es_class_find(v, 0, name, n, out);
    default: return es_attribute(in, v, name, n, out, NULL);
    }
}

bool es_member_of(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out)
{
    es_str made = {0};
    name = es_private_here(in, name, &n, &made);
    bool found = member(in, v, name, n, out);
    es_str_free(&made);
    return found;
}

/* of[i] of a list, a tuple or a module of modules. */
static bool at_index(const es_value *of, const char *digits, size_t n, es_value *out)
{
    const es_value *found = es_own_get(of, digits, n);
    int64_t i = 0;
    for (size_t k = 0; k < n && i < ES_MOST_ITEMS; k++)
        i = 10 * i + (digits[k] - '0');
    if (es_value_is_sequence(of) && i < es_value_items(of)->n)
        found = &es_value_items(of)->of[i];
    if (found)
        *out = es_value_ref(found);
    return found != NULL;
}

/* The next link, ".name" or "[3]": how long it is, and what it leads to; 0: nowhere. */
static size_t follow(es_interp *in, const es_value *v, const char *link, size_t n, es_value *out)
{
    size_t len = 1;
    if (*link == '[') {
        len += strspn(link + 1, "0123456789");
        return len < n && link[len] == ']' && at_index(v, link + 1, len - 1, out) ? len + 1 : 0;
    }
    while (len < n && link[len] != '.' && link[len] != '[')
        len++;
    return es_member_of(in, v, link + 1, len - 1, out) ? len : 0;
}

bool es_member_chain(es_interp *in, const char *chain, size_t n, es_value *out)
{
    size_t at = 0, len = 1;
    while (at < n && chain[at] != '.' && chain[at] != '[')
        at++;
    if (!es_interp_lookup(in, chain, at, out, NULL))
        return false;
    for (; len && at < n; at += len) {
        es_value next = es_none();
        len = follow(in, out, chain + at, n - at, &next);
        es_value_unref(out);
        *out = next;
    }
    return len > 0;
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
