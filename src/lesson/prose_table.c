// SPDX-License-Identifier: GPL-3.0-or-later
/* Tables of Markdown for a terminal: columns whose cells flow; where the screen is too narrow for columns, and in plain
 * style, a line "name: value" a cell. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "lesson/prose_inside.h"

enum { GAP = 2, LEAST = 4, LONG_WORD = 16 };

void es_prose_table_add(es_prose_table *t, es_runs *runs, const es_prose_event *e)
{
    if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 16;
        t->cell = es_realloc(t->cell, t->cap * sizeof *t->cell);
    }
    t->cell[t->n++] = (es_prose_cell){.runs = *runs, .align = e->align, .head = e->head};
    *runs = (es_runs){0};
    t->n_columns += e->head;
}

/* ---- widths ---- */

static int columns_of(const es_runs *r)
{
    return es_columns(es_str_text(&r->text), r->text.len);
}

/* Of the longest word, within reason. */
static int least_columns(const es_runs *r)
{
    int least = LEAST;
    const char *s = es_str_text(&r->text);
    for (size_t n; *s; s += n + (s[n] == ' ')) {
        n = strcspn(s, " ");
        int wide = es_columns(s, n);
        least = wide > least ? wide : least;
    }
    return least < LONG_WORD ? least : LONG_WORD;
}

/* How wide each column is drawn; false: they do not fit side by side. */
static bool measure(const es_prose_table *t, int columns, int *wide, int *least)
{
    int total = GAP * ((int)t->n_columns - 1);
    for (size_t i = 0; i < t->n; i++) {
        size_t c = i % t->n_columns;
        int w = columns_of(&t->cell[i].runs), l = least_columns(&t->cell[i].runs);
        wide[c] = w > wide[c] ? w : wide[c];
        least[c] = l > least[c] ? l : least[c];
    }
    for (size_t c = 0; c < t->n_columns; c++)
        total += wide[c];
    for (; total > columns; total--) { /* a column less of the widest that has one to give */
        size_t widest = t->n_columns;
        for (size_t c = 0; c < t->n_columns; c++)
            if (wide[c] > least[c] && (widest == t->n_columns || wide[c] > wide[widest]))
                widest = c;
        if (widest == t->n_columns)
            return false;
        wide[widest]--;
    }
    return true;
}

/* ---- side by side ---- */

static void trim(es_str *out)
{
    size_t n = out->len;
    while (n && out->s[n - 1] == ' ')
        n--;
    es_str_cut(out, n);
}

static void put_cell_line(es_str *out, const es_prose_cell *cell, es_runs_line line, int wide,
                          const es_style *style)
{
    int pad = wide > line.columns ? wide - line.columns : 0;
    int before = cell->align == 'r' ? pad : cell->align == 'c' ? pad / 2 : 0;
    es_str_fill(out, ' ', (size_t)before);
    es_runs_put(out, &cell->runs, line, style);
    es_str_fill(out, ' ', (size_t)(pad - before));
}

/* Returns how many lines it took. */
static size_t put_row(const es_prose_table *t, size_t row, const int *wide, es_str *out,
                      const es_style *style)
{
    const es_prose_cell *cell = t->cell + row * t->n_columns;
    es_runs_lines *lines = es_alloc_array(t->n_columns, sizeof *lines);
    size_t most = 1;
    for (size_t c = 0; c < t->n_columns; c++) {
        lines[c] = es_runs_break(&cell[c].runs, wide[c]);
        most = lines[c].n > most ? lines[c].n : most;
    }
    for (size_t i = 0; i < most; i++) {
        for (size_t c = 0; c < t->n_columns; c++) {
            es_str_fill(out, ' ', c ? GAP : 0);
            put_cell_line(out, &cell[c], i < lines[c].n ? lines[c].of[i] : (es_runs_line){0},
                          wide[c], style);
        }
        trim(out);
        es_str_char(out, '\n');
    }
    for (size_t c = 0; c < t->n_columns; c++)
        free(lines[c].of);
    free(lines);
    return most;
}

/* Rows of several lines have a blank line between them. */
static bool is_tall(const es_prose_table *t, const int *wide)
{
    for (size_t i = t->n_columns; i < t->n; i++)
        if (columns_of(&t->cell[i].runs) > wide[i % t->n_columns])
            return true;
    return false;
}

static void put_rows(const es_prose_table *t, const int *wide, es_str *out, const es_style *style)
{
    bool tall = is_tall(t, wide);
    put_row(t, 0, wide, out, style);
    for (size_t c = 0; c < t->n_columns; c++) {
        es_str_fill(out, ' ', c ? GAP : 0);
        for (int i = 0; i < wide[c]; i++)
            es_str_cat(out, "─");
    }
    es_str_char(out, '\n');
    for (size_t row = 1; row < t->n / t->n_columns; row++) {
        if (tall && row > 1)
            es_str_char(out, '\n');
        put_row(t, row, wide, out, style);
    }
}

/* ---- one below the other ---- */

/* "name: value", what goes on below is indented. */
static void put_pair(const es_prose_cell *name, const es_prose_cell *value, int columns,
                     es_str *out, const es_style *style)
{
    enum { INDENT = 2 };
    es_runs pair = {0};
    es_str_bytes(&pair.text, es_str_text(&name->runs.text), name->runs.text.len);
    es_str_bytes(&pair.look, es_str_text(&name->runs.look), name->runs.look.len);
    if (pair.text.len)
        es_runs_add(&pair, ": ", 2, 0);
    es_str_bytes(&pair.text, es_str_text(&value->runs.text), value->runs.text.len);
    es_str_bytes(&pair.look, es_str_text(&value->runs.look), value->runs.look.len);
    es_runs_lines lines = es_runs_break(&pair, columns - INDENT);
    for (size_t i = 0; i < lines.n; i++) {
        es_str_fill(out, ' ', i ? INDENT : 0);
        es_runs_put(out, &pair, lines.of[i], style);
        es_str_char(out, '\n');
    }
    free(lines.of);
    es_runs_free(&pair);
}

static void put_pairs(const es_prose_table *t, int columns, es_str *out, const es_style *style)
{
    for (size_t i = t->n_columns; i < t->n; i++) {
        size_t c = i % t->n_columns;
        if (!c && i > t->n_columns)
            es_str_char(out, '\n');
        if (t->cell[i].runs.text.len)
            put_pair(&t->cell[c], &t->cell[i], columns, out, style);
    }
}

void es_prose_table_end(es_prose_table *t, es_str *out, int columns, const es_style *style)
{
    if (t->n_columns) {
        assert(t->n % t->n_columns == 0);
        int *wide = es_alloc_array(2 * t->n_columns, sizeof *wide);
        bool fits = measure(t, columns, wide, wide + t->n_columns);
        if (fits && !style->plain)
            put_rows(t, wide, out, style);
        else
            put_pairs(t, columns, out, style);
        free(wide);
    }
    for (size_t i = 0; i < t->n; i++)
        es_runs_free(&t->cell[i].runs);
    free(t->cell);
    *t = (es_prose_table){0};
}
