// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors as PyTorch prints them, by the rules of its torch/_tensor_str.py: which notation, how wide, what is left
 * out, where lines end. */
#include <inttypes.h>
#include <math.h>

#include "expr/format.h"
#include "torch/host.h"

enum { COLUMNS = 80, EDGE = 3, THRESHOLD = 1000, DECIMALS = 4 };

typedef struct printer {
    es_torch *k;
    es_str *out;
    const es_tensor *t;
    es_error *err;
    bool floating, summarize;
    bool whole, scientific; /* floats: all of them whole numbers; 1.0000e+00 */
    double least, most; /* of the sizes of those that are finite and not 0; none: least > most */
    int width;
    int64_t seen;
} printer;

/* How many indices of an axis are shown, and which the i-th of them is. */
static int64_t shown(const printer *p, int axis)
{
    int64_t n = p->t->shape.dim[axis];
    return p->summarize && n > 2 * EDGE ? 2 * EDGE : n;
}

static int64_t index_of(const printer *p, int axis, int64_t i)
{
    return i < shown(p, axis) - EDGE || i < EDGE ? i : p->t->shape.dim[axis] - shown(p, axis) + i;
}

static bool left_out(const printer *p, int axis)
{
    return shown(p, axis) < p->t->shape.dim[axis];
}

/* ---- the format all numbers share ---- */

typedef void visit_fn(printer *p, int64_t at);

/* Calls visit for each number that is shown; at: where the axes before this one have led, in row-major order. */
static bool each_shown(printer *p, int axis, int64_t at, visit_fn *visit)
{
    if (axis == p->t->shape.ndim) {
        visit(p, at);
        return ++p->seen % 4096 || es_watch_step(p->k->watch, 0, p->err);
    }
    for (int64_t i = 0; i < shown(p, axis); i++)
        if (!each_shown(p, axis + 1, at * p->t->shape.dim[axis] + index_of(p, axis, i), visit))
            return false;
    return true;
}

static void measure_range(printer *p, int64_t at)
{
    double x = es_torch_get_float(p->t, at), size = fabs(x);
    if (x == 0 || !isfinite(x))
        return;
    p->least = size < p->least ? size : p->least;
    p->most = size > p->most ? size : p->most;
    p->whole = p->whole && x == ceil(x);
}

static void show_float(const printer *p, es_str *out, double x)
{
    if (isnan(x))
        es_str_cat(out, "nan");
    else if (isinf(x))
        es_str_cat(out, x < 0 ? "-inf" : "inf");
    else if (p->scientific)
        es_str_add(out, "%.*e", DECIMALS, x);
    else if (p->whole)
        es_str_add(out, "%.0f.", x);
    else
        es_str_add(out, "%.*f", DECIMALS, x);
}

static void show_number(const printer *p, es_str *out, int64_t at)
{
    if (p->floating)
        show_float(p, out, es_torch_get_float(p->t, at));
    else if (p->t->dtype == ES_BOOL)
        es_str_cat(out, es_torch_get_int(p->t, at) ? "True" : "False");
    else
        es_str_add(out, "%" PRId64, es_torch_get_int(p->t, at));
}

static void measure_width(printer *p, int64_t at)
{
    double x = p->floating ? es_torch_get_float(p->t, at) : 1;
    if (x == 0 || !isfinite(x))
        return;
    es_str s = {0};
    show_number(p, &s, at);
    p->width = (int)s.len > p->width ? (int)s.len : p->width;
    es_str_free(&s);
}

static bool measure(printer *p)
{
    p->width = 1;
    p->whole = true;
    p->least = INFINITY;
    if (p->floating && !each_shown(p, 0, 0, measure_range))
        return false;
    if (p->least <= p->most)
        p->scientific =
            p->most / p->least > 1000 || p->most > 1e8 || (!p->whole && p->least < 1e-4);
    return each_shown(p, 0, 0, measure_width);
}

/* ---- the numbers in their brackets ---- */

static void put_number(printer *p, int64_t at)
{
    es_str s = {0};
    show_number(p, &s, at);
    if ((int)s.len < p->width)
        es_str_fill(p->out, ' ', (size_t)p->width - s.len);
    es_str_bytes(p->out, s.s, s.len);
    es_str_free(&s);
}

static void new_line(printer *p, int lines, int indent)
{
    es_str_fill(p->out, '\n', (size_t)lines);
    es_str_fill(p->out, ' ', (size_t)indent);
}

static bool too_long(printer *p)
{
    if (p->out->len > ES_MOST_PRINTED)
        return !es_fail(p->err, ES_ERR_NOMEM, "printed it would take more than %d MiB",
                        ES_MOST_PRINTED >> 20);
    return !es_watch_step(p->k->watch, 0, p->err);
}

/* What comes before the next of a row: nothing, a comma, or a comma and a new line. */
static void put_comma(printer *p, int64_t *column, int fit, int indent)
{
    if (*column)
        es_str_cat(p->out, *column % fit ? ", " : ",");
    if (*column && *column % fit == 0)
        new_line(p, 1, indent + 1);
    ++*column;
}

