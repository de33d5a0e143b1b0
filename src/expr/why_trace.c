// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/why_trace.h"

#include <string.h>

#include "base/visible.h"

enum { COLUMNS = 120 };

/* Files that belong to Python or to a library: the slip is rarely theirs. */
static bool is_library(const char *path, size_t n)
{
    static const char *const parts[] = {"site-packages", "dist-packages", "/torch/", "lib/python",
                                        "<frozen"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (memmem(path, n, parts[i], strlen(parts[i])))
            return true;
    return false;
}

static const char *keep(es_arena *arena, const char *s, size_t n)
{
    es_str shown = {0}, fitted = {0};
    es_show_prose(&shown, s, n < 4 * COLUMNS ? n : 4 * COLUMNS);
    es_show_fit(&fitted, es_str_text(&shown), shown.len, COLUMNS);
    const char *kept = es_arena_copy(arena, es_str_text(&fitted), fitted.len);
    es_str_free(&shown);
    es_str_free(&fitted);
    return kept;
}

static size_t blanks(const char *s, const char *end)
{
    const char *at = s;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '>'))
        at++;
    return (size_t)(at - s);
}

/* `File "PATH", line N, in NAME`, which ends at *after. */
typedef struct frame {
    const char *path, *after;
    size_t n;
    int64_t line;
} frame;

static bool read_frame(frame *f, const char *s, const char *end)
{
    static const char line[] = "\", line ";
    const char *newline = memchr(s, '\n', (size_t)(end - s));
    f->after = newline ? newline : end;
    s += blanks(s, f->after);
    if (f->after - s < 7 || memcmp(s, "File \"", 6))
        return false;
    f->path = s + 6;
    const char *quote = memmem(f->path, (size_t)(f->after - f->path), line, sizeof line - 1);
    if (!quote)
        return false;
    f->n = (size_t)(quote - f->path);
    f->line = 0;
    for (s = quote + sizeof line - 1; s < f->after && *s >= '0' && *s <= '9' && f->line < 1 << 28;)
        f->line = 10 * f->line + (*s++ - '0');
    return true;
}

void es_why_trace(es_why_answer *out, const char *text, size_t len)
{
    const char *end = text + len;
    frame last = {0}, f;
    for (const char *s = text; s < end; s = f.after + 1) {
        if (read_frame(&f, s, end) && !is_library(f.path, f.n))
            last = f;
        if (f.after == end)
            break;
    }
    if (!last.path)
        return;
    const char *code = last.after < end ? last.after + 1 : end;
    code += blanks(code, end);
    const char *newline = memchr(code, '\n', (size_t)(end - code));
    size_t n = (size_t)((newline ? newline : end) - code);
    n -= n && code[n - 1] == '\r';
    out->file = keep(out->arena, last.path, last.n);
    out->line = last.line;
    bool frame_follows = n > 6 && !memcmp(code, "File \"", 6);
    out->code = n && !frame_follows ? keep(out->arena, code, n) : NULL;
}
