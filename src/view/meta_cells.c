// SPDX-License-Identifier: GPL-3.0-or-later
/* A table's file as text: its bytes, lines and cells, and where in it something is wrong. */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "view/meta_inside.h"

enum { LOOK = 1 << 14 }; /* bytes from one look at the watch to the next */

/* ---- what is wrong, and where ---- */

void es_meta_show_path(const es_meta_reading *r, es_str *out)
{
    es_show_name(out, es_str_text(&r->m->path), r->m->path.len);
}

/* "FILE, line 3", "FILE, line 3, column 2 (freq)" */
static void show_place(const es_meta_reading *r, int64_t line, int column, es_str *out)
{
    es_meta_show_path(r, out);
    es_str_add(out, ", line %" PRId64, line + 1);
    if (column < 0)
        return;
    es_str_add(out, ", column %d", column + 1);
    if (!r->header)
        return;
    const uint32_t *cell = r->m->cell;
    es_str_cat(out, " (");
    es_show_name(out, r->m->bytes.s + cell[column], cell[column + 1] - cell[column] - 1);
    es_str_char(out, ')');
}

bool es_meta_fail_at(const es_meta_reading *r, int64_t line, int column, const char *what)
{
    es_str place = {0};
    show_place(r, line, column, &place);
    es_fail(r->err, ES_ERR_FORMAT, "%s: %s", place.s, what);
    es_str_free(&place);
    return false;
}

/* ---- bytes ---- */

static bool is_text(const es_meta_reading *r)
{
    const es_str *b = &r->m->bytes;
    int64_t line = 0;
    for (size_t i = 0, looked = 0; i < b->len;) {
        uint32_t cp = 0;
        int len = es_utf8_next(b->s + i, b->len - i, &cp);
        if (!len || !cp) {
            es_meta_fail_at(r, line, -1,
                            len ? "a byte 0, so this is no text" : "bytes that are no UTF-8");
            return es_hint(r->err, "a table is text in UTF-8: a line a row, a tab between columns");
        }
        line += cp == '\n';
        i += (size_t)len;
        if (i - looked >= LOOK) {
            looked = i;
            if (!es_watch_step(r->watch, i, r->err))
                return false;
        }
    }
    return true;
}

/* A mark of UTF-8 before the text is none of it; all lines end alike. */
static void tidy(es_str *b)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t to = 0, from = b->len >= 3 && !memcmp(b->s, mark, 3) ? 3 : 0;
    for (; from < b->len; from++)
        if (b->s[from] != '\r' || from + 1 == b->len || b->s[from + 1] != '\n')
            b->s[to++] = b->s[from];
    es_str_cut(b, to);
    if (b->len && b->s[b->len - 1] != '\n')
        es_str_char(b, '\n');
}

/* ---- cells ---- */

static size_t line_end(const es_str *b, size_t from)
{
    return (size_t)((const char *)memchr(b->s + from, '\n', b->len - from) - b->s);
}

static int64_t count_tabs(const char *s, size_t n)
{
    int64_t tabs = 0;
    for (size_t i = 0; i < n; i++)
        tabs += s[i] == '\t';
    return tabs;
}

static bool wrong_width(const es_meta_reading *r, int64_t line, int64_t found)
{
    es_str what = {0};
    es_str_add(&what, "%" PRId64 " column%s, where line 1 has %" PRId64, found,
               found == 1 ? "" : "s", r->m->width);
    es_meta_fail_at(r, line, -1, what.s);
    es_str_free(&what);
    return es_hint(r->err, "every line has as many cells as the first, a tab between two of them");
}

/* The cells of one line, whose number is `line`. */
static bool take_line(const es_meta_reading *r, int64_t line, size_t from, size_t to)
{
    es_meta *m = r->m;
    uint32_t *cell = m->cell + line * (m->width + 1);
    int64_t found = 1 + count_tabs(m->bytes.s + from, to - from), k = 0;
    if (found != m->width)
        return wrong_width(r, line, found);
    cell[k++] = (uint32_t)from;
    for (size_t i = from; i < to; i++)
        if (m->bytes.s[i] == '\t')
            cell[k++] = (uint32_t)i + 1;
    cell[k] = (uint32_t)to + 1;
    return true;
}

/* Lines without anything at the end of a table of several columns are none of it. */
static int64_t count_lines(es_str *b, int64_t width)
{
    int64_t n = 0;
    while (width > 1 && b->len > 1 && b->s[b->len - 1] == '\n' && b->s[b->len - 2] == '\n')
        es_str_cut(b, b->len - 1);
    for (size_t i = 0; i < b->len; i++)
        n += b->s[i] == '\n';
    return n;
}

static bool take_lines(const es_meta_reading *r)
{
    es_meta *m = r->m;
    m->width = 1 + count_tabs(m->bytes.s, line_end(&m->bytes, 0));
    if (m->width > ES_META_COLUMNS) {
        es_str what = {0};
        es_str_add(&what, "%" PRId64 " columns, and a table has at most %d", m->width,
                   ES_META_COLUMNS);
        es_meta_fail_at(r, 0, -1, what.s);
        es_str_free(&what);
        return false;
    }
    m->rows = count_lines(&m->bytes, m->width);
    /* each cell has a byte behind it: a file that claims more has a line that is refused before it is taken */
    int64_t most = m->rows * (m->width + 1), there_are = (int64_t)m->bytes.len + m->rows;
    most = most < there_are ? most : there_are;
    m->cell = es_try_alloc((size_t)most, sizeof *m->cell, "the table", r->err);
    if (!m->cell)
        return false;
    size_t from = 0;
    for (int64_t line = 0; line < m->rows; line++) {
        size_t to = line_end(&m->bytes, from);
        if (line % ES_META_ROWS_A_LOOK == 0 && !es_watch_step(r->watch, from, r->err))
            return false;
        if (!take_line(r, line, from, to))
            return false;
        from = to + 1;
    }
    return true;
}

bool es_meta_take_cells(const es_meta_reading *r)
{
    if (!is_text(r))
        return false;
    tidy(&r->m->bytes);
    if (!r->m->bytes.len)
        return es_meta_fail_at(r, 0, -1, "there is nothing in this file");
    return take_lines(r);
}
