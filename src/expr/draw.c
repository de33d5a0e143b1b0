// SPDX-License-Identifier: GPL-3.0-or-later
/* Axis under axis. */
#include "expr/draw.h"

#include <inttypes.h>

#include "expr/sheet.h"

/* The sizes of s in columns that end with the last axis in column `last`. */
static void put_from_right(es_sheet *g, int row, int last, const es_shape *s)
{
    for (int c = last, axis = s->ndim - 1; c > 0; c--, axis--)
        if (axis >= 0)
            es_sheet_size(g, row, c, s, axis);
        else
            es_str_cat(es_sheet_cell(g, row, c), ES_NOTHING);
}

bool es_draw_fits(const es_operand *of, int n, int from_right)
{
    int64_t size = 1;
    for (int i = 0; i < n; i++) {
        const es_shape *s = &of[i].t->shape;
        int64_t one = from_right <= s->ndim ? s->dim[s->ndim - from_right] : 1;
        if (one != 1 && size != 1 && one != size)
            return false;
        size = one != 1 ? one : size;
    }
    return true;
}

static int rank_of(const es_operand *of, int n)
{
    int rank = 0;
    for (int i = 0; i < n; i++)
        rank = of[i].t->shape.ndim > rank ? of[i].t->shape.ndim : rank;
    return rank;
}

void es_draw_broadcast(es_error *err, const es_operand *of, int n)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    int rank = rank_of(of, n);
    n = n < ES_SHEET_ROWS - 2 ? n : ES_SHEET_ROWS - 2;
    es_sheet_name(&g, 0, "axis");
    for (int c = 1; c <= rank; c++) {
        es_str_add(es_sheet_cell(&g, 0, c), "%d", c - 1 - rank);
        es_sheet_verdict(&g, n + 1, c, es_draw_fits(of, n, rank + 1 - c));
    }
    for (int i = 0; i < n; i++) {
        es_sheet_name(&g, i + 1, of[i].text.s);
        put_from_right(&g, i + 1, rank, &of[i].t->shape);
    }
    es_str_cat(&g.remark[n + 1], "aligned from the right; a 1 or nothing stretches");
    es_sheet_end(err, &g, true);
}

void es_draw_expand(es_error *err, const es_operand *x, const es_shape *asked)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    const es_shape *s = &x->t->shape;
    int rank = s->ndim > asked->ndim ? s->ndim : asked->ndim;
    es_sheet_name(&g, 0, "axis");
    es_sheet_name(&g, 1, x->text.s);
    es_sheet_name(&g, 2, "asked for");
    for (int c = 1; c <= rank; c++) {
        int a = s->ndim - 1 - rank + c, b = asked->ndim - 1 - rank + c;
        bool ok =
            b >= 0 && (a < 0 ? asked->dim[b] >= 0
                             : s->dim[a] == 1 || asked->dim[b] == -1 || asked->dim[b] == s->dim[a]);
        es_str_add(es_sheet_cell(&g, 0, c), "%d", c - 1 - rank);
        es_sheet_verdict(&g, 3, c, ok);
    }
    put_from_right(&g, 1, rank, s);
    put_from_right(&g, 2, rank, asked);
    es_str_cat(&g.remark[3], "aligned from the right; only a 1 grows, -1 keeps");
    es_sheet_end(err, &g, true);
}

/* The columns of a product: batches that stretch, rows of the first, the axis they share, columns of the
 * second. */
