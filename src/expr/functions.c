// SPDX-License-Identifier: GPL-3.0-or-later
/* def and lambda: arguments to parameters, the scope of a call. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/inside.h"
#include "expr/signature.h"
#include "expr/slips.h"

enum { STAR = '*', BARE_STAR = 'k', STARS = 2 * '*', SLASH = '/' };

/* ---- making one ---- */

const char *es_function_name(const es_function *f)
{
    return f->def->kind == ES_N_LAMBDA ? "<lambda>" : f->def->text;
}

/* What messages call it: with its class, as Python's do since 3.10. */
const char *es_function_called(const es_function *f)
{
    return f->qualname.kind == ES_V_STR ? es_value_as_str(&f->qualname)->bytes
                                        : es_function_name(f);
}

static es_value qualname(const char *class_name, const char *name)
{
    es_str both = {0};
    es_str_add(&both, "%s.%s", class_name, name);
    es_value v = es_value_str(both.s, both.len);
    es_str_free(&both);
    return v;
}

static bool eval_defaults(es_interp *in, const es_node *params, es_value *of, es_error *err)
{
    for (int i = 0; i < params->n_kids; i++) {
        const es_node *p = params->kid[i];
        of[i].kind = ES_V_KINDS;
        if (p->n_kids && p->kid[0] && !es_eval(in, p->kid[0], &of[i], err)) {
            while (i-- > 0)
                es_value_unref(&of[i]);
            return false;
        }
    }
    return true;
}

bool es_function_new(es_interp *in, const es_node *def, es_value *out, es_error *err)
{
    const es_node *params = def->kid[0];
    es_value *of = es_alloc_array((size_t)params->n_kids + 1, sizeof *of);
    bool ok = eval_defaults(in, params, of, err);
    if (ok) {
        const es_frame *frame = in->frame;
        bool method = frame->class_name && frame->scope == frame->class_scope;
        es_value defaults = es_value_tuple(of, params->n_kids);
        es_function *f = es_alloc(sizeof *f);
        *f = (es_function){.refs = 1,
                           .unit = es_unit_ref(in->frame->unit),
                           .def = def,
                           .defaults = es_value_items(&defaults),
                           .closure = es_scope_ref(method ? frame->scope->parent : frame->scope),
                           .leave = es_scope_unref};
        if (frame->class_name)
            f->qualname = qualname(frame->class_name, es_function_name(f));
        *out = (es_value){.kind = ES_V_FUNCTION, .u.o = (es_object *)f};
    }
    free(of);
    return ok;
}

/* ---- arguments to parameters ---- */

/* One call: values of the parameters as they become known, KINDS until then. */
typedef struct binding {
    es_interp *in;
    const es_function *f;
    const es_node *params;
    es_value *v;
    const es_value *args;
    const char *const *names;
    int64_t n;
} binding;

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static bool by_name_only(const es_node *params, int i)
{
    while (i-- > 0)
        if (params->kid[i]->i == STAR || params->kid[i]->i == BARE_STAR)
            return true;
    return false;
}

static bool is_plain(const es_node *p)
{
    return p->i != STAR && p->i != STARS && p->i != BARE_STAR && p->i != SLASH;
}

static int find_kind(const es_node *params, int64_t kind)
{
    for (int i = 0; i < params->n_kids; i++)
        if (params->kid[i]->i == kind)
            return i;
    return -1;
}

es_value es_function_defaults(const es_function *f)
{
    const es_node *params = f->def->kid[0];
    es_value *of = es_alloc_array((size_t)params->n_kids + 1, sizeof *of);
    int64_t n = 0;
    for (int i = 0; f->defaults && i < params->n_kids; i++)
        if (f->defaults->of[i].kind != ES_V_KINDS && is_plain(params->kid[i]) &&
            !by_name_only(params, i))
            of[n++] = es_value_ref(&f->defaults->of[i]);
    es_value v = n ? es_value_tuple(of, n) : es_none();
    free(of);
    return v;
}

/* For who looks for what it does take. */
static bool hint_signature(const binding *b, es_error *err)
{
    es_str signature = {0};
    es_signature(&signature, b->f);
    es_hint(err, "it is written %s", signature.s);
    es_str_free(&signature);
    return false;
}

/* def forward(x): what is called as m.forward(x) gets m first. */
static bool hint_self(const binding *b, es_error *err)
{
    const es_node *first = b->params->n_kids ? b->params->kid[0] : NULL;
    bool has = first && (!strcmp(first->text, "self") || !strcmp(first->text, "cls"));
    if (has || b->f->qualname.kind != ES_V_STR || b->f->def->kind != ES_N_DEF)
        return hint_signature(b, err);
    return es_hint(err, "the instance itself comes first: def %s(self%s%s%s)", b->f->def->text,
                   first ? ", " : "", first ? first->text : "", b->params->n_kids > 1 ? ", …" : "");
}

