// SPDX-License-Identifier: GPL-3.0-or-later
/* Errors for a reader: what happened, the typed line with the place marked, the drawing, what to do. */
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/narrow.h"
#include "session/results.h"

enum { INDENT = 4, REMARK_GAP = 8 };

/* ---- the place in what was typed ---- */

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

static void trim(es_str *out)
{
    while (out->len && out->s[out->len - 1] == ' ')
        es_str_cut(out, out->len - 1);
}

/* What is marked: begin to end, and of that op_begin to op_end the operator between two operands, or all. */
typedef struct place {
    size_t begin, op_begin, op_end, end;
} place;

/* One line and its marks; the place is within it.  A window of the line where it is wider than the screen. */
static void show_line(es_str *out, const char *line, size_t len, place p, const es_style *style)
{
    enum { CONTEXT = 12, MOST_AFTER = 400 };
    marked m = {0};
    int room = style->width - INDENT;
    size_t from = scrolled(line, p.op_begin, (room - CONTEXT) / 2);
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

    es_str_fill(out, ' ', INDENT);
    es_cell(out, es_str_text(&m.text), m.text.len, room, false, ES_PAINT_NONE, style);
    trim(out);
    es_str_char(out, '\n');
    es_str_fill(out, ' ', INDENT);
    es_str_cut(&m.marks, least(m.marks.len, (size_t)room));
    trim(&m.marks);
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

static void show_number(es_str *out, const lines *l)
{
    if (l->first < l->last)
        es_str_add(out, "lines %zu-%zu", l->first, l->last);
    else
        es_str_add(out, "line %zu", l->first);
}

static bool place_of(place *p, const es_error *err, size_t len)
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

/* The part of a place that is on the line from `from` to `to`, counted from that line's beginning. */
static place place_on(place p, size_t line, size_t from, size_t to)
{
    size_t *const part[] = {&p.begin, &p.op_begin, &p.op_end, &p.end};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = least(most(*part[i], from), to) - line;
    return p;
}

static void show_place_plain(es_str *out, const place *p, const char *source, const lines *l)
{
    es_str_cat(out, "  in ");
    if (l->several)
        show_number(out, l);
    else
        es_str_cat(out, "the line");
    es_str_cat(out, ": ");
    es_show_brief(out, source + p->begin, p->end - p->begin);
    es_str_char(out, '\n');
}

/* The typed lines that the place is in, each with its marks. */
static void show_place(es_str *out, const es_error *err, const char *source, size_t len,
                       const es_style *style)
{
    enum { MOST_LINES = 4 };
    place p;
    if (!place_of(&p, err, len))
        return;
    lines l = lines_of(source, len, p.begin, p.end);
    if (style->plain) {
        show_place_plain(out, &p, source, &l);
        return;
    }
    if (l.several) {
        es_str_cat(out, "  ");
        show_number(out, &l);
        es_str_cat(out, ":\n");
    }
    size_t at = p.begin;
    while (at > 0 && source[at - 1] != '\n')
        at--;
    for (size_t i = l.first, n; i <= l.last && i < l.first + MOST_LINES; i++, at += n + 1) {
        const char *newline = memchr(source + at, '\n', len - at);
        n = newline ? (size_t)(newline - source) - at : len - at;
        size_t from = at; /* indentation is no part of what is wrong */
        while (i > l.first && from < at + n && source[from] == ' ')
            from++;
        show_line(out, source + at, n, place_on(p, at, from, at + n), style);
    }
}

/* ---- the drawing ---- */

/* One line of a drawing, cut to the width; what stands between marks is bold. */
static void show_drawn(es_str *out, const char *s, size_t n, const es_style *style)
{
    int left = style->width - INDENT;
    bool strong = false;
    es_str_fill(out, ' ', INDENT);
    for (const char *end = s + n; s < end && left > 0; s++) {
        size_t run = least(strcspn(s, ES_MARK ES_MARK_END), (size_t)(end - s));
        int columns = es_columns(s, run);
        if (columns > left)
            columns = left;
        es_cell(out, s, run, columns, false, strong ? ES_PAINT_STRONG : ES_PAINT_NONE, style);
        left -= columns;
        s += run;
        strong = s < end && *s == ES_MARK[0];
    }
    trim(out);
    es_str_char(out, '\n');
}

/* What stands behind the tab of a drawn line: beside it where there is room, else below. */
static void show_remark(es_str *out, const char *s, size_t n, int used, const es_style *style)
{
    es_str remark = {0};
    es_str_bytes(&remark, s, n);
    if (used + REMARK_GAP + es_columns(remark.s, remark.len) <= style->width) {
        es_str_cut(out, out->len - 1);
        es_str_fill(out, ' ', REMARK_GAP);
        es_str_bytes(out, remark.s, remark.len);
        es_str_char(out, '\n');
    } else {
        es_wrap(out, remark.s, INDENT, style);
    }
    es_str_free(&remark);
}

static void show_drawing(es_str *out, const char *whole, const es_style *style)
{
    es_str fitting = {0};
    es_narrow_drawing(&fitting, whole, style->width - INDENT, style);
    const char *drawing = es_str_text(&fitting);
    for (size_t n; *drawing; drawing += n + (drawing[n] == '\n')) {
        n = strcspn(drawing, "\n");
        size_t drawn = least(strcspn(drawing, "\t"), n), old = out->len;
        show_drawn(out, drawing, drawn, style);
        if (drawn + 1 < n)
            show_remark(out, drawing + drawn + 1, n - drawn - 1,
                        es_columns(out->s + old, out->len - old - 1), style);
    }
    es_str_free(&fitting);
}

/* ---- all of it ---- */

static void show_lines(es_str *out, const char *text, const es_style *style)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        es_str one = {0};
        es_str_bytes(&one, text, n);
        es_wrap(out, es_str_text(&one), 2, style);
        es_str_free(&one);
    }
}

void es_show_error(es_str *out, const es_error *err, const char *line, size_t len,
                   const char *where, const es_style *style)
{
    es_str first = {0}, shown = {0};
    if (where)
        es_str_add(&first, "%s: ", where);
    es_str_add(&first, "error[%s]: %s", es_code_name(err->code), err->message);
    es_wrap(&shown, first.s, 0, style);
    if (style->colour && !where) { /* the word error alone is painted: it says enough */
        es_paint_text(out, ES_PAINT_ERROR, "error", style);
        es_str_cat(out, shown.s + 5);
    } else {
        es_str_cat(out, shown.s);
    }
    show_place(out, err, line, len, style);
    if (style->plain && err->words)
        show_lines(out, err->words, style);
    else if (!style->plain && err->drawing)
        show_drawing(out, err->drawing, style);
    if (err->hint)
        show_lines(out, err->hint, style);
    if (err->torch) {
        es_str torch = {0};
        es_str_add(&torch, "PyTorch says: %s", err->torch);
        es_wrap(out, torch.s, 2, style);
        es_str_free(&torch);
    }
    es_str_free(&first);
    es_str_free(&shown);
}
