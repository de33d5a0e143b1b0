// SPDX-License-Identifier: GPL-3.0-or-later
/* A value as people type it: an expression, yes or no, a word without quotes, a number with commas. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "lesson/judge_inside.h"

static const es_value NOTHING = {.kind = ES_V_KINDS};

/* ---- what kind is wanted ---- */

static bool is_truth(const es_value *like)
{
    return like->kind == ES_V_BOOL ||
           (like->kind == ES_V_TENSOR && es_value_as_tensor(like)->dtype == ES_BOOL &&
            es_shape_count(&es_value_as_tensor(like)->shape) == 1);
}

static bool is_number(const es_value *like)
{
    return like->kind == ES_V_INT || like->kind == ES_V_FLOAT ||
           (like->kind == ES_V_TENSOR && es_shape_count(&es_value_as_tensor(like)->shape) == 1);
}

/* ---- words ---- */

static bool read_truth(es_value *out, const char *typed)
{
    static const struct {
        const char *word;
        bool truth;
    } words[] = {{"yes", true}, {"y", true},  {"true", true},
                 {"no", false}, {"n", false}, {"false", false}};
    size_t n = strlen(typed);
    n -= n && (typed[n - 1] == '.' || typed[n - 1] == '!');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == n && !strncasecmp(typed, words[i].word, n)) {
            *out = es_value_bool(words[i].truth);
            return true;
        }
    return false;
}

/* Bytes as a string, ␣ being a space. */
static es_value word(const char *typed)
{
    static const char space[] = "␣";
    es_str bytes = {0};
    for (; *typed; typed++) {
        bool open_box = !strncmp(typed, space, sizeof space - 1);
        es_str_char(&bytes, open_box ? ' ' : *typed);
        typed += open_box ? sizeof space - 2 : 0;
    }
    es_value v = es_value_str(es_str_text(&bytes), bytes.len);
    es_str_free(&bytes);
    return v;
}

/* float32 is torch.float32. */
static bool read_dtype(es_value *out, es_session *s, const char *typed)
{
    es_str name = {0};
    es_error err = ES_ERROR_NONE;
    es_str_add(&name, "torch.%s", typed);
    bool ok = es_desk_value(s, name.s, out, &err);
    es_error_free(&err);
    es_str_free(&name);
    return ok;
}

/* ---- numbers ---- */

/* "50,257" and "0,98": digits with commas between them.  *out without commas, *other with a point, where there is one comma. */
static bool read_commas(es_value *out, es_value *other, const char *typed)
{
    es_str all = {0}, point = {0};
    int commas = 0;
    bool digits = isdigit((unsigned char)typed[0]) || typed[0] == '-';
    for (const char *c = typed; *c && digits; c++) {
        bool comma = *c == ',' && isdigit((unsigned char)c[1]);
        digits = comma || isdigit((unsigned char)*c) || (c == typed && *c == '-') ||
                 (*c == '.' && commas);
        commas += comma;
        es_str_char(&point, comma ? '.' : *c);
        if (!comma)
            es_str_char(&all, *c);
    }
    bool ok = digits && commas;
    if (ok)
        *out = strchr(all.s, '.') ? es_value_float(strtod(all.s, NULL))
                                  : es_value_int(strtoll(all.s, NULL, 10));
    if (ok && commas == 1 && !strchr(all.s, '.'))
        *other = es_value_float(strtod(point.s, NULL));
    es_str_free(&all);
    es_str_free(&point);
    return ok;
}

/* What stands before a number that is not meant exactly. */
static const char *without_about(const char *typed)
{
    static const char *const before[] = {"~", "≈", "about ", "="};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (!strncmp(typed, before[i], strlen(before[i])))
            typed += strlen(before[i]);
    return typed + strspn(typed, " ");
}

/* ---- lists ---- */

/* "0 1 2" is [0, 1, 2]. */
static bool read_list(es_value *out, es_session *s, const char *typed)
{
    es_str list = {0};
    es_error err = ES_ERROR_NONE;
    bool bracket = typed[0] == '[' || typed[0] == '(';
    es_str_char(&list, '[');
    for (const char *c = typed + bracket; *c; c++) {
        bool blank = *c == ' ' && c[1] != ' ' && c[-1] != ',';
        if (bracket && !c[1] && (*c == ']' || *c == ')'))
            break;
        if (blank)
            es_str_char(&list, ',');
        es_str_char(&list, *c);
    }
    es_str_char(&list, ']');
    bool ok = es_desk_value(s, list.s, out, &err);
    es_error_free(&err);
    es_str_free(&list);
    return ok;
}

static bool is_list(const es_value *like)
{
    return es_value_is_sequence(like) || like->kind == ES_V_RANGE ||
           (like->kind == ES_V_TENSOR && es_value_as_tensor(like)->shape.ndim == 1);
}

/* ---- all ---- */

/* No expression of the language, but what people write for a value of that kind? */
static bool read_loosely(es_value *out, es_session *s, const char *typed, const es_value *like)
{
    if (like->kind == ES_V_STR || like->kind == ES_V_DEVICE) {
        *out = word(typed);
        return true;
    }
    if (like->kind == ES_V_DTYPE)
        return read_dtype(out, s, typed);
    return is_list(like) && strchr(typed, ' ') && read_list(out, s, typed);
}

bool es_read_value(es_value *out, es_value *other, es_session *s, const char *typed,
                   const es_value *like, es_error *err)
{
    es_error no = ES_ERROR_NONE;
    *out = es_none();
    *other = NOTHING;
    if (is_truth(like) && read_truth(out, typed))
        return true;
    if (is_number(like)) {
        typed = without_about(typed);
        if (read_commas(out, other, typed))
            return true;
    }
    bool ok = es_desk_value(s, typed, out, &no);
    if (ok && like->kind == ES_V_STR) { /* a word that is a name as well means itself too */
        *other = word(typed);
        if (out->kind != ES_V_STR) {
            es_value_unref(out);
            *out = *other;
            *other = NOTHING;
        }
    }
    if (!ok && no.code != ES_ERR_INTERRUPTED)
        ok = read_loosely(out, s, typed, like);
    if (!ok && err)
        *err = no;
    else
        es_error_free(&no);
    return ok;
}

char *es_typed_text(const char *answer, size_t n)
{
    while (n && isspace((unsigned char)*answer))
        answer++, n--;
    while (n && isspace((unsigned char)answer[n - 1]))
        n--;
    char *typed = es_copy_bytes(answer, n);
    for (size_t i = 0; i < n; i++)
        if (typed[i] == '\n' || typed[i] == '\r' || typed[i] == '\t' || typed[i] == '\0')
            typed[i] = ' ';
    return typed;
}
