// SPDX-License-Identifier: GPL-3.0-or-later
/* Strings filled in: up to a width, and with values in place of {}. */
#include "expr/strings.h"

#include <ctype.h>
#include <inttypes.h>

#include "base/visible.h"
#include "expr/format.h"

/* ---- filling up: through the format specifications ---- */

static bool read_fill(es_args *a, const char **fill, size_t *n, es_error *err)
{
    const es_str_object *s = NULL;
    *fill = a->of->name[0] == 'z' ? "0" : " ";
    *n = 1;
    if (a->n < 3 || !es_given(a, 2))
        return true;
    if (!(s = es_string_at(a, 2, err)))
        return false;
    *fill = s->bytes;
    *n = s->n;
    if (es_string_characters(s->bytes, s->n) == 1)
        return true;
    es_fail(err, ES_ERR_TYPE, "The fill character must be exactly one character long");
    return es_arg_blame(a, 2, err);
}

bool es_string_pad(es_args *a, es_value *out, es_error *err)
{
    int64_t width;
    size_t n_fill;
    const char *fill, *name = a->of->name, *align = *name == 'l' ? "<" : *name == 'c' ? "^" : ">";
    if (!es_arg_int64(a, 1, &width, err) || !read_fill(a, &fill, &n_fill, err))
        return false;
    const es_str_object *s = es_string_self(a);
    size_t sign = *name == 'z' && (*s->bytes == '+' || *s->bytes == '-'); /* zeros go behind it */
    width -= (int64_t)sign;
    es_str spec = {0}, text = {0};
    es_str_bytes(&text, s->bytes, sign);
    es_str_bytes(&spec, fill, n_fill);
    es_str_add(&spec, "%s%" PRId64, align, width < 0 ? 0 : width);
    es_value rest = es_value_str(s->bytes + sign, s->n - sign);
    bool ok = es_value_format(a->in, &text, &rest, spec.s, spec.len, err);
    es_value_unref(&rest);
    es_str_free(&spec);
    if (ok)
        return es_string_give(out, &text);
    es_str_free(&text);
    return false;
}

/* ---- "{} is {:.2f}".format(…) ---- */

/* What a field is called: "", "0", "name". */
static const es_value *field_value(es_args *a, const char *name, size_t n, int64_t *next,
                                   es_error *err)
{
    bool number = n == 0 || isdigit((unsigned char)*name);
    int64_t at = n ? 0 : (*next)++;
    for (size_t i = 0; number && i < n && at < ES_MOST_ITEMS; i++)
        at = at * 10 + (name[i] - '0');
    if (number && at < a->n_rest)
        return &a->rest[at];
    for (int64_t i = 0; !number && a->names && i < a->n_given; i++)
        if (a->names[i] && strlen(a->names[i]) == n && !memcmp(a->names[i], name, n))
            return &a->given[i];
    if (number)
        es_fail(err, ES_ERR_INDEX_RANGE,
                "Replacement index %" PRId64 " out of range for positional args tuple", at);
    else {
        es_str shown = {0};
        es_show_name(&shown, name, n);
        es_fail(err, ES_ERR_NAME, "no value is called %s in this call", es_str_text(&shown));
        es_str_free(&shown);
    }
    return NULL;
}

/* One field, what stands between the braces. */
static bool put_field(es_args *a, es_str *text, const char *s, size_t n, int64_t *next,
                      es_error *err)
{
    const char *colon = memchr(s, ':', n), *end = s + n;
    const char *head = colon ? colon : end;
    char as = head - s >= 2 && head[-2] == '!' ? head[-1] : 0;
    size_t n_name = (size_t)(head - s) - (as ? 2 : 0);
    if (memchr(s, '.', n_name) || memchr(s, '[', n_name))
        return es_fail(err, ES_ERR_UNSUPPORTED, "format(): a field is a number or a name here");
    const es_value *v = field_value(a, s, n_name, next, err);
    if (!v)
        return false;
    const char *spec = colon ? colon + 1 : end;
    if (as != 'r')
        return es_value_format(a->in, text, v, spec, (size_t)(end - spec), err);
    es_str repr = {0};
    bool ok = es_value_repr(a->in, &repr, v, err);
    es_value shown = es_value_str(es_str_text(&repr), repr.len);
    ok = ok && es_value_format(a->in, text, &shown, spec, (size_t)(end - spec), err);
    es_value_unref(&shown);
    es_str_free(&repr);
    return ok;
}

static bool put_fields(es_args *a, es_str *text, es_error *err)
{
    const es_str_object *s = es_string_self(a);
    int64_t next = 0;
    for (size_t i = 0; i < s->n; i++) {
        char c = s->bytes[i];
        if ((c == '{' || c == '}') && i + 1 < s->n && s->bytes[i + 1] == c)
            i++;
        else if (c == '}')
            return es_fail(err, ES_ERR_VALUE, "Single '}' encountered in format string");
        else if (c == '{') {
            const char *begin = s->bytes + i + 1, *end = memchr(begin, '}', s->n - i - 1);
            if (!end)
                return es_fail(err, ES_ERR_VALUE, "expected '}' before end of string");
            if (!put_field(a, text, begin, (size_t)(end - begin), &next, err))
                return false;
            i = (size_t)(end - s->bytes);
            if (!es_string_room(text, 0, err))
                return false;
            continue;
        }
        es_str_char(text, c);
    }
    return true;
}

bool es_string_format(es_args *a, es_value *out, es_error *err)
{
    es_str text = {0};
    if (put_fields(a, &text, err))
        return es_string_give(out, &text);
    es_str_free(&text);
    return false;
}
