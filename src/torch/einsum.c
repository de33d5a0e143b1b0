// SPDX-License-Identifier: GPL-3.0-or-later
/* Products written with letters: "bti,bsi->bts".  Two operands become one product of matrices in batches: letters of
 * both that the result keeps are the batch, those it does not keep the inner axis. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "torch/cast.h"
#include "torch/grid.h"
#include "torch/label.h"
#include "torch/product.h"
#include "torch/reduce.h"

enum {
    LETTERS = 52,
    SIGNS = LETTERS + ES_MAX_DIMS
}; /* letters, and axes behind "...", from the right */

typedef struct side {
    int n;
    int sign[ES_MAX_DIMS]; /* of each axis */
} side;

typedef struct plan {
    int n_operands;
    const es_tensor *x[2];
    side in[2], out;
    int64_t size[SIGNS]; /* -1: does not occur */
    es_label label[SIGNS];
    int behind; /* axes behind "..." in the result */
} plan;

/* ---- the equation ---- */

static int sign_of(char c)
{
    return c >= 'a' && c <= 'z' ? 26 + c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' : -1;
}

/* As PyTorch names it: a letter, or "..." */
static const char *shown(int sign)
{
    static const char letters[][2] = {
        "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R",
        "S", "T", "U", "V", "W", "X", "Y", "Z", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
        "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z"};
    return sign < LETTERS ? letters[sign] : "...";
}

static bool bad_sign(const char *equation, const char *at, es_error *err)
{
    int index = (int)(at - equation);
    es_fail(err, ES_ERR_VALUE, "character %d of the equation is no letter", index);
    es_hint(err, "letters name axes, commas part operands, -> comes before the result");
    return es_torch_says(err,
                         "einsum(): invalid subscript given at index %d in the equation string, "
                         "subscripts must be in [a-zA-Z]",
                         index);
}

static bool too_many_axes(es_error *err)
{
    return es_fail(err, ES_ERR_DIM_RANGE, "a tensor has at most %d axes here", ES_MAX_DIMS);
}

/* Axes of one operand: letters, and "..." for the n_behind it does not name (-1: as many as there are). */
static bool read_side(const char *equation, const char **at, side *s, int rank, int *n_behind,
                      es_error *err)
{
    const char *p = *at;
    int letters = 0, dots = 0;
    for (const char *q = p; *q && *q != ',' && !(q[0] == '-' && q[1] == '>'); q++) {
        if (sign_of(*q) >= 0)
            letters++;
        else if (!strncmp(q, "...", 3) && !dots++)
            q += 2;
        else if (*q != ' ')
            return bad_sign(equation, q, err);
    }
    int behind = !dots ? 0 : rank >= 0 ? rank - letters : *n_behind;
    *n_behind = dots ? behind : 0;
    *s = (side){0};
    if (rank < 0 && letters + behind > ES_MAX_DIMS)
        return too_many_axes(err);
    if (rank >= 0 && (behind < 0 || letters + behind != rank))
        return es_fail(err, ES_ERR_VALUE, "the equation names %d axes of a tensor of %d", letters,
                       rank);
    for (; *p && *p != ',' && !(p[0] == '-' && p[1] == '>'); p++) {
        if (sign_of(*p) >= 0)
            s->sign[s->n++] = sign_of(*p);
        else if (*p == '.') {
            p += 2;
            for (int i = behind - 1; i >= 0; i--)
                s->sign[s->n++] = LETTERS + i;
        }
    }
    *at = p;
    return true;
}

static bool axes_do_not_fit(const es_tensor *x, int operand, const char *equation, es_error *err)
{
    int named = 0;
    for (const char *p = equation; *p && *p != ',' && *p != '-'; p++)
        named += sign_of(*p) >= 0;
    return es_torch_says(err,
                         "einsum(): the number of subscripts in the equation (%d) does not match "
                         "the number of dimensions (%d) for operand %d and no ellipsis was given",
                         named, x->shape.ndim, operand);
}

static bool wrong_number(es_error *err, bool more)
{
    es_fail(err, ES_ERR_VALUE, "the equation is for %s operands than there are",
            more ? "fewer" : "more");
    return es_torch_says(err, "einsum(): %s operands were provided than specified in the equation",
                         more ? "more" : "fewer");
}

/* The letters that occur once, in order, behind what is behind "...". */
static bool implied_result(plan *p, es_error *err)
{
    int times[SIGNS] = {0};
    for (int o = 0; o < p->n_operands; o++)
        for (int d = 0; d < p->in[o].n; d++)
            times[p->in[o].sign[d]]++;
    p->out = (side){0};
    for (int i = p->behind - 1; i >= 0; i--)
        p->out.sign[p->out.n++] = LETTERS + i;
    for (int c = 0; c < LETTERS; c++) {
        if (times[c] != 1)
            continue;
        if (p->out.n == ES_MAX_DIMS)
            return too_many_axes(err);
        p->out.sign[p->out.n++] = c;
    }
    return true;
}

