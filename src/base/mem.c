// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void es_out_of_memory(size_t bytes)
{
    fprintf(stderr, "embedscope: the machine has no %zu bytes of memory left\n", bytes);
    abort();
}

void *es_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p)
        es_out_of_memory(bytes);
    return p;
}

void *es_alloc_array(size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        es_out_of_memory(SIZE_MAX);
    return es_alloc(n * size);
}

void *es_realloc(void *p, size_t bytes)
{
    void *q = realloc(p, bytes ? bytes : 1);
    if (!q)
        es_out_of_memory(bytes);
    return q;
}

char *es_copy_bytes(const char *bytes, size_t n)
{
    char *copy = es_alloc(n + 1);
    if (n)
        memcpy(copy, bytes, n);
    return copy;
}

char *es_copy_string(const char *s)
{
    return s ? es_copy_bytes(s, strlen(s)) : NULL;
}

void *es_try_alloc(size_t n, size_t size, const char *what, es_error *err)
{
    void *p = NULL;
    if (!size || n <= (SIZE_MAX / 2) / size) {
        size_t bytes = n * size;
        p = malloc(bytes ? bytes : 1);
    }
    if (!p)
        es_no_room(err, what, (double)n * (double)size);
    return p;
}

bool es_no_room(es_error *err, const char *what, double bytes)
{
    es_fail(err, ES_ERR_NOMEM, "no room for %s: %.3g bytes", what, bytes);
    return es_hint(err, "try: a shorter text, or a machine with more memory");
}
