// SPDX-License-Identifier: GPL-3.0-or-later
/* A shape as people type it: [B, T, C], (2, 5, 64), torch.Size([…]), B, T, C, 2 5 64, 2x5x64, B=2 T=5. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "lesson/judge_inside.h"

static bool wants_shape(es_error *err, const char *typed)
{
    es_str shown = {0};
    es_show_brief(&shown, typed, strlen(typed));
    es_fail(err, ES_ERR_VALUE, "%s is no shape", es_str_text(&shown));
    es_str_free(&shown);
    return es_hint(err,
                   "a shape is typed like [B, T, C] or [2, 5, 64]; of a single number it is []");
}

/* ---- values that are shapes ---- */

static bool add_size(es_typed_shape *out, int64_t size)
{
    if (out->rank == ES_MAX_DIMS)
        return false;
    out->dim[out->rank++] = size;
    return true;
}

/* A number, or a list of numbers, at the end of the shape. */
static bool add_value(es_typed_shape *out, const es_value *v)
{
    if (v->kind == ES_V_INT)
        return add_size(out, v->u.i);
    if (v->kind == ES_V_FLOAT) /* C / 2 */
        return v->u.f == floor(v->u.f) && fabs(v->u.f) < 0x1p53 && add_size(out, (int64_t)v->u.f);
    if (v->kind == ES_V_TENSOR) {
        const es_tensor *t = es_value_as_tensor(v);
        bool whole = t->dtype == ES_INT64 || t->dtype == ES_INT32;
        return t->shape.ndim == 0 && whole && !es_torch_meta(t) &&
               add_size(out, es_torch_get_int(t, 0));
    }
    if (!es_value_is_sequence(v))
        return false;
    const es_items *items = es_value_items(v);
    for (int64_t i = 0; i < items->n; i++)
        if (es_value_is_sequence(&items->of[i]) || !add_value(out, &items->of[i]))
            return false;
    return true;
}

/* ---- brackets and commas ---- */

static bool opens(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ')' || c == ']' || c == '}';
}

/* Is s[0] a bracket that s[n-1] closes? */
static bool is_bracketed(const char *s, size_t n)
{
    int depth = 0;
    if (n < 2 || !opens(s[0]) || !closes(s[n - 1]))
        return false;
    for (size_t i = 0; i < n; i++) {
        depth += opens(s[i]) - closes(s[i]);
        if (depth == 0 && i + 1 < n)
            return false;
    }
    return depth == 0;
}

static void trim(const char **s, size_t *n)
{
    while (*n && isspace((unsigned char)**s))
        (*s)++, (*n)--;
    while (*n && isspace((unsigned char)(*s)[*n - 1]))
        (*n)--;
}

/* Brackets around all of it, and "torch.Size" before them. */
static void unwrap(const char **s, size_t *n)
{
    static const char *const before[] = {"torch.Size", "Size", "shape", "torch.size"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        size_t len = strlen(before[i]);
        if (*n > len && !strncmp(*s, before[i], len) && opens((*s)[len]))
            *s += len, *n -= len;
    }
    trim(s, n);
    while (is_bracketed(*s, *n)) {
        (*s)++;
        *n -= 2;
        trim(s, n);
    }
    if (*n && (*s)[*n - 1] == ',')
        --*n;
}

/* ---- the parts ---- */

/* "T=5" is 5, "2C" is 2*C, "B·T" is B*T. */
static void add_expression(es_str *out, const char *s, size_t n)
{
    size_t name = 0;
    trim(&s, &n);
    while (name < n && (isalnum((unsigned char)s[name]) || s[name] == '_'))
        name++;
    size_t equals = name;
    while (equals < n && s[equals] == ' ')
        equals++;
    if (name && equals + 1 < n && s[equals] == '=' && s[equals + 1] != '=') {
        s += equals + 1;
        n -= equals + 1;
        trim(&s, &n);
    }
    for (size_t i = 0; i < n; i++) {
        bool dot = !strncmp(s + i, "·", 2) || !strncmp(s + i, "×", 2);
        bool joined = i && isdigit((unsigned char)s[i - 1]) && isalpha((unsigned char)s[i]) &&
                      (i == 1 || !isalnum((unsigned char)s[i - 2]));
        if (joined)
            es_str_char(out, '*');
        if (dot)
            es_str_char(out, '*');
        else
            es_str_char(out, s[i]);
        i += dot;
    }
}

