// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>

#include "base/visible.h"
#include "layer/cosine.h"
#include "layer/onehot.h"
#include "session/numbers.h"
#include "view/onehot.h"

void es_hot_token(const es_viewer *v, int64_t id, int columns, es_str *out)
{
    es_scene_token(out, es_session_context(v->session), (int32_t)id, columns);
}

static const es_table *wte_of(const es_viewer *v)
{
    return es_session_context(v->session)->model->wte;
}

static void add_count(es_str *out, double n)
{
    if (n < 9e18)
        es_show_count(out, (int64_t)n);
    else
        es_str_add(out, "%.3g", n);
}

void es_hot_costs(const es_viewer *v, const es_hot *h, es_str *out)
{
    es_onehot_cost product = es_onehot_product_cost(wte_of(v), 1),
                   lookup = es_onehot_lookup_cost(wte_of(v), 1);
    es_str_cat(out, "The product: ");
    es_show_count(out, h->V);
    es_str_cat(out, " × ");
    es_show_count(out, h->C);
    es_str_cat(out, " = ");
    add_count(out, product.multiply_adds);
    es_str_cat(out, " multiply-adds, all but ");
    es_show_count(out, h->C);
    es_str_cat(out, " of them with 0, and ");
    es_show_bytes(out, product.bytes);
    es_str_cat(out, " of wte read. The lookup: no multiply-adds, and ");
    es_show_bytes(out, lookup.bytes);
    es_str_cat(out, " read.");
}

/* ---- under the pointer ---- */

static bool pick_place(const es_viewer *v, const es_hot *h, int64_t place, es_pick *out)
{
    out->id = (int32_t)place;
    out->value = place == h->id;
    es_str_cat(&out->what, "the one-hot row at ");
    es_hot_token(v, place, 24, &out->what);
    es_str_add(&out->what, ", place %" PRId64 ": %g", place, out->value);
    es_str_add(&out->statement, "F.one_hot(torch.tensor(%" PRId32 "), %" PRId64 ")[%" PRId64 "]",
               h->id, h->V, place);
    return true;
}

static bool pick_onehot(const es_viewer *v, const es_hot *h, const es_hot_plan *plan, es_spot at,
                        es_pick *out)
{
    es_box cells = plan->cells;
    cells.h += plan->ids.h + plan->names.h;
    if (es_box_has(plan->bar, at.x, at.y)) {
        double part = (double)((at.x - plan->bar.x) / plan->bar.w);
        int64_t place = (int64_t)(part * (double)h->V);
        out->mark = (es_box){at.x - 1.5f, plan->bar.y, 3, plan->bar.h};
        return pick_place(v, h, place < h->V ? place : h->V - 1, out);
    }
    if (!plan->n_cells || !es_box_has(cells, at.x, at.y))
        return false;
    float w = cells.w / (float)plan->n_cells;
    int64_t i = (int64_t)((at.x - cells.x) / w);
    i = i < plan->n_cells ? i : plan->n_cells - 1;
    out->mark = (es_box){cells.x + (float)i * w, plan->cells.y, w, plan->cells.h};
    return pick_place(v, h, plan->first_cell + i, out);
}

static void say_number(const es_viewer *v, int64_t row, int64_t channel, float value,
                       const char *of, es_pick *out)
{
    out->id = (int32_t)row;
    out->channel = channel;
    out->value = (double)value;
    es_str_add(&out->what, "%s of ", of);
    es_hot_token(v, row, 24, &out->what);
    es_str_add(&out->what, ", channel %" PRId64 ": ", channel);
    es_heat_number(&out->what, out->value, fabsf(value), es_heat_decimals(fabsf(value)));
}

bool es_hot_pick(const es_viewer *v, const es_hot *h, const es_hot_plan *plan, es_spot at,
                 es_pick *out)
{
    es_heat rows = es_hot_rows(h, plan), result = es_hot_result(h);
    int64_t row, channel;
    if (es_heat_pick(&result, plan->result, at, &row, &channel)) {
        say_number(v, h->id, channel, result.value[channel], "tok_emb", out);
        es_str_add(&out->statement, "wte(torch.tensor([%" PRId32 "]))[0, %" PRId64 "]", h->id,
                   channel);
        out->mark = es_heat_cell(&result, plan->result, 0, channel);
        return true;
    }
    if (es_heat_pick(&rows, plan->map, at, &row, &channel)) {
        int64_t id = plan->first_row + row;
        say_number(v, id, channel, rows.value[row * rows.stride + channel], "wte", out);
        es_str_add(&out->statement, "wte.weight[%" PRId64 ", %" PRId64 "]", id, channel);
        out->mark = es_heat_cell(&rows, plan->map, row, channel);
        return true;
    }
    return pick_onehot(v, h, plan, at, out);
}

