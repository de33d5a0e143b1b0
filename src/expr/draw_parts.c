// SPDX-License-Identifier: GPL-3.0-or-later
/* Drawings of what is not axis against axis: subscripts, counts of elements, steps in memory, dtypes, names, lists. */
#include <inttypes.h>

#include "expr/draw.h"
#include "expr/sheet.h"

/* The k-th of the subscripts, "...", slices and integers, each above its axis. */
void es_draw_subscripts(es_error *err, const es_operand *x, const es_drawn_sub *sub, int n)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    const es_shape *s = &x->t->shape;
    int column = 1, seen = -1;
    es_sheet_name(&g, 0, x->text.s);
    es_sheet_name(&g, 1, "asked for");
    es_sheet_name(&g, 2, "there is");
    for (int i = 0; i < n && column < ES_SHEET_COLUMNS; i++, column++) {
        es_str_cat(es_sheet_cell(&g, 1, column), es_str_text(&sub[i].text));
        int axis = sub[i].axis;
        if (axis >= 0 && axis < s->ndim) {
            es_sheet_size(&g, 0, column, s, axis);
            if (sub[i].wrong)
                es_str_add(es_sheet_cell(&g, 2, column),
                           s->dim[axis] > 1   ? "0..%" PRId64
                           : s->dim[axis] > 0 ? "%" PRId64
                                              : "none",
                           s->dim[axis] - 1);
            seen = axis > seen ? axis : seen;
        } else if (sub[i].wrong) {
            es_str_cat(es_sheet_cell(&g, 0, column), ES_NOTHING);
            es_str_cat(es_sheet_cell(&g, 2, column), "no axis");
        }
        for (int r = 0; sub[i].wrong && r < 3; r++)
            g.strong[r][column] = true;
    }
    for (int axis = seen + 1; axis < s->ndim && column < ES_SHEET_COLUMNS; axis++, column++)
        es_sheet_size(&g, 0, column, s, axis);
    es_sheet_end(err, &g, false);
}

/* ---- elements ---- */

/* "2*5*8", the one that is to be found as ?. */
static void put_factors(es_str *out, const es_shape *s)
{
    for (int i = 0; i < s->ndim; i++)
        es_str_add(out, s->dim[i] < 0 ? "%s?" : "%s%" PRId64, i ? "*" : "", s->dim[i]);
}

static void put_list(es_str *out, const es_shape *s)
{
    es_shape_show(out, s);
}

static int64_t known_of(const es_shape *s, int *unknown)
{
    int64_t n = 1;
    *unknown = 0;
    for (int i = 0; i < s->ndim; i++)
        if (s->dim[i] < 0)
            ++*unknown;
        else if (s->dim[i] && n > INT64_MAX / s->dim[i])
            return INT64_MAX;
        else
            n *= s->dim[i];
    return n;
}

/* "divisors of 80: 1 2 4 5 8 10 16 20 40 80", if that is a short list. */
static void put_divisors(es_sheet *g, int row, int64_t count)
{
    enum { MOST = 16, FAR = 1 << 20 };
    es_str s = {0};
    int n = 0;
    for (int64_t i = 1; i <= count && count <= FAR; i++)
        if (count % i == 0 && n++ < MOST)
            es_str_add(&s, " %" PRId64, i);
    if (n > 0 && n <= MOST) {
        es_str_add(&g->remark[row], "divisors of %" PRId64 ":%s", count, s.s);
    }
    es_str_free(&s);
}

void es_draw_view(es_error *err, const es_operand *x, const es_shape *asked)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    const es_shape *s = &x->t->shape;
    int unknown;
    int64_t count = es_shape_count(s), known = known_of(asked, &unknown);
    es_sheet_name(&g, 0, x->text.s);
    put_list(es_sheet_cell(&g, 0, 1), s);
    put_factors(es_sheet_cell(&g, 0, 2), s);
    es_str_add(es_sheet_cell(&g, 0, 2), s->ndim > 1 ? " = %" PRId64 " numbers" : " numbers", count);
    es_sheet_name(&g, 1, "asked for");
    put_list(es_sheet_cell(&g, 1, 1), asked);
    put_factors(es_sheet_cell(&g, 1, 2), asked);
    g.strong[1][2] = true;
    es_str *why = es_sheet_cell(&g, 1, 2);
    if (unknown > 1)
        es_str_cat(why, ": only one can be worked out");
    else if (unknown == 1 && known == 0)
        es_str_cat(why, ": any size times 0 is 0");
    else if (unknown == 1)
        es_str_add(why, ": %" PRId64 " / %" PRId64 " leaves %" PRId64, count, known, count % known);
    else
        es_str_add(why, " = %" PRId64 ", %" PRId64 " too %s", known,
                   known > count ? known - count : count - known, known > count ? "many" : "few");
    if (unknown == 1 && known > 0)
        put_divisors(&g, 1, count);
    es_sheet_end(err, &g, false);
}