static bool add_part(es_typed_shape *out, es_session *s, const char *part, size_t n, es_error *err)
{
    es_str expression = {0};
    es_value v = es_none();
    bool spread = n && part[0] == '*';
    add_expression(&expression, part + spread, n - spread);
    bool ok = expression.len ? es_desk_value(s, expression.s, &v, err)
                             : wants_shape(err, es_str_text(&expression));
    if (ok && !add_value(out, &v))
        ok = wants_shape(err, expression.s);
    es_str_free(&expression);
    es_value_unref(&v);
    return ok;
}

/* ---- what stands between the parts ---- */

/* Nothing but sizes, and an x between them: "BxTxC"? */
static bool is_all_sizes(const char *s)
{
    for (; *s; s++)
        if (!isupper((unsigned char)*s) && !isdigit((unsigned char)*s) && *s != 'x')
            return false;
    return true;
}

/* "2x5x64", "B x T", "B × T": commas in the place of the x.  A name that has an x stays. */
static void commas_for_times(char *s)
{
    bool all = is_all_sizes(s);
    for (size_t i = 0; s[i]; i++) {
        bool sign = !strncmp(s + i, "×", 2), letter = s[i] == 'x' || s[i] == 'X';
        const char *next = s + i + 1;
        while (*next == ' ')
            next++;
        bool between = i && (s[i - 1] == ' ' || isdigit((unsigned char)s[i - 1])) && *next &&
                       (s[i + 1] == ' ' || isdigit((unsigned char)s[i + 1]) ||
                        (isdigit((unsigned char)s[i - 1]) && isupper((unsigned char)s[i + 1])));
        if (sign)
            s[i] = ' ', s[i + 1] = ',';
        else if (letter && (between || all))
            s[i] = ',';
    }
}

static bool is_operator(char c)
{
    return c && strchr("+-*/%=", c) != NULL;
}

/* Blanks between two parts become commas: not those beside an operator or within brackets. */
static void commas_for_blanks(char *s)
{
    int depth = 0;
    for (size_t i = 0; s[i]; i++) {
        depth += opens(s[i]) - closes(s[i]);
        if (s[i] != ' ' || depth)
            continue;
        size_t end = i;
        while (s[end] == ' ')
            end++;
        bool minus = s[end] == '-' && s[end + 1] != ' '; /* "2 -1" */
        if (i && !is_operator(s[i - 1]) && (minus || !is_operator(s[end])))
            s[i] = ',';
        i = end - 1;
    }
}

static bool has_comma(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        depth += opens(*s) - closes(*s);
        if (!depth && (*s == ',' || *s == ';'))
            return true;
    }
    return false;
}

static bool read_parts(es_typed_shape *out, es_session *s, const char *list, es_error *err)
{
    int depth = 0;
    size_t begin = 0, n = strlen(list);
    for (size_t i = 0; i <= n; i++) {
        depth += i < n ? opens(list[i]) - closes(list[i]) : 0;
        if (i < n && (depth || (list[i] != ',' && list[i] != ';')))
            continue;
        const char *part = list + begin;
        size_t len = i - begin;
        trim(&part, &len);
        if (!add_part(out, s, part, len, err))
            return false;
        begin = i + 1;
    }
    return true;
}

/* ---- all ---- */

static bool read_loosely(es_typed_shape *out, es_session *s, const char *typed, es_error *err)
{
    size_t n = strlen(typed);
    const char *bare = typed;
    unwrap(&bare, &n);
    if (!n)
        return typed[0] ? true : wants_shape(err, typed);
    char *list = es_copy_bytes(bare, n);
    if (!has_comma(list))
        commas_for_times(list);
    if (!has_comma(list))
        commas_for_blanks(list);
    bool ok = read_parts(out, s, list, err);
    free(list);
    return ok;
}

bool es_read_shape(es_typed_shape *out, es_session *s, const char *typed, es_error *err)
{
    es_error no = ES_ERROR_NONE;
    es_value v;
    *out = (es_typed_shape){0};
    if (!strcmp(typed, "scalar"))
        return true;
    bool ok = es_desk_value(s, typed, &v, &no);
    if (ok && !add_value(out, &v))
        ok = wants_shape(err, typed), es_value_unref(&v);
    else if (ok)
        es_value_unref(&v);
    else if (no.code == ES_ERR_INTERRUPTED)
        ok = es_fail(err, no.code, "%s", no.message);
    else
        ok = read_loosely(out, s, typed, err);
    es_error_free(&no);
    return ok;
}
