// SPDX-License-Identifier: GPL-3.0-or-later
/* Python's format specifications: [[fill]align][sign][z][#][0][width][,][.precision][type]. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "expr/format.h"
#include "expr/protocols.h"
#include "torch/host.h"

enum { MOST_WIDTH = 1 << 16, MOST_PRECISION = 400 };

typedef struct spec {
    char fill[4];
    int n_fill;
    char align, sign, group, type; /* 0: not given */
    bool alternate, zero;
    int width, precision; /* -1: not given */
    const char *of;       /* the type formatted, for messages */
} spec;

/* ---- reading it ---- */

static bool is_align(char c)
{
    return c && strchr("<>=^", c) != NULL;
}

static bool read_number(const char **s, const char *end, int most, int *out, es_error *err)
{
    int64_t n = 0;
    for (; *s < end && isdigit((unsigned char)**s); ++*s)
        n = n > most ? n : n * 10 + (**s - '0');
    *out = (int)n;
    return n <= most || es_fail(err, ES_ERR_NOMEM, "a field may be at most %d wide here", most);
}

static bool bad_spec(const char *s, size_t n, const spec *f, es_error *err)
{
    es_str shown = {0};
    es_show_prose(&shown, s, n);
    es_fail(err, ES_ERR_VALUE, "Invalid format specifier '%s' for object of type '%s'",
            es_str_text(&shown), f->of);
    es_str_free(&shown);
    return es_hint(err,
                   "a specifier is [[fill]align][sign][#][0][width][,][.precision][type], as in "
                   "8.3f, >10 or 06d");
}

static void read_align(spec *f, const char **s, const char *end)
{
    uint32_t cp;
    int n = *s < end ? es_utf8_next(*s, (size_t)(end - *s), &cp) : 0;
    if (n && *s + n < end && is_align((*s)[n])) {
        memcpy(f->fill, *s, (size_t)n);
        f->n_fill = n;
        f->align = (*s)[n];
        *s += n + 1;
    } else if (*s < end && is_align(**s))
        f->align = *(*s)++;
}

static bool take(const char **s, const char *end, const char *of, char *out)
{
    if (*s == end || !**s || !strchr(of, **s))
        return false;
    *out = *(*s)++;
    return true;
}

static bool read_spec(spec *f, const char *text, size_t n, es_error *err)
{
    const char *s = text, *end = text + n;
    char c;
    read_align(f, &s, end);
    take(&s, end, "+- ", &f->sign);
    f->alternate = take(&s, end, "#", &c);
    f->zero = take(&s, end, "0", &c);
    if (s < end && isdigit((unsigned char)*s) && !read_number(&s, end, MOST_WIDTH, &f->width, err))
        return false;
    take(&s, end, ",_", &f->group);
    if (s + 1 < end && *s == '.' && isdigit((unsigned char)s[1])) {
        s++;
        if (!read_number(&s, end, MOST_PRECISION, &f->precision, err))
            return false;
    }
    if (s < end && isalpha((unsigned char)*s))
        f->type = *s++;
    else
        take(&s, end, "%", &f->type);
    if (s < end)
        return bad_spec(text, n, f, err);
    if (f->zero && !f->n_fill) {
        f->fill[0] = '0';
        f->n_fill = 1;
    }
    if (f->zero && !f->align)
        f->align = '=';
    return true;
}

/* ---- laying it out ---- */

static int characters(const char *s, size_t n)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

/* The bytes of the first `most` of them. */
static size_t first_characters(const char *s, size_t n, int most)
{
    size_t i = 0;
    for (; i < n; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80 && most-- == 0)
            break;
    return i;
}

static void fill(es_str *out, const spec *f, int n)
{
    for (; n > 0; n--)
        es_str_bytes(out, f->n_fill ? f->fill : " ", f->n_fill ? (size_t)f->n_fill : 1);
}

/* head: a sign and "0x"; what fills up stands before it, between it and the body, or behind. */
static void lay_out(es_str *out, const spec *f, const char *head, const char *body, size_t n,
                    char align)
{
    int room = f->width - (int)strlen(head) - characters(body, n);
    room = room > 0 ? room : 0;
    align = f->align ? f->align : align;
    int before = align == '>' ? room : align == '^' ? room / 2 : 0;
    fill(out, f, before);
    es_str_cat(out, head);
    fill(out, f, align == '=' ? room : 0);
    es_str_bytes(out, body, n);
    fill(out, f, align == '=' ? 0 : room - before);
}

/* digits with a mark between every `every` of them, counted from the right; zeros are put before them as long
 * as all of it is less than `least` characters. */
