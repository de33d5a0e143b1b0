// SPDX-License-Identifier: GPL-3.0-or-later
/* A call as it is written: its function and arguments, each evaluated once, in order; stars spread. */
#include <stdlib.h>

#include "base/mem.h"
#include "expr/inside.h"

static void unref_all(es_value *of, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        es_value_unref(&of[i]);
}

/* The values of a call's function and arguments as they are written, and as they are passed: stars spread. */
typedef struct call {
    es_value few[ES_FEW], *written; /* of node->kid */
    int n_written;
    es_value *args, *keys; /* keys: the strings that names of ** are in, or None */
    const char **names;
    const es_node **nodes;
    int64_t n, cap;
} call;

static void call_end(call *c)
{
    unref_all(c->written, c->n_written);
    unref_all(c->args, c->n);
    unref_all(c->keys, c->n);
    if (c->written != c->few)
        free(c->written);
    free(c->args);
    free(c->keys);
    free(c->names);
    free(c->nodes);
}

static void pass(call *c, es_value v, const char *name, const es_node *node)
{
    if (c->n == c->cap) {
        c->cap = 2 * c->cap + ES_FEW;
        c->args = es_realloc(c->args, (size_t)c->cap * sizeof *c->args);
        c->keys = es_realloc(c->keys, (size_t)c->cap * sizeof *c->keys);
        c->names = es_realloc(c->names, (size_t)c->cap * sizeof *c->names);
        c->nodes = es_realloc(c->nodes, (size_t)c->cap * sizeof *c->nodes);
    }
    c->args[c->n] = v;
    c->keys[c->n] = es_none();
    c->names[c->n] = name;
    c->nodes[c->n++] = node;
}

static bool pass_star(es_interp *in, call *c, const es_node *star, const es_value *of,
                      es_error *err)
{
    es_iter w;
    es_value v;
    int more;
    if (!es_iter_begin(&w, in, of, err))
        return false;
    while ((more = es_iter_next(&w, in, &v, err)) > 0)
        pass(c, v, NULL, star->kid[0]);
    es_iter_end(&w);
    return more == 0;
}

static bool pass_names(call *c, const es_node *star, const es_value *of, es_error *err)
{
    const es_items *items = es_value_items(of);
    if (of->kind != ES_V_DICT)
        return es_fail(err, ES_ERR_TYPE, "argument after ** must be a mapping, not %s",
                       es_value_type_name(of));
    for (int64_t i = 0; i + 1 < items->n; i += 2) {
        if (items->of[i].kind != ES_V_STR)
            return es_fail(err, ES_ERR_TYPE, "keywords must be strings");
        pass(c, es_value_ref(&items->of[i + 1]), es_value_as_str(&items->of[i])->bytes,
             star->kid[0]);
        c->keys[c->n - 1] = es_value_ref(&items->of[i]); /* who is called may clear the dict */
    }
    return true;
}

static bool pass_one(es_interp *in, call *c, const es_node *kid, const es_value *v, es_error *err)
{
    if (kid->kind == ES_N_STAR)
        return (kid->i == 2 ? pass_names(c, kid, v, err) : pass_star(in, c, kid, v, err)) ||
               es_blame(in, kid->kid[0], v, 1, err);
    bool named = kid->kind == ES_N_KEYWORD;
    pass(c, es_value_ref(v), named ? kid->text : NULL, named ? kid->kid[0] : kid);
    return true;
}

/* f(a, *b, c=1): f, then what stands between the parentheses, each evaluated once, in order. */
static bool call_begin(es_interp *in, const es_node *n, call *c, es_error *err)
{
    c->written = n->n_kids <= ES_FEW ? c->few : es_alloc_array((size_t)n->n_kids, sizeof *c->few);
    for (; c->n_written < n->n_kids; c->n_written++) {
        const es_node *kid = n->kid[c->n_written];
        bool wrapped = kid->kind == ES_N_KEYWORD || kid->kind == ES_N_STAR;
        if (!es_eval(in, wrapped ? kid->kid[0] : kid, &c->written[c->n_written], err))
            return false;
    }
    for (int i = 1; i < n->n_kids; i++)
        if (!pass_one(in, c, n->kid[i], &c->written[i], err))
            return false;
    return true;
}

static bool all_by_place(const call *c)
{
    for (int64_t i = 0; i < c->n; i++)
        if (c->names[i])
            return false;
    return true;
}

bool es_eval_call(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    call c = {0};
    es_frame *frame = in->frame;
    bool ok = call_begin(in, n, &c, err) && es_tick(in, err);
    frame->calls = n;
    if (ok)
        ok = es_call_with(in, &c.written[0], c.args, c.n, all_by_place(&c) ? NULL : c.names,
                          c.nodes, out, err);
    frame->calls = NULL;
    if (!ok)
        es_blame(in, n, c.written, c.n_written, err);
    call_end(&c);
    return ok;
}
