// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/module_parts.h"

#include "expr/seen.h"
#include "session/numbers.h"

typedef struct walk {
    es_module_fn *fn;
    void *user;
    es_str path;
    es_seen seen; /* modules: none is gone into twice, by whatever ways */
    int depth;
} walk;

/* One that hides too deep is left out. */
static bool each(walk *w, const es_value *module)
{
    const es_value *x;
    const char *name;
    bool on = true;
    if (es_seen_find(&w->seen, module->u.o) || w->depth == ES_MOST_DEPTH)
        return true;
    es_seen_add(&w->seen, module->u.o);
    w->depth++;
    for (int64_t i = 0; on && (name = es_own_at(module, i, &x)); i++) {
        size_t before = w->path.len;
        es_str_add(&w->path, "%s%s", before ? "." : "", name);
        if (x->kind == ES_V_TENSOR)
            on = w->fn(w->user, w->path.s, x);
        else if (es_is_module(x))
            on = each(w, x);
        es_str_cut(&w->path, before);
    }
    w->depth--;
    return on;
}

void es_module_tensors(const es_value *module, es_module_fn *fn, void *user)
{
    walk w = {.fn = fn, .user = user};
    each(&w, module);
    es_seen_free(&w.seen);
    es_str_free(&w.path);
}

/* ---- sums ---- */

typedef struct summing {
    es_module_sums sums;
    es_seen seen;
} summing;

static bool add(void *user, const char *path, const es_value *tensor)
{
    summing *s = user;
    (void)path;
    if (!es_is_parameter(tensor) || es_seen_find(&s->seen, tensor->u.o))
        return true;
    const es_tensor *t = es_value_as_tensor(tensor);
    int64_t n = es_shape_count(&t->shape);
    es_seen_add(&s->seen, tensor->u.o);
    s->sums.parameters = n > INT64_MAX - s->sums.parameters ? INT64_MAX : s->sums.parameters + n;
    s->sums.bytes += (double)n * (double)es_dtype_size(t->dtype);
    return true;
}

es_module_sums es_module_sum(const es_value *module)
{
    summing s = {0};
    es_module_tensors(module, add, &s);
    es_seen_free(&s.seen);
    return s.sums;
}

void es_show_parameters(es_str *out, int64_t n)
{
    es_show_count(out, n);
    es_str_cat(out, n == 1 ? " parameter" : " parameters");
}
