// SPDX-License-Identifier: GPL-3.0-or-later
/* Text with looks, and how it is broken into lines. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "lesson/prose_inside.h"

enum { SHORT_CODE = 30 }; /* columns: such a code span stands on one line */

/* ---- gathering ---- */

static void add_plain(es_runs *r, const char *bytes, size_t n, int look)
{
    es_str_bytes(&r->text, bytes, n);
    es_str_fill(&r->look, (char)look, n);
}

static void add_escaped(es_runs *r, const char *bytes, size_t n, int look)
{
    size_t before = r->text.len;
    es_show_prose(&r->text, bytes, n);
    es_str_fill(&r->look, (char)look, r->text.len - before);
}

void es_runs_add(es_runs *r, const char *bytes, size_t n, int look)
{
    for (size_t i = 0, len; i < n; i += len) {
        uint32_t cp = 0;
        int utf8 = es_utf8_next(bytes + i, n - i, &cp);
        len = utf8 ? (size_t)utf8 : 1;
        if (utf8 && es_char_visible(cp))
            add_plain(r, bytes + i, len, look);
        else if (utf8 && (cp == '\t' || cp == '\n'))
            add_plain(r, " ", 1, look);
        else if (utf8 && es_prose_hard_space(cp))
            add_plain(r, " ", 1, look | ES_LOOK_HARD);
        else
            add_escaped(r, bytes + i, len, look);
    }
}

void es_runs_forget(es_runs *r)
{
    es_str_cut(&r->text, 0);
    es_str_cut(&r->look, 0);
}

void es_runs_free(es_runs *r)
{
    es_str_free(&r->text);
    es_str_free(&r->look);
}

/* ---- spans ---- */

static int look_of(const es_inline *in)
{
    return (in->strong ? ES_LOOK_STRONG : 0) | (in->em ? ES_LOOK_EM : 0) |
           (in->code ? ES_LOOK_CODE : 0);
}

static void mark(es_inline *in, const char *sign)
{
    if (in->marks)
        add_plain(&in->runs, sign, 1, look_of(in));
}

/* No line ends within a short one. */
static void end_code(es_inline *in)
{
    es_runs *r = &in->runs;
    size_t n = r->text.len - in->code_begin;
    if (n > 4 * SHORT_CODE || es_columns(r->text.s + in->code_begin, n) > SHORT_CODE)
        return;
    for (size_t i = in->code_begin; i < r->text.len; i++)
        r->look.s[i] |= ES_LOOK_HARD;
}

/* The address of a link behind its text, unless it is its text. */
static void end_link(es_inline *in, const es_prose_event *e)
{
    static const char mailto[] = "mailto:";
    es_runs address = {0};
    size_t n = in->runs.text.len - in->link_begin, skip = 0;
    es_runs_add(&address, e->text, e->n, look_of(in));
    if (e->n >= strlen(mailto) && !memcmp(e->text, mailto, strlen(mailto)))
        skip = strlen(mailto);
    bool same = n == address.text.len - skip &&
                (!n || !memcmp(in->runs.text.s + in->link_begin, address.text.s + skip, n));
    if (address.text.len && !same) {
        add_plain(&in->runs, " (", n ? 2 : 0, look_of(in));
        add_plain(&in->runs, address.text.s, address.text.len, look_of(in));
        add_plain(&in->runs, ")", n ? 1 : 0, look_of(in));
    }
    es_runs_free(&address);
}

/* A mark has the look of what it encloses. */
static void span(es_inline *in, int *open, bool enter, const char *sign)
{
    if (!enter)
        mark(in, sign);
    *open += enter ? 1 : -1;
    if (enter)
        mark(in, sign);
}

/* Where code has no marks, the space that it begins with is shown as in tokens. */
static void add_text(es_inline *in, const es_prose_event *e)
{
    bool space = in->code && !in->marks && in->runs.text.len == in->code_begin && e->n > 1 &&
                 e->text[0] == ' ' && e->text[1] != ' ';
    if (space)
        add_plain(&in->runs, "␣", strlen("␣"), look_of(in));
    es_runs_add(&in->runs, e->text + space, e->n - space, look_of(in));
}

