// SPDX-License-Identifier: GPL-3.0-or-later
/* The same numbers in another order of axes: transposed, re-read by view or reshape, Fortran's order for C's. */
#include <inttypes.h>

#include "torch/label.h"
#include "torch/theory.h"

enum { MOST_PERMUTED = 4 };

/* ---- orders of axes ---- */

typedef struct order {
    int n;
    int of[ES_MAX_DIMS];
} order;

static order in_order(int n)
{
    order o = {.n = n};
    for (int d = 0; d < n; d++)
        o.of[d] = d;
    return o;
}

static order swapped(int n, int a, int b)
{
    order o = in_order(n);
    o.of[a] = b;
    o.of[b] = a;
    return o;
}

/* On to the next in lexical order; false after the last. */
static bool next_order(order *o)
{
    int i = o->n - 2, j = o->n - 1;
    while (i >= 0 && o->of[i] > o->of[i + 1])
        i--;
    if (i < 0)
        return false;
    while (o->of[j] < o->of[i])
        j--;
    int keep = o->of[i];
    o->of[i] = o->of[j];
    o->of[j] = keep;
    for (int a = i + 1, b = o->n - 1; a < b; a++, b--) {
        keep = o->of[a];
        o->of[a] = o->of[b];
        o->of[b] = keep;
    }
    return true;
}

/* How many axes are not where they were, and the first two of them. */
static int moved_axes(const order *o, int two[2])
{
    int n = 0;
    for (int d = 0; d < o->n; d++)
        if (o->of[d] != d) {
            if (n < 2)
                two[n] = d;
            n++;
        }
    return n;
}

static bool is_reverse(const order *o)
{
    for (int d = 0; d < o->n; d++)
        if (o->of[d] != o->n - 1 - d)
            return false;
    return true;
}

static es_shape permuted(const es_shape *s, const order *o)
{
    es_shape p = *s;
    for (int d = 0; d < o->n; d++) {
        p.dim[d] = s->dim[o->of[d]];
        p.label[d] = s->label[o->of[d]];
    }
    return p;
}

/* Do axes of more than one index stay in their order?  Then nothing moves. */
static bool moves_nothing(const es_shape *s, const order *o)
{
    int last = -1;
    for (int d = 0; d < o->n; d++) {
        if (s->dim[o->of[d]] == 1)
            continue;
        if (o->of[d] < last)
            return false;
        last = o->of[d];
    }
    return true;
}

static void show_order(es_str *out, const order *o)
{
    int two[2];
    if (moved_axes(o, two) == 2) {
        es_str_add(out, "transpose(%d, %d)", two[0], two[1]);
        return;
    }
    es_str_cat(out, "permute(");
    for (int d = 0; d < o->n; d++)
        es_str_add(out, "%s%d", d ? ", " : "", o->of[d]);
    es_str_char(out, ')');
}

static order inverse(const order *o)
{
    order back = {.n = o->n};
    for (int d = 0; d < o->n; d++)
        back.of[o->of[d]] = d;
    return back;
}

/* ---- transposed ---- */

static void say_transposed(es_case *c, const order *o)
{
    int two[2];
    order back = inverse(o);
    es_str *s = &c->best->says, turn = {0};
    const es_label *label = c->y->shape.label;
    show_order(&turn, o);
    es_str_add(s, "%s is %s.%s", c->asked->x_name, c->asked->y_name, turn.s);
    if (moved_axes(o, two) == 2 && es_label_is_named(&label[two[0]]) &&
        es_label_is_named(&label[two[1]]))
        es_str_add(s, ": %s and %s are swapped", label[two[0]].s, label[two[1]].s);
    else if (o->n == 2)
        es_str_cat(s, ": rows are columns, as nn.Linear keeps its weight (out, in)");
    es_str_add(&c->best->fix, "%s.", c->asked->x_name);
    show_order(&c->best->fix, &back);
    es_str_free(&turn);
}

static bool try_transposed(es_case *c, const order *o, es_error *err)
{
    bool won;
    int two[2];
    es_shape shape = permuted(&c->y->shape, o);
    if (!es_shape_equal(&shape, &c->x->shape) || moves_nothing(&c->y->shape, o))
        return true;
    es_tensor turned = *c->y;
    turned.shape = shape;
    for (int d = 0; d < o->n; d++)
        turned.stride[d] = c->y->stride[o->of[d]];
    es_theory h = es_theory_of(&turned, moved_axes(o, two) == 2 ? 20 : 22, NULL);
    es_str name = {0};
    show_order(&name, o);
    es_theory_call(&h, "%s", name.s);
    es_str_free(&name);
    h.moves = true;
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won)
        say_transposed(c, o);
    return true;
}

/* ---- re-read ---- */

/* Number after number: the how many-th x is in its own order, y is in the order `perm` of its axes. */
static bool move_reread(const es_theory *h, const int64_t *x, int64_t *y)
{
    int64_t at = 0;
    for (int d = 0; d <= h->last; d++)
        at = at * h->term[1].t.shape.dim[d] + x[d];
    for (int d = h->via.ndim - 1; d >= 0; d--) {
        y[h->perm[d]] = at % h->via.dim[d];
        at /= h->via.dim[d];
    }
    return true;
}