static bool fail_many(const binding *b, int64_t given, es_error *err)
{
    int most = 0, least = 0;
    for (int i = 0; i < b->params->n_kids; i++)
        if (is_plain(b->params->kid[i]) && !by_name_only(b->params, i)) {
            most++;
            least += b->f->defaults->of[i].kind == ES_V_KINDS;
        }
    es_str takes = {0};
    if (least < most)
        es_str_add(&takes, "from %d to ", least);
    es_str_add(&takes, "%d positional argument%s", most, plural(most));
    es_fail(err, ES_ERR_TYPE, "%s() takes %s but %" PRId64 " %s given", es_function_called(b->f),
            es_str_text(&takes), given, given == 1 ? "was" : "were");
    es_str_free(&takes);
    return hint_self(b, err);
}

static bool bind_places(binding *b, es_error *err)
{
    int64_t given = 0, at = 0;
    while (given < b->n && !(b->names && b->names[given]))
        given++;
    for (int i = 0; i < b->params->n_kids && at < given; i++) {
        const es_node *p = b->params->kid[i];
        if (p->i == STAR) {
            for (int64_t k = at; k < given; k++)
                es_value_ref(&b->args[k]);
            b->v[i] = es_value_tuple(b->args + at, given - at);
            return true;
        }
        if (p->i == BARE_STAR || p->i == STARS)
            break;
        if (p->i != SLASH)
            b->v[i] = es_value_ref(&b->args[at++]);
    }
    return at == given || fail_many(b, given, err);
}

static bool fail_name(const binding *b, const char *name, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, strlen(name));
    es_fail(err, ES_ERR_TYPE, "%s() got an unexpected keyword argument '%s'",
            es_function_called(b->f), shown.s);
    es_str_free(&shown);
    es_guess g = es_guess_begin(name, strlen(name));
    for (int i = 0; i < b->params->n_kids; i++)
        if (is_plain(b->params->kid[i]))
            es_guess_offer(&g, b->params->kid[i]->text);
    return es_guess_hint(&g, "", err) ? false : hint_signature(b, err);
}

static bool bind_name(binding *b, const char *name, const es_value *v, es_error *err)
{
    int slash = find_kind(b->params, SLASH), rest = find_kind(b->params, STARS);
    for (int i = 0; i < b->params->n_kids; i++) {
        const es_node *p = b->params->kid[i];
        if (!is_plain(p) || i < slash || strcmp(p->text, name) != 0)
            continue;
        if (b->v[i].kind != ES_V_KINDS)
            return es_fail(err, ES_ERR_TYPE, "%s() got multiple values for argument '%s'",
                           es_function_called(b->f), p->text);
        b->v[i] = es_value_ref(v);
        return true;
    }
    if (rest < 0)
        return fail_name(b, name, err);
    es_value key = es_value_str(name, strlen(name));
    if (b->v[rest].kind == ES_V_KINDS)
        b->v[rest] = es_value_dict(&b->in->containers);
    bool ok = es_dict_put(b->in, &b->v[rest], &key, v, err);
    es_value_unref(&key);
    return ok;
}

/* "'a'", "'a' and 'b'", "'a', 'b', and 'c'", as Python has it. */
static bool fail_missing(const binding *b, bool by_name, es_error *err)
{
    es_str names = {0};
    int n = 0, k = 0;
    for (int i = 0; i < b->params->n_kids; i++)
        n += b->v[i].kind == ES_V_KINDS && by_name_only(b->params, i) == by_name;
    for (int i = 0; i < b->params->n_kids; i++) {
        if (b->v[i].kind != ES_V_KINDS || by_name_only(b->params, i) != by_name)
            continue;
        if (k > 0)
            es_str_cat(&names, n == 2 ? " and " : k == n - 1 ? ", and " : ", ");
        es_str_add(&names, "'%s'", b->params->kid[i]->text);
        k++;
    }
    es_fail(err, ES_ERR_TYPE, "%s() missing %d required %s argument%s: %s",
            es_function_called(b->f), n, by_name ? "keyword-only" : "positional", plural(n),
            es_str_text(&names));
    es_str_free(&names);
    hint_signature(b, err);
    es_advise_unbound(b->f, b->args, b->n, err);
    return false;
}