/* The last axis: as many numbers on a line as fit. */
static bool put_row(printer *p, int axis, int64_t at, int indent)
{
    int fit = (COLUMNS - indent) / (p->width + 2);
    int64_t column = 0;
    fit = fit > 1 ? fit : 1;
    es_str_char(p->out, '[');
    for (int64_t i = 0; i < shown(p, axis); i++) {
        if (i == EDGE && left_out(p, axis)) {
            put_comma(p, &column, fit, indent);
            es_str_cat(p->out, " ...");
        }
        put_comma(p, &column, fit, indent);
        put_number(p, at * p->t->shape.dim[axis] + index_of(p, axis, i));
        if (i % 64 == 0 && too_long(p))
            return false;
    }
    es_str_char(p->out, ']');
    return true;
}

static bool put(printer *p, int axis, int64_t at, int indent)
{
    int below = p->t->shape.ndim - axis;
    if (below == 0)
        put_number(p, at);
    if (below <= 1)
        return below == 0 || put_row(p, axis, at, indent);
    es_str_char(p->out, '[');
    for (int64_t i = 0; i < shown(p, axis); i++) {
        if (i) {
            es_str_char(p->out, ',');
            new_line(p, below - 1, indent + 1);
        }
        if (i == EDGE && left_out(p, axis)) {
            es_str_cat(p->out, "...,");
            new_line(p, below - 1, indent + 1);
        }
        if (!put(p, axis + 1, at * p->t->shape.dim[axis] + index_of(p, axis, i), indent + 1))
            return false;
    }
    es_str_char(p->out, ']');
    return true;
}

/* ---- what stands behind them ---- */

typedef struct tail {
    es_str *out;
    int indent;
    size_t used; /* of the columns of the last line */
} tail;

/* ", dtype=torch.int32", on the next line where this one is full. */
static void put_suffix(tail *end, const char *fmt, ...) ES_PRINTF(2, 3);
static void put_suffix(tail *end, const char *fmt, ...)
{
    es_str suffix = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&suffix, fmt, ap);
    va_end(ap);
    if (end->used + suffix.len + 2 > COLUMNS) {
        es_str_cat(end->out, ",\n");
        es_str_fill(end->out, ' ', (size_t)end->indent);
        end->used = (size_t)end->indent + suffix.len;
    } else {
        es_str_cat(end->out, ", ");
        end->used += suffix.len + 2;
    }
    es_str_bytes(end->out, suffix.s, suffix.len);
    es_str_free(&suffix);
}

static void put_size(tail *end, const es_shape *s)
{
    es_str size = {0};
    for (int d = 0; d < s->ndim; d++)
        es_str_add(&size, "%s%" PRId64, d ? ", " : "", s->dim[d]);
    put_suffix(end, "size=(%s%s)", es_str_text(&size), s->ndim == 1 ? "," : "");
    es_str_free(&size);
}

/* begin: where the text of the tensor begins in out. */
static void put_suffixes(es_str *out, size_t begin, int indent, const es_tensor *t,
                         bool requires_grad)
{
    const char *line = memrchr(out->s + begin, '\n', out->len - begin);
    tail end = {.out = out, .indent = indent};
    end.used = line ? (size_t)(out->s + out->len - line) + 1 : out->len - begin + 2;
    bool meta = es_torch_meta(t), empty = es_shape_count(&t->shape) == 0;
    const char *device = meta ? "meta" : t->buf->be->name;
    if (strcmp(device, "cpu") != 0)
        put_suffix(&end, meta ? "device='%s'" : "device='%s:0'", device);
    if (meta || (empty && t->shape.ndim != 1))
        put_size(&end, &t->shape);
    bool guessed = !meta && !empty && (t->dtype == ES_INT64 || t->dtype == ES_BOOL);
    if (t->dtype != ES_FLOAT32 && !guessed)
        put_suffix(&end, "dtype=torch.%s", es_dtype_name(t->dtype));
    if (requires_grad)
        put_suffix(&end, "requires_grad=True");
}

/* All numbers; *p prints a tensor in host memory. */
static bool put_numbers(printer *p, int indent)
{
    const es_tensor *t = p->t;
    es_tensor here;
    if (!es_torch_here(p->k, &here, t, "printing", p->err))
        return false;
    p->t = &here;
    bool ok = measure(p) && put(p, 0, 0, indent);
    p->t = t;
    es_tensor_free(&here);
    return ok;
}

bool es_tensor_repr(es_torch *k, es_str *out, const es_tensor *t, bool parameter,
                    bool requires_grad, es_error *err)
{
    int64_t n = es_shape_count(&t->shape);
    printer p = {.k = k, .out = out, .t = t, .err = err, .summarize = n > THRESHOLD};
    p.floating = t->dtype == ES_FLOAT32 || t->dtype == ES_FLOAT64;
    if (parameter)
        es_str_cat(out, "Parameter containing:\n");
    size_t begin = out->len;
    es_str_cat(out, "tensor(");
    int indent = (int)(out->len - begin);
    if (es_torch_meta(t))
        es_str_cat(out, "...");
    else if (n == 0)
        es_str_cat(out, "[]");
    else if (!put_numbers(&p, indent))
        return false;
    put_suffixes(out, begin, indent, t, requires_grad);
    es_str_char(out, ')');
    return true;
}