void es_draw_matmul(es_error *err, const es_operand *a, const es_operand *b)
{
    es_sheet g = {.first_gap = 3, .gap = 1};
    const es_shape *s[2] = {&a->t->shape, &b->t->shape};
    const int inner[2] = {s[0]->ndim - 1, s[1]->ndim > 1 ? s[1]->ndim - 2 : 0};
    int batches = 0;
    for (int i = 0; i < 2; i++)
        batches = s[i]->ndim - 2 > batches ? s[i]->ndim - 2 : batches;
    bool agree = s[0]->dim[inner[0]] == s[1]->dim[inner[1]];
    for (int i = 0; i < 2; i++) {
        es_sheet_name(&g, i, i ? b->text.s : a->text.s);
        for (int axis = 0; axis < s[i]->ndim; axis++) {
            int from_right = s[i]->ndim - axis;
            int column = axis == inner[i]  ? batches + 2
                         : from_right == 1 ? batches + 3
                         : from_right == 2 ? batches + 1
                                           : batches + 3 - from_right;
            es_str *c = es_sheet_cell(&g, i, column);
            es_str_cat(c, axis == inner[i] ? "[" : "");
            es_sheet_size(&g, i, column, s[i], axis);
            es_str_cat(c, axis == inner[i] ? "]" : "");
            g.strong[i][column] = axis == inner[i] && !agree;
        }
    }
    for (int c = 1; c <= batches; c++) {
        const es_operand both[] = {*a, *b};
        if (es_draw_fits(both, 2, batches + 3 - c))
            continue;
        es_str_cat(es_sheet_cell(&g, 2, c), ES_DIFFERS);
        g.strong[0][c] = g.strong[1][c] = g.strong[2][c] = true;
    }
    if (g.rows > 2) {
        es_sheet_name(&g, 2, "batches");
        es_str_cat(&g.remark[2], "they stretch as those of + do, the last two axes are multiplied");
    }
    es_sheet_end(err, &g, false);
}

void es_draw_cat(es_error *err, const es_operand *of, int n, int axis, bool stack)
{
    es_sheet g = {.first_gap = 4, .gap = 4};
    int rank = rank_of(of, n), last;
    n = n < ES_SHEET_ROWS - 2 ? n : ES_SHEET_ROWS - 2;
    last = n + 1;
    es_sheet_name(&g, 0, "axis");
    for (int i = 0; i < n; i++)
        es_sheet_name(&g, i + 1, of[i].text.s);
    for (int c = 1; c <= rank; c++) {
        bool equal = true, joined = !stack && c - 1 == axis;
        es_str_add(es_sheet_cell(&g, 0, c), "%d", c - 1);
        for (int i = 0; i < n; i++) {
            const es_shape *s = &of[i].t->shape;
            if (c > s->ndim)
                es_str_cat(es_sheet_cell(&g, i + 1, c), ES_NOTHING);
            else
                es_sheet_size(&g, i + 1, c, s, c - 1);
            equal = equal && c <= s->ndim && c <= of[0].t->shape.ndim &&
                    (joined || s->dim[c - 1] == of[0].t->shape.dim[c - 1]);
        }
        if (joined && equal)
            es_str_cat(es_sheet_cell(&g, last, c), "join");
        else
            es_sheet_verdict(&g, last, c, equal);
    }
    es_str_cat(&g.remark[last], stack ? "stack wants equal shapes, nothing stretches"
                                      : "only the joined axis may differ, nothing stretches");
    es_sheet_end(err, &g, true);
}

void es_draw_axes(es_error *err, const es_operand *x, bool between)
{
    es_sheet g = {.first_gap = 4, .gap = between ? 1 : 4};
    const es_shape *s = &x->t->shape;
    int step = between ? 2 : 1, n = s->ndim + between;
    es_sheet_name(&g, 0, x->text.s);
    if (n > 0) {
        es_sheet_name(&g, 1, between ? "new axis at" : "dim");
        es_sheet_name(&g, 2, "or");
    }
    for (int i = 0; i < s->ndim; i++)
        es_sheet_size(&g, 0, step * i + 1 + between, s, i);
    for (int i = 0; i < n; i++) {
        es_str_add(es_sheet_cell(&g, 1, step * i + 1), "%d", i);
        es_str_add(es_sheet_cell(&g, 2, step * i + 1), "%d", i - n);
    }
    if (s->ndim == 0)
        es_str_cat(es_sheet_cell(&g, 0, between ? 2 : 1), "a single number, no axes");
    es_sheet_end(err, &g, false);
}