static void group(es_str *out, const char *digits, int n, char mark, int every, int least)
{
    int zeros = 0;
    while (zeros + n + (zeros + n - 1) / every < least)
        zeros++;
    for (int i = zeros + n; i > 0; i--) {
        es_str_char(out, i > n ? '0' : digits[n - i]);
        if (i > 1 && (i - 1) % every == 0)
            es_str_char(out, mark);
    }
}

/* A number's text, without its sign: whole digits, then the rest (".5", "e+10", "%"). */
static void number(es_str *out, const spec *f, bool negative, const char *prefix, const char *text,
                   int every)
{
    char head[4];
    const char *sign = negative ? "-" : f->sign == '+' ? "+" : f->sign == ' ' ? " " : "";
    snprintf(head, sizeof head, "%s%s", sign, prefix);
    int whole = (int)strspn(text, "0123456789abcdefABCDEF");
    if (every == 3)
        whole = (int)strspn(text, "0123456789");
    es_str body = {0};
    bool zeros = f->zero && f->align == '=' && f->fill[0] == '0';
    int least = f->width - (int)strlen(head) - (int)strlen(text + whole);
    if (f->group && whole)
        group(&body, text, whole, f->group, every, zeros ? least : 0);
    else
        es_str_bytes(&body, text, (size_t)whole);
    es_str_cat(&body, text + whole);
    lay_out(out, f, head, es_str_text(&body), body.len, '>');
    es_str_free(&body);
}

/* ---- by kind of value ---- */

static bool unknown_type(const spec *f, es_error *err)
{
    return es_fail(err, ES_ERR_VALUE, "Unknown format code '%c' for object of type '%s'", f->type,
                   f->of);
}

/* C's "%#.*g" keeps zeros that Python's without # drops, as C's without # does; types are C's but for %. */
static void float_text(es_str *out, const spec *f, double x)
{
    int precision = f->precision < 0 ? 6 : f->precision;
    char c = f->type == 'F' ? 'f' : f->type == 'n' ? 'g' : f->type;
    if (!isfinite(x)) {
        es_str_cat(out, isnan(x) ? "nan" : "inf");
        if (f->type && isupper((unsigned char)f->type))
            for (char *s = out->s; *s; s++)
                *s = (char)toupper((unsigned char)*s);
        if (f->type == '%')
            es_str_char(out, '%');
        return;
    }
    switch (c) {
    case 'e': es_str_add(out, f->alternate ? "%#.*e" : "%.*e", precision, x); break;
    case 'E': es_str_add(out, f->alternate ? "%#.*E" : "%.*E", precision, x); break;
    case 'f': es_str_add(out, f->alternate ? "%#.*f" : "%.*f", precision, x); break;
    case 'g': es_str_add(out, f->alternate ? "%#.*g" : "%.*g", precision, x); break;
    case 'G': es_str_add(out, f->alternate ? "%#.*G" : "%.*G", precision, x); break;
    case '%': es_str_add(out, f->alternate ? "%#.*f%%" : "%.*f%%", precision, x * 100); break;
    default: break;
    }
}

/* No type: repr, or with a precision %g with at least one digit behind the point, and one digit fewer before
 * it goes over to exponents. */
static void plain_float(es_str *out, const spec *f, double x)
{
    if (f->precision < 0 || !isfinite(x)) {
        es_float_repr(out, x);
        return;
    }
    int precision = f->precision ? f->precision : 1;
    char e[MOST_PRECISION + 16];
    snprintf(e, sizeof e, "%.*e", precision - 1, x);
    int exponent = atoi(strchr(e, 'e') + 1);
    size_t begin = out->len;
    if (exponent == precision - 1) { /* where C's %g still has no exponent */
        size_t n = strcspn(e, "e");
        const char *power = e + n;
        while (precision > 1 && e[n - 1] == '0')
            n--;
        es_str_bytes(out, e, e[n - 1] == '.' ? n - 1 : n);
        es_str_cat(out, power);
        return;
    }
    es_str_add(out, "%.*g", precision, x);
    if (!strpbrk(out->s + begin, ".e"))
        es_str_cat(out, ".0");
}

static bool format_float(es_str *out, const spec *f, double x, es_error *err)
{
    if (f->type && !strchr("eEfFgGn%", f->type))
        return unknown_type(f, err);
    es_str text = {0};
    bool negative = signbit(x) && !isnan(x);
    if (f->type)
        float_text(&text, f, fabs(x));
    else
        plain_float(&text, f, fabs(x));
    number(out, f, negative, "", es_str_text(&text), 3);
    es_str_free(&text);
    return true;
}

static void binary(es_str *out, uint64_t u)
{
    int top = 63;
    while (top > 0 && !(u >> top & 1))
        top--;
    for (; top >= 0; top--)
        es_str_char(out, (char)('0' + (u >> top & 1)));
}

