// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

es_lines es_lines_of(int fd)
{
    return (es_lines){.fd = fd};
}

/* Read more behind what is there; false on failure. */
static bool fill(es_lines *l)
{
    if (l->begin) {
        l->buffer.len -= l->begin;
        memmove(l->buffer.s, l->buffer.s + l->begin, l->buffer.len);
        l->begin = 0;
    }
    if (!es_str_room(&l->buffer, CHUNK, "a line", NULL)) {
        errno = ENOMEM;
        return false;
    }
    ssize_t n = read(l->fd, l->buffer.s + l->buffer.len, CHUNK);
    if (n < 0)
        return false;
    l->ended = n == 0;
    l->buffer.len += (size_t)n;
    return true;
}

int es_lines_next(es_lines *l, const char **line, size_t *len)
{
    size_t searched = 0; /* so that a long line is not searched again with every chunk */
    for (;;) {
        size_t left = l->buffer.len - l->begin;
        char *start = left ? l->buffer.s + l->begin : NULL;
        char *newline = left > searched ? memchr(start + searched, '\n', left - searched) : NULL;
        if (newline || (l->ended && left)) {
            *line = start;
            *len = newline ? (size_t)(newline - start) : left;
            l->begin += *len + (newline != NULL);
            return 1;
        }
        if (l->ended)
            return 0;
        searched = left;
        if (!fill(l))
            return -1;
    }
}

void es_lines_free(es_lines *l)
{
    es_str_free(&l->buffer);
}
