// SPDX-License-Identifier: GPL-3.0-or-later
/* raise: an exception of the program's or of a reader's own becomes an error. */
#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"

/* The exception of the program's that v is, or that is behind its class; NULL: v is none. */
static const char *kind_of(const es_value *v)
{
    const char *type = v->kind == ES_V_TYPE        ? v->u.name
                       : v->kind == ES_V_EXCEPTION ? ((const es_exception *)v->u.o)->type
                                                   : es_exception_kind(v);
    return type && es_exception_code(type) != ES_OK ? type : NULL;
}

bool es_is_raised(const es_interp *in, const char *type)
{
    const char *kind = kind_of(&in->raised);
    return kind && !strcmp(kind, type);
}

/* "too long", "MyError: too long", and the name alone where nothing is said. */
static bool describe(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    es_str text = {0};
    bool own = v->kind == ES_V_INSTANCE;
    bool ok = v->kind == ES_V_TYPE || es_value_str_of(in, &text, v, err);
    if (ok && (own || !text.len))
        es_str_cat(out, own ? es_value_type_name(v) : kind_of(v));
    if (ok && own && text.len)
        es_str_cat(out, ": ");
    if (ok)
        es_show_prose(out, es_str_text(&text), text.len);
    es_str_free(&text);
    return ok;
}

static bool raise(es_interp *in, const es_value *v, es_error *err)
{
    const char *kind = kind_of(v);
    es_value made = es_none();
    es_str text = {0};
    if (!kind)
        return es_fail(err, ES_ERR_TYPE, "exceptions must derive from BaseException");
    if (v->kind == ES_V_CLASS && !es_class_call(in, v, NULL, 0, NULL, NULL, &made, err))
        return false;
    if (v->kind != ES_V_CLASS)
        made = es_value_ref(v);
    if (describe(in, &text, &made, err)) {
        es_fail(err, es_exception_code(kind), "%s", text.s);
        es_value_unref(&in->raised);
        in->raised = es_value_ref(&made);
    }
    es_value_unref(&made);
    es_str_free(&text);
    return false;
}

bool es_exec_raise(es_interp *in, const es_node *n, es_error *err)
{
    es_value v;
    if (!n->n_kids || !n->kid[0]) {
        es_fail(err, ES_ERR_VALUE, "there is no exception to raise again");
        es_torch_says(err, "RuntimeError: No active exception to reraise");
        return es_blame(in, n, NULL, 0, err);
    }
    if (!es_eval(in, n->kid[0], &v, err))
        return false;
    raise(in, &v, err);
    es_blame(in, n, &v, 1, err);
    es_value_unref(&v);
    return false;
}
