// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/narrow.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

enum { GAP = 3, LEAST_NAME = 8 }; /* blanks behind the first column; what is left of it at least */

/* Bytes of a drawn line up to that column, or to its end. */
static size_t bytes_of(const char *line, size_t n, int columns)
{
    size_t at = 0;
    uint32_t cp;
    for (int bytes; at < n && columns > 0; at += (size_t)bytes) {
        bytes = es_utf8_next(line + at, n - at, &cp);
        bytes = bytes ? bytes : 1;
        columns -= line[at] == ES_MARK[0] || line[at] == ES_MARK_END[0] ? 0 : es_char_columns(cp);
    }
    return at;
}

static bool is_blank(const char *line, size_t n, int from, int columns)
{
    size_t begin = bytes_of(line, n, from), end = bytes_of(line, n, from + columns);
    return strspn(line + begin, " ") >= end - begin;
}

static size_t drawn_length(const char *line)
{
    return strcspn(line, "\t\n");
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Where the first column ends, in columns; 0: no blanks go down the whole drawing. */
static int first_column(const char *drawing, int width)
{
    for (int at = 1; at + GAP < width; at++) {
        bool blank = true;
        for (const char *line = drawing; *line && blank; line = next_line(line))
            blank = is_blank(line, drawn_length(line), at, GAP);
        if (blank)
            return at;
    }
    return 0;
}

static int drawn_width(const char *drawing)
{
    int width = 0;
    for (const char *line = drawing; *line; line = next_line(line)) {
        size_t n = drawn_length(line);
        int columns = 0;
        while (bytes_of(line, n, columns) < n)
            columns++;
        width = columns > width ? columns : width;
    }
    return width;
}

void es_narrow_drawing(es_str *out, const char *drawing, int columns, const es_style *style)
{
    int width = drawn_width(drawing), excess = width - columns;
    int name = excess > 0 ? first_column(drawing, width) : 0, left = name - excess;
    if (name == 0 || left < LEAST_NAME) {
        es_str_cat(out, drawing);
        return;
    }
    for (const char *line = drawing; *line; line = next_line(line)) {
        size_t n = strcspn(line, "\n"), head = bytes_of(line, drawn_length(line), name),
               used = head;
        while (used > 0 && line[used - 1] == ' ')
            used--;
        es_cell(out, line, used, left, false, ES_PAINT_NONE, style);
        es_str_bytes(out, line + head, n - head);
        es_str_char(out, '\n');
    }
}
