// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tables.h"

#include <string.h>

#include "base/visible.h"

static const char *const prefixes[] = {"", "transformer.", "model."};
enum { N_PREFIXES = sizeof prefixes / sizeof *prefixes, N_NAMES = 2 };

static const struct {
    const char *role, *name[N_NAMES];
} roles[] = {
    [ES_ROLE_WTE] = {"wte", {"wte.weight", "token_embeddings.weight"}},
    [ES_ROLE_WPE] = {"wpe", {"wpe.weight", "position_embeddings.weight"}},
};

const char *es_role_name(es_role role)
{
    return roles[role].role;
}

const char *es_name_prefix(int i)
{
    return i < N_PREFIXES ? prefixes[i] : NULL;
}

/* The k-th name a table may go by; false: there are no more. */
static bool name_at(es_str *name, es_role role, int k)
{
    if (k >= N_NAMES * N_PREFIXES)
        return false;
    es_str_cut(name, 0);
    es_str_add(name, "%s%s", prefixes[k % N_PREFIXES], roles[role].name[k / N_PREFIXES]);
    return true;
}

static void warn_of_two(es_str *warnings, const char *used, const char *other)
{
    es_str_add(warnings, "%s%s and %s are both there: %s is used", warnings->len ? "\n" : "", used,
               other, used);
}

static bool by_name(es_located *out, es_weights *w, es_role role, es_str *warnings, es_error *err)
{
    es_str name = {0};
    bool ok = true, told = false;
    *out = (es_located){0};
    for (int k = 0; ok && name_at(&name, role, k); k++) {
        es_located one;
        ok = es_weights_find(w, &one, name.s, err);
        if (!ok || !one.file)
            continue;
        if (!out->file)
            *out = one;
        else if (!told)
            warn_of_two(warnings, out->tensor->name, name.s);
        told = out->tensor != one.tensor;
    }
    es_str_free(&name);
    return ok;
}

static bool is_named_for(const char *tensor, es_role role)
{
    es_str name = {0};
    bool is = false;
    for (int k = 0; !is && name_at(&name, role, k); k++)
        is = !strcmp(tensor, name.s);
    es_str_free(&name);
    return is;
}

/* The one tensor that could be a table, unless it is known as the other one. */
static void by_shape(es_located *out, es_weights *w, es_role role)
{
    const es_stored *table = NULL;
    es_safetensors *f = w->place ? NULL : w->file[0];
    for (size_t i = 0; f && i < f->n_tensors; i++) {
        const es_stored *t = &f->tensor[i];
        if (t->rank != 2 || !t->type->torch || !t->bytes)
            continue;
        if (table)
            return;
        table = t;
    }
    es_role other = role == ES_ROLE_WTE ? ES_ROLE_WPE : ES_ROLE_WTE;
    if (table && !is_named_for(table->name, other))
        *out = (es_located){f, table};
}

bool es_find_table(es_located *out, es_weights *w, es_role role, bool only, es_str *warnings,
                   es_error *err)
{
    if (!by_name(out, w, role, warnings, err))
        return false;
    if (!out->file && only)
        by_shape(out, w, role);
    return true;
}

/* "a", "b", … 42 more: what is there instead. */
static void list_names(es_str *out, const es_weights *w)
{
    enum { MOST = 4 };
    size_t n = w->n_tensors;
    for (size_t i = 0; i < n && i < MOST; i++) {
        const char *name = es_weights_name(w, i);
        es_str_cat(out, i ? ", " : "");
        es_show_brief(out, name, strlen(name));
    }
    if (n > MOST)
        es_str_add(out, ", … %zu more", n - MOST);
}

bool es_no_table(const es_weights *w, const char *what, es_error *err)
{
    es_str names = {0};
    list_names(&names, w);
    es_bad_file(err, w->path, "there is no %s among its %zu tensor%s", what, w->n_tensors,
                w->n_tensors == 1 ? "" : "s");
    es_hint(err, "looked for wte.weight, token_embeddings.weight, wpe.weight and "
                 "position_embeddings.weight, alone or behind transformer. or model.");
    if (names.len)
        es_hint(err, "it has %s", names.s);
    es_str_free(&names);
    return es_hint(err, "a table of another name: --wte FILE or --wpe FILE takes the only table of "
                        "a file");
}
