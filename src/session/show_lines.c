// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of anybody's text: made visible, and broken where the screen ends or between words. */
#include "session/show_lines.h"

#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"

enum { TAB = 8, PIECE = 1 << 16 };

/* How far a piece of text reaches that Ctrl-C need not wait for: whole characters. */
static size_t piece_of(const char *bytes, size_t n)
{
    size_t len = PIECE;
    if (n <= PIECE)
        return n;
    while (len > PIECE - 4 && ((unsigned char)bytes[len] & 0xC0) == 0x80)
        len--;
    return len;
}

static void show_line(es_str *out, const char *bytes, size_t n)
{
    size_t shown = out->len; /* before it are as many columns as tabs take */
    for (size_t i = 0, len; i < n && !es_str_braked(out); i += len) {
        const char *tab = memchr(bytes + i, '\t', n - i);
        len = piece_of(bytes + i, tab ? (size_t)(tab - bytes) - i : n - i);
        es_show_prose(out, bytes + i, len);
        if (tab != bytes + i + len)
            continue;
        int columns = es_columns(es_str_text(out) + shown, out->len - shown);
        es_str_fill(out, ' ', (size_t)(TAB - columns % TAB));
        shown = out->len;
        len++;
    }
}

void es_show_lines(es_str *out, const char *bytes, size_t n)
{
    for (const char *end = bytes + n; bytes < end && !es_str_braked(out);) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        show_line(out, bytes, (size_t)((newline ? newline : end) - bytes));
        if (!newline)
            return;
        es_str_char(out, '\n');
        bytes = newline + 1;
    }
}

/* As much of the line as the screen is wide: no character of it is lost, as a space would be between words. */
static size_t screenful(const char *line, size_t n, int width)
{
    size_t len = 0;
    uint32_t cp;
    for (int columns = 0, bytes; len < n; len += (size_t)bytes) {
        bytes = es_utf8_next(line + len, n - len, &cp); /* they are well-formed: made visible */
        columns += es_char_columns(cp);
        if (columns > width && len)
            break;
    }
    return len;
}

void es_show_folded(es_str *out, const char *bytes, size_t n, const es_style *style)
{
    es_str shown = {0};
    es_show_lines(&shown, bytes, n);
    for (const char *line = es_str_text(&shown); *line && !es_str_braked(out);) {
        size_t left = strcspn(line, "\n"), part;
        do {
            part = screenful(line, left, style->width);
            es_str_bytes(out, line, part);
            es_str_char(out, '\n');
            line += part;
            left -= part;
        } while (left && !es_str_braked(out));
        line += *line == '\n';
    }
    es_str_free(&shown);
}

void es_show_wrapped(es_str *out, const char *bytes, size_t n, const es_style *style)
{
    es_str shown = {0};
    es_show_lines(&shown, bytes, n);
    for (const char *line = es_str_text(&shown); *line;) {
        size_t len = strcspn(line, "\n"), indent = strspn(line, " ");
        es_str one = {0};
        es_str_bytes(&one, line + indent, len - indent);
        es_wrap(out, es_str_text(&one), (int)indent, style);
        es_str_free(&one);
        line += len + (line[len] == '\n');
    }
    es_str_free(&shown);
}
