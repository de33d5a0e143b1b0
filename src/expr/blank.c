// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/blank.h"

#include <stdbool.h>
#include <string.h>

static size_t line_length(const char *s, size_t n)
{
    size_t len = 0;
    while (len < n && s[len] != '\n' && s[len] != '\r')
        len++;
    return len;
}

static size_t blanks(const char *s, size_t n)
{
    size_t len = 0;
    while (len < n && (s[len] == ' ' || s[len] == '\t'))
        len++;
    return len;
}

static bool begins(const char *s, size_t n, const char *with)
{
    return n >= strlen(with) && !memcmp(s, with, strlen(with));
}

/* ">>> ", or ">>>" alone on its line. */
static size_t python_prompt(const char *s, size_t n)
{
    if (!begins(s, n, ">>>") && !begins(s, n, "..."))
        return 0;
    return n == 3 ? 3 : s[3] == ' ' ? 4 : 0;
}

/* "In [3]: ", "...: "; the space may be missing at the line's end. */
static size_t ipython_prompt(const char *s, size_t n)
{
    size_t at = 0;
    if (begins(s, n, "In [")) {
        at = 4;
        while (at < n && s[at] >= '0' && s[at] <= '9')
            at++;
        if (at == 4 || !begins(s + at, n - at, "]:"))
            return 0;
        at += 2;
    } else if (begins(s, n, "...:")) {
        at = 4;
    }
    return at == 0 ? 0 : at == n ? at : s[at] == ' ' ? at + 1 : 0;
}

es_prompt es_prompt_of(const char *source, size_t len)
{
    size_t at = 0;
    while (at < len && strchr(" \t\r\n", source[at]) && source[at])
        at++;
    size_t n = line_length(source + at, len - at);
    if (begins(source + at, n, ">>>") && python_prompt(source + at, n))
        return ES_PROMPT_PYTHON;
    return begins(source + at, n, "In [") && ipython_prompt(source + at, n) ? ES_PROMPT_IPYTHON
                                                                            : ES_PROMPT_NONE;
}

size_t es_prompt_length(es_prompt prompt, const char *line, size_t n)
{
    size_t indent = blanks(line, n);
    size_t length = prompt == ES_PROMPT_PYTHON    ? python_prompt(line + indent, n - indent)
                    : prompt == ES_PROMPT_IPYTHON ? ipython_prompt(line + indent, n - indent)
                                                  : 0;
    return length ? indent + length : 0;
}

void es_blank_prompts(es_prompt prompt, char *source, size_t len)
{
    if (prompt == ES_PROMPT_NONE)
        return;
    for (size_t at = 0; at < len;) {
        size_t n = line_length(source + at, len - at);
        memset(source + at, ' ', es_prompt_length(prompt, source + at, n));
        at += n + 1;
    }
}
