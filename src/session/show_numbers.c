// SPDX-License-Identifier: GPL-3.0-or-later
/* The numbers of a tensor in rows, aligned on the decimal point; what does not fit is left out of the
 * middle of each axis. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "session/show_value.h"

enum { MOST_COLUMNS = 256, CELL = 32 };

/* How one number looks, the same for all of a tensor. */
typedef struct format {
    enum { WHOLE, TRUTH, FIXED, EXPONENT, DIGITS } how;
    int digits;
    int width;
} format;

static int cell(char out[CELL], const format *f, const es_tensor *t, int64_t i)
{
    double v = es_torch_get_float(t, i);
    v = isnan(v) ? fabs(v) : v; /* its sign means nothing */
    switch (f->how) {
    case WHOLE: return snprintf(out, CELL, "%" PRId64, es_torch_get_int(t, i));
    case TRUTH: return snprintf(out, CELL, "%s", es_torch_get_int(t, i) ? "True" : "False");
    case DIGITS: return snprintf(out, CELL, "%.*g", f->digits, v);
    case EXPONENT: return snprintf(out, CELL, "%.*e", f->digits, v);
    default: return snprintf(out, CELL, "%.*f", f->digits, v);
    }
}

static void put_cell(es_str *out, const format *f, const es_tensor *t, int64_t i,
                     const es_style *style)
{
    char text[CELL];
    int wide = cell(text, f, t, i);
    double v = es_torch_get_float(t, i);
    bool painted = f->how > TRUTH && v != 0;
    es_str_fill(out, ' ', f->width > wide ? (size_t)(f->width - wide) : 0);
    es_paint_text(out,
                  !painted ? ES_PAINT_NONE
                  : v > 0  ? ES_PAINT_POSITIVE
                           : ES_PAINT_NEGATIVE,
                  text, style);
}

/* ---- choosing a format: by the numbers that may be shown ---- */

typedef struct range {
    double most;
    bool whole, cents; /* they have nothing behind the point, or two digits at most */
} range;

typedef void (*visit_fn)(void *user, const es_tensor *t, int64_t i);

static void look(void *user, const es_tensor *t, int64_t i)
{
    range *r = user;
    double v = es_torch_get_float(t, i);
    if (!isfinite(v))
        return;
    r->most = fmax(r->most, fabs(v));
    r->whole = r->whole && v == floor(v);
    r->cents = r->cents && fabs(100 * v - round(100 * v)) < 1e-3;
}

static void measure(void *user, const es_tensor *t, int64_t i)
{
    format *f = user;
    char text[CELL];
    int wide = cell(text, f, t, i);
    f->width = wide > f->width ? wide : f->width;
}

static format format_of(const es_tensor *t, const range *r, const es_style *style)
{
    if (t->dtype == ES_BOOL)
        return (format){TRUTH, 0, 0};
    if (t->dtype == ES_INT64 || t->dtype == ES_INT32)
        return (format){WHOLE, 0, 0};
    if (style->digits)
        return (format){DIGITS, style->digits, 0};
    if (r->most >= 1e6 || (r->most > 0 && r->most < 1e-5))
        return (format){EXPONENT, 3, 0};
    if (r->whole)
        return (format){FIXED, 1, 0};
    if (r->most >= 10)
        return (format){FIXED, r->most >= 100 && !(r->most < 1000 && r->cents) ? 1 : 2, 0};
    return (format){FIXED, r->most >= 0.1 ? 3 : 2 - (int)floor(log10(r->most)), 0};
}

/* ---- which rows, which columns ---- */

/* Of an axis of n, the first `head` and as many of the last as make `shown`. */
typedef struct cut {
    int64_t n, shown, head;
} cut;

static cut cut_of(int64_t n, int64_t shown)
{
    shown = shown < n ? shown : n;
    return (cut){n, shown, shown < n ? (shown + 1) / 2 : n};
}

static int64_t index_of(const cut *c, int64_t i)
{
    return i < c->head ? i : c->n - c->shown + i;
}

typedef struct layout {
    const es_tensor *t;
    const es_style *style;
    int ndim;              /* at least 2 */
    cut axis[ES_MAX_DIMS]; /* the last: columns */
    format format;
} layout;

