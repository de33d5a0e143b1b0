// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/comparison.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "torch/cells.h"

static const char type_name[] = "comparison",
                  fields[] = "same cause max_abs max_rel first different fix report";

/* ---- the report ---- */

/* "0.271 against 0.118": with as many digits as tell them apart. */
static void add_two(es_str *out, const es_comparison *c, double x, double y)
{
    bool whole = !es_dtype_is_float(c->x->dtype) && !es_dtype_is_float(c->y->dtype);
    char a[400], b[400];
    int digits = whole ? 17 : 4;
    do {
        snprintf(a, sizeof a, "%.*g", digits, x);
        snprintf(b, sizeof b, "%.*g", digits, y);
    } while (strtod(a, NULL) == strtod(b, NULL) && ++digits <= 17);
    es_str_add(out, "%s against %s", a, b);
}

static void add_head(es_str *out, const es_comparison *c)
{
    const char *a = es_dtype_name(c->x->dtype), *b = es_dtype_name(c->y->dtype),
               *here = c->x->buf->be->name, *there = c->y->buf->be->name;
    es_str_add(out, "compare: %s ", c->asked->x_name);
    es_shape_show(out, &c->x->shape);
    es_str_add(out, " and %s ", c->asked->y_name);
    es_shape_show(out, &c->y->shape);
    es_str_add(out, strcmp(a, b) ? ", %s and %s" : ", %s", a, b);
    if (strcmp(here, there))
        es_str_add(out, "; on %s and %s", here, there);
}

/* The axes whose sizes differ. */
static void add_shapes(es_str *out, const es_comparison *c)
{
    const es_shape *x = &c->x->shape, *y = &c->y->shape;
    if (x->ndim != y->ndim) {
        es_str_add(out, "\n  the shapes differ: %d axes against %d", x->ndim, y->ndim);
        return;
    }
    for (int d = 0, shown = 0; d < x->ndim; d++)
        if (x->dim[d] != y->dim[d])
            es_str_add(out, "%s axis %d is %s%s%" PRId64 " against %s%s%" PRId64,
                       shown++ ? "," : "\n  the shapes differ:", d, x->label[d].s,
                       x->label[d].s[0] ? "=" : "", x->dim[d], y->label[d].s,
                       y->label[d].s[0] ? "=" : "", y->dim[d]);
}

static void add_gap(es_str *out, const es_comparison *c, const char *what, const es_gap *g)
{
    es_str_add(out, "%s %.3g at ", what, g->size);
    es_place_show(out, &c->x->shape, g->at);
}

static void add_odd(es_str *out, const es_comparison *c)
{
    const es_difference *d = c->difference;
    const struct {
        const char *what;
        int64_t x, y;
    } odd[] = {{"NaN", d->nan_x, d->nan_y}, {"infinite", d->inf_x, d->inf_y}};
    for (int i = 0; i < 2; i++)
        if (odd[i].x || odd[i].y)
            es_str_add(out, "\n  %s: %" PRId64 " in %s, %" PRId64 " in %s", odd[i].what, odd[i].x,
                       c->asked->x_name, odd[i].y, c->asked->y_name);
}

static void add_same(es_str *out, const es_comparison *c)
{
    const es_difference *d = c->difference;
    if (!d->unequal) {
        es_str_add(out, "\n  the same to the bit: %s%" PRId64 " %s", d->n > 1 ? "all " : "", d->n,
                   d->n == 1 ? "number" : "numbers");
        return;
    }
    es_str_add(out,
               "\n  the same within rtol=%g, atol=%g: %" PRId64 " of %" PRId64
               " numbers are not equal",
               c->asked->rtol, c->asked->atol, d->unequal, d->n);
    add_gap(out, c, ", by at most", &d->absolute);
}

static void add_difference(es_str *out, const es_comparison *c)
{
    const es_difference *d = c->difference;
    es_str_add(out, "\n  differ: %" PRId64 " of %" PRId64 " %s, ", d->different, d->n,
               d->n == 1 ? "number" : "numbers");
    if (d->different > 1) {
        es_difference_where(out, d, &c->x->shape);
        es_str_cat(out, "; first ");
    }
    es_str_cat(out, "at ");
    es_place_show(out, &c->x->shape, d->first.at);
    es_str_cat(out, ": ");
    add_two(out, c, d->first.x, d->first.y);
    if (d->absolute.at >= 0)
        add_gap(out, c, "\n  largest difference", &d->absolute);
    if (d->relative.at >= 0)
        add_gap(out, c, "; largest relative", &d->relative);
    if (d->zero_x || d->zero_y)
        es_str_add(out, "\n  %s is all zeros", d->zero_x ? c->asked->x_name : c->asked->y_name);
}

