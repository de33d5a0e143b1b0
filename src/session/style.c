// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/style.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"

/* Backgrounds come with their own black, so that they read on dark and on light terminals. */
static const char *const sgr[] = {
    [ES_PAINT_NONE] = "",
    [ES_PAINT_EVEN] = "30;48;5;153",
    [ES_PAINT_ODD] = "30;48;5;223",
    [ES_PAINT_POSITIVE] = "38;5;208",
    [ES_PAINT_NEGATIVE] = "38;5;33",
    [ES_PAINT_STRONG] = "1",
    [ES_PAINT_FAINT] = "2",
    [ES_PAINT_ERROR] = "1;31",
    [ES_PAINT_CODE] = "38;5;30",
    [ES_PAINT_EMPHASIS] = "4",
};

/* The same for a projector, which washes out what is soft or faint. */
static const char *const strong_sgr[] = {
    [ES_PAINT_NONE] = "",
    [ES_PAINT_EVEN] = "1;30;48;5;51",
    [ES_PAINT_ODD] = "1;30;48;5;226",
    [ES_PAINT_POSITIVE] = "1;38;5;202",
    [ES_PAINT_NEGATIVE] = "1;38;5;27",
    [ES_PAINT_STRONG] = "1;4",
    [ES_PAINT_FAINT] = "0",
    [ES_PAINT_ERROR] = "1;97;41",
    [ES_PAINT_CODE] = "1;38;5;30",
    [ES_PAINT_EMPHASIS] = "4",
};

static void begin_paint(es_str *out, es_paint paint, const es_style *style)
{
    if (style->colour && paint != ES_PAINT_NONE)
        es_str_add(out, "\x1b[%sm", style->big ? strong_sgr[paint] : sgr[paint]);
}

static void end_paint(es_str *out, es_paint paint, const es_style *style)
{
    if (style->colour && paint != ES_PAINT_NONE)
        es_str_cat(out, "\x1b[0m");
}

void es_paint_text(es_str *out, es_paint paint, const char *text, const es_style *style)
{
    begin_paint(out, paint, style);
    es_str_cat(out, text);
    end_paint(out, paint, style);
}

void es_style_token(es_str *out, const char *bytes, size_t n, const es_style *style)
{
    if (style->quoted)
        es_show_quoted(out, bytes, n);
    else
        es_show_token(out, bytes, n);
}

static const char first_strong_isolate[] = "\u2068", pop_isolate[] = "\u2069";

/* The part of a word from its first to its last letter that is written from right to left. */
static void rtl_span(const char *word, size_t n, size_t *begin, size_t *end)
{
    *begin = *end = n;
    for (size_t i = 0; i < n;) {
        uint32_t cp = 0;
        int utf8 = es_utf8_next(word + i, n - i, &cp);
        size_t len = utf8 ? (size_t)utf8 : 1;
        if (utf8 && es_char_rtl(cp)) {
            *begin = *begin == n ? i : *begin;
            *end = i + len;
        }
        i += len;
    }
}

/* At most `columns` columns of text.  Where a terminal would reorder what stands around letters
 * written from right to left (numbers above all), those of each word are isolated. */
static void put(es_str *out, const char *text, size_t n, int columns, bool isolate)
{
    es_str fitted = {0};
    es_show_fit(&fitted, text, n, columns);
    for (size_t i = 0, len; i < fitted.len; i += len) {
        const char *word = fitted.s + i;
        size_t begin, end;
        len = word[0] == ' ' ? strspn(word, " ") : strcspn(word, " ");
        rtl_span(word, isolate ? len : 0, &begin, &end);
        es_str_bytes(out, word, begin);
        if (begin < end) {
            es_str_cat(out, first_strong_isolate);
            es_str_bytes(out, word + begin, end - begin);
            es_str_cat(out, pop_isolate);
        }
        es_str_bytes(out, word + end, len - end);
    }
    es_str_free(&fitted);
}

/* How much of text goes on a line of that many columns: up to a space if there is one, else as many
 * characters as fit. */