/* The longest axes give way until the rows fit. */
static void cut_rows(layout *l, int rows)
{
    int outer = l->ndim - 1;
    int64_t shown[ES_MAX_DIMS] = {0};
    for (int d = 0; d < outer; d++)
        shown[d] = l->t->shape.dim[d] < rows ? l->t->shape.dim[d] : rows;
    for (;;) {
        int64_t product = 1;
        int longest = 0;
        for (int d = 0; d < outer; d++) {
            product *= shown[d];
            longest = shown[d] > shown[longest] ? d : longest;
        }
        if (product <= rows || shown[longest] <= 2) /* both ends of each axis */
            break;
        shown[longest]--;
    }
    if (shown[outer - 1] == l->t->shape.dim[outer - 1] - 1)
        shown[outer - 1]++; /* "… 1 more" would take the line of that one */
    for (int d = 0; d < outer; d++)
        l->axis[d] = cut_of(l->t->shape.dim[d], shown[d]);
}

/* Where row number i of those shown begins, in elements; at: its place on each axis as shown. */
static int64_t row_begin(const layout *l, int64_t i, int64_t *at)
{
    int64_t begin = 0, step = l->t->shape.dim[l->ndim - 1];
    for (int d = l->ndim - 2; d >= 0; d--) {
        at[d] = i % l->axis[d].shown;
        i /= l->axis[d].shown;
        begin += index_of(&l->axis[d], at[d]) * step;
        step *= l->t->shape.dim[d];
    }
    return begin;
}

static int64_t n_rows(const layout *l)
{
    int64_t n = 1;
    for (int d = 0; d < l->ndim - 1; d++)
        n *= l->axis[d].shown;
    return n;
}

static void visit(const layout *l, visit_fn fn, void *user)
{
    int64_t at[ES_MAX_DIMS];
    const cut *columns = &l->axis[l->ndim - 1];
    for (int64_t row = 0; row < n_rows(l); row++) {
        int64_t begin = row_begin(l, row, at);
        for (int64_t c = 0; c < columns->shown; c++)
            fn(user, l->t, begin + index_of(columns, c));
    }
}

static void cut_columns(layout *l)
{
    cut *columns = &l->axis[l->ndim - 1];
    int room = l->style->width - 2 * l->ndim;
    int64_t C = l->t->shape.dim[l->ndim - 1], most = (room + 1) / 2;
    range r = {.whole = true, .cents = true};
    *columns = cut_of(C, most < MOST_COLUMNS ? most : MOST_COLUMNS);
    visit(l, look, &r);
    l->format = format_of(l->t, &r, l->style);
    visit(l, measure, &l->format);
    int64_t fit = (room + 1) / (l->format.width + 1);
    if (fit < columns->shown || columns->shown < C)
        fit = (room - 1) / (l->format.width + 1); /* and the … */
    *columns = cut_of(C, fit < 1 ? 1 : fit < columns->shown ? fit : columns->shown);
}

/* ---- rows ---- */

static void put_numbers(es_str *out, const layout *l, int64_t begin)
{
    const cut *columns = &l->axis[l->ndim - 1];
    for (int64_t c = 0; c < columns->shown; c++) {
        if (c == columns->head)
            es_str_cat(out, " …");
        es_str_cat(out, c ? " " : "");
        put_cell(out, &l->format, l->t, begin + index_of(columns, c), l->style);
    }
    if (columns->shown == columns->head && columns->shown < columns->n)
        es_str_cat(out, " …");
}

/* Where the numbers of an axis are left out: before place i of it. */
static void put_gap(es_str *out, const layout *l, int d, int64_t i)
{
    const cut *c = &l->axis[d];
    if (i != c->head || c->shown == c->n)
        return;
    es_str_fill(out, ' ', (size_t)d + 1);
    es_str_add(out, "… %" PRId64 " more\n", c->n - c->shown);
}

