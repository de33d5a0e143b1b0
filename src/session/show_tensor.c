// SPDX-License-Identifier: GPL-3.0-or-later
/* A tensor for a reader: what it is, what its numbers are like, and as many of them as fit. */
#include <inttypes.h>
#include <math.h>

#include "session/show_value.h"
#include "session/stats.h"
#include "torch/host.h"

enum { MANY = 9 /* elements from which they are summed up */ };

/* The line above the numbers; with --plain a line for each item. */
typedef struct header {
    es_flow flow;
    const es_style *style;
} header;

/* plain: the item's name there; NULL: the text begins with it. */
static void item(header *h, const char *plain, const char *fmt, ...) ES_PRINTF(3, 4);
static void item(header *h, const char *plain, const char *fmt, ...)
{
    es_str text = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&text, fmt, ap);
    va_end(ap);
    if (h->style->plain) {
        es_str line = {0};
        es_str_add(&line, "%s: %s", plain, text.s);
        es_wrap(h->flow.out, line.s, 0, h->style);
        es_str_free(&line);
    } else {
        es_flow_item(&h->flow, "%s", text.s);
    }
    es_str_free(&text);
}

static bool is_float(const es_tensor *t)
{
    return t->dtype == ES_FLOAT32 || t->dtype == ES_FLOAT64;
}

/* Where three digits of the largest number end, and with them those of all. */
static int decimals_of(double most)
{
    int d = most > 0 ? 2 - (int)floor(log10(most)) : 2;
    return d < 0 ? 0 : d;
}

static void number(es_str *out, const es_tensor *t, double v, double most, const es_style *style)
{
    v = fabs(v) < 0.5 * pow(10, -decimals_of(most)) && !style->digits ? 0 : v; /* no -0.00 */
    if (!is_float(t))
        es_str_add(out, "%.17g", v);
    else if (style->digits)
        es_str_add(out, "%.*g", style->digits, v);
    else if (most >= 1e6 || most < 1e-4)
        es_str_add(out, "%.2e", v);
    else
        es_str_add(out, "%.*f", decimals_of(most), v);
}

static void histogram(es_str *out, const es_stats *s)
{
    static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    int64_t most = 1;
    for (int i = 0; i < ES_BINS; i++)
        most = s->bin[i] > most ? s->bin[i] : most;
    for (int i = 0; i < ES_BINS; i++)
        es_str_cat(out, heights[lround(7 * (double)s->bin[i] / (double)most)]);
}

/* "-0.63 ▁▂▅█▃▁ 0.71", "mean 0.00  std 0.14" */
static void spread(header *h, const es_tensor *t, const es_stats *s)
{
    double most = fmax(fabs(s->low), fabs(s->high));
    es_str low = {0}, high = {0}, bars = {0}, mean = {0}, std = {0};
    number(&low, t, s->low, most, h->style);
    number(&high, t, s->high, most, h->style);
    number(&mean, t, s->mean, most, h->style);
    number(&std, t, s->std, most, h->style);
    histogram(&bars, s);
    if (h->style->plain)
        item(h, "range", "%s to %s", low.s, high.s);
    else
        item(h, NULL, "%s %s %s", low.s, bars.s, high.s);
    if (is_float(t) && h->style->plain) {
        item(h, "mean", "%s", mean.s);
        item(h, "std", "%s", std.s);
    } else if (is_float(t)) {
        item(h, NULL, "mean %s  std %s", mean.s, std.s);
    }
    es_str_free(&low);
    es_str_free(&high);
    es_str_free(&bars);
    es_str_free(&mean);
    es_str_free(&std);
}

static void no_numbers(header *h, const es_stats *s)
{
    const char *mark = h->style->plain ? "" : "NaN! ", *inf = h->style->plain ? "" : "Inf! ";
    if (s->nans)
        item(h, "NaN", "%s%" PRId64, mark, s->nans);
    if (s->infinities)
        item(h, "Inf", "%s%" PRId64, inf, s->infinities);
}

static void summary(header *h, const es_tensor *t, const es_stats *s)
{
    if (t->dtype == ES_BOOL)
        item(h, "true", "%.0f of %" PRId64 "%s", s->mean * (double)s->finite, s->finite,
             h->style->plain ? "" : " true");
    else if (s->finite && s->low == 0 && s->high == 0)
        item(h, "numbers", "all zeros");
    else if (s->finite && s->low == s->high)
        item(h, "numbers", "all %.*g", h->style->digits ? h->style->digits : 6, s->low);
    else if (s->finite)
        spread(h, t, s);
}

static bool show_header(es_str *out, es_interp *in, const es_tensor *t, const char *memory,
                        const es_style *style, es_error *err)
{
    header h = {es_flow_start(out, "   ", style), style};
    int64_t n = es_shape_count(&t->shape);
    es_stats stats = {0};
    es_str shape = {0};
    if (!es_torch_meta(t) && n && !es_stats_of(&stats, t, es_interp_torch(in)->watch, err))
        return false;
    es_shape_show(&shape, &t->shape);
    item(&h, "tensor", "%s %s %s", shape.s, es_dtype_name(t->dtype), t->buf->be->name);
    if (es_torch_meta(t))
        item(&h, "numbers", "%s", style->plain ? "none, shapes only" : "no numbers: shapes only");
    else if (n == 0)
        item(&h, "numbers", "%s", style->plain ? "none" : "no elements");
    no_numbers(&h, &stats);
    if (n >= MANY && !es_torch_meta(t))
        summary(&h, t, &stats);
    if (*memory)
        item(&h, "memory", "%s", memory);
    if (!style->plain)
        es_flow_end(&h.flow);
    es_str_free(&shape);
    return true;
}

static bool show(es_str *out, es_interp *in, const es_tensor *t, const char *memory, int rows,
                 const es_style *style, es_error *err)
{
    if (!show_header(out, in, t, memory, style, err))
        return false;
    if (!es_torch_meta(t) && es_shape_count(&t->shape) > 0)
        es_show_numbers(out, t, rows, style);
    return true;
}

bool es_show_tensor(es_str *out, es_interp *in, const es_tensor *t, const char *memory, int rows,
                    const es_style *style, es_error *err)
{
    bool meta = es_torch_meta(t), any = es_shape_count(&t->shape) > 0;
    if (!any || meta)
        return show(out, in, t, memory, rows, style, err);
    es_tensor here;
    if (!es_torch_here(es_interp_torch(in), &here, t, "this answer", err))
        return false;
    bool ok = show(out, in, &here, memory, rows, style, err);
    es_tensor_free(&here);
    return ok;
}
