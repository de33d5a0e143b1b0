// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/show_place.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"

/* ---- a line and its marks ---- */

/* A line of the source and, under it, what is marked of it. */
typedef struct marked {
    es_str text, marks;
} marked;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The next bytes of the line, with `mark` under them; under an operand (~) not at its blank ends. */
static void put_marked(marked *m, const char *bytes, size_t n, char mark)
{
    size_t old = m->text.len, first = 0, last = n;
    es_show_prose(&m->text, bytes, n);
    size_t columns = (size_t)es_columns(es_str_text(&m->text) + old, m->text.len - old);
    while (mark == '~' && first < n && bytes[first] == ' ')
        first++;
    while (mark == '~' && last > first && bytes[last - 1] == ' ')
        last--;
    es_str_fill(&m->marks, ' ', first);
    es_str_fill(&m->marks, mark, columns - (first + n - last));
    es_str_fill(&m->marks, ' ', n - last);
}

static bool fits(const char *line, size_t len, int columns)
{
    es_str prose = {0};
    if (len > 8 * (size_t)columns)
        return false;
    es_show_prose(&prose, line, len);
    bool fits = es_columns(es_str_text(&prose), prose.len) <= columns;
    es_str_free(&prose);
    return fits;
}

/* Where a line must begin so that what stands at `focus` is within `columns`. */
static size_t scrolled(const char *line, size_t focus, int columns)
{
    es_str before = {0};
    size_t from = 0, far = 8 * (size_t)columns;
    if (focus > far) /* no need to look at the far beginning of a long line */
        from = focus - far;
    while (from > 0 && from < focus && ((unsigned char)line[from] & 0xC0) == 0x80)
        from++;
    for (; from < focus; from++) {
        es_str_cut(&before, 0);
        es_show_prose(&before, line + from, focus - from);
        if (es_columns(es_str_text(&before), before.len) + (from > 0) <= columns)
            break; /* with a … before it */
    }
    es_str_free(&before);
    return from;
}

static void paint_marks(es_str *out, const es_str *marks, const es_style *style)
{
    const char *s = es_str_text(marks);
    for (size_t n; *s; s += n) {
        es_str run = {0};
        n = *s == ' ' ? strspn(s, " ") : strcspn(s, " ");
        es_str_bytes(&run, s, n);
        es_paint_text(out, *s == ' ' ? ES_PAINT_NONE : ES_PAINT_ERROR, run.s, style);
        es_str_free(&run);
    }
}

/* What is marked: begin to end, and of that op_begin to op_end the operator between two operands, or all. */
typedef struct place {
    size_t begin, op_begin, op_end, end;
} place;

/* The line as it is shown, with its marks; a window of `room` columns where it is wider than that. */
static marked mark(const char *line, size_t len, place p, int room)
{
    enum { CONTEXT = 12, MOST_AFTER = 400 };
    marked m = {0};
    size_t from = fits(line, len, room) ? 0 : scrolled(line, p.op_begin, (room - CONTEXT) / 2);
    if (from > 0) {
        es_str_cat(&m.text, "…");
        es_str_cat(&m.marks, " ");
    }
    put_marked(&m, line + from, most(p.begin, from) - from, ' ');
    p.begin = most(p.begin, from);
    put_marked(&m, line + p.begin, p.op_begin - p.begin, '~');
    put_marked(&m, line + p.op_begin, p.op_end - p.op_begin, '^');
    if (p.begin == p.end) /* a place between two characters, or at the end */
        es_str_char(&m.marks, '^');
    put_marked(&m, line + p.op_end, p.end - p.op_end, '~');
    put_marked(&m, line + p.end, least(len - p.end, MOST_AFTER), ' ');
    return m;
}

/* One line and its marks, behind what out holds of that line already. */
static void show_line(es_str *out, const char *line, size_t len, place p, int indent,
                      const es_style *style)
{
    int room = style->width - indent;
    marked m = mark(line, len, p, room);
    es_cell(out, es_str_text(&m.text), m.text.len, room, false, ES_PAINT_NONE, style);
    es_trim(out);
    es_str_char(out, '\n');
    es_str_fill(out, ' ', (size_t)indent);
    es_str_cut(&m.marks, least(m.marks.len, (size_t)room));
    es_trim(&m.marks);
    paint_marks(out, &m.marks, style);
    es_str_char(out, '\n');
    es_str_free(&m.text);
    es_str_free(&m.marks);
}

/* A source of several lines: which of them a place is in. */
typedef struct lines {
    bool several;
    size_t first, last; /* numbers, from 1 */
} lines;

static lines lines_of(const char *source, size_t len, size_t begin, size_t end)
{
    lines l = {.first = 1, .last = 1};
    size_t used = len;
    while (used > 0 && strchr(" \t\r\n", source[used - 1]))
        used--;
    for (size_t i = 0; i < used; i++) {
        l.several = l.several || source[i] == '\n';
        l.first += i < begin && source[i] == '\n';
        l.last += source[i] == '\n' && i + 1 < end;
    }
    l.last = most(l.last, l.first);
    return l;
}

