// SPDX-License-Identifier: GPL-3.0-or-later
/* What the checks of a task are about: names, and calls of them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/interp.h"
#include "lesson/judge_inside.h"
#include "session/tensor_mode.h"

enum { FEW_COLUMNS = 60 };

/* ---- in a tree ---- */

static const es_node *root_of(const es_node *chain)
{
    while (chain->kind == ES_N_ATTRIBUTE)
        chain = chain->kid[0];
    return chain;
}

static es_unit *parse(const char *expression)
{
    es_error err = ES_ERROR_NONE;
    es_unit *unit = es_parse(expression, strlen(expression), &err);
    es_error_free(&err);
    if (unit && unit->root->n_kids)
        return unit;
    es_unit_unref(unit);
    return NULL;
}

bool es_mentions_name(const char *expression, const char *name)
{
    es_mentions m;
    bool found = false;
    es_unit *unit = parse(expression);
    if (!unit)
        return false;
    es_mentions_read(&m, unit->root->kid[0]);
    for (int i = 0; i < m.n && !found; i++)
        found = !strcmp(root_of(m.of[i])->text, name);
    es_unit_unref(unit);
    return found;
}

/* ---- names ---- */

static bool is_variable(es_session *s, const char *name)
{
    return es_interp_has_variable(es_mode_interp(s), name, strlen(name));
}

/* A function of the language is not what was asked for, even if it is called so: floor, where. */
bool es_has_name(es_session *s, const char *name)
{
    es_error err = ES_ERROR_NONE;
    es_value v;
    bool found = es_interp_lookup(es_mode_interp(s), name, strlen(name), &v, &err);
    bool there = found && (v.kind != ES_V_BUILTIN || is_variable(s, name));
    if (found)
        es_value_unref(&v);
    es_error_free(&err);
    return there;
}

static bool has(const es_asked *a, const char *text)
{
    for (size_t i = 0; i < a->n; i++)
        if (!strcmp(a->of[i], text))
            return true;
    return false;
}

static void add(es_asked *a, const char *text)
{
    if (has(a, text))
        return;
    a->of = es_realloc(a->of, (a->n + 1) * sizeof *a->of);
    a->of[a->n++] = es_copy_string(text);
}

static bool binds(const es_node *statement, const char *name)
{
    es_mentions m;
    if (statement->kind == ES_N_DEF || statement->kind == ES_N_CLASS)
        return !strcmp(statement->text, name);
    es_mentions_bound(&m, statement);
    for (int i = 0; i < m.n; i++)
        if (m.of[i]->kind == ES_N_NAME && !strcmp(m.of[i]->text, name))
            return true;
    return false;
}

/* Does the first solution make it?  Then it is asked for, though something else is called so. */
static bool is_made(const es_lesson_step *step, const char *name)
{
    es_unit *unit = step->text_mode || !step->solution.n ? NULL : parse(step->solution.of[0].code);
    bool made = false;
    for (int i = 0; unit && !made && i < unit->root->n_kids; i++)
        made = binds(unit->root->kid[i], name);
    es_unit_unref(unit);
    return made;
}

static bool is_fresh(es_session *ready, const es_lesson_step *step, const char *name)
{
    if (is_variable(ready, name))
        return false;
    es_value v;
    es_error err = ES_ERROR_NONE;
    bool known = es_interp_lookup(es_mode_interp(ready), name, strlen(name), &v, &err);
    if (known)
        es_value_unref(&v);
    es_error_free(&err);
    return !known || is_made(step, name);
}

static void add_names(es_asked *a, es_session *ready, const es_lesson_step *step, const char *check,
                      bool fresh)
{
    es_mentions m;
    es_unit *unit = parse(check);
    if (!unit)
        return;
    es_mentions_read(&m, unit->root->kid[0]);
    for (int i = 0; i < m.n; i++) {
        const char *name = root_of(m.of[i])->text;
        if (fresh ? is_fresh(ready, step, name) : is_variable(ready, name))
            add(a, name);
    }
    es_unit_unref(unit);
}

/* ---- calls ---- */

static void add_calls_in(es_asked *a, const es_unit *unit, const es_node *n)
{
    const es_node *root = n->kind == ES_N_CALL ? root_of(n->kid[0]) : NULL;
    if (root && root->kind == ES_N_NAME && has(a, root->text)) {
        char *call = es_copy_bytes(unit->source + n->begin, n->end - n->begin);
        add(a, call);
        free(call);
        return;
    }
    for (int i = 0; i < n->n_kids; i++)
        if (n->kid[i])
            add_calls_in(a, unit, n->kid[i]);
}

static void add_calls(es_asked *a, const char *check)
{
    es_unit *unit = parse(check);
    if (unit)
        add_calls_in(a, unit, unit->root);
    es_unit_unref(unit);
}

