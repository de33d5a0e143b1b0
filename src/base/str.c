// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void es_str_reserve(es_str *str, size_t more)
{
    size_t need = str->len + more + 1;
    if (need <= str->cap)
        return;
    size_t cap = str->cap ? str->cap : 32;
    while (cap < need)
        cap *= 2;
    str->s = es_realloc(str->s, cap);
    str->cap = cap;
}

void es_str_bytes(es_str *str, const char *bytes, size_t n)
{
    es_str_reserve(str, n);
    if (n)
        memcpy(str->s + str->len, bytes, n);
    str->len += n;
    str->s[str->len] = '\0';
}

void es_str_cat(es_str *str, const char *s)
{
    es_str_bytes(str, s, strlen(s));
}

void es_str_char(es_str *str, char c)
{
    es_str_bytes(str, &c, 1);
}

void es_str_fill(es_str *str, char c, size_t n)
{
    es_str_reserve(str, n);
    memset(str->s + str->len, c, n);
    str->len += n;
    str->s[str->len] = '\0';
}

void es_str_vadd(es_str *str, const char *fmt, va_list ap)
{
    va_list measure;
    va_copy(measure, ap);
    int n = vsnprintf(NULL, 0, fmt, measure);
    va_end(measure);
    if (n < 0)
        return;
    es_str_reserve(str, (size_t)n);
    vsnprintf(str->s + str->len, (size_t)n + 1, fmt, ap);
    str->len += (size_t)n;
}

void es_str_add(es_str *str, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(str, fmt, ap);
    va_end(ap);
}

void es_str_cut(es_str *str, size_t len)
{
    if (len >= str->len)
        return;
    str->len = len;
    str->s[len] = '\0';
}

const char *es_str_text(const es_str *str)
{
    return str->s ? str->s : "";
}

char *es_str_take(es_str *str)
{
    char *s = str->s ? str->s : es_copy_bytes("", 0);
    *str = (es_str){0};
    return s;
}

void es_str_free(es_str *str)
{
    free(str->s);
    *str = (es_str){0};
}