/* The axis that view would have to merge with those behind it and cannot, from the right; -1: none.  *step is
 * what a step along it would have to be, as the product of the two factors. */
static int unmergeable(const es_tensor *x, const es_shape *asked, int64_t *places, int64_t *step)
{
    int k = asked->ndim - 1;
    int64_t wanted = 1;
    *places = 1;
    *step = x->shape.ndim ? x->stride[x->shape.ndim - 1] : 1;
    for (int i = x->shape.ndim - 1; i > 0; i--) {
        *places *= x->shape.dim[i];
        if (x->shape.dim[i - 1] == 1 || x->stride[i - 1] == *places * *step)
            continue;
        while (k >= 0 && (wanted < *places || asked->dim[k] == 1))
            wanted *= asked->dim[k--];
        if (wanted != *places)
            return i - 1;
        *step = x->stride[i - 1];
        *places = wanted = 1;
    }
    return -1;
}

void es_draw_strides(es_error *err, const es_operand *x, const es_shape *asked)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    const es_shape *s = &x->t->shape;
    int64_t places, step;
    int wrong = unmergeable(x->t, asked, &places, &step);
    es_sheet_name(&g, 0, x->text.s);
    es_sheet_name(&g, 1, "a step is");
    for (int i = 0; i < s->ndim; i++) {
        es_sheet_size(&g, 0, i + 1, s, i);
        es_str_add(es_sheet_cell(&g, 1, i + 1), "%" PRId64, x->t->stride[i]);
    }
    if (wrong >= 0) {
        es_sheet_verdict(&g, 2, wrong + 1, false);
        es_str_add(&g.remark[2],
                   "to merge with the axes behind it this step would be %" PRId64 "*%" PRId64
                   " = %" PRId64,
                   places, step, places * step);
    }
    es_sheet_end(err, &g, false);
}

/* ---- one line an operand ---- */

static void draw_kinds(es_error *err, const es_operand *of, int n, const bool *wrong,
                       const char *wanted, bool devices)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    n = n < ES_SHEET_ROWS ? n : ES_SHEET_ROWS;
    for (int i = 0; i < n; i++) {
        const es_tensor *t = of[i].t;
        es_sheet_name(&g, i, of[i].text.s);
        es_shape_show(es_sheet_cell(&g, i, 1), &t->shape);
        es_str_cat(es_sheet_cell(&g, i, 2), devices ? t->buf->be->name : es_dtype_name(t->dtype));
        g.strong[i][2] = wrong[i];
        if (wrong[i])
            es_str_cat(es_sheet_cell(&g, i, 3), ES_DIFFERS);
        if (wrong[i] && wanted)
            es_str_cat(&g.remark[i], wanted);
    }
    es_sheet_end(err, &g, false);
}

void es_draw_dtypes(es_error *err, const es_operand *of, int n, const bool *wrong,
                    const char *wanted)
{
    draw_kinds(err, of, n, wrong, wanted, false);
}

void es_draw_devices(es_error *err, const es_operand *of, int n, const bool *wrong)
{
    draw_kinds(err, of, n, wrong, NULL, true);
}

void es_draw_unpack(es_error *err, const es_str *names, int n_names, const es_str *value,
                    int n_values)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    int n = n_names > n_values ? n_names : n_values;
    n = n < ES_SHEET_COLUMNS - 1 ? n : ES_SHEET_COLUMNS - 1;
    es_sheet_name(&g, 0, "names");
    es_sheet_name(&g, 1, "values");
    for (int i = 0; i < n; i++) {
        es_str_cat(es_sheet_cell(&g, 0, i + 1), i < n_names ? es_str_text(&names[i]) : ES_NOTHING);
        es_str_cat(es_sheet_cell(&g, 1, i + 1), i < n_values ? es_str_text(&value[i]) : ES_NOTHING);
        es_str_cat(es_sheet_cell(&g, 2, i + 1), i < n_names && i < n_values ? ES_FINE : ES_DIFFERS);
        for (int r = 0; r < 3 && (i >= n_names || i >= n_values); r++)
            g.strong[r][i + 1] = true;
    }
    es_sheet_end(err, &g, false);
}

void es_draw_ragged(es_error *err, const es_str *row, const int64_t *length, int n, int64_t wanted)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    n = n < ES_SHEET_ROWS ? n : ES_SHEET_ROWS;
    for (int i = 0; i < n; i++) {
        es_sheet_name(&g, i, row[i].s);
        es_str_add(es_sheet_cell(&g, i, 1), "%" PRId64 " long", length[i]);
        g.strong[i][1] = g.strong[i][2] = length[i] != wanted;
        if (length[i] != wanted)
            es_str_cat(es_sheet_cell(&g, i, 2), ES_DIFFERS);
    }
    es_sheet_end(err, &g, false);
}
