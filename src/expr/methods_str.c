// SPDX-License-Identifier: GPL-3.0-or-later
/* Strings.  Letters beyond A to Z keep their case. */
#include <ctype.h>
#include <inttypes.h>

#include "expr/inside.h"
#include "expr/methods.h"
#include "expr/strings.h"

const es_str_object *es_string_self(const es_args *a)
{
    return es_value_as_str(&a->v[0]);
}

const es_str_object *es_string_at(es_args *a, int i, es_error *err)
{
    if (a->v[i].kind == ES_V_STR)
        return es_value_as_str(&a->v[i]);
    es_arg_wrong(a, i, "a string", err);
    return NULL;
}

bool es_string_give(es_value *out, es_str *text)
{
    *out = es_value_str(es_str_text(text), text->len);
    es_str_free(text);
    return true;
}

bool es_string_room(const es_str *text, double more, es_error *err)
{
    double n = (double)text->len + more;
    return n <= ES_MOST_STRING ||
           es_fail(err, ES_ERR_NOMEM, "a string of %.0f bytes is longer than the %d allowed here",
                   n, ES_MOST_STRING);
}

/* Where s is next in of[at, n); n: nowhere. */
static size_t find(const es_str_object *of, size_t at, const es_str_object *s)
{
    const char *found = memmem(of->bytes + at, of->n - at, s->bytes, s->n);
    return found ? (size_t)(found - of->bytes) : of->n;
}