static bool format_character(es_str *out, const spec *f, int64_t i, es_error *err)
{
    char s[4];
    if (i < 0 || i > 0x10ffff || (i >= 0xd800 && i < 0xe000))
        return es_fail(err, ES_ERR_VALUE, "%%c arg not in range(0x110000)");
    lay_out(out, f, "", s, (size_t)es_utf8_put(s, (uint32_t)i), '<');
    return true;
}

static bool format_int(es_str *out, const spec *f, int64_t i, es_error *err)
{
    if (f->type && strchr("eEfFgG%", f->type))
        return format_float(out, f, (double)i, err);
    if (f->type && !strchr("bcdoxXn", f->type))
        return unknown_type(f, err);
    if (f->group == ',' && f->type && strchr("bcoxXn", f->type))
        return es_fail(err, ES_ERR_VALUE, "Cannot specify ',' with '%c'.", f->type);
    if (f->precision >= 0)
        return es_fail(err, ES_ERR_VALUE, "Precision not allowed in integer format specifier");
    if (f->type == 'c')
        return format_character(out, f, i, err);
    uint64_t u = i < 0 ? -(uint64_t)i : (uint64_t)i;
    es_str text = {0};
    switch (f->type) {
    case 'b': binary(&text, u); break;
    case 'o': es_str_add(&text, "%" PRIo64, u); break;
    case 'x': es_str_add(&text, "%" PRIx64, u); break;
    case 'X': es_str_add(&text, "%" PRIX64, u); break;
    default: es_str_add(&text, "%" PRIu64, u); break;
    }
    bool decimal = !f->type || strchr("dn", f->type) != NULL;
    char prefix[3] = {'0', f->type, 0};
    number(out, f, i < 0, f->alternate && !decimal ? prefix : "", text.s, decimal ? 3 : 4);
    es_str_free(&text);
    return true;
}

static bool format_str(es_str *out, const spec *f, const char *s, size_t n, es_error *err)
{
    if (f->type && f->type != 's')
        return unknown_type(f, err);
    if (f->sign || f->alternate || f->group)
        return es_fail(err, ES_ERR_VALUE, "%s not allowed in string format specifier",
                       f->sign        ? "Sign"
                       : f->alternate ? "Alternate form (#)"
                                      : "',' or '_'");
    if (f->align == '=' && !f->zero)
        return es_fail(err, ES_ERR_VALUE, "'=' alignment not allowed in string format specifier");
    if (f->precision >= 0)
        n = first_characters(s, n, f->precision);
    spec left = *f;
    left.align = f->align == '=' ? '<' : f->align;
    lay_out(out, &left, "", s, n, '<');
    return true;
}

static es_value item_of(const es_tensor *t)
{
    if (t->dtype == ES_FLOAT32 || t->dtype == ES_FLOAT64)
        return es_value_float(es_torch_get_float(t, 0));
    int64_t i = es_torch_get_int(t, 0);
    return t->dtype == ES_BOOL ? es_value_bool(i != 0) : es_value_int(i);
}

bool es_value_format(es_interp *in, es_str *out, const es_value *v, const char *text, size_t n,
                     es_error *err)
{
    spec f = {.width = 0, .precision = -1, .of = es_value_type_name(v)};
    if (v->kind == ES_V_TENSOR && es_value_as_tensor(v)->shape.ndim == 0 &&
        !es_torch_meta(es_value_as_tensor(v))) { /* as the number it is */
        es_tensor here;
        if (!es_torch_here(es_interp_torch(in), &here, es_value_as_tensor(v), "printing", err))
            return false;
        es_value item = item_of(&here);
        es_tensor_free(&here);
        return es_value_format(in, out, &item, text, n, err);
    }
    int own = v->kind == ES_V_INSTANCE ? es_object_format(in, out, v, text, n, err) : 0;
    if (own)
        return own > 0;
    if (n == 0)
        return es_value_str_of(in, out, v, err);
    if (v->kind != ES_V_INT && v->kind != ES_V_BOOL && v->kind != ES_V_FLOAT && v->kind != ES_V_STR)
        return es_fail(err, ES_ERR_TYPE, "unsupported format string passed to %s.__format__", f.of);
    if (!read_spec(&f, text, n, err))
        return false;
    if (v->kind == ES_V_FLOAT)
        return format_float(out, &f, v->u.f, err);
    if (v->kind == ES_V_STR)
        return format_str(out, &f, es_value_as_str(v)->bytes, es_value_as_str(v)->n, err);
    return format_int(out, &f, v->kind == ES_V_BOOL ? v->u.b : v->u.i, err);
}