/* ---- what it keeps and hides ---- */

void es_hot_honesty(const es_viewer *v, es_str *out)
{
    const es_hot *h = es_hot_of(v, NULL);
    if (!h)
        return;
    es_str_cat(out, "The product is the row, number for number: all others are multiplied by 0.");
    if (h->odd)
        es_str_add(out,
                   " But %" PRId64 " row%s here hold%s NaN or Inf, and 0 times these is NaN: the "
                   "product is spoiled, the lookup is not.",
                   h->odd, h->odd == 1 ? "" : "s", h->odd == 1 ? "s" : "");
    else
        es_str_cat(out, " Programs do not multiply: they look the row up.");
    if (h->n < h->V) {
        es_str_cat(out, " Few of ");
        es_show_count(out, h->V);
        es_str_cat(out, " rows are drawn.");
    }
}

void es_hot_expression(const es_viewer *v, es_str *out)
{
    const es_hot *h = es_hot_of(v, NULL);
    if (!h)
        return;
    es_str_add(out,
               "one_hot(%" PRId32 ") [1, V=%" PRId64 "] @ wte [V=%" PRId64 ", C=%" PRId64
               "] = tok_emb [1, C=%" PRId64 "]",
               h->id, h->V, h->V, h->C, h->C);
}

/* ---- numbers ---- */

static double length_of(const es_hot *h)
{
    return es_length(h->row + (h->id - h->first) * h->C, h->C);
}

void es_hot_plain(es_viewer *v, es_str *out)
{
    es_str why = {0};
    size_t n = 0;
    const es_hot *h = es_hot_of(v, &why);
    if (!h) {
        es_str_add(out, "problem: %s\n", es_str_text(&why));
        es_str_free(&why);
        return;
    }
    const char *bytes = es_bpe_bytes(es_session_context(v->session)->bpe, h->id, &n);
    es_str_cat(out, "token: ");
    if (bytes)
        es_show_quoted(out, bytes, n);
    es_str_add(out,
               " (#%" PRId32 ")\n"
               "one-hot: [1, %" PRId64 "], a single 1 at %" PRId32 "\n"
               "wte: [%" PRId64 ", %" PRId64 "]\n"
               "product: [1, %" PRId64 "], row %" PRId32 " of wte, length %.4g\n"
               "multiply-adds of lookup: 0\n"
               "multiply-adds of product: %.0f, not with 0: %" PRId64 "\n"
               "wte read by lookup: %.0f bytes\n"
               "wte read by product: %.0f bytes\n"
               "one-hot alone: %.0f bytes\n",
               h->id, h->V, h->id, h->V, h->C, h->C, h->id, length_of(h),
               es_onehot_product_cost(wte_of(v), 1).multiply_adds, h->C,
               es_onehot_lookup_cost(wte_of(v), 1).bytes,
               es_onehot_product_cost(wte_of(v), 1).bytes, es_onehot_bytes(wte_of(v), 1));
    if (h->odd)
        es_str_add(out, "rows around it with NaN or Inf, which spoil a product: %" PRId64 "\n",
                   h->odd);
}

static void key_double(es_json *j, const char *key, double value)
{
    es_json_key(j, key);
    es_json_double(j, value);
}

void es_hot_json(es_viewer *v, es_json *j)
{
    const es_hot *h = es_hot_of(v, NULL);
    if (!h)
        return;
    es_onehot_cost product = es_onehot_product_cost(wte_of(v), 1);
    es_json_key_int(j, "id", h->id);
    es_json_key_int(j, "V", h->V);
    es_json_key_int(j, "C", h->C);
    key_double(j, "length", length_of(h));
    key_double(j, "multiply_adds", product.multiply_adds);
    key_double(j, "product_bytes", product.bytes);
    key_double(j, "lookup_bytes", es_onehot_lookup_cost(wte_of(v), 1).bytes);
    key_double(j, "onehot_bytes", es_onehot_bytes(wte_of(v), 1));
    es_json_key(j, "row");
    es_json_floats(j, h->row + (h->id - h->first) * h->C, h->C);
}