static bool read_operands(plan *p, const char *equation, const char **at, es_error *err)
{
    for (int o = 0; o < p->n_operands; o++) {
        const char *begin = *at;
        int behind = -1;
        if (!read_side(equation, at, &p->in[o], p->x[o]->shape.ndim, &behind, err))
            return err && err->torch ? false : axes_do_not_fit(p->x[o], o, begin, err);
        p->behind = behind > p->behind ? behind : p->behind;
        bool more = **at == ',';
        if (more != (o + 1 < p->n_operands))
            return wrong_number(err, !more);
        *at += more;
    }
    return true;
}

static bool read_equation(plan *p, const char *equation, es_error *err)
{
    const char *at = equation;
    if (!read_operands(p, equation, &at, err))
        return false;
    if (!*at)
        return implied_result(p, err);
    at += 2;
    int behind = p->behind;
    return read_side(equation, &at, &p->out, -1, &behind, err) &&
           (!*at || bad_sign(equation, at, err));
}

/* ---- sizes ---- */

static bool sizes_differ(int sign, int operand, int64_t size, int64_t before, es_error *err)
{
    es_fail(err, ES_ERR_BROADCAST, "%s is %" PRId64 " in one place and %" PRId64 " in another",
            shown(sign), before, size);
    return es_torch_says(err,
                         "einsum(): subscript %s has size %" PRId64 " for operand %d which does "
                         "not broadcast with previously seen size %" PRId64,
                         shown(sign), size, operand, before);
}

static bool meets(es_torch *k, plan *p, int sign, int operand, int d, es_error *err)
{
    const es_shape *s = &p->x[operand]->shape;
    int64_t size = s->dim[d], before = p->size[sign];
    if (before < 0 || (before == 1 && size != 1)) {
        p->size[sign] = size;
        p->label[sign] = s->label[d];
        return true;
    }
    if (size != before && size != 1)
        return sizes_differ(sign, operand, size, before, err);
    if (size != before)
        return true;
    bool clash;
    es_label met = es_label_meet(&p->label[sign], &s->label[d], &clash);
    if (clash && size != 1) {
        if (k->strict)
            return es_fail(err, ES_ERR_BROADCAST,
                           "%s: %s=%" PRId64 " meets %s=%" PRId64 ", equal by luck", shown(sign),
                           p->label[sign].s, size, s->label[d].s, size);
        es_torch_note(k, "%s: %s=%" PRId64 " meets %s=%" PRId64 ", equal by luck", shown(sign),
                      p->label[sign].s, size, s->label[d].s, size);
    }
    p->label[sign] = met;
    return true;
}

static bool result_is_known(const plan *p, es_error *err)
{
    bool seen[SIGNS] = {false};
    for (int d = 0; d < p->out.n; d++) {
        int sign = p->out.sign[d];
        if (p->size[sign] < 0) {
            es_fail(err, ES_ERR_VALUE, "the result's %s is an axis of no operand", shown(sign));
            return es_torch_says(err,
                                 "einsum(): output subscript %s does not appear in the equation "
                                 "for any input operand",
                                 shown(sign));
        }
        if (seen[sign]) {
            es_fail(err, ES_ERR_VALUE, "the result names %s twice", shown(sign));
            return es_torch_says(
                err, "einsum(): output subscript %s appears more than once in the output",
                shown(sign));
        }
        seen[sign] = true;
    }
    return true;
}

static bool find_sizes(es_torch *k, plan *p, es_error *err)
{
    for (int sign = 0; sign < SIGNS; sign++)
        p->size[sign] = -1;
    for (int o = 0; o < p->n_operands; o++)
        for (int d = 0; d < p->in[o].n; d++)
            if (!meets(k, p, p->in[o].sign[d], o, d, err))
                return false;
    return result_is_known(p, err);
}

/* ---- operands seen with other axes ---- */

static bool has(const side *s, int sign)
{
    for (int d = 0; d < s->n; d++)
        if (s->sign[d] == sign)
            return true;
    return false;
}

static void add_sign(side *s, int sign)
{
    if (!has(s, sign))
        s->sign[s->n++] = sign;
}

/* Operand o with the axes of `as`, stretched where it has 1; a letter it has twice is its diagonal.  Borrows. */
static es_tensor seen_as(const plan *p, int o, const side *as)
{
    es_tensor t = *p->x[o];
    t.number = false;
    t.shape.ndim = as->n;
    for (int a = 0; a < as->n; a++) {
        t.shape.dim[a] = p->size[as->sign[a]];
        t.shape.label[a] = p->label[as->sign[a]];
        t.stride[a] = 0;
        for (int d = 0; d < p->in[o].n; d++)
            if (p->in[o].sign[d] == as->sign[a] && p->x[o]->shape.dim[d] != 1)
                t.stride[a] += p->x[o]->stride[d];
    }
    return t;
}

