// SPDX-License-Identifier: GPL-3.0-or-later
/* Looking up against multiplying: both results, and what each costs. */
#include <inttypes.h>

#include "session/compare.h"
#include "session/numbers.h"

enum { FULL_B = 8, FULL_T = 1024 }; /* a batch as one trains with */

static void add_count(es_str *out, double n)
{
    if (n < 9e18)
        es_show_count(out, (int64_t)n);
    else
        es_str_add(out, "%.3g", n);
}

static int64_t tokens_of(const es_onehot_answer *a)
{
    return es_text_B(a->text) * es_text_T(a->text);
}

static const es_table *wte_of(const es_onehot_answer *a)
{
    return a->text->context->layer.wte;
}

/* ---- equal? ---- */

/* "one_hot(ids) @ wte equals wte(ids): yes, all 192 numbers" */
static void show_verdict(es_str *out, const es_onehot_answer *a, const es_style *style)
{
    const es_onehot *f = &a->found;
    es_str line = {0};
    if (style->plain)
        es_str_cat(&line, "equal: ");
    else
        es_str_cat(&line, "one_hot(ids) @ wte equals wte(ids): ");
    if (f->equal == f->numbers) {
        es_str_cat(&line, "yes, all ");
        es_show_count(&line, f->numbers);
        es_str_add(&line, " number%s", f->numbers == 1 ? "" : "s");
    } else {
        es_str_cat(&line, "no, ");
        es_show_count(&line, f->equal);
        es_str_cat(&line, " of ");
        es_show_count(&line, f->numbers);
        es_str_cat(&line, " numbers");
        if (f->most > 0)
            es_str_add(&line, "; the largest difference is %.3g", f->most);
    }
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

/* 0 times NaN is NaN: a row that nobody looked up spoils the product. */
static void show_spoiled(es_str *out, const es_onehot_answer *a, const es_style *style)
{
    const es_onehot *f = &a->found;
    es_str line = {0};
    if (!f->bad_rows)
        return;
    es_str_add(&line, "%swte holds NaN or infinity in ", style->plain ? "not finite: " : "");
    es_show_count(&line, f->bad_rows);
    es_str_add(&line, " row%s, first at wte[%" PRId64 ", %" PRId64 "]", f->bad_rows == 1 ? "" : "s",
               f->bad_row, f->bad_channel);
    if (f->spoiled) {
        es_str_cat(&line, "; 0 times NaN is NaN, and so is 0 times infinity: in the product such a "
                          "row spoils its channels for every token (");
        es_show_count(&line, f->spoiled);
        es_str_cat(&line, f->spoiled == 1 ? " number here), though it is multiplied by 0. "
                                          : " numbers here), though it is multiplied by 0. ");
        es_str_cat(&line, "The lookup reads only the rows that are asked for.");
    }
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

/* ---- costs ---- */

typedef struct costs {
    int64_t B, T;
    es_onehot_cost lookup, product;
    double onehot; /* bytes */
} costs;

static costs costs_of(const es_table *wte, int64_t B, int64_t T)
{
    return (costs){.B = B,
                   .T = T,
                   .lookup = es_onehot_lookup_cost(wte, B * T),
                   .product = es_onehot_product_cost(wte, B * T),
                   .onehot = es_onehot_bytes(wte, B * T)};
}

static void show_seconds(es_str *out, double seconds)
{
    if (seconds < 1e-3)
        es_str_add(out, "%.1f µs", 1e6 * seconds);
    else if (seconds < 1)
        es_str_add(out, "%.1f ms", 1e3 * seconds);
    else
        es_str_add(out, "%.2f s", seconds);
}

/* "16,752 times as much", or nothing where it is less than twice. */
static void show_ratio(es_str *out, const costs *c)
{
    double ratio = c->lookup.bytes > 0 ? c->product.bytes / c->lookup.bytes : 0;
    if (ratio >= 9.95)
        add_count(out, ratio + 0.5);
    else if (ratio >= 1.05)
        es_str_add(out, "%.1f", ratio);
    if (ratio >= 1.05)
        es_str_cat(out, " times as much");
}

static void add_rows(es_grid *g, const costs *c, bool wide)
{
    es_grid_text(g, "wte read");
    es_show_bytes(es_grid_cell(g, ES_PAINT_NONE), c->lookup.bytes);
    es_show_bytes(es_grid_cell(g, ES_PAINT_NONE), c->product.bytes);
    if (wide)
        show_ratio(es_grid_cell(g, ES_PAINT_NONE), c);
    es_grid_text(g, "multiply-adds");
    es_grid_text(g, "0");
    add_count(es_grid_cell(g, ES_PAINT_NONE), c->product.multiply_adds);
    if (wide)
        es_grid_text(g, "%s", "");
    es_grid_text(g, "one-hot alone");
    es_grid_text(g, "none");
    es_show_bytes(es_grid_cell(g, ES_PAINT_NONE), c->onehot);
    if (wide)
        es_grid_text(g, "%s", "");
}

static void show_costs(es_str *out, const es_onehot_answer *a, const costs *c, bool times,
                       const es_style *style)
{
    bool wide = style->width >= 70;
    es_grid g = {.align = wide ? "lrrl" : "lrr"};
    es_str head = {0};
    es_str_add(&head, "at B=%" PRId64 ", T=%" PRId64 ", C=%" PRId64 ", V=%" PRId64, c->B, c->T,
               es_table_width(wte_of(a)), es_table_rows(wte_of(a)));
    es_wrap(out, head.s, 0, style);
    es_str_free(&head);
    es_grid_text(&g, "%s", "");
    es_grid_text(&g, "lookup");
    es_grid_text(&g, "product");
    if (wide)
        es_grid_text(&g, "%s", "");
    add_rows(&g, c, wide);
    if (times) {
        es_grid_text(&g, "time");
        show_seconds(es_grid_cell(&g, ES_PAINT_NONE), a->found.lookup_seconds);
        show_seconds(es_grid_cell(&g, ES_PAINT_NONE), a->found.product_seconds);
        if (wide)
            es_grid_text(&g, "%s", "");
    }
    es_grid_end(&g, out, 2, 2, style);
    es_str ratio = {0};
    show_ratio(&ratio, c);
    if (!wide && ratio.len) {
        es_str line = {0};
        es_str_add(&line, "the product reads %s", ratio.s);
        es_wrap(out, line.s, 2, style);
        es_str_free(&line);
    }
    es_str_free(&ratio);
}

static void plain_costs(es_str *out, const es_onehot_answer *a, const costs *c)
{
    es_str_add(out, "sizes: B %" PRId64 ", T %" PRId64 ", C %" PRId64 ", V %" PRId64 "\n", c->B,
               c->T, es_table_width(wte_of(a)), es_table_rows(wte_of(a)));
    es_str_add(out, "wte read by lookup: %.0f bytes\n", c->lookup.bytes);
    es_str_add(out, "wte read by product: %.0f bytes\n", c->product.bytes);
    es_str_cat(out, "multiply-adds of lookup: 0\n");
    es_str_add(out, "multiply-adds of product: %.0f\n", c->product.multiply_adds);
    es_str_add(out, "one-hot alone: %.0f bytes\n", c->onehot);
}

static void show_source(es_str *out, const es_onehot_answer *a, const es_style *style)
{
    es_store store;
    if (a->times && !es_table_data(wte_of(a), &store))
        es_wrap(out, "the rows of this wte are made as they are read; both times hold that", 0,
                style);
}

bool es_show_onehot(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_onehot_answer *a = data;
    costs here = costs_of(wte_of(a), es_text_B(a->text), es_text_T(a->text));
    costs full = costs_of(wte_of(a), FULL_B, FULL_T);
    (void)err;
    if (tokens_of(a) == 0) {
        es_str_cat(out, style->plain ? "tokens: 0\n" : "0 tokens: there is nothing to look up\n");
        return true;
    }
    show_verdict(out, a, style);
    show_spoiled(out, a, style);
    if (style->plain) {
        plain_costs(out, a, &here);
        if (a->times)
            es_str_add(out, "time of lookup: %.9f s\ntime of product: %.9f s\n",
                       a->found.lookup_seconds, a->found.product_seconds);
        plain_costs(out, a, &full);
    } else {
        show_costs(out, a, &here, a->times, style);
        show_costs(out, a, &full, false, style);
    }
    show_source(out, a, style);
    return true;
}

/* ---- JSON ---- */

static void json_way(es_json *j, const char *key, const es_onehot_cost *c)
{
    es_json_key(j, key);
    es_json_open(j, '{');
    es_json_key(j, "bytes");
    es_json_double(j, c->bytes);
    es_json_key(j, "multiply_adds");
    es_json_double(j, c->multiply_adds);
    es_json_close(j, '}');
}

static void json_costs(es_json *j, const char *key, const costs *c)
{
    es_json_key(j, key);
    es_json_open(j, '{');
    es_json_key_int(j, "B", c->B);
    es_json_key_int(j, "T", c->T);
    json_way(j, "lookup", &c->lookup);
    json_way(j, "product", &c->product);
    es_json_key(j, "onehot_bytes");
    es_json_double(j, c->onehot);
    es_json_close(j, '}');
}

static void json_not_finite(es_json *j, const es_onehot *f)
{
    es_json_key(j, "not_finite");
    if (!f->bad_rows) {
        es_json_null(j);
        return;
    }
    es_json_open(j, '{');
    es_json_key_int(j, "rows", f->bad_rows);
    es_json_key_int(j, "row", f->bad_row);
    es_json_key_int(j, "channel", f->bad_channel);
    es_json_close(j, '}');
}

bool es_json_of_onehot(es_json *j, void *data, bool values, es_error *err)
{
    const es_onehot_answer *a = data;
    const es_onehot *f = &a->found;
    costs here = costs_of(wte_of(a), es_text_B(a->text), es_text_T(a->text));
    costs full = costs_of(wte_of(a), FULL_B, FULL_T);
    (void)values;
    (void)err;
    es_json_key(j, "equal");
    es_json_bool(j, f->equal == f->numbers);
    es_json_key_int(j, "numbers", f->numbers);
    es_json_key_int(j, "equal_numbers", f->equal);
    es_json_key_int(j, "spoiled_numbers", f->spoiled);
    es_json_key(j, "largest_difference");
    es_json_double(j, f->most);
    json_not_finite(j, f);
    es_json_key_int(j, "C", es_table_width(wte_of(a)));
    es_json_key_int(j, "V", es_table_rows(wte_of(a)));
    json_costs(j, "here", &here);
    json_costs(j, "full", &full);
    es_json_key(j, "times");
    if (a->times) {
        es_json_open(j, '{');
        es_json_key(j, "lookup");
        es_json_double(j, f->lookup_seconds);
        es_json_key(j, "product");
        es_json_double(j, f->product_seconds);
        es_json_close(j, '}');
    } else {
        es_json_null(j);
    }
    return true;
}
