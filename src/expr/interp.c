// SPDX-License-Identifier: GPL-3.0-or-later
/* The interpreter's life, its variables, and what becomes of errors. */
#include "expr/interp.h"

#include <stdlib.h>

#include "base/mem.h"
#include "expr/explain.h"
#include "expr/inside.h"

enum { FIRST_SEED = 0 };

/* ---- life ---- */

static void on_note(void *user, const char *text)
{
    const es_interp *in = user;
    if (in->host->note)
        in->host->note(in->host->user, text);
}

es_interp *es_interp_new(const es_interp_host *host, es_backend *be)
{
    es_interp *in = es_alloc(sizeof *in);
    in->own = in->mute = *host;
    in->mute.value = NULL;
    in->mute.print = NULL;
    in->mute.note = NULL;
    in->mute.save = NULL;
    in->host = &in->own;
    in->torch = (es_torch){
        .be = be, .most_bytes = (int64_t)4 << 30, .seed = FIRST_SEED, .note = on_note, .user = in};
    in->collect_at = ES_FIRST_COLLECT;
    in->made_at = ES_FIRST_MADE;
    in->steps_left = INT64_MAX;
    in->globals = es_scope_new(&in->scopes, NULL);
    return in;
}

void es_forget_failure(es_interp *in)
{
    es_scope_unref(in->failed.scope);
    es_unit_unref(in->failed.unit);
    in->failed.scope = NULL;
    in->failed.unit = NULL;
}

void es_interp_clear(es_interp *in)
{
    es_forget_failure(in);
    es_value_unref(&in->last);
    es_scope_clear(in->globals);
    es_collect(in);
    in->torch.seed = FIRST_SEED;
    in->torch.drawn = 0;
    in->import_noted = in->leaf_noted = false;
}

void es_interp_free(es_interp *in)
{
    if (!in)
        return;
    es_forget_failure(in);
    es_value_unref(&in->last);
    es_value_unref(&in->returned);
    es_value_unref(&in->raised);
    es_scope_unref(in->globals);
    es_items_clear_all(&in->containers);
    es_scopes_clear_all(&in->scopes);
    free(in->listed.of);
    free(in);
}

es_torch *es_interp_torch(es_interp *in)
{
    return &in->torch;
}

const es_interp_host *es_interp_host_of(const es_interp *in)
{
    return in->host;
}

es_items **es_interp_containers(es_interp *in)
{
    return &in->containers;
}

/* ---- variables ---- */

bool es_interp_lookup(es_interp *in, const char *name, size_t n, es_value *out, es_error *err)
{
    return es_name_value(in, name, n, out, err);
}

bool es_interp_set(es_interp *in, const char *name, size_t n, es_value v)
{
    es_name_labels(in, name, n, &v);
    es_scope_bind(in->globals, name, n, v);
    return true;
}

bool es_interp_del(es_interp *in, const char *name, size_t n)
{
    return es_scope_unbind(in->globals, name, n);
}

/* ---- errors ---- */

static void remember_failure(es_interp *in)
{
    if (in->trying)
        return;
    es_forget_failure(in);
    in->failed.unit = es_unit_ref(in->frame->unit);
    in->failed.scope = es_scope_ref(in->frame->scope);
}

static bool has_operator(const es_node *n)
{
    return n->kind == ES_N_BINARY || n->kind == ES_N_COMPARAND || n->kind == ES_N_AUGMENT;
}

static void locate(const es_node *node, es_error *err)
{
    if (err->begin >= 0)
        return;
    es_error_locate(err, node->begin, node->end);
    if (has_operator(node)) {
        err->op_begin = (ptrdiff_t)node->op_begin;
        err->op_end = (ptrdiff_t)node->op_end;
    }
}

/* Was it called, or asked for a member, that is nothing of the kind? */
static bool is_mistaken(const es_node *node, const es_value *operands, int n, const es_error *err)
{
    if (node->kind == ES_N_ATTRIBUTE)
        return err->code == ES_ERR_NAME && n > 0 && operands[0].kind != ES_V_CLASS &&
               operands[0].kind != ES_V_INSTANCE;
    if (node->kind != ES_N_CALL || n < 1 || err->code != ES_ERR_TYPE)
        return false;
    es_value_kind kind = operands[0].kind;
    return kind != ES_V_METHOD && kind != ES_V_CLASS && kind != ES_V_INSTANCE &&
           kind != ES_V_BUILTIN && kind != ES_V_FUNCTION && kind != ES_V_TYPE;
}

bool es_blame(es_interp *in, const es_node *node, const es_value *operands, int n, es_error *err)
{
    if (err->explained) {
        locate(node, err);
        return false;
    }
    err->explained = true;
    remember_failure(in);
    locate(node, err);
    if (in->trying)
        return false;
    if (err->code != ES_ERR_INTERRUPTED)
        es_explain(in, in->frame->unit, node, operands, n, err);
    if (is_mistaken(node, operands, n, err))
        es_name_hint_hidden(in, node->kid[0], err);
    return false;
}

void es_forgive(es_interp *in, es_error *err)
{
    es_error_free(err);
    es_value_unref(&in->raised);
    es_forget_failure(in);
}

bool es_tick(es_interp *in, es_error *err)
{
    if (in->steps_left-- <= 0)
        return es_fail(err, ES_ERR_INTERRUPTED, "stopped after as many steps as are allowed");
    if (in->steps_left % 1024 == 0 &&
        !es_memory_for(0, err)) /* what is small, but there are many */
        return false;
    return es_watch_step(in->torch.watch, 0, err);
}
