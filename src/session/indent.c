// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/indent.h"

#include <string.h>

#include "session/state.h"

enum { STEP = 4 };

bool es_is_blank(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] != ' ' && s[i] != '\t')
            return false;
    return true;
}

size_t es_indent_more(const char *lines, size_t n, size_t columns)
{
    while (n && strchr(" \t\r\n", lines[n - 1]))
        n--;
    size_t begin = n, due = 0;
    while (begin && lines[begin - 1] != '\n')
        begin--;
    while (begin + due < n && lines[begin + due] == ' ')
        due++;
    if (n && lines[n - 1] == ':')
        due += STEP;
    return due > columns ? due - columns : STEP - columns % STEP;
}

size_t es_indent_back(const es_session *s, const char *line, size_t point)
{
    const es_statement *st = &s->statement;
    size_t nearest = 0;
    if (!st->source.len || strspn(line, " ") < point)
        return 0;
    for (const char *at = st->source.s + st->begin; *at; at += strspn(at, "\n")) {
        size_t columns = strspn(at, " ");
        if (columns < point && columns > nearest)
            nearest = columns;
        at += strcspn(at, "\n");
    }
    return point - nearest;
}