/* No nearer to each other than numbers that have nothing to do with each other are by chance. */
static void add_unrelated(es_str *out, const es_comparison *c)
{
    double r;
    if (!c->difference || !es_difference_correlation(c->difference, &r) ||
        fabs(r) * sqrt((double)c->difference->sums.n) > 4)
        return;
    es_str_add(out,
               "\n  number by number they have nothing in common (correlation %.2f), as with other "
               "weights or another order",
               fabs(r) < 0.005 ? 0 : r);
}

static void add_cause(es_str *out, const es_comparison *c)
{
    const es_cause *cause = c->cause;
    if (!cause->name[0]) {
        es_str_cat(out, "\n  cause: none of those tried explains it");
        if (cause->of)
            es_str_add(out, "; %s comes nearest, with %.3g%% of the numbers", cause->nearest,
                       100 * (double)cause->fits / (double)cause->of);
        else
            add_unrelated(out, c);
        return;
    }
    es_str_add(out, "\n  cause: %s", es_str_text(&cause->says));
    if (cause->others[0])
        es_str_add(out, "\n  these numbers do not tell it apart from: %s", cause->others);
    if (cause->fix.len)
        es_str_add(out, "\n  try: %s", cause->fix.s);
}

static bool is_same(const es_comparison *c)
{
    return c->difference && !c->difference->different;
}

static es_value report(const es_comparison *c)
{
    es_str out = {0};
    bool same_shape = es_shape_equal(&c->x->shape, &c->y->shape);
    add_head(&out, c);
    add_shapes(&out, c);
    if (c->shapes_only)
        es_str_cat(&out, same_shape ? "\n  the shapes are the same; for more, values are needed"
                                    : "\n  for a cause, values are needed");
    if (c->difference) {
        if (is_same(c))
            add_same(&out, c);
        else
            add_difference(&out, c);
        add_odd(&out, c);
    }
    if (!c->shapes_only && !is_same(c))
        add_cause(&out, c);
    es_value v = es_value_str(es_str_text(&out), out.len);
    es_str_free(&out);
    return v;
}

/* ---- the fields ---- */

static es_value string_or_none(const char *s)
{
    return *s ? es_value_str(s, strlen(s)) : es_none();
}

static es_value largest(const es_comparison *c, const es_gap *g)
{
    return c->difference ? es_value_float(g->at < 0 ? 0 : g->size) : es_none();
}

static es_value first_place(const es_comparison *c)
{
    int64_t index[ES_MAX_DIMS] = {0};
    es_value of[ES_MAX_DIMS];
    if (!c->difference || c->difference->first.at < 0)
        return es_none();
    es_place_split(index, &c->x->shape, c->difference->first.at);
    for (int d = 0; d < c->x->shape.ndim; d++)
        of[d] = es_value_int(index[d]);
    return es_value_tuple(of, c->x->shape.ndim);
}

es_value es_comparison_value(const es_comparison *c)
{
    const es_difference *d = c->difference;
    bool unknown = c->shapes_only && es_shape_equal(&c->x->shape, &c->y->shape);
    const es_value of[] = {
        unknown ? es_none() : es_value_bool(is_same(c)),
        string_or_none(c->cause->name),
        largest(c, d ? &d->absolute : NULL),
        largest(c, d ? &d->relative : NULL),
        first_place(c),
        d ? es_value_int(d->different) : es_none(),
        string_or_none(es_str_text(&c->cause->fix)),
        report(c),
    };
    es_value v = es_value_tuple(of, sizeof of / sizeof *of);
    es_value_items(&v)->type = type_name;
    es_value_items(&v)->fields = fields;
    return v;
}

const es_value *es_comparison_report(const es_value *v)
{
    if (v->kind != ES_V_TUPLE || es_value_items(v)->type != type_name)
        return NULL;
    return &es_value_items(v)->of[es_value_items(v)->n - 1];
}