es_asked es_asked_by(es_session *ready, const es_lesson_step *step, bool fresh)
{
    es_asked a = {0};
    for (size_t i = 0; i < step->check.n; i++)
        add_names(&a, ready, step, step->check.of[i].code, fresh);
    a.names = a.n;
    for (size_t i = 0; i < step->check.n && a.names; i++)
        add_calls(&a, step->check.of[i].code);
    return a;
}

void es_asked_free(es_asked *a)
{
    for (size_t i = 0; i < a->n; i++)
        free(a->of[i]);
    free(a->of);
    *a = (es_asked){0};
}

void es_judge_names(es_str *out, es_session *ready, const es_lesson_step *step)
{
    es_asked a = es_asked_by(ready, step, true);
    for (size_t i = 0; i < a.names; i++)
        es_str_add(out, "%s%s", i ? ", " : "", a.of[i]);
    es_asked_free(&a);
}

/* ---- values ---- */

es_value *es_values_of(es_session *s, const es_asked *a)
{
    es_value *of = es_alloc_array(a->n, sizeof *of);
    for (size_t i = 0; i < a->n; i++) {
        es_error err = ES_ERROR_NONE;
        bool ok = i < a->names ? es_interp_lookup(es_mode_interp(s), a->of[i], strlen(a->of[i]),
                                                  &of[i], &err)
                               : es_desk_value(s, a->of[i], &of[i], &err);
        if (!ok)
            of[i] = (es_value){.kind = ES_V_KINDS};
        es_error_free(&err);
    }
    return of;
}

void es_values_free(es_value *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (of[i].kind != ES_V_KINDS)
            es_value_unref(&of[i]);
    free(of);
}

/* Can it be told from another only by what it does? */
static bool does(const es_value *v)
{
    switch (v->kind) {
    case ES_V_KINDS:
    case ES_V_FUNCTION:
    case ES_V_CLASS:
    case ES_V_INSTANCE:
    case ES_V_METHOD:
    case ES_V_BUILTIN:
    case ES_V_SUPER:
    case ES_V_DESCRIPTOR: return true;
    default: return false;
    }
}

bool es_same_values(const es_value *x, const es_value *y, size_t n)
{
    bool compared = false;
    for (size_t i = 0; i < n; i++) {
        if (does(&x[i]) && x[i].kind == y[i].kind)
            continue;
        if (does(&x[i]) || does(&y[i]) || !es_same_value(&x[i], &y[i], 0))
            return false;
        compared = true;
    }
    return compared;
}

void es_say_value(es_str *out, es_session *s, const char *name)
{
    es_error err = ES_ERROR_NONE;
    es_value v;
    es_str shown = {0}, ready = {0};
    if (!es_interp_lookup(es_mode_interp(s), name, strlen(name), &v, &err)) {
        es_error_free(&err);
        return;
    }
    if (v.kind == ES_V_TENSOR && es_value_as_tensor(&v)->shape.ndim) {
        const es_shape *shape = &es_value_as_tensor(&v)->shape;
        for (int i = 0; i < shape->ndim; i++)
            es_str_add(&shown, "%s%lld", i ? ", " : "[", (long long)shape->dim[i]);
        es_str_char(&shown, ']');
    } else if (!does(&v)) {
        es_value_repr(es_mode_interp(s), &shown, &v, &err);
    }
    es_show_prose(&ready, es_str_text(&shown), shown.len);
    if (ready.len) {
        es_str_add(out, "%s is ", name);
        es_show_fit(out, ready.s, ready.len, FEW_COLUMNS);
    }
    es_error_free(&err);
    es_value_unref(&v);
    es_str_free(&shown);
    es_str_free(&ready);
}

/* ---- code ---- */

/* "] =", but not "] ==". */
static bool assigns_after(const char *code, char bracket)
{
    for (const char *at = code; (at = strchr(at, bracket)); at++) {
        const char *next = at + 1 + strspn(at + 1, " ");
        if (*next == '=' && next[1] != '=')
            return true;
    }
    return false;
}

static bool assigns_attribute(const char *code)
{
    for (const char *at = code; (at = strchr(at, '.')); at++) {
        const char *end = at + 1;
        while (isalnum((unsigned char)*end) || *end == '_')
            end++;
        const char *next = end + strspn(end, " ");
        if (end > at + 1 && *next == '=' && next[1] != '=' && next > at)
            return true;
    }
    return false;
}

bool es_writes_in_place(const char *code)
{
    static const char *const signs[] = {
        "_(",       "+=",       "-=",     "*=",   "/=",    "setattr",
        ".append(", ".extend(", ".sort(", ".pop", ".load", ".update(",
        ".insert(", ".remove(", "del ",   "\n:",  "out="};
    if (code[0] == ':')
        return true;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(code, signs[i]))
            return true;
    return assigns_after(code, ']') || assigns_attribute(code);
}
