// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/label.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool es_label_is_named(const es_label *a)
{
    return a->s[0] && strcmp(a->s, "?") != 0;
}

static es_label made(const char *fmt, ...) ES_PRINTF(1, 2);
static es_label made(const char *fmt, ...)
{
    es_str s = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&s, fmt, ap);
    va_end(ap);
    es_label label = es_label_named(es_str_text(&s));
    es_str_free(&s);
    return label;
}

/* A factor of its own: no sum without parentheses, no slice or part. */
static bool is_compound(const es_label *a)
{
    return strpbrk(a->s, "+-") != NULL && !strchr(a->s, '[');
}

static const char *opened(const es_label *a)
{
    return is_compound(a) ? "(" : "";
}

static const char *closed(const es_label *a)
{
    return is_compound(a) ? ")" : "";
}

es_label es_label_times(const es_label *a, int64_t n)
{
    if (!es_label_is_named(a) || n == 1)
        return *a;
    if (a->s[0] >= '0' && a->s[0] <= '9') { /* twice 2C */
        int64_t m = 0;
        const char *rest = a->s;
        for (; *rest >= '0' && *rest <= '9'; rest++)
            m = m * 10 + (*rest - '0');
        if (n > 0 && m < 1000000 && n < 1000000 && !is_compound(a))
            return made("%" PRId64 "%s", m * n, rest);
    }
    return made("%" PRId64 "%s%s%s", n, opened(a), a->s, closed(a));
}

es_label es_label_plus(const es_label *a, int64_t n)
{
    if (!es_label_is_named(a) || n == 0)
        return *a;
    char *end = NULL; /* T-1 and one more is T */
    const char *sign = strrchr(a->s, '+') ? strrchr(a->s, '+') : strrchr(a->s, '-');
    if (sign && sign > a->s && !strchr(a->s, '[')) {
        long m = strtol(sign, &end, 10);
        if (end > sign + 1 && !*end) {
            es_label base = made("%.*s", (int)(sign - a->s), a->s);
            return m + n ? made("%s%+" PRId64, base.s, m + n) : base;
        }
    }
    return made("%s%+" PRId64, a->s, n);
}

es_label es_label_sum(const es_label *a, const es_label *b)
{
    if (!es_label_is_named(a) || !es_label_is_named(b))
        return es_label_named("");
    if (es_label_same(a, b))
        return es_label_times(a, 2);
    return made("%s+%s", a->s, b->s);
}

es_label es_label_product(const es_label *a, const es_label *b)
{
    if (!es_label_is_named(a) || !es_label_is_named(b))
        return es_label_named("");
    return made("%s%s%s·%s%s%s", opened(a), a->s, closed(a), opened(b), b->s, closed(b));
}

es_label es_label_part(const es_label *a, int64_t n)
{
    if (!es_label_is_named(a) || n == 1)
        return *a;
    char *rest;
    int64_t times = strtoll(a->s, &rest, 10); /* a third of 3C is C */
    if (rest > a->s && *rest && n > 0 && times % n == 0 && !is_compound(a))
        return times == n ? es_label_named(rest) : made("%" PRId64 "%s", times / n, rest);
    return made("%s%s%s/%" PRId64, opened(a), a->s, closed(a), n);
}

es_label es_label_slice(const es_label *a, const char *subscript)
{
    if (!es_label_is_named(a))
        return *a;
    return made("%s%s%s[%s]", opened(a), a->s, closed(a), subscript);
}

es_label es_label_meet(const es_label *a, const es_label *b, bool *clash)
{
    *clash = es_label_is_named(a) && es_label_is_named(b) && strcmp(a->s, b->s) != 0;
    if (es_label_is_named(a) || !b->s[0])
        return *a;
    return es_label_is_named(b) || !a->s[0] ? *b : *a;
}
