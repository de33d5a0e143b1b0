// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/pretoken.h"

#include <string.h>

#include "base/utf8.h"
#include "text/classes.h"

/* The class of the character at s and, in *len, its bytes. */
static es_class class_at(const char *s, size_t n, size_t *len)
{
    uint32_t cp = (unsigned char)s[0];
    if (cp < 0x80) {
        *len = 1;
        return es_class_of(cp);
    }
    int bytes = es_utf8_next(s, n, &cp);
    *len = bytes ? (size_t)bytes : 1;
    return bytes ? es_class_of(cp) : ES_CLASS_OTHER;
}

/* Bytes of the run of one class that begins at s. */
static size_t run_of(es_class class, const char *s, size_t n)
{
    size_t i = 0, len;
    while (i < n && class_at(s + i, n - i, &len) == class)
        i += len;
    return i;
}

static size_t contraction(const char *s, size_t n)
{
    if (n < 2 || s[0] != '\'')
        return 0;
    if (strchr("stmd", s[1]) && s[1])
        return 2;
    bool two =
        n >= 3 && (!memcmp(s + 1, "re", 2) || !memcmp(s + 1, "ve", 2) || !memcmp(s + 1, "ll", 2));
    return two ? 3 : 0;
}

/* A run of white space, less its last character when something else follows. */
static size_t white_space(const char *s, size_t n)
{
    size_t i = 0, last = 0, len;
    while (i < n && class_at(s + i, n - i, &len) == ES_CLASS_SPACE) {
        i += len;
        last = len;
    }
    return i == n || i == last ? i : i - last;
}

size_t es_pretoken_gpt2(const char *text, size_t n)
{
    size_t len = contraction(text, n);
    if (len)
        return len;

    size_t space = text[0] == ' ' && n > 1;
    es_class class = class_at(text + space, n - space, &len);
    if (class == ES_CLASS_SPACE)
        return white_space(text, n);
    return space + run_of(class, text + space, n - space);
}
