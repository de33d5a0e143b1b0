// SPDX-License-Identifier: GPL-3.0-or-later
/* The equation of an einsum: which operand's axis is called what, how large it is, and what is wrong with it. */
#include <inttypes.h>
#include <string.h>

#include "torch/einsum_inside.h"
#include "torch/label.h"

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
    return sign < ES_EINSUM_LETTERS ? letters[sign] : "...";
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
static bool read_side(const char *equation, const char **at, es_side *s, int rank, int *n_behind,
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
    *s = (es_side){0};
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
                s->sign[s->n++] = ES_EINSUM_LETTERS + i;
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
static bool implied_result(es_einsum *p, es_error *err)
{
    int times[ES_EINSUM_SIGNS] = {0};
    for (int o = 0; o < p->n_operands; o++)
        for (int d = 0; d < p->in[o].n; d++)
            times[p->in[o].sign[d]]++;
    p->out = (es_side){0};
    for (int i = p->behind - 1; i >= 0; i--)
        p->out.sign[p->out.n++] = ES_EINSUM_LETTERS + i;
    for (int c = 0; c < ES_EINSUM_LETTERS; c++) {
        if (times[c] != 1)
            continue;
        if (p->out.n == ES_MAX_DIMS)
            return too_many_axes(err);
        p->out.sign[p->out.n++] = c;
    }
    return true;
}

static bool read_operands(es_einsum *p, const char *equation, const char **at, es_error *err)
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

static bool read_equation(es_einsum *p, const char *equation, es_error *err)
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

static bool meets(es_torch *k, es_einsum *p, int sign, int operand, int d, es_error *err)
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

static bool result_is_known(const es_einsum *p, es_error *err)
{
    bool seen[ES_EINSUM_SIGNS] = {false};
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

static bool find_sizes(es_torch *k, es_einsum *p, es_error *err)
{
    for (int sign = 0; sign < ES_EINSUM_SIGNS; sign++)
        p->size[sign] = -1;
    for (int o = 0; o < p->n_operands; o++)
        for (int d = 0; d < p->in[o].n; d++)
            if (!meets(k, p, p->in[o].sign[d], o, d, err))
                return false;
    return result_is_known(p, err);
}

bool es_einsum_read(es_torch *k, es_einsum *p, const char *equation, es_error *err)
{
    return read_equation(p, equation, err) && find_sizes(k, p, err);
}
