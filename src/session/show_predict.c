// SPDX-License-Identifier: GPL-3.0-or-later
/* The likeliest next tokens. */
#include <inttypes.h>
#include <math.h>

#include "base/visible.h"
#include "model/blocks.h"
#include "session/numbers.h"
#include "session/show_kinds.h"

enum { BAR = 20, SHORT_BAR = 8, NARROW = 60 };

/* A token as the style has it; a row beyond the vocabulary has no text. */
static void show_token(es_str *out, const es_context *c, int32_t id, const es_style *style)
{
    size_t n;
    const char *bytes = es_bpe_bytes(c->bpe, id, &n);
    if (!bytes)
        es_str_cat(out, style->plain ? "none" : "(no text)");
    else if (style->plain)
        es_show_quoted(out, bytes, n);
    else
        es_style_token(out, bytes, n, style);
}

static int32_t last_id(const es_text *t, int64_t b)
{
    const es_tokens *tokens = &t->sentences->of[b].tokens;
    return tokens->id[tokens->n - 1];
}

static void show_p(es_str *out, double p)
{
    es_str_add(out, p >= 0.00005 ? "%.4f" : "%.0e", p);
}

/* What the tokens that are not shown have together. */
static double rest_of(const es_next *next)
{
    double shown = 0;
    for (int64_t i = 0; i < next->n; i++)
        shown += next->of[i].p;
    return fmax(0, 1 - shown);
}

/* ---- for a reader ---- */

/* A bar from the left, in eighths of a column: all `columns` of them are 1. */
static void show_bar(es_str *out, double part, int columns)
{
    static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int n = (int)lround(part * columns * 8);
    for (int i = 0; i < n / 8; i++)
        es_str_cat(out, "█");
    es_str_cat(out, n ? eighth[n % 8] : eighth[1]);
}

static void show_header(es_str *out, const es_predicted *p, const es_style *style)
{
    const es_context *c = p->text->context;
    int64_t n = es_model_n_layer(c->model);
    es_flow f = es_flow_start(out, " · ", style);
    es_flow_item(&f, "model %s: %" PRId64 " block%s after x", c->model->name, n, n == 1 ? "" : "s");
    if (c->model->config.n_ctx && c->layer.positions != ES_POSITIONS_LEARNED)
        es_flow_item(&f, "positions %s, which the blocks were not trained with",
                     es_positions_name(c->layer.positions));
    es_flow_item(&f, "the longest bar is the likeliest token's p");
    es_flow_end(&f);
}

static void show_grid(es_str *out, const es_context *c, const es_next *next, const es_style *style)
{
    const es_model *m = c->model;
    es_grid g = {.align = m->counts ? "rlfrr" : "rlfr"};
    es_grid_text(&g, "p");
    es_grid_text(&g, "%s", "");
    es_grid_text(&g, "token");
    es_grid_text(&g, "id");
    if (m->counts)
        es_grid_text(&g, "seen");
    for (int64_t i = 0; i < next->n && !es_str_braked(out); i++) {
        const es_likely *one = &next->of[i];
        show_p(es_grid_cell(&g, ES_PAINT_NONE), one->p);
        show_bar(es_grid_cell(&g, ES_PAINT_POSITIVE), one->p / next->of[0].p,
                 style->width < NARROW ? SHORT_BAR : BAR);
        show_token(es_grid_cell(&g, i % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN), c, one->id, style);
        es_grid_text(&g, "%" PRId32, one->id);
        if (m->counts)
            es_show_count(es_grid_cell(&g, ES_PAINT_NONE), es_model_count(m, one->id));
    }
    es_grid_end(&g, out, 0, 2, style);
}

/* "p 0.2931 is left for the other 50,247 tokens · as unsure as between 68 equally likely ones" */
static void show_rest(es_str *out, const es_context *c, const es_next *next, const es_style *style)
{
    int64_t rest = c->model->config.vocab_size - next->n;
    es_str p = {0}, n = {0}, choices = {0};
    show_p(&p, rest_of(next));
    es_show_count(&n, rest);
    es_show_count(&choices, llround(exp2(next->entropy)));
    es_flow f = es_flow_start(out, " · ", style);
    if (rest)
        es_flow_item(
            &f, rest == 1 ? "%s is left for the other token" : "%s is left for the other %s tokens",
            p.s, n.s);
    es_flow_item(&f, "as unsure as between %s equally likely tokens (%.1f bits)", choices.s,
                 next->entropy);
    es_flow_end(&f);
    es_str_free(&p);
    es_str_free(&n);
    es_str_free(&choices);
}

