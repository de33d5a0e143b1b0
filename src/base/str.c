// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { LEAST = 32 };

/* Room for n bytes more and a NUL; false, and nothing changed, when there is none. */
static bool grow(es_str *str, size_t n)
{
    if (n < str->cap - str->len)
        return true;
    size_t cap = str->cap ? str->cap : LEAST, need = str->len + n + 1;
    while (cap < need)
        cap *= 2;
    char *s = realloc(str->s, cap);
    if (!s)
        return false;
    str->s = s;
    str->cap = cap;
    return true;
}

bool es_str_room(es_str *str, size_t more, const char *what, es_error *err)
{
    return grow(str, more) || es_no_room(err, what, (double)more);
}

bool es_str_braked(es_str *str)
{
    es_brake *b = str->brake;
    if (b && !b->on && b->stop && atomic_load_explicit(b->stop, memory_order_relaxed)) {
        b->on = true;
        es_fail(&b->err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    }
    return b && b->on;
}

/* May n bytes be appended? */
static bool reserve(es_str *str, size_t n)
{
    if (es_str_braked(str))
        return false;
    if (grow(str, n))
        return true;
    if (str->brake) {
        str->brake->on = true;
        return es_no_room(&str->brake->err, "the answer", (double)(str->len + n));
    }
    es_out_of_memory(str->len + n);
}

void es_str_bytes(es_str *str, const char *bytes, size_t n)
{
    if (!reserve(str, n))
        return;
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
    if (!reserve(str, n))
        return;
    memset(str->s + str->len, c, n);
    str->len += n;
    str->s[str->len] = '\0';
}

void es_str_vadd(es_str *str, const char *fmt, va_list ap)
{
    va_list again;
    if (!reserve(str, LEAST))
        return;
    va_copy(again, ap);
    size_t left = str->cap - str->len;
    int n = vsnprintf(str->s + str->len, left, fmt, ap);
    if (n > 0 && ((size_t)n < left || reserve(str, (size_t)n))) {
        if ((size_t)n >= left)
            vsnprintf(str->s + str->len, (size_t)n + 1, fmt, again);
        str->len += (size_t)n;
    }
    str->s[str->len] = '\0';
    va_end(again);
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
