// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/help_own.h"

#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/signature.h"
#include "session/module_parts.h"
#include "session/show_value.h"

/* ---- docstrings ---- */

static size_t blanks(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && (s[i] == ' ' || s[i] == '\t'))
        i++;
    return i;
}

/* What all lines but the first have before them. */
static size_t margin(const char *s, size_t n)
{
    size_t least = SIZE_MAX;
    const char *end = s + n;
    while ((s = memchr(s, '\n', (size_t)(end - s)))) {
        s++;
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        size_t len = (size_t)((newline ? newline : end) - s), in = blanks(s, len);
        if (in < len && in < least)
            least = in;
    }
    return least;
}

/* Its lines as Python's help has them: without margin and blank ends. */
static void put_doc(es_str *out, const char *s, size_t n)
{
    size_t gone = margin(s, n), len = 0;
    const char *end = s + n;
    for (bool first = true; s < end; s += len + 1, first = false) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        len = (size_t)((newline ? newline : end) - s);
        size_t in = blanks(s, len), skip = first || in < gone ? in : gone;
        if (skip < len)
            es_show_prose(out, s + skip, len - skip);
        if (out->len)
            es_str_char(out, '\n');
    }
    while (out->len && strchr(" \n", out->s[out->len - 1]))
        es_str_cut(out, out->len - 1);
}

/* ---- places ---- */

typedef struct span {
    const es_unit *unit; /* NULL: none yet */
    int64_t first, last;
} span;

static void add_span(span *s, const es_function *f)
{
    int64_t first = f->unit->first_line + f->def->line - 1, last = first;
    for (size_t i = f->def->begin; i < f->def->end; i++)
        last += f->unit->source[i] == '\n';
    if (s->unit && s->unit != f->unit)
        return;
    s->first = s->unit && s->first < first ? s->first : first;
    s->last = s->unit && s->last > last ? s->last : last;
    s->unit = f->unit;
}

static void put_place(es_str *out, const span *s)
{
    const char *file = s->unit ? s->unit->file : NULL;
    if (!s->unit)
        return;
    if (file) {
        es_show_prose(out, file, strlen(file));
        es_str_char(out, ':');
    } else {
        es_str_cat(out, s->first < s->last ? "lines " : "line ");
    }
    es_str_add(out, "%" PRId64, s->first);
    if (s->first < s->last)
        es_str_add(out, "-%" PRId64, s->last);
    es_str_cat(out, file ? "" : " of what was typed");
}

/* ---- functions, classes, modules ---- */

/* One that is written on a single line says all of itself. */
static void put_call(es_str *out, const es_function *f)
{
    const char *source = f->unit->source + f->def->begin;
    size_t n = f->def->end - f->def->begin;
    if (memchr(source, '\n', n))
        es_signature(out, f);
    else
        es_show_prose(out, source, n);
}

static void of_function(es_own_help *out, const es_function *f)
{
    const es_node *doc = es_function_doc(f);
    span place = {0};
    put_call(&out->call, f);
    if (doc)
        put_doc(&out->doc, doc->text, doc->n_text);
    add_span(&place, f);
    put_place(&out->place, &place);
}

static void of_class(es_own_help *out, es_interp *in, const es_value *cls)
{
    const es_str_object *doc = es_class_doc(cls);
    const es_value *x;
    const char *name;
    span place = {0};
    es_class_heading(&out->call, cls);
    if (doc)
        put_doc(&out->doc, doc->bytes, doc->n);
    for (int64_t i = 0; (name = es_own_at(cls, i, &x)); i++) {
        const es_function *f = es_function_in(x);
        if (out->members.len)
            es_str_char(&out->members, '\n');
        es_put_member(&out->members, in, name, x, NULL);
        if (f)
            add_span(&place, f);
    }
    put_place(&out->place, &place);
}

static void of_instance(es_own_help *out, es_interp *in, const es_value *v)
{
    es_value cls = es_value_ref(es_instance_class(v)), forward = es_none();
    if (cls.kind == ES_V_CLASS)
        of_class(out, in, &cls);
    if (es_is_module(v) && es_class_find(&cls, 0, "forward", 7, &forward)) {
        const es_function *f = es_function_in(&forward);
        es_str_free(&out->members);
        if (f)
            es_signature(&out->members, f);
    }
    es_value_unref(&forward);
    es_value_unref(&cls);
}

bool es_own_help_of(es_own_help *out, es_interp *in, const es_value *v)
{
    *out = (es_own_help){0};
    if (v->kind == ES_V_INSTANCE)
        of_instance(out, in, v);
    else if (v->kind == ES_V_CLASS)
        of_class(out, in, v);
    else if (es_function_in(v))
        of_function(out, es_function_in(v));
    return out->call.len > 0;
}

void es_own_help_free(es_own_help *h)
{
    es_str_free(&h->call);
    es_str_free(&h->members);
    es_str_free(&h->doc);
    es_str_free(&h->place);
}