/* What it rests on. */
static void show_basis(es_str *out, const es_predicted *p, const es_style *style)
{
    const es_context *c = p->text->context;
    const char *rows = p->head ? "lm_head" : "wte";
    es_str line = {0}, V = {0};
    es_show_count(&V, c->model->config.vocab_size);
    es_str_add(&line,
               "p = softmax(hidden @ %s.T): hidden is what the blocks make of x at the last place, "
               "and its product with each of the %s rows of %s is a token's score",
               rows, V.s, rows);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
    es_str_free(&V);
}

static void show_sentence(es_str *out, const es_predicted *p, int64_t b, const es_style *style)
{
    const es_text *t = p->text;
    if (es_text_B(t) > 1)
        es_str_add(out, "text %" PRId64 ", ", b);
    if (!p->next[b].n) {
        es_str_cat(out, "no tokens: nothing to go on from\n");
        return;
    }
    es_str_cat(out, "after ");
    show_token(out, t->context, last_id(t, b), style);
    es_str_add(out, " at place %" PRId64 ":\n",
               t->sentences->of[b].at + (int64_t)t->sentences->of[b].tokens.n - 1);
    show_grid(out, t->context, &p->next[b], style);
    show_rest(out, t->context, &p->next[b], style);
}

/* ---- plain ---- */

static void plain_sentence(es_str *out, const es_predicted *p, int64_t b, const es_style *style)
{
    const es_text *t = p->text;
    const es_next *next = &p->next[b];
    es_str_add(out, "text %" PRId64 ": %zu tokens", b, t->sentences->of[b].tokens.n);
    if (next->n) {
        es_str_cat(out, ", the last ");
        show_token(out, t->context, last_id(t, b), style);
    }
    es_str_char(out, '\n');
    for (int64_t i = 0; i < next->n && !es_str_braked(out); i++) {
        int64_t seen = es_model_count(t->context->model, next->of[i].id);
        es_str_add(out, "row %" PRId64 ": text ", i + 1);
        show_token(out, t->context, next->of[i].id, style);
        es_str_add(out, ", id %" PRId32 ", p ", next->of[i].id);
        show_p(out, next->of[i].p);
        if (seen >= 0)
            es_str_add(out, ", seen %" PRId64, seen);
        es_str_char(out, '\n');
    }
    if (next->n)
        es_str_add(out, "entropy: %.1f bits\np of all others: %.4f\n", next->entropy,
                   rest_of(next));
}

static void plain_predict(es_str *out, const es_predicted *p, const es_style *style)
{
    const es_context *c = p->text->context;
    es_str_add(out, "model: %s (%s)\nblocks: %" PRId64 "\npositions: %s\n", c->model->name,
               c->model->about, es_model_n_layer(c->model), es_positions_name(c->layer.positions));
    es_str_add(out, "p: softmax of hidden @ %s.T, rows %" PRId64 "\n", p->head ? "lm_head" : "wte",
               c->model->config.vocab_size);
    for (int64_t b = 0; b < es_text_B(p->text) && !es_str_braked(out); b++)
        plain_sentence(out, p, b, style);
}

bool es_show_predict(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_predicted *p = data;
    (void)err;
    if (style->plain) {
        plain_predict(out, p, style);
        return true;
    }
    show_header(out, p, style);
    for (int64_t b = 0; b < es_text_B(p->text) && !es_str_braked(out); b++)
        show_sentence(out, p, b, style);
    show_basis(out, p, style);
    return true;
}

/* ---- JSON ---- */

static void json_rows(es_json *j, const es_context *c, const es_next *next)
{
    es_json_key(j, "rows");
    es_json_open(j, '[');
    for (int64_t i = 0; i < next->n && !es_str_braked(j->out); i++) {
        size_t n = 0;
        const char *bytes = es_bpe_bytes(c->bpe, next->of[i].id, &n);
        es_json_open(j, '{');
        es_json_key_int(j, "id", next->of[i].id);
        es_json_key(j, "text");
        if (bytes)
            es_json_text(j, bytes, n);
        else
            es_json_null(j);
        es_json_key(j, "hex");
        if (bytes)
            es_json_hex(j, bytes, n);
        else
            es_json_null(j);
        es_json_key(j, "p");
        es_json_float(j, (float)next->of[i].p);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

/* Of several texts, an object with its rows for each. */
bool es_json_of_predict(es_json *j, void *data, bool values, es_error *err)
{
    const es_predicted *p = data;
    const es_context *c = p->text->context;
    int64_t B = es_text_B(p->text);
    (void)values;
    (void)err;
    if (B == 1) {
        json_rows(j, c, &p->next[0]);
        return true;
    }
    es_json_key(j, "texts");
    es_json_open(j, '[');
    for (int64_t b = 0; b < B && !es_str_braked(j->out); b++) {
        es_json_open(j, '{');
        json_rows(j, c, &p->next[b]);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
    return true;
}