static void put_row(es_str *out, const layout *l, int64_t row)
{
    int64_t at[ES_MAX_DIMS], begin = row_begin(l, row, at);
    int opened = 1, closed = 1, outer = l->ndim - 1;
    for (int d = outer - 1; d >= 0 && at[d] == 0; d--)
        opened++;
    for (int d = outer - 1; d >= 0 && at[d] == l->axis[d].shown - 1; d--)
        closed++;
    if (opened <= outer)
        put_gap(out, l, outer - opened, at[outer - opened]);
    es_str_fill(out, ' ', (size_t)(l->ndim - opened));
    es_str_fill(out, '[', (size_t)opened);
    put_numbers(out, l, begin);
    es_str_fill(out, ']', (size_t)closed);
    es_str_char(out, '\n');
}

static void put_plain_row(es_str *out, const layout *l, int64_t row)
{
    int64_t at[ES_MAX_DIMS], begin = row_begin(l, row, at);
    es_str line = {0};
    for (int d = 0; d < l->ndim - 1; d++)
        es_str_add(&line, "%s%" PRId64, d ? ", " : "[", index_of(&l->axis[d], at[d]));
    es_str_cat(&line, "]: ");
    const cut *columns = &l->axis[l->ndim - 1];
    for (int64_t c = 0; c < columns->shown; c++) {
        char text[CELL];
        cell(text, &l->format, l->t, begin + index_of(columns, c));
        es_str_add(&line, "%s%s%s", c ? ", " : "", c && c == columns->head ? "…, " : "", text);
    }
    es_wrap(out, line.s, 0, l->style);
    es_str_free(&line);
}

/* ---- vectors: over several lines ---- */

static void show_vector(es_str *out, const es_tensor *t, int rows, const es_style *style)
{
    int64_t n = t->shape.dim[0], room = style->width - 2;
    cut c = cut_of(n, rows * (room / 2));
    range r = {.whole = true, .cents = true};
    for (int64_t i = 0; i < c.shown; i++)
        look(&r, t, index_of(&c, i));
    format f = format_of(t, &r, style);
    for (int64_t i = 0; i < c.shown; i++)
        measure(&f, t, index_of(&c, i));
    int64_t fit = (room + 1) / (f.width + 1);
    fit = fit < 1 ? 1 : fit;
    int64_t lines = (n + fit - 1) / fit, left_out = lines > rows ? (lines - rows + 1) * fit : 0;
    int64_t head = left_out ? rows / 2 * fit : n;
    for (int64_t i = 0; i < n; i++) {
        if (i == head) {
            es_str_add(out, "\n … %" PRId64 " more", left_out);
            i += left_out;
        }
        if (i == 0)
            es_str_char(out, '[');
        else
            es_str_cat(out, (left_out && i > head ? i - left_out - head : i) % fit ? " " : "\n ");
        put_cell(out, &f, t, i, style);
    }
    es_str_cat(out, "]\n");
}

static void show_plain_vector(es_str *out, const es_tensor *t, const es_style *style)
{
    enum { MOST = 64 };
    cut c = cut_of(t->shape.ndim ? t->shape.dim[0] : 1, MOST);
    range r = {.whole = true, .cents = true};
    for (int64_t i = 0; i < c.shown; i++)
        look(&r, t, index_of(&c, i));
    format f = format_of(t, &r, style);
    es_str line = {0};
    es_str_cat(&line, "values: ");
    for (int64_t i = 0; i < c.shown; i++) {
        char text[CELL];
        cell(text, &f, t, index_of(&c, i));
        es_str_add(&line, "%s%s%s", i ? ", " : "", i && i == c.head ? "…, " : "", text);
    }
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

void es_show_numbers(es_str *out, const es_tensor *t, int rows, const es_style *style)
{
    layout l = {.t = t, .style = style, .ndim = t->shape.ndim};
    if (l.ndim < 2 && style->plain) {
        show_plain_vector(out, t, style);
    } else if (l.ndim == 1) {
        show_vector(out, t, rows, style);
    } else if (l.ndim == 0) {
        range r = {.whole = true, .cents = true};
        look(&r, t, 0);
        format f = format_of(t, &r, style);
        put_cell(out, &f, t, 0, style);
        es_str_char(out, '\n');
    } else {
        cut_rows(&l, rows);
        cut_columns(&l);
        for (int64_t row = 0; row < n_rows(&l); row++)
            (style->plain ? put_plain_row : put_row)(out, &l, row);
    }
}