/* The sum of operand o over what neither the result nor the other operand (or NULL) names, its axes in the order
 * of *kept. */
static bool summed(es_torch *k, es_tensor *out, const plan *p, int o, const side *kept,
                   es_error *err)
{
    side all = *kept;
    es_over over = {.name = "einsum"};
    for (int d = 0; d < p->in[o].n; d++)
        if (!has(&all, p->in[o].sign[d])) {
            over.axis[over.n++] = all.n;
            add_sign(&all, p->in[o].sign[d]);
        }
    es_tensor t = seen_as(p, o, &all), sum;
    if (over.n == 0) {
        es_tensor_view(out, &t);
        return true;
    }
    if (!es_torch_reduce(k, &sum, ES_R_SUM, &t, &over, err))
        return false;
    bool ok = es_torch_to(k, out, &sum, t.dtype, sum.buf->be, err); /* int32 stays int32 */
    es_tensor_free(&sum);
    return ok;
}

/* ---- two operands: batch, own axes, inner axes ---- */

typedef struct parts {
    side batch, inner, own[2];
} parts;

static parts split(const plan *p)
{
    parts s = {0};
    for (int o = 0; o < 2; o++)
        for (int d = 0; d < p->in[o].n; d++) {
            int sign = p->in[o].sign[d];
            if (has(&p->in[1 - o], sign))
                add_sign(has(&p->out, sign) ? &s.batch : &s.inner, sign);
            else if (has(&p->out, sign))
                add_sign(&s.own[o], sign);
        }
    return s;
}

static int64_t size_of(const plan *p, const side *s)
{
    es_shape shape = {.ndim = s->n};
    for (int d = 0; d < s->n; d++)
        shape.dim[d] = p->size[s->sign[d]];
    return es_shape_count(&shape);
}

static void append(side *s, const side *more)
{
    for (int d = 0; d < more->n; d++)
        s->sign[s->n++] = more->sign[d];
}

static void reshape_dense(es_tensor *t, es_shape shape)
{
    t->shape = shape;
    int64_t n = 1;
    for (int d = shape.ndim - 1; d >= 0; d--) {
        t->stride[d] = n;
        n = es_torch_meta(t) ? 1 : n * shape.dim[d];
    }
}

/* Operand o as (batch, own, inner) or (batch, inner, own), each merged into one axis. */
static bool as_matrices(es_torch *k, es_tensor *out, const plan *p, const parts *s, int o,
                        es_error *err)
{
    const side *second = o ? &s->inner : &s->own[0], *third = o ? &s->own[1] : &s->inner;
    side order = s->batch;
    append(&order, second);
    append(&order, third);
    es_tensor sum;
    if (!summed(k, &sum, p, o, &order, err))
        return false;
    bool ok = es_torch_contiguous(k, out, &sum, err);
    es_tensor_free(&sum);
    if (ok)
        reshape_dense(out, es_shape_3d("", size_of(p, &s->batch), "", size_of(p, second), "",
                                       size_of(p, third)));
    return ok;
}

/* The product (batch, own of x, own of y), with those axes apart again and in the result's order. */
static void in_order(const plan *p, const parts *s, es_tensor *t)
{
    side have = s->batch;
    append(&have, &s->own[0]);
    append(&have, &s->own[1]);
    es_shape shape = {.ndim = have.n};
    for (int d = 0; d < have.n; d++)
        shape.dim[d] = p->size[have.sign[d]];
    reshape_dense(t, shape);
    es_tensor apart = *t;
    for (int a = 0; a < p->out.n; a++)
        for (int d = 0; d < have.n; d++)
            if (have.sign[d] == p->out.sign[a]) {
                t->shape.dim[a] = apart.shape.dim[d];
                t->stride[a] = apart.stride[d];
                t->shape.label[a] = p->label[have.sign[d]];
            }
}

static bool product(es_torch *k, es_tensor *out, const plan *p, es_error *err)
{
    parts s = split(p);
    es_tensor x = {0}, y = {0};
    bool ok = as_matrices(k, &x, p, &s, 0, err) && as_matrices(k, &y, p, &s, 1, err) &&
              es_torch_matmul(k, out, &x, &y, err);
    es_tensor_free(&x);
    es_tensor_free(&y);
    if (ok)
        in_order(p, &s, out);
    return ok;
}

bool es_torch_einsum(es_torch *k, es_tensor *out, const char *equation, const es_tensor *x,
                     const es_tensor *y, es_error *err)
{
    plan p = {.n_operands = y ? 2 : 1, .x = {x, y}};
    *out = (es_tensor){0};
    if (!read_equation(&p, equation, err) || !find_sizes(k, &p, err))
        return false;
    return y ? product(k, out, &p, err) : summed(k, out, &p, 0, &p.out, err);
}