static size_t line_of(const char *text, size_t n, int columns)
{
    enum { MOST_BYTES = 64 }; /* of one column: more is no line, and not measured again and again */
    size_t space = 0, i = 0;
    if (n / MOST_BYTES <= (size_t)columns && es_columns(text, n) <= columns)
        return n;
    for (int used = 0; i < n;) {
        uint32_t cp = 0;
        int len = es_utf8_next(text + i, n - i, &cp);
        used += len ? es_char_columns(cp) : 1;
        if (used > columns)
            break;
        space = text[i] == ' ' ? i : space;
        i += len ? (size_t)len : 1;
    }
    return space ? space : i ? i : n;
}

/* ---- lines that flow ---- */

es_flow es_flow_start(es_str *out, const char *gap, const es_style *style)
{
    return (es_flow){.out = out, .gap = gap, .width = style->width, .isolate = style->isolate};
}

static int columns_of(const es_str *s)
{
    return es_columns(es_str_text(s), s->len);
}

/* Put one piece on the line, or on the next if it does not fit. */
static void flow(es_flow *f, const char *text, size_t n, const char *gap)
{
    int wide = es_columns(text, n), gap_wide = es_columns(gap, strlen(gap));
    if (f->used && f->used + gap_wide + wide > f->width) {
        es_str_char(f->out, '\n');
        f->used = 0;
    } else if (f->used) {
        es_str_cat(f->out, gap);
        f->used += gap_wide;
    }
    put(f->out, text, n, f->width - f->used, f->isolate);
    f->used += wide;
}

void es_flow_item(es_flow *f, const char *fmt, ...)
{
    es_str item = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&item, fmt, ap);
    va_end(ap);

    if (columns_of(&item) <= f->width) {
        flow(f, es_str_text(&item), item.len, f->gap);
        es_str_free(&item);
        return;
    }
    const char *gap = f->gap; /* wider than a line: word by word */
    for (const char *word = es_str_text(&item); *word; gap = " ") {
        size_t n = strcspn(word, " ");
        flow(f, word, n, gap);
        word += n + (word[n] == ' ');
    }
    es_str_free(&item);
}

void es_flow_end(es_flow *f)
{
    es_str_char(f->out, '\n');
    f->used = 0;
}

/* Spaces at the end of a line help nobody. */
static void trim(es_str *out)
{
    size_t n = out->len;
    while (n && out->s[n - 1] == ' ')
        n--;
    es_str_cut(out, n);
}

void es_wrap(es_str *out, const char *prose, int indent, const es_style *style)
{
    int used = 0;
    for (size_t n; *prose; prose += n + (prose[n] == ' ')) {
        n = strcspn(prose, " ");
        if (used && used + 1 + es_columns(prose, n) > style->width) {
            trim(out);
            es_str_char(out, '\n');
            used = 0;
        }
        es_str_fill(out, ' ', used ? 1 : (size_t)indent);
        used += used ? 1 : indent;
        for (size_t part; n; prose += part, n -= part) { /* a word longer than a line is broken */
            part = line_of(prose, n, style->width - used);
            put(out, prose, part, style->width - used, style->isolate);
            used += es_columns(prose, part);
            if (part < n) {
                es_str_char(out, '\n');
                es_str_fill(out, ' ', (size_t)indent);
                used = indent;
            }
        }
    }
    es_str_char(out, '\n');
}

/* ---- grids ---- */

es_str *es_grid_cell(es_grid *g, es_paint paint)
{
    if (g->n == g->cap) {
        g->cap = g->cap ? 2 * g->cap : 64;
        g->cell = es_realloc(g->cell, g->cap * sizeof *g->cell);
    }
    g->cell[g->n] = (struct es_grid_cell){.paint = paint};
    return &g->cell[g->n++].text;
}

void es_grid_text(es_grid *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(es_grid_cell(g, ES_PAINT_NONE), fmt, ap);
    va_end(ap);
}

static void measure(const es_grid *g, int *wide, size_t n_columns)
{
    for (size_t i = 0; i < g->n; i++) {
        int w = columns_of(&g->cell[i].text);
        if (w > wide[i % n_columns])
            wide[i % n_columns] = w;
    }
}

