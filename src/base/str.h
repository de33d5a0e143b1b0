// SPDX-License-Identifier: GPL-3.0-or-later
/* A string that grows: bytes with a length, NUL included, and a NUL after them for C. */
#ifndef ES_BASE_STR_H
#define ES_BASE_STR_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/error.h"

/* What keeps a long answer from growing: Ctrl-C, or memory that has ended.  A string whose brake is on
 * stays as it is and drops what is appended; who fills one in a long loop looks at es_str_braked. */
typedef struct es_brake {
    const atomic_bool *stop; /* set from outside; may be NULL */
    bool on;
    es_error err; /* why: ES_ERR_INTERRUPTED, ES_ERR_NOMEM */
} es_brake;
#define ES_BRAKE(flag)                                                                             \
    {                                                                                              \
        .stop = (flag), .err = ES_ERROR_NONE                                                       \
    }

typedef struct es_str {
    char *s; /* NULL while empty; else s[len] is NUL */
    size_t len, cap;
    es_brake *brake; /* borrowed; NULL: the program ends when memory does */
} es_str;

void es_str_add(es_str *str, const char *fmt, ...) ES_PRINTF(2, 3);
void es_str_vadd(es_str *str, const char *fmt, va_list ap) ES_PRINTF(2, 0);
void es_str_bytes(es_str *str, const char *bytes, size_t n);
void es_str_cat(es_str *str, const char *s); /* all of a C string, no formatting */
void es_str_char(es_str *str, char c);
void es_str_fill(es_str *str, char c, size_t n);                             /* n times c */
bool es_str_room(es_str *str, size_t more, const char *what, es_error *err); /* or ES_ERR_NOMEM */
bool es_str_braked(es_str *str);
void es_str_cut(es_str *str, size_t len);   /* keep the first len bytes */
const char *es_str_text(const es_str *str); /* borrowed until the next change; "" if empty */
char *es_str_take(es_str *str);             /* the caller frees; str becomes empty */
void es_str_free(es_str *str);              /* str becomes empty */

#endif