int64_t es_string_characters(const char *s, size_t n)
{
    int64_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

/* ---- letters ---- */

static char ascii_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* upper, lower, capitalize: by the first letter of the name. */
static bool run_case(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    char how = a->of->name[0];
    es_str text = {0};
    es_str_bytes(&text, es_string_self(a)->bytes, es_string_self(a)->n);
    for (size_t i = 0; i < text.len; i++) {
        bool up = how == 'u' || (how == 'c' && i == 0);
        text.s[i] = up ? ascii_upper(text.s[i]) : ascii_lower(text.s[i]);
    }
    return es_string_give(out, &text);
}

static bool is_all(const es_str_object *s, int (*is)(int))
{
    for (size_t i = 0; i < s->n; i++)
        if (!is((unsigned char)s->bytes[i]))
            return false;
    return s->n > 0;
}

static bool run_is(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    const char *what = a->of->name;
    int (*is)(int) = !strcmp(what, "isdigit")   ? isdigit
                     : !strcmp(what, "isalpha") ? isalpha
                                                : isspace;
    return es_answer(out, es_value_bool(is_all(es_string_self(a), is)));
}

/* ---- ends ---- */

static bool is_in(char c, const es_str_object *set)
{
    return set ? memchr(set->bytes, c, set->n) != NULL : isspace((unsigned char)c) != 0;
}

static bool run_strip(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *set = NULL, *s = es_string_self(a);
    if (es_given(a, 1) && !(set = es_string_at(a, 1, err)))
        return false;
    size_t begin = 0, end = s->n;
    while (a->of->name[0] != 'r' && begin < end && is_in(s->bytes[begin], set))
        begin++;
    while (a->of->name[0] != 'l' && end > begin && is_in(s->bytes[end - 1], set))
        end--;
    return es_answer(out, es_value_str(s->bytes + begin, end - begin));
}

static bool has_end(const es_args *a, const es_str_object *part)
{
    const es_str_object *s = es_string_self(a);
    size_t at = a->of->name[0] == 's' ? 0 : s->n - part->n; /* startswith, endswith */
    return part->n <= s->n && !memcmp(s->bytes + at, part->bytes, part->n);
}

static bool run_ends(es_args *a, es_value *out, es_error *err)
{
    const es_value *v = &a->v[1];
    if (v->kind != ES_V_TUPLE) {
        const es_str_object *part = es_string_at(a, 1, err);
        return part && es_answer(out, es_value_bool(has_end(a, part)));
    }
    bool any = false;
    for (int64_t i = 0; i < es_value_items(v)->n; i++) {
        const es_value *part = &es_value_items(v)->of[i];
        if (part->kind != ES_V_STR)
            return es_arg_wrong(a, 1, "a string or a tuple of strings", err);
        any = any || has_end(a, es_value_as_str(part));
    }
    return es_answer(out, es_value_bool(any));
}

/* ---- parts ---- */

static bool add_part(es_value *list, const char *s, size_t n, es_error *err)
{
    return es_items_add(es_value_items(list), es_value_str(s, n), err);
}

static bool split_at(es_args *a, es_value *out, const es_str_object *sep, int64_t most,
                     es_error *err)
{
    const es_str_object *s = es_string_self(a);
    size_t at = 0, next;
    for (; most != 0 && (next = find(s, at, sep)) < s->n; at = next + sep->n, most--)
        if (!add_part(out, s->bytes + at, next - at, err) || !es_watch_step(a->k->watch, 0, err))
            return false;
    return add_part(out, s->bytes + at, s->n - at, err);
}

static bool split_words(es_args *a, es_value *out, int64_t most, es_error *err)
{
    const es_str_object *s = es_string_self(a);
    size_t at = 0;
    for (;; most--) {
        while (at < s->n && isspace((unsigned char)s->bytes[at]))
            at++;
        if (at == s->n)
            return true;
        size_t end = at;
        while (end < s->n && (most == 0 || !isspace((unsigned char)s->bytes[end])))
            end++;
        if (!add_part(out, s->bytes + at, end - at, err) || !es_watch_step(a->k->watch, 0, err))
            return false;
        at = end;
    }
}

static bool run_split(es_args *a, es_value *out, es_error *err)
{
    int64_t most = -1;
    if (es_given(a, 2) && !es_arg_int64(a, 2, &most, err))
        return false;
    *out = es_value_list(es_interp_containers(a->in));
    if (!es_given(a, 1))
        return split_words(a, out, most, err);
    const es_str_object *sep = es_string_at(a, 1, err);
    if (!sep)
        return false;
    if (sep->n)
        return split_at(a, out, sep, most, err);
    es_fail(err, ES_ERR_VALUE, "empty separator");
    return es_arg_blame(a, 1, err);
}

static bool run_splitlines(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *s = es_string_self(a);
    *out = es_value_list(es_interp_containers(a->in));
    for (size_t at = 0; at < s->n;) {
        size_t n = 0;
        while (at + n < s->n && s->bytes[at + n] != '\n')
            n++;
        if (!add_part(out, s->bytes + at, n, err))
            return false;
        at += n + 1;
    }
    return true;
}

static bool run_join(es_args *a, es_value *out, es_error *err)
{
    es_iter w;
    es_value v;
    es_str text = {0};
    int more;
    int64_t n = 0;
    if (!es_iter_begin(&w, a->in, &a->v[1], err))
        return es_arg_blame(a, 1, err);
    for (; (more = es_iter_next(&w, a->in, &v, err)) > 0; n++) {
        bool ok = v.kind == ES_V_STR;
        if (!ok)
            es_fail(err, ES_ERR_TYPE, "sequence item %" PRId64 ": expected str instance, %s found",
                    n, es_value_type_name(&v));
        ok = ok && es_string_room(
                       &text, (double)es_value_as_str(&v)->n + (double)es_string_self(a)->n, err);
        if (ok) {
            es_str_bytes(&text, es_string_self(a)->bytes, n ? es_string_self(a)->n : 0);
            es_str_bytes(&text, es_value_as_str(&v)->bytes, es_value_as_str(&v)->n);
        }
        es_value_unref(&v);
        if (!ok || !es_watch_step(a->k->watch, 0, err))
            break;
    }
    es_iter_end(&w);
    if (more == 0)
        return es_string_give(out, &text);
    es_str_free(&text);
    return es_arg_blame(a, 1, err);
}

/* ---- looking for a part ---- */

static bool run_replace(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *s = es_string_self(a), *old = es_string_at(a, 1, err);
    const es_str_object *by = old ? es_string_at(a, 2, err) : NULL;
    int64_t most = -1;
    if (!by || (es_given(a, 3) && !es_arg_int64(a, 3, &most, err)))
        return false;
    if (!old->n) {
        es_fail(err, ES_ERR_UNSUPPORTED, "replace(): an empty part is everywhere");
        return es_arg_blame(a, 1, err);
    }
    es_str text = {0};
    size_t at = 0, next;
    bool ok = true;
    for (; ok && most != 0 && (next = find(s, at, old)) < s->n; at = next + old->n, most--) {
        ok = es_string_room(&text, (double)(next - at) + (double)by->n + (double)s->n, err) &&
             es_watch_step(a->k->watch, 0, err);
        es_str_bytes(&text, s->bytes + at, next - at);
        es_str_bytes(&text, by->bytes, by->n);
    }
    es_str_bytes(&text, s->bytes + at, s->n - at);
    if (ok)
        return es_string_give(out, &text);
    es_str_free(&text);
    return false;
}

static bool run_find(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *s = es_string_self(a), *part = es_string_at(a, 1, err);
    if (!part)
        return false;
    const char *found = memmem(s->bytes, s->n, part->bytes, part->n);
    if (found)
        return es_answer(out,
                         es_value_int(es_string_characters(s->bytes, (size_t)(found - s->bytes))));
    if (a->of->name[0] == 'f')
        return es_answer(out, es_value_int(-1));
    es_fail(err, ES_ERR_VALUE, "substring not found");
    return es_arg_blame(a, 1, err);
}

static bool run_count(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *s = es_string_self(a), *part = es_string_at(a, 1, err);
    int64_t n = 0;
    if (!part)
        return false;
    if (!part->n)
        return es_answer(out, es_value_int(es_string_characters(s->bytes, s->n) + 1));
    for (size_t at = find(s, 0, part); at < s->n; at = find(s, at + part->n, part))
        n++;
    return es_answer(out, es_value_int(n));
}

static bool run_encode(es_args *a, es_value *out, es_error *err)
{
    (void)a;
    (void)out;
    es_fail(err, ES_ERR_UNSUPPORTED, "there are no bytes here");
    return es_hint(err, "encode(\"text\") gives the ids of its tokens, a tensor");
}

const es_builtin es_methods_str[] = {
    {"capitalize", ES_OF_VALUE, "self", "its first letter large, the others small", "a string",
     NULL, "\"the cat\".capitalize()", run_case},
    {"center", ES_OF_VALUE, "self, width, fillchar=\" \"", "in the middle of so many columns",
     "a string", NULL, "\"cat\".center(9, \"-\")", es_string_pad},
    {"count", ES_OF_VALUE, "self, sub", "how often a part is in it", "an int", NULL,
     "\"banana\".count(\"an\")", run_count},
    {"encode", ES_OF_VALUE, "self, encoding=\"utf-8\"", "bytes, which are not here", "", NULL, NULL,
     run_encode},
    {"endswith", ES_OF_VALUE, "self, suffix", "does it end so?", "a bool", NULL,
     "\"wte.weight\".endswith(\"weight\")", run_ends},
    {"find", ES_OF_VALUE, "self, sub", "where a part is first, or -1", "an int", NULL,
     "\"banana\".find(\"nan\")", run_find},
    {"format", ES_OF_VALUE, "self, *args, **names", "with values in place of {}", "a string", NULL,
     "\"{} has {n:.2f}\".format(\"x\", n=1.5)", es_string_format},
    {"index", ES_OF_VALUE, "self, sub", "where a part is first", "an int", NULL,
     "\"banana\".index(\"nan\")", run_find},
    {"isalpha", ES_OF_VALUE, "self", "is it letters only?", "a bool", NULL, "\"abc\".isalpha()",
     run_is},
    {"isdigit", ES_OF_VALUE, "self", "is it digits only?", "a bool", NULL, "\"42\".isdigit()",
     run_is},
    {"isspace", ES_OF_VALUE, "self", "is it white space only?", "a bool", NULL, "\" \".isspace()",
     run_is},
    {"join", ES_OF_VALUE, "self, iterable", "strings with this one between them", "a string", NULL,
     "\", \".join([\"a\", \"b\"])", run_join},
    {"ljust", ES_OF_VALUE, "self, width, fillchar=\" \"", "filled up on the right", "a string",
     NULL, "\"cat\".ljust(6, \".\")", es_string_pad},
    {"lower", ES_OF_VALUE, "self", "with small letters", "a string", NULL, "\"The\".lower()",
     run_case},
    {"lstrip", ES_OF_VALUE, "self, chars=None", "without white space at its beginning", "a string",
     NULL, "\"  cat \".lstrip()", run_strip},
    {"replace", ES_OF_VALUE, "self, old, new, count=-1", "with another part in place of one",
     "a string", NULL, "\"a-b-c\".replace(\"-\", \"+\")", run_replace},
    {"rjust", ES_OF_VALUE, "self, width, fillchar=\" \"", "filled up on the left", "a string", NULL,
     "\"cat\".rjust(6)", es_string_pad},
    {"rstrip", ES_OF_VALUE, "self, chars=None", "without white space at its end", "a string", NULL,
     "\"cat \".rstrip()", run_strip},
    {"split", ES_OF_VALUE, "self, sep=None, maxsplit=-1",
     "its parts between a separator, or its words", "a list of strings", NULL,
     "\"the cat sat\".split()", run_split},
    {"splitlines", ES_OF_VALUE, "self", "its lines", "a list of strings", NULL,
     "\"a\\nb\".splitlines()", run_splitlines},
    {"startswith", ES_OF_VALUE, "self, prefix", "does it begin so?", "a bool", NULL,
     "\"wte.weight\".startswith(\"wte\")", run_ends},
    {"strip", ES_OF_VALUE, "self, chars=None", "without white space at its ends", "a string", NULL,
     "\"  cat \".strip()", run_strip},
    {"upper", ES_OF_VALUE, "self", "with large letters", "a string", NULL, "\"The\".upper()",
     run_case},
    {"zfill", ES_OF_VALUE, "self, width", "filled up with zeros on the left", "a string", NULL,
     "\"42\".zfill(5)", es_string_pad},
    {.name = NULL},
};
