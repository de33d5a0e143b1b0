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

/* ---- what an error is, for except ---- */

/* The type of what this program itself found wrong. */
static const char *type_of_code(const es_error *err)
{
    static const char *const type[ES_N_CODES] = {
        [ES_ERR_NAME] = "NameError",       [ES_ERR_TYPE] = "TypeError",
        [ES_ERR_VALUE] = "ValueError",     [ES_ERR_INDEX_RANGE] = "IndexError",
        [ES_ERR_DIM_RANGE] = "IndexError", [ES_ERR_RANGE] = "OverflowError",
        [ES_ERR_UNPACK] = "ValueError",    [ES_ERR_SLICE] = "ValueError",
        [ES_ERR_IO] = "OSError",           [ES_ERR_NOMEM] = "MemoryError",
        [ES_ERR_RAGGED] = "ValueError",    [ES_ERR_UNSUPPORTED] = "NotImplementedError",
    };
    static const struct {
        const char *words, *type;
    } told[] = {
        {"has no attribute", "AttributeError"},
        {"has no key", "KeyError"},
        {"division by zero", "ZeroDivisionError"},
        {"there is no module", "ModuleNotFoundError"},
        {"has no value yet", "UnboundLocalError"},
        {"object has no setter", "AttributeError"},
        {"object has no deleter", "AttributeError"},
        {"of its own", "AttributeError"},
        {"cannot assign to field", "FrozenInstanceError"},
        {"cannot delete field", "FrozenInstanceError"},
        {"before Module.__init__() call", "AttributeError"},
        {"is not an nn.Module", "AttributeError"},
        {"this state does not fit", "RuntimeError"},
        {"name can't ", "KeyError"},
        {"already exists", "KeyError"},
    };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (strstr(err->message, told[i].words))
            return told[i].type;
    return type[err->code] ? type[err->code] : "RuntimeError";
}

/* "RecursionError: maximum …": the type that PyTorch's or Python's words begin with, and the words after it. */
static const char *type_in(const char *text, const char **rest)
{
    es_value type;
    size_t n = strcspn(text, ":");
    if (strncmp(text + n, ": ", 2) != 0 || !es_type_named(text, n, &type) ||
        es_exception_code(type.u.name) == ES_OK)
        return NULL;
    *rest = text + n + 2;
    return type.u.name;
}

es_value es_exception_of(const es_interp *in, const es_error *err)
{
    if (in->raised.kind != ES_V_NONE)
        return es_value_ref(&in->raised);
    const char *text = err->torch ? err->torch : err->message;
    const char *type = type_in(text, &text);
    es_value message = es_value_str(text, strlen(text));
    es_value v = es_value_exception(type ? type : type_of_code(err), &message);
    es_value_unref(&message);
    return v;
}

es_value es_exception_type(const es_value *exception)
{
    if (exception->kind == ES_V_INSTANCE)
        return es_value_ref(es_instance_class(exception));
    if (exception->kind == ES_V_EXCEPTION)
        return es_value_named(ES_V_TYPE, ((const es_exception *)exception->u.o)->type);
    return es_none();
}

int es_exception_is(const es_value *exception, const es_value *type)
{
    int is = 0;
    for (int64_t i = 0; type->kind == ES_V_TUPLE && i < es_value_items(type)->n; i++)
        if (is == 0)
            is = es_exception_is(exception, &es_value_items(type)->of[i]);
    if (type->kind == ES_V_TUPLE)
        return is;
    if ((type->kind != ES_V_CLASS && type->kind != ES_V_TYPE) || !kind_of(type))
        return -1;
    es_value own = es_exception_type(exception);
    is = es_is_subclass(&own, type);
    es_value_unref(&own);
    return is;
}

/* ---- raise ---- */

/* "too long", "MyError: too long", and the name alone where nothing is said. */
static bool describe(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    es_str text = {0};
    bool own = v->kind == ES_V_INSTANCE;
    bool ok = es_value_str_of(in, &text, v, err);
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
    const es_value silent = es_none();
    if (v->kind == ES_V_TYPE)
        made = es_value_exception(kind, &silent);
    else if (v->kind != ES_V_CLASS)
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

/* What was being handled, or is named as the cause, is told where nothing else is. */
static void hint_before(es_interp *in, const es_value *before, const char *how, es_error *err)
{
    es_str text = {0}, shown = {0};
    es_error none = ES_ERROR_NONE;
    if (!err || err->hint || !es_value_str_of(in, &text, before, &none)) {
        es_error_free(&none);
        es_str_free(&text);
        return;
    }
    es_show_prose(&shown, es_str_text(&text), text.len);
    const es_value type = es_exception_type(before);
    es_hint(err, shown.len ? "%s %s: %s" : "%s %s", how, es_class_name(&type), es_str_text(&shown));
    es_value_unref(&(es_value){type.kind, type.label, type.u});
    es_str_free(&text);
    es_str_free(&shown);
}

/* raise … from cause: an exception, or None, which hides what is being handled. */
static bool tell_cause(es_interp *in, const es_node *n, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_value cause = es_none();
    bool from = n->n_kids > 1 && n->kid[1];
    const es_value *handled = in->handling ? in->handling->exception : NULL;
    bool again = handled && handled->kind == in->raised.kind && handled->u.o == in->raised.u.o;
    if (!from && handled && !again)
        hint_before(in, handled, "it came while dealing with", err);
    if (!from)
        return true;
    es_value raised = in->raised;
    in->raised = es_none();
    bool ok = es_eval(in, n->kid[1], &cause, &why);
    if (ok && cause.kind != ES_V_NONE && !kind_of(&cause)) {
        es_fail(&why, ES_ERR_TYPE, "exception causes must derive from BaseException");
        ok = es_blame(in, n->kid[1], NULL, 0, &why);
    }
    if (ok) {
        es_error_free(&why);
        es_value_unref(&in->raised);
        in->raised = raised;
        if (cause.kind == ES_V_EXCEPTION || cause.kind == ES_V_INSTANCE)
            hint_before(in, &cause, "the cause is", err);
    } else {
        es_value_unref(&raised);
        es_error_free(err);
        *err = why;
    }
    es_value_unref(&cause);
    return ok;
}

bool es_exec_raise(es_interp *in, const es_node *n, es_error *err)
{
    es_value v;
    if ((!n->n_kids || !n->kid[0]) && in->handling && in->handling->err.code != ES_OK) {
        *err = in->handling->err; /* with all that was found out about it */
        in->handling->err = ES_ERROR_NONE;
        es_value_unref(&in->raised);
        in->raised = es_value_ref(in->handling->exception);
        return false;
    }
    if (!n->n_kids || !n->kid[0]) {
        es_fail(err, ES_ERR_VALUE, "there is no exception to raise again");
        es_torch_says(err, "RuntimeError: No active exception to reraise");
        return es_blame(in, n, NULL, 0, err);
    }
    if (!es_eval(in, n->kid[0], &v, err))
        return false;
    raise(in, &v, err);
    if (tell_cause(in, n, err))
        es_blame(in, n, &v, 1, err);
    es_value_unref(&v);
    return false;
}
