// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/module_shown.h"

#include <inttypes.h>

#include "expr/classes.h"
#include "expr/format.h"
#include "expr/inside.h"
#include "expr/modules.h"

/* ---- what it says of itself ---- */

static bool put_attribute(es_args *a, es_str *out, const char *name, size_t n, char how,
                          es_error *err)
{
    const es_value *x = es_own_get(&a->v[0], name, n);
    bool none = x && x->kind == ES_V_NONE;
    if (!x)
        return es_fail_no_attribute(&a->v[0], name, n, err);
    switch (how) {
    case '?': es_str_cat(out, none ? "False" : "True"); return true;
    case '!':
        if (x->kind == ES_V_BOOL && x->u.b)
            es_str_add(out, "%.*s=True", (int)n, name);
        return true;
    case ',':
        if (none)
            return true;
        es_str_add(out, ", %.*s=", (int)n, name);
        break;
    default: break;
    }
    return es_value_repr(a->in, out, x, err);
}

static bool put_shown(es_args *a, es_str *out, const char *shown, es_error *err)
{
    while (*shown) {
        size_t plain = strcspn(shown, "{");
        es_str_bytes(out, shown, plain);
        shown += plain;
        if (!*shown)
            break;
        size_t n = strcspn(++shown, "}"), name = strcspn(shown, "?!,}");
        if (!put_attribute(a, out, shown, name, shown[name], err))
            return false;
        shown += n + 1;
    }
    return true;
}

static bool give_text(es_value *out, es_str *text, bool ok)
{
    if (ok)
        *out = es_value_str(es_str_text(text), text->len);
    es_str_free(text);
    return ok;
}

bool es_module_extra_run(es_args *a, es_value *out, es_error *err)
{
    es_str text = {0};
    return es_arg_module(a, 0, err) &&
           give_text(out, &text, put_shown(a, &text, es_module_shown(&a->v[0]), err));
}

/* ---- and what is in it ---- */

/* A text of several lines, all but the first two columns to the right. */
static void put_indented(es_str *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        es_str_char(out, s[i]);
        if (s[i] == '\n')
            es_str_cat(out, "  ");
    }
}

typedef struct printer {
    es_interp *in;
    es_str *out;
    int lines;    /* so many were put */
    es_str first; /* of equal ones in a ModuleList, which become one line */
    int64_t from, to;
} printer;

static bool too_long(const printer *p, es_error *err)
{
    return p->out->len > ES_MOST_PRINTED
               ? !es_fail(err, ES_ERR_NOMEM, "as text it would be longer than %d MiB",
                          ES_MOST_PRINTED >> 20)
               : !es_tick(p->in, err);
}

static void begin_line(printer *p)
{
    es_str_cat(p->out, "\n  ");
    p->lines++;
}

/* (0-5): 6 x Block(…) */
static void put_equal(printer *p)
{
    if (!p->first.len)
        return;
    begin_line(p);
    if (p->from == p->to)
        es_str_add(p->out, "(%" PRId64 "): ", p->from);
    else
        es_str_add(p->out, "(%" PRId64 "-%" PRId64 "): %" PRId64 " x ", p->from, p->to,
                   p->to - p->from + 1);
    put_indented(p->out, p->first.s, p->first.len);
    es_str_cut(&p->first, 0);
}

/* Text of the i-th module of a list. */
static void put_in_list(printer *p, int64_t i, const es_str *text)
{
    bool equal = p->first.len == text->len && !strcmp(es_str_text(&p->first), es_str_text(text));
    if (!equal) {
        put_equal(p);
        es_str_bytes(&p->first, text->s, text->len);
        p->from = i;
    }
    p->to = i;
}

static bool put_children(printer *p, const es_value *m, es_error *err)
{
    bool list = !strcmp(es_module_kind(m), "ModuleList"), ok = true;
    es_member part;
    int64_t in_list = 0;
    for (int64_t i = 0; ok && es_module_member(m, i, &part); i++) {
        es_str text = {0};
        if (part.as != ES_SUBMODULE)
            continue;
        es_value held = es_value_ref(part.x);
        es_str name = {0};
        es_str_cat(&name, part.name);
        ok = !too_long(p, err) && es_value_repr(p->in, &text, &held, err);
        if (ok && list) {
            put_in_list(p, in_list++, &text);
        } else if (ok) {
            begin_line(p);
            es_str_add(p->out, "(%s): ", name.s);
            put_indented(p->out, es_str_text(&text), text.len);
        }
        es_value_unref(&held);
        es_str_free(&name);
        es_str_free(&text);
    }
    put_equal(p);
    es_str_free(&p->first);
    return ok;
}

/* A line of its own for each of extra_repr's, unless it is the only one. */
static void put_extra(printer *p, const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        const char *newline = memchr(s + i, '\n', n - i);
        size_t len = newline ? (size_t)(newline - s) - i : n - i;
        begin_line(p);
        es_str_bytes(p->out, s + i, len);
        i += len + 1;
    }
}

/* What its method of that name says: extra_repr, _get_name. */
static bool ask_text(es_interp *in, const es_value *m, const char *method, es_value *out,
                     es_error *err)
{
    if (es_object_method(in, m, method, NULL, 0, out, err) <= 0)
        return false;
    if (out->kind == ES_V_STR)
        return true;
    es_fail(err, ES_ERR_TYPE, "%s() gives a string, not '%s'", method, es_value_type_name(out));
    es_value_unref(out);
    return false;
}

static void put_parts(printer *p, es_str *out, const es_str *children, const es_str_object *extra)
{
    p->out = out;
    if (children->len || memchr(extra->bytes, '\n', extra->n))
        put_extra(p, extra->bytes, extra->n);
    else
        es_str_bytes(out, extra->bytes, extra->n);
    es_str_bytes(out, es_str_text(children), children->len);
    es_str_cat(out, p->lines ? "\n)" : ")");
}

static bool put_module(es_interp *in, es_str *out, const es_value *m, es_error *err)
{
    es_str children = {0};
    es_value extra = es_none(), name = es_none();
    printer p = {.in = in, .out = &children};
    bool ok = ask_text(in, m, "extra_repr", &extra, err) && put_children(&p, m, err) &&
              ask_text(in, m, "_get_name", &name, err);
    if (ok) {
        es_str_bytes(out, es_value_as_str(&name)->bytes, es_value_as_str(&name)->n);
        es_str_char(out, '(');
        put_parts(&p, out, &children, es_value_as_str(&extra));
    }
    es_value_unref(&name);
    es_value_unref(&extra);
    es_str_free(&children);
    return ok;
}

bool es_module_repr_run(es_args *a, es_value *out, es_error *err)
{
    es_str text = {0};
    if (!es_arg_module(a, 0, err) || !es_module_enter(a->in, err))
        return false;
    bool ok = put_module(a->in, &text, &a->v[0], err);
    es_module_leave(a->in);
    return give_text(out, &text, ok);
}
