// SPDX-License-Identifier: GPL-3.0-or-later
/* Telling what happens to one who listens, and letting it look around. */
#include "expr/inside.h"
#include "expr/object.h"
#include "expr/walk.h"

/* ---- telling ---- */

static int depth_of(const es_frame *frame)
{
    int depth = 0;
    while (frame && (frame = frame->up))
        depth++;
    return depth;
}

/* While it listens nothing else is told, and the variables listed are those of the place. */
static bool tell(es_interp *in, es_moment *m, es_error *err)
{
    es_listener *l = in->listener;
    if (l->over)
        return true;
    m->depth = depth_of(in->frame);
    l->over = m->kind == ES_MOMENT_FAILED;
    in->listener = NULL;
    in->stopped++;
    es_forget_list(in);
    bool ok = l->tell(l->user, m, err);
    es_forget_list(in);
    in->stopped--;
    in->listener = l;
    l->over = l->over || !ok;
    return ok;
}

bool es_tell(es_interp *in, es_moment_kind kind, const es_node *n, const es_value *v, int truth,
             es_error *err)
{
    es_moment m = {.kind = kind, .node = n, .value = v, .truth = truth};
    return tell(in, &m, err);
}

bool es_tell_leave(es_interp *in, const es_function *f, const es_value *v, es_error *err)
{
    es_moment m = {.kind = ES_MOMENT_LEAVE,
                   .node = f->def,
                   .function = es_function_called(f),
                   .value = v,
                   .truth = -1};
    return !in->listener || tell(in, &m, err);
}

bool es_tell_module(es_interp *in, const es_value *module, const es_value *args, int64_t n,
                    es_value *answer, es_error *err)
{
    es_moment m = {.kind = ES_MOMENT_MODULE,
                   .node = in->frame->at,
                   .value = answer,
                   .truth = -1,
                   .module = module,
                   .args = args,
                   .n_args = n};
    bool ok = !in->listener || tell(in, &m, err);
    if (!ok)
        es_value_unref(answer);
    return ok;
}

/* Elsewhere than in a condition nobody asks why. */
void es_tell_compared(es_interp *in, const es_node *comparand, const es_value *two)
{
    const es_node *at = in->frame->at;
    bool asked = at && (at->kind == ES_N_IF || at->kind == ES_N_WHILE || at->kind == ES_N_ASSERT);
    es_moment m = {
        .kind = ES_MOMENT_COMPARED, .node = comparand, .truth = -1, .args = two, .n_args = 2};
    es_error none = ES_ERROR_NONE;
    if (asked)
        tell(in, &m, &none);
    es_error_free(&none);
}

static void tell_raised(es_interp *in, const es_node *n, const es_node *by, es_error *err)
{
    es_value exception = es_exception_of(in, err);
    es_moment m = {.kind = ES_MOMENT_RAISED, .node = n, .value = &exception, .truth = -1, .by = by};
    tell(in, &m, err);
    es_value_unref(&exception);
}

bool es_tell_failed(es_interp *in, const es_node *n, es_error *err)
{
    if (!in->listener || in->listener->over || in->guarded)
        return false;
    bool here;
    const es_node *by = es_taker_of(in, err, &here);
    if (by) {
        tell_raised(in, n, here ? by : NULL, err);
        return false;
    }
    es_blame(in, n, NULL, 0, err);
    es_tell(in, ES_MOMENT_FAILED, n, NULL, -1, err);
    return false;
}

/* ---- looking around ---- */

void es_interp_trace(es_interp *in, es_error *err)
{
    for (const es_frame *f = in->frame; f && f->called; f = f->up) {
        es_leave_place(in, f, err);
        const es_node *from = f->up ? f->up->calls ? f->up->calls : f->up->at : NULL;
        if (from)
            es_error_locate(err, from->begin, from->end);
    }
}

bool es_interp_spot(const es_interp *in, int up, es_spot *out)
{
    const es_frame *f = in->frame;
    while (f && up-- > 0)
        f = f->up;
    if (!f)
        return false;
    const es_node *def = f->called ? f->called->def : NULL;
    *out = (es_spot){.unit = f->unit,
                     .at = f->at ? f->at : def,
                     .def = def,
                     .function = f->called ? es_function_called(f->called) : NULL,
                     .depth = depth_of(f),
                     .before = f->unit->file ? f->unit->first_line - 1 : 0};
    return true;
}

/* A variable or a name of the host's: nothing that is computed, and no function. */
static bool peek_name(es_interp *in, const es_node *name, es_value *out)
{
    es_error err = ES_ERROR_NONE;
    bool found = es_name_value(in, name->text, name->n_text, out, &err);
    es_error_free(&err);
    return found;
}

/* Its own. */
static bool peek_member(const es_value *of, const es_node *n, es_value *out)
{
    const es_value *own = es_own_get(of, n->text, n->n_text);
    *out = own ? es_value_ref(own) : es_none();
    return own != NULL;
}

static bool is_worth_showing(const es_value *v)
{
    switch (v->kind) {
    case ES_V_BUILTIN:
    case ES_V_FUNCTION:
    case ES_V_NAMESPACE:
    case ES_V_TYPE:
    case ES_V_CLASS:
    case ES_V_METHOD:
    case ES_V_SUPER:
    case ES_V_DESCRIPTOR: return false;
    default: return true;
    }
}

/* As far as it goes: *out becomes the value of the part that is returned. */
static const es_node *peek(es_interp *in, const es_node *n, es_value *out)
{
    if (n->kind == ES_N_NAME)
        return peek_name(in, n, out) ? n : NULL;
    const es_node *base = peek(in, n->kid[0], out);
    if (base != n->kid[0] || out->kind == ES_V_TENSOR)
        return base;
    es_value member = es_none();
    if (!peek_member(out, n, &member))
        return base;
    es_value_unref(out);
    *out = member;
    return n;
}

const es_node *es_interp_peek(es_interp *in, const es_node *chain, es_value *out)
{
    *out = es_none();
    const es_node *seen = peek(in, chain, out);
    if (seen && is_worth_showing(out))
        return seen;
    es_value_unref(out);
    return NULL;
}
