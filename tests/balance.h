// SPDX-License-Identifier: GPL-3.0-or-later
/* Are the tags of a page balanced, and is there nothing in it that a browser would run or fetch? */
#ifndef ES_TESTS_BALANCE_H
#define ES_TESTS_BALANCE_H

#include <stdbool.h>
#include <string.h>

enum { BALANCE_DEEPEST = 400 };

/* Bytes of a name at s. */
static inline size_t balance_name(const char *s)
{
    return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
}

/* The > of a tag whose < is at s, its attributes in double quotes; NULL: it has no end, or a quote has none. */
static inline const char *balance_tag_end(const char *s)
{
    bool quoted = false;
    for (; *s; s++) {
        quoted ^= *s == '"';
        if (!quoted && *s == '>')
            return s;
    }
    return NULL;
}

/* NULL: each tag is closed in its turn, no bare < or &.  Else where it is not. */
static inline const char *balance_fault(const char *page)
{
    const char *open[BALANCE_DEEPEST];
    size_t n = 0;
    for (const char *s = page; *s; s++) {
        if (*s == '&' && !strchr(s, ';'))
            return s;
        if (*s != '<' || !strncmp(s, "<!DOCTYPE html>", 15))
            continue;
        bool closes = s[1] == '/';
        const char *name = s + 1 + closes, *end = balance_tag_end(s);
        size_t len = balance_name(name);
        if (!end || !len || n == BALANCE_DEEPEST)
            return s;
        if (closes && (!n || balance_name(open[n - 1]) != len || strncmp(open[n - 1], name, len)))
            return s;
        n -= closes;
        if (!closes && end[-1] != '/')
            open[n++] = name;
        s = end;
    }
    return n ? open[n - 1] : NULL;
}

#endif