/* Take what is too much from the widest flexible columns, down to a few characters each. */
static void squeeze(int *wide, const char *align, size_t n_columns, int excess)
{
    enum { LEAST = 6 };
    while (excess > 0) {
        size_t widest = n_columns;
        for (size_t c = 0; c < n_columns; c++)
            if ((align[c] == 'f' || align[c] == 'w') && wide[c] > LEAST &&
                (widest == n_columns || wide[c] > wide[widest]))
                widest = c;
        if (widest == n_columns)
            return;
        wide[widest]--;
        excess--;
    }
}

void es_cell(es_str *out, const char *text, size_t n, int columns, bool right, es_paint paint,
             const es_style *style)
{
    es_str fitted = {0};
    es_show_fit(&fitted, text, n, columns);
    int pad = columns > columns_of(&fitted) ? columns - columns_of(&fitted) : 0;
    if (right)
        es_str_fill(out, ' ', (size_t)pad);
    begin_paint(out, paint, style);
    put(out, es_str_text(&fitted), fitted.len, columns, style->isolate);
    end_paint(out, paint, style);
    if (!right)
        es_str_fill(out, ' ', (size_t)pad);
    es_str_free(&fitted);
}

/* The text of a last cell, over as many lines as it needs. */
static void wrapped_cell(es_str *out, const char *text, size_t n, int left, int columns,
                         const es_style *style)
{
    for (size_t len; n; text += len, n -= len) {
        len = line_of(text, n, columns);
        es_cell(out, text, len, columns, false, ES_PAINT_NONE, style);
        if (len < n) {
            len += text[len] == ' ';
            trim(out);
            es_str_char(out, '\n');
            es_str_fill(out, ' ', (size_t)left);
        }
    }
}

void es_grid_end(es_grid *g, es_str *out, int indent, int gap, const es_style *style)
{
    size_t n_columns = strlen(g->align);
    assert(n_columns > 0);
    int *wide = es_alloc_array(n_columns, sizeof *wide);
    measure(g, wide, n_columns);
    int total = indent + gap * ((int)n_columns - 1);
    for (size_t c = 0; c < n_columns; c++)
        total += wide[c];
    squeeze(wide, g->align, n_columns, total - style->width);
    int left = indent + gap * ((int)n_columns - 1); /* where the last column begins */
    for (size_t c = 0; c + 1 < n_columns; c++)
        left += wide[c];

    for (size_t i = 0; i < g->n; i++) {
        size_t c = i % n_columns;
        es_str *text = &g->cell[i].text;
        es_str_fill(out, ' ', (size_t)(c ? gap : indent));
        if (g->align[c] == 'w')
            wrapped_cell(out, es_str_text(text), text->len, left, wide[c], style);
        else
            es_cell(out, es_str_text(text), text->len, wide[c], g->align[c] == 'r',
                    g->cell[i].paint, style);
        if (c == n_columns - 1) {
            trim(out);
            es_str_char(out, '\n');
        }
        es_str_free(text);
    }
    free(wide);
    free(g->cell);
    *g = (es_grid){.align = g->align};
}

/* ---- bars ---- */

void es_bars(es_str *out, const float *value, int n, float scale, const es_style *style)
{
    static const char *const bar[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    es_paint now = ES_PAINT_NONE;
    for (int i = 0; i < n; i++) {
        float v = scale > 0 ? value[i] / scale : 0;
        float part = isnan(v) ? 0 : fmaxf(-1, fminf(1, v));
        int level = 3 + (int)lroundf(part > 0 ? 4 * part : 3 * part);
        es_paint want = level == 3  ? ES_PAINT_NONE
                        : level > 3 ? ES_PAINT_POSITIVE
                                    : ES_PAINT_NEGATIVE;
        if (want != now) {
            end_paint(out, now, style);
            begin_paint(out, want, style);
            now = want;
        }
        es_str_cat(out, isnan(v) ? "?" : bar[level]);
    }
    end_paint(out, now, style);
}