/* What no argument came for: the default, an empty *rest, or it is missing: 1 by place, 2 by name only. */
static int fill(binding *b)
{
    int missing = 0;
    for (int i = 0; i < b->params->n_kids; i++) {
        if (b->v[i].kind != ES_V_KINDS)
            continue;
        const es_node *p = b->params->kid[i];
        if (p->i == STAR)
            b->v[i] = es_value_tuple(NULL, 0);
        else if (p->i == STARS)
            b->v[i] = es_value_dict(&b->in->containers);
        else if (!is_plain(p))
            b->v[i] = es_none();
        else if (b->f->defaults->of[i].kind != ES_V_KINDS)
            b->v[i] = es_value_ref(&b->f->defaults->of[i]);
        else if (missing != 1)
            missing = by_name_only(b->params, i) ? 2 : 1;
    }
    return missing;
}

static bool bind(binding *b, es_error *err)
{
    for (int i = 0; i < b->params->n_kids; i++)
        b->v[i].kind = ES_V_KINDS;
    if (!bind_places(b, err))
        return false;
    for (int64_t i = 0; b->names && i < b->n; i++)
        if (b->names[i] && !bind_name(b, b->names[i], &b->args[i], err))
            return false;
    int missing = fill(b);
    return !missing || fail_missing(b, missing == 2, err);
}

/* ---- running it ---- */

static bool run_body(es_interp *in, es_frame *frame, es_value *out, es_error *err)
{
    const es_node *body = frame->called->def->kid[1];
    if (frame->called->def->kind == ES_N_LAMBDA) {
        frame->at = body;
        return (es_tell_line(in, body, err) && es_eval(in, body, out, err) &&
                es_tell_done(in, body, out, -1, err)) ||
               es_tell_failed(in, body, err);
    }
    es_flow flow = es_exec_suite(in, body, err);
    if (flow == ES_RETURN) {
        *out = in->returned;
        in->returned = es_none();
    }
    return flow != ES_FAILED;
}

static void fill_scope(es_interp *in, const binding *b, es_scope *s)
{
    for (int i = 0; i < b->params->n_kids; i++) {
        const es_node *p = b->params->kid[i];
        if (p->i == BARE_STAR || p->i == SLASH)
            continue;
        es_name_labels(in, p->text, p->n_text, &b->v[i]);
        es_scope_bind(s, p->text, p->n_text, es_value_ref(&b->v[i]));
    }
    if (b->f->def->kind == ES_N_DEF)
        es_declare(s, b->f->def->kid[1]);
}

static bool run_bound(es_interp *in, const binding *b, es_value *out, es_error *err)
{
    es_frame frame = {.unit = b->f->unit, .called = b->f, .up = in->frame};
    frame.scope = es_scope_new(&in->scopes, b->f->closure);
    fill_scope(in, b, frame.scope);
    *out = es_none();
    in->frame = &frame;
    in->calls++;
    bool ok = es_tell_enter(in, b->f->def, err) && run_body(in, &frame, out, err);
    in->calls--;
    in->frame = frame.up;
    if (!ok)
        es_leave_place(in, &frame, err);
    else if (!es_tell_leave(in, b->f, out, err))
        ok = false;
    if (!ok)
        es_value_unref(out);
    es_scope_unref(frame.scope);
    es_collect_if_due(in);
    return ok;
}

bool es_function_call(es_interp *in, const es_value *callee, const es_value *args, int64_t n,
                      const char *const *names, es_value *out, es_error *err)
{
    es_error own = ES_ERROR_NONE;
    if (!err) {
        bool ok = es_function_call(in, callee, args, n, names, out, &own);
        es_error_free(&own);
        return ok;
    }
    es_value held = es_value_ref(callee); /* it may assign to its own name */
    const es_function *f = (const es_function *)held.u.o;
    const es_node *params = f->def->kid[0];
    es_value few[ES_FEW];
    binding b = {
        .in = in, .f = f, .params = params, .v = few, .args = args, .names = names, .n = n};
    if (in->calls >= ES_MOST_CALLS) {
        es_fail(err, ES_ERR_RANGE, "%s calls itself, or others, nested more than %d deep",
                es_function_called(f), ES_MOST_CALLS);
        es_torch_says(err, "RecursionError: maximum recursion depth exceeded");
        es_value_unref(&held);
        return false;
    }
    if (params->n_kids > ES_FEW)
        b.v = es_alloc_array((size_t)params->n_kids, sizeof *b.v);
    bool ok = bind(&b, err) && run_bound(in, &b, out, err);
    for (int i = 0; i < params->n_kids; i++)
        es_value_unref(&b.v[i]);
    if (b.v != few)
        free(b.v);
    es_value_unref(&held);
    return ok;
}