static void put_number(es_str *out, const lines *l, int64_t before)
{
    if (l->first < l->last)
        es_str_add(out, "lines %" PRId64 "-%" PRId64, before + (int64_t)l->first,
                   before + (int64_t)l->last);
    else
        es_str_add(out, "line %" PRId64, before + (int64_t)l->first);
}

/* The part of a place that is on the line from `from` to `to`, counted from that line's beginning. */
static place place_on(place p, size_t line, size_t from, size_t to)
{
    size_t *const part[] = {&p.begin, &p.op_begin, &p.op_end, &p.end};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = least(most(*part[i], from), to) - line;
    return p;
}

/* The lines of a source that a place is on, each with its marks. */
static void show_marked(es_str *out, const char *source, size_t len, const place *p, const lines *l,
                        const es_style *style)
{
    enum { MOST_LINES = 4 };
    size_t at = p->begin;
    while (at > 0 && source[at - 1] != '\n')
        at--;
    for (size_t i = l->first, n; i <= l->last && i < l->first + MOST_LINES; i++, at += n + 1) {
        const char *newline = memchr(source + at, '\n', len - at);
        n = newline ? (size_t)(newline - source) - at : len - at;
        size_t from = at; /* indentation is no part of what is wrong */
        while (i > l->first && from < at + n && source[from] == ' ')
            from++;
        es_str_fill(out, ' ', ES_PLACE_INDENT);
        show_line(out, source + at, n, place_on(*p, at, from, at + n), ES_PLACE_INDENT, style);
    }
}

static void show_part(es_str *out, const char *source, const place *p)
{
    es_str_cat(out, ": ");
    es_show_brief(out, source + p->begin, p->end - p->begin);
    es_str_char(out, '\n');
}

/* ---- in what was typed ---- */

static bool typed_place(place *p, const es_error *err, size_t len)
{
    if (err->begin < 0 || err->end < err->begin || (size_t)err->end > len || len == 0)
        return false;
    *p = (place){(size_t)err->begin, (size_t)err->begin, (size_t)err->end, (size_t)err->end};
    if (err->op_begin >= err->begin && err->op_end <= err->end && err->op_begin < err->op_end) {
        p->op_begin = (size_t)err->op_begin;
        p->op_end = (size_t)err->op_end;
    }
    return true;
}

static void show_typed(es_str *out, const es_error *err, const char *source, size_t len,
                       const es_style *style)
{
    place p;
    if (!typed_place(&p, err, len))
        return;
    lines l = lines_of(source, len, p.begin, p.end);
    if (style->plain) {
        es_str_cat(out, "  in ");
        if (l.several)
            put_number(out, &l, 0);
        else
            es_str_cat(out, "the line");
        show_part(out, source, &p);
        return;
    }
    if (l.several) {
        es_str_cat(out, "  ");
        put_number(out, &l, 0);
        es_str_cat(out, ":\n");
    }
    show_marked(out, source, len, &p, &l, style);
}

/* ---- in functions ---- */

static place inner_place(const es_place *of)
{
    place p = {(size_t)of->begin, (size_t)of->begin, (size_t)of->end, (size_t)of->end};
    if (of->op_begin < of->op_end) {
        p.op_begin = (size_t)of->op_begin;
        p.op_end = (size_t)of->op_end;
    }
    return p;
}

/* "in forward, line 26", "in forward, net.py:29, 3 times in a row". */
static void put_function(es_str *out, const es_place *of, const lines *l)
{
    es_str_cat(out, "in ");
    es_show_prose(out, of->function, strlen(of->function));
    es_str_cat(out, ", ");
    if (of->file) {
        es_show_prose(out, of->file, strlen(of->file));
        es_str_add(out, ":%" PRId64, of->line);
    } else {
        put_number(out, l, of->line - (int64_t)l->first);
    }
    if (of->times > 1)
        es_str_add(out, ", %" PRId64 " times in a row", of->times);
}

/* On one line with its source where that fits, else above it. */
static void show_inner(es_str *out, const es_place *of, const es_style *style)
{
    size_t len = strlen(of->source);
    place p = inner_place(of);
    lines l = lines_of(of->source, len, p.begin, p.end);
    es_str label = {0};
    put_function(&label, of, &l);
    int indent = 2 + es_columns(label.s, label.len) + 2;
    bool beside = !l.several && fits(of->source, len, style->width - indent);
    if (style->plain) {
        es_str_add(out, "  %s", label.s);
        show_part(out, of->source, &p);
    } else if (beside) {
        es_str_add(out, "  %s: ", label.s);
        show_line(out, of->source, len, p, indent, style);
    } else {
        es_str_char(&label, ':');
        es_wrap(out, label.s, 2, style);
        show_marked(out, of->source, len, &p, &l, style);
    }
    es_str_free(&label);
}

void es_show_places(es_str *out, const es_error *err, const char *line, size_t len,
                    const es_style *style)
{
    show_typed(out, err, line, len, style);
    for (int i = err->n_within - 1; i >= 0; i--) {
        const es_place *of = &err->within[i];
        show_inner(out, of, style);
        if (of->left_out)
            es_str_add(out, "  and %" PRId64 " more call%s, then\n", of->left_out,
                       of->left_out == 1 ? "" : "s");
    }
}