/* The other way: y in its own order is x in the order `perm` of x's axes, whose sizes then are via's. */
static bool move_refilled(const es_theory *h, const int64_t *x, int64_t *y)
{
    int64_t at = 0;
    const es_shape *shape = &h->term[0].t.shape;
    for (int d = 0; d < h->via.ndim; d++)
        at = at * h->via.dim[d] + x[h->perm[d]];
    for (int d = shape->ndim - 1; d >= 0; d--) {
        y[d] = at % shape->dim[d];
        at /= shape->dim[d];
    }
    return true;
}

static void sizes(es_str *out, const es_shape *s)
{
    for (int d = 0; d < s->ndim; d++)
        es_str_add(out, "%s%" PRId64, d ? ", " : "", s->dim[d]);
}

static void say_reread(es_case *c, const order *o, const es_shape *via, bool refilled)
{
    const char *x = c->asked->x_name, *y = c->asked->y_name;
    es_str *s = &c->best->says, *fix = &c->best->fix, turn = {0};
    int two[2];
    order back = inverse(o);
    show_order(&turn, o);
    if (!moved_axes(o, two)) {
        es_str_add(s, "%s has %s's numbers in the same order, in another shape", x, y);
        es_str_add(fix, "%s.reshape(", x);
        sizes(fix, &c->y->shape);
        es_str_char(fix, ')');
    } else if (refilled) {
        es_str_add(
            s, "%s has %s's numbers, one after another, written along its axes in another order", x,
            y);
        es_str_add(fix, "%s.%s.reshape(", x, turn.s);
        sizes(fix, &c->y->shape);
        es_str_char(fix, ')');
    } else {
        es_str_add(s, "%s has the numbers of %s.%s, re-read in this shape", x, y, turn.s);
        es_str_add(fix, "%s.reshape(", x);
        sizes(fix, via);
        es_str_cat(fix, ").");
        show_order(fix, &back);
    }
    if (moved_axes(o, two) && is_reverse(o) && o->n > 1)
        es_str_cat(s, ": one is in Fortran's order (the first index runs fastest), read in C's");
    else if (moved_axes(o, two))
        es_str_cat(s, ": view or reshape where transpose or permute was meant");
    es_str_free(&turn);
}

static bool try_reread(es_case *c, const order *o, bool refilled, es_error *err)
{
    bool won;
    int two[2], n = moved_axes(o, two);
    es_shape via = permuted(refilled ? &c->x->shape : &c->y->shape, o);
    if (es_shape_equal(&via, refilled ? &c->y->shape : &c->x->shape) ||
        (n && moves_nothing(refilled ? &c->x->shape : &c->y->shape, o)))
        return true;
    es_theory h = es_theory_of(c->y,
                               !n              ? 24
                               : is_reverse(o) ? 26
                                               : 28,
                               refilled ? move_refilled : move_reread);
    es_theory_add(&h, c->x, 0); /* for its shape */
    h.n = 1;
    h.via = via;
    h.inner = true;
    h.moves = true;
    for (int d = 0; d < o->n; d++)
        h.perm[d] = o->of[d];
    es_theory_call(&h, "%s", !n ? "reshape" : is_reverse(o) ? "fortran_order" : "reread");
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won)
        say_reread(c, o, &via, refilled);
    return true;
}

static bool try_order(es_case *c, const order *y_axes, const order *x_axes, es_error *err)
{
    bool same_count = es_shape_count(&c->x->shape) == es_shape_count(&c->y->shape);
    if (!es_watch_step(c->k->watch, 0, err))
        return false;
    if (!same_count)
        return true;
    if (y_axes && c->x->shape.ndim == c->y->shape.ndim && !try_transposed(c, y_axes, err))
        return false;
    return (!y_axes || try_reread(c, y_axes, false, err)) &&
           (!x_axes || try_reread(c, x_axes, true, err));
}

/* Many axes: two of them swapped, or all of them turned round. */
static bool try_swaps(es_case *c, es_error *err)
{
    int nx = c->x->shape.ndim, ny = c->y->shape.ndim;
    order same = in_order(ny), around = same, x_around = in_order(nx);
    for (int d = 0; d < ny; d++)
        around.of[d] = ny - 1 - d;
    for (int d = 0; d < nx; d++)
        x_around.of[d] = nx - 1 - d;
    if (!try_order(c, &same, NULL, err) || !try_order(c, &around, &x_around, err))
        return false;
    for (int a = 0; a < ny; a++)
        for (int b = a + 1; b < ny; b++) {
            order two = swapped(ny, a, b);
            if (!try_order(c, &two, nx == ny ? &two : NULL, err))
                return false;
        }
    return true;
}

bool es_causes_turn(es_case *c, es_error *err)
{
    int nx = c->x->shape.ndim, ny = c->y->shape.ndim;
    order x_axes = in_order(nx), y_axes = in_order(ny);
    if (nx > MOST_PERMUTED || ny > MOST_PERMUTED)
        return try_swaps(c, err);
    do
        if (!try_order(c, &y_axes, NULL, err))
            return false;
    while (next_order(&y_axes));
    while (next_order(&x_axes))
        if (!try_order(c, NULL, &x_axes, err))
            return false;
    return true;
}
