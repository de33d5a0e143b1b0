// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/npy_header.h"

#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "model/stored.h"

/* Where in the header we are. */
typedef struct reader {
    const char *s;
    size_t n, at;
    const char *path;
    es_error *err;
} reader;

typedef struct word {
    const char *s;
    size_t n;
} word;

/* ---- small pieces ---- */

static void skip_blanks(reader *r)
{
    while (r->at < r->n && r->s[r->at] && strchr(" \t\n\r\f", r->s[r->at]))
        r->at++;
}

static bool expected(const reader *r, const char *what)
{
    es_str shown = {0};
    if (r->at < r->n)
        es_show_brief(&shown, r->s + r->at, 1);
    else
        es_str_cat(&shown, "its end");
    es_bad_file(r->err, r->path, "its header should have %s at byte %zu, not %s", what, r->at,
                shown.s);
    es_str_free(&shown);
    return false;
}

/* The next character, behind blanks, if it is c. */
static bool take(reader *r, char c)
{
    skip_blanks(r);
    bool there = r->at < r->n && r->s[r->at] == c;
    r->at += there;
    return there;
}

static bool need(reader *r, char c, const char *what)
{
    return take(r, c) || expected(r, what);
}

static bool read_string(reader *r, word *out)
{
    skip_blanks(r);
    char quote = r->at < r->n ? r->s[r->at] : '\0';
    if (quote != '\'' && quote != '"')
        return expected(r, "a string in quotes");
    size_t begin = ++r->at;
    while (r->at < r->n && r->s[r->at] != quote) {
        char c = r->s[r->at];
        if (c == '\\' || c == '\n' || c == '\0')
            return expected(r, "the rest of a string");
        r->at++;
    }
    *out = (word){r->s + begin, r->at - begin};
    return need(r, quote, "the quote that ends a string");
}

static bool take_word(reader *r, const char *name)
{
    size_t n = strlen(name);
    skip_blanks(r);
    bool there = r->n - r->at >= n && !memcmp(r->s + r->at, name, n);
    r->at += there ? n : 0;
    return there;
}

/* ---- the three values ---- */

static bool read_descr(reader *r, es_npy_header_fields *out)
{
    word name = {0};
    out->structured = take(r, '[');
    if (out->structured) { /* refused by whoever asked: what follows need not be read */
        r->at = r->n;
        return true;
    }
    if (!read_string(r, &name))
        return false;
    out->descr = name.s;
    out->n_descr = name.n;
    return true;
}

static bool read_order(reader *r, es_npy_header_fields *out)
{
    out->fortran = take_word(r, "True");
    return out->fortran || take_word(r, "False") || expected(r, "True or False");
}

static bool read_size(reader *r, es_npy_header_fields *out)
{
    int64_t size = 0;
    size_t begin = r->at;
    for (; r->at < r->n && r->s[r->at] >= '0' && r->s[r->at] <= '9'; r->at++)
        if (__builtin_mul_overflow(size, 10, &size) ||
            __builtin_add_overflow(size, r->s[r->at] - '0', &size))
            return es_bad_file(r->err, r->path,
                               "its header gives axis %d more than 64 bits can count",
                               out->shape.ndim);
    if (r->at == begin)
        return expected(r, "a size, a whole number from 0 on,");
    r->at += r->at < r->n && r->s[r->at] == 'L'; /* as Python 2 wrote a long one */
    if (out->shape.ndim == ES_MAX_DIMS)
        return es_bad_file(r->err, r->path, "its array has more than %d axes", ES_MAX_DIMS);
    out->shape.dim[out->shape.ndim++] = size;
    return true;
}

/* (), (5,), (5, 6): a number in parentheses alone is no tuple. */
static bool read_shape(reader *r, es_npy_header_fields *out)
{
    bool comma = false;
    out->shape = (es_shape){0};
    if (!need(r, '(', "a tuple of sizes"))
        return false;
    while (!take(r, ')')) {
        if (out->shape.ndim && !comma)
            return expected(r, "a comma or )");
        if (!read_size(r, out))
            return false;
        comma = take(r, ',');
    }
    if (out->shape.ndim != 1 || comma)
        return true;
    return es_bad_file(r->err, r->path,
                       "the shape in its header is a number in parentheses, not a tuple");
}

/* ---- the dict ---- */

static const struct {
    const char *key;
    bool (*read)(reader *r, es_npy_header_fields *out);
} fields[] = {{"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};

enum { N_FIELDS = sizeof fields / sizeof *fields };

static bool unknown_key(const reader *r, word key)
{
    es_str shown = {0};
    es_show_brief(&shown, key.s, key.n);
    es_bad_file(r->err, r->path,
                "its header has the key %s; a .npy file has descr, fortran_order and shape",
                shown.s);
    es_str_free(&shown);
    return false;
}

static bool read_pair(reader *r, es_npy_header_fields *out, bool found[N_FIELDS])
{
    word key;
    size_t i = 0;
    if (!read_string(r, &key) || !need(r, ':', "a colon"))
        return false;
    while (i < N_FIELDS && (strlen(fields[i].key) != key.n || memcmp(fields[i].key, key.s, key.n)))
        i++;
    if (i == N_FIELDS)
        return unknown_key(r, key);
    found[i] = true;
    return fields[i].read(r, out);
}

bool es_npy_header_read(es_npy_header_fields *out, const char *s, size_t n, const char *path,
                        es_error *err)
{
    reader r = {.s = s, .n = n, .path = path, .err = err};
    bool found[N_FIELDS] = {false}, comma = true;
    *out = (es_npy_header_fields){0};
    if (!need(&r, '{', "a dict, {…},"))
        return false;
    while (!take(&r, '}')) {
        if (!comma)
            return expected(&r, "a comma or }");
        if (!read_pair(&r, out, found))
            return false;
        if (out->structured)
            return true;
        comma = take(&r, ',');
    }
    skip_blanks(&r);
    if (r.at < n)
        return expected(&r, "nothing behind the dict");
    for (size_t i = 0; i < N_FIELDS; i++)
        if (!found[i])
            return es_bad_file(err, path, "its header has no %s", fields[i].key);
    return true;
}
