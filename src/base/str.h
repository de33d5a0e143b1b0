// SPDX-License-Identifier: GPL-3.0-or-later
/* A string that grows: bytes with a length, NUL included, and a NUL after them for C. */
#ifndef ES_BASE_STR_H
#define ES_BASE_STR_H

#include <stdarg.h>
#include <stddef.h>

#include "base/error.h"

typedef struct es_str {
    char *s; /* NULL while empty; else s[len] is NUL */
    size_t len, cap;
} es_str;

void es_str_add(es_str *str, const char *fmt, ...) ES_PRINTF(2, 3);
void es_str_vadd(es_str *str, const char *fmt, va_list ap) ES_PRINTF(2, 0);
void es_str_bytes(es_str *str, const char *bytes, size_t n);
void es_str_cat(es_str *str, const char *s); /* all of a C string, no formatting */
void es_str_char(es_str *str, char c);
void es_str_fill(es_str *str, char c, size_t n); /* n times c */
void es_str_reserve(es_str *str, size_t more);   /* room for that many bytes more */
void es_str_cut(es_str *str, size_t len);        /* keep the first len bytes */
const char *es_str_text(const es_str *str);      /* borrowed until the next change; "" if empty */
char *es_str_take(es_str *str);                  /* the caller frees; str becomes empty */
void es_str_free(es_str *str);                   /* str becomes empty */

#endif
