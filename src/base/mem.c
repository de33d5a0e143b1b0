// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Bytes of its own that this process has touched, or 0. */
static double memory_taken(void)
{
    char text[128];
    long long size, resident, shared;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    bool read = sscanf(text, "%lld %lld %lld", &size, &resident, &shared) == 3;
    return read ? (double)(resident - shared) * (double)sysconf(_SC_PAGESIZE) : 0;
}

bool es_memory_for(double bytes, es_error *err)
{
    const double gib = 1 << 30;
    double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double taken = memory_taken();
    if (taken + bytes <= all / 2 || all <= 0)
        return true;
    es_fail(err, ES_ERR_NOMEM,
            "all values together take %.3g GiB; with %.3g more they would have more than half of "
            "this machine's %.3g",
            taken / gib, bytes / gib, all / gib);
    return es_hint(err, "del NAME lets go of a variable; :reset of all");
}

bool es_no_room(es_error *err, const char *what, double bytes)
{
    es_fail(err, ES_ERR_NOMEM, "no room for %s: %.3g bytes", what, bytes);
    return es_hint(err, "try: a shorter text, or a machine with more memory");
}