void es_inline_event(es_inline *in, const es_prose_event *e)
{
    switch (e->kind) {
    case ES_PROSE_EM: span(in, &in->em, e->enter, "_"); break;
    case ES_PROSE_STRONG: span(in, &in->strong, e->enter, "*"); break;
    case ES_PROSE_CODE:
        in->code_begin = e->enter ? in->runs.text.len : in->code_begin;
        span(in, &in->code, e->enter, "`");
        if (!e->enter)
            end_code(in);
        break;
    case ES_PROSE_LINK:
        if (e->enter)
            in->link_begin = in->runs.text.len;
        else
            end_link(in, e);
        break;
    case ES_PROSE_TEXT: add_text(in, e); break;
    case ES_PROSE_BREAK: add_plain(&in->runs, "\n", 1, 0); break;
    default: break;
    }
}

void es_inline_forget(es_inline *in)
{
    es_runs_forget(&in->runs);
    in->strong = in->em = in->code = 0;
}

/* ---- breaking ---- */

static void add_line(es_runs_lines *lines, size_t *cap, const es_runs *r, size_t begin, size_t end)
{
    while (end > begin && r->text.s[end - 1] == ' ')
        end--;
    if (lines->n == *cap) {
        *cap = *cap ? 2 * *cap : 8;
        lines->of = es_realloc(lines->of, *cap * sizeof *lines->of);
    }
    int columns = end > begin ? es_columns(r->text.s + begin, end - begin) : 0;
    lines->of[lines->n++] = (es_runs_line){begin, end, columns};
}

static bool is_gap(const es_runs *r, size_t i)
{
    return r->text.s[i] == ' ' && !(r->look.s[i] & ES_LOOK_HARD);
}

/* Where a line that begins there ends: behind what fits, if possible at a gap or beside a wide character (Chinese has no
 * spaces).  At least one character. */
static size_t line_end(const es_runs *r, size_t begin, int columns)
{
    size_t good = 0, i = begin;
    bool words = false; /* is there more than spaces? */
    for (int used = 0; i < r->text.len && r->text.s[i] != '\n';) {
        uint32_t cp = 0;
        int len = es_utf8_next(r->text.s + i, r->text.len - i, &cp);
        int wide = len ? es_char_columns(cp) : 1;
        bool gap = is_gap(r, i);
        if (words && (gap || wide == 2))
            good = i;
        if (used + wide > columns && !gap)
            return good > begin ? good : i > begin ? i : i + (size_t)(len ? len : 1);
        words = words || !gap;
        used += wide;
        i += len ? (size_t)len : 1;
        if (wide == 2 && i < r->text.len && used <= columns) {
            int next = es_utf8_next(r->text.s + i, r->text.len - i, &cp);
            good = next && es_char_columns(cp) > 0 ? i : good;
        }
    }
    return i;
}

es_runs_lines es_runs_break(const es_runs *r, int columns)
{
    es_runs_lines lines = {0};
    size_t cap = 0;
    for (size_t i = 0; i < r->text.len;) {
        size_t end = line_end(r, i, columns);
        add_line(&lines, &cap, r, i, end);
        i = end;
        while (i < r->text.len && is_gap(r, i))
            i++;
        i += i < r->text.len && r->text.s[i] == '\n';
    }
    return lines;
}

/* ---- printing ---- */

/* What is code is shown as code wherever it stands. */
static es_paint paint_of(char look)
{
    return look & ES_LOOK_CODE     ? ES_PAINT_CODE
           : look & ES_LOOK_STRONG ? ES_PAINT_STRONG
           : look & ES_LOOK_EM     ? ES_PAINT_EMPHASIS
                                   : ES_PAINT_NONE;
}

void es_runs_put(es_str *out, const es_runs *r, es_runs_line line, const es_style *style)
{
    for (size_t i = line.begin, end; i < line.end; i = end) {
        es_paint paint = paint_of(r->look.s[i]);
        for (end = i + 1; end < line.end && paint_of(r->look.s[end]) == paint;)
            end++;
        int columns = es_columns(r->text.s + i, end - i);
        es_cell(out, r->text.s + i, end - i, columns, false, paint, style);
    }
}
