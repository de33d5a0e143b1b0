// SPDX-License-Identifier: GPL-3.0-or-later
/* What a run of :train changed. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/visible.h"
#include "session/numbers.h"
#include "session/training.h"

enum { NAMED = 40, NAMED_FEW = 8 }; /* rows that moved, by name */

static const char *bytes_of(const es_train_report *r, int64_t id, size_t *n)
{
    *n = 0;
    return es_bpe_bytes(r->context->bpe, (int32_t)id, n);
}

static void show_token(es_str *out, const es_train_report *r, int64_t id, const es_style *style)
{
    size_t n;
    const char *bytes = bytes_of(r, id, &n);
    if (!bytes)
        es_str_cat(out, style->plain ? "none" : "(no text)");
    else if (style->plain)
        es_show_quoted(out, bytes, n);
    else
        es_style_token(out, bytes, n, style);
}

/* As "%.2f" rounds it, but never "-0.00". */
static double two_digits(double x)
{
    return fabs(x) < 0.005 ? 0 : x;
}

/* ---- loss ---- */

static void add_count(es_str *out, const char *before, int64_t n, const char *after)
{
    es_str_cat(out, before);
    es_show_count(out, n);
    es_str_cat(out, after);
}

static void show_loss(es_str *out, const es_train_report *r, const es_style *style)
{
    es_str line = {0};
    es_show_count(&line, r->steps);
    es_str_add(&line, " step%s", r->steps == 1 ? "" : "s");
    if (r->steps < r->recipe.steps)
        add_count(&line, " of ", r->recipe.steps, "");
    es_str_add(&line, " on the boxed text, from the model %s: loss %.2f before, %.2f after",
               r->context->model->name, r->loss_before, r->loss_after);
    add_count(&line, ", on ", r->measured, " tokens of documents that were held out");
    es_str_add(&line, "; by chance alone %.2f, the logarithm of ", log((double)r->wte.rows));
    es_show_count(&line, r->wte.rows);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void show_recipe(es_str *out, const es_train_report *r, const es_style *style)
{
    const es_recipe *p = &r->recipe;
    es_str tokens = {0}, negatives = {0};
    es_show_count(&tokens, r->tokens);
    es_show_count(&negatives, p->negatives);
    es_flow f = es_flow_start(out, " · ", style);
    es_flow_item(&f, "%s tokens in windows of %" PRId64 ", %" PRId64 " a step", tokens.s,
                 p->context, p->batch);
    if (p->negatives)
        es_flow_item(&f, "the softmax goes over %s drawn tokens", negatives.s);
    else
        es_flow_item(&f, "the softmax goes over the whole vocabulary");
    es_flow_item(&f, "rate lr=%g", p->lr);
    es_flow_item(&f, p->tied ? "the output matrix is wte" : "the output matrix is its own");
    es_flow_item(&f, "%" PRId64 " block%s", p->n_layer, p->n_layer == 1 ? "" : "s");
    es_flow_end(&f);
    es_str_free(&tokens);
    es_str_free(&negatives);
}

/* ---- neighbours ---- */

static void neighbour(es_grid *g, const es_train_report *r, const es_neighbour *best, int64_t n,
                      int64_t i, const es_style *style)
{
    es_str *token = es_grid_cell(g, i % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN);
    if (i < n)
        show_token(token, r, best[i].id, style);
    es_str *score = es_grid_cell(g, ES_PAINT_NONE);
    if (i < n)
        es_str_add(score, "%.3f", best[i].score);
}

/* Whether the same rows were nearest, in the same order. */
static bool as_before(const es_train_near *near)
{
    if (near->n_before != near->n_after || !near->n_before)
        return false;
    for (int64_t i = 0; i < near->n_before; i++)
        if (near->before[i].id != near->after[i].id)
            return false;
    return true;
}

static void show_as_before(es_str *out, const es_train_report *r, const es_train_near *near,
                           const es_style *style)
{
    es_str name = {0};
    show_token(&name, r, near->id, style);
    es_flow f = es_flow_start(out, " · ", style);
    for (int64_t i = 0; i < near->n_after; i++) {
        es_str token = {0};
        show_token(&token, r, near->after[i].id, style);
        if (i == 0)
            es_flow_item(&f, "nearest to %s as before: %s %.3f", name.s, token.s,
                         near->after[i].score);
        else
            es_flow_item(&f, "%s %.3f", token.s, near->after[i].score);
        es_str_free(&token);
    }
    es_flow_end(&f);
    es_str_free(&name);
}

static void put_neighbours(es_grid *g, const es_train_report *r, const es_train_near *near,
                           const es_style *style)
{
    int64_t rows = near->n_before > near->n_after ? near->n_before : near->n_after;
    for (int64_t i = 0; i < rows; i++) {
        es_str *token = es_grid_cell(g, ES_PAINT_STRONG);
        if (i == 0)
            show_token(token, r, near->id, style);
        neighbour(g, r, near->before, near->n_before, i, style);
        neighbour(g, r, near->after, near->n_after, i, style);
    }
}

/* Two columns where something changed, one line where nothing did. */
static void show_neighbours(es_str *out, const es_train_report *r, const es_style *style)
{
    static const char *const heads[] = {"nearest to", "before", "cosine", "after", "cosine"};
    es_grid g = {.align = "ffrfr"};
    size_t changed = 0;
    for (size_t k = 0; k < r->n_near; k++)
        if (as_before(&r->near[k]))
            show_as_before(out, r, &r->near[k], style);
        else
            changed++;
    if (!changed)
        return;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        es_grid_text(&g, "%s", heads[i]);
    for (size_t k = 0; k < r->n_near; k++)
        if (!as_before(&r->near[k]))
            put_neighbours(&g, r, &r->near[k], style);
    es_grid_end(&g, out, 0, 2, style);
}

/* ---- words that moved together ---- */

static void show_pairs(es_str *out, const es_train_report *r, const es_style *style)
{
    es_grid g = {.align = "llrr"};
    if (!r->n_pairs)
        return;
    es_wrap(out,
            "frequent words that moved together, by cosine (less the mean of such words, for a way "
            "that all of them went says nothing of two):",
            0, style);
    for (size_t i = 0; i < r->n_pairs; i++) {
        const es_train_pair *p = &r->pair[i];
        show_token(es_grid_cell(&g, ES_PAINT_EVEN), r, p->a, style);
        show_token(es_grid_cell(&g, ES_PAINT_ODD), r, p->b, style);
        es_grid_text(&g, "%.2f", two_digits(p->before));
        es_grid_text(&g, "to %.2f", two_digits(p->after));
    }
    es_grid_end(&g, out, 2, 2, style);
}

/* ---- rows ---- */

/* Why other rows than those looked up have moved; NULL: none has. */
static const char *why_others(const es_train_report *r)
{
    if (!r->recipe.tied)
        return NULL;
    return r->recipe.negatives
               ? "as an output matrix wte learns in its other rows too: those to be predicted, and "
                 "those drawn to be told from them"
               : "as an output matrix wte learns in every row, for the softmax goes over all of "
                 "them";
}

/* The smallest and the largest move, of the rows that were looked up or of all. */
static void show_range(es_str *out, const es_train_moves *m, bool looked_up)
{
    double least = INFINITY, most = 0;
    for (int64_t i = 0; i < m->n; i++) {
        if (looked_up && !m->of[i].looked_up)
            continue;
        least = fmin(least, m->of[i].by);
        most = fmax(most, m->of[i].by);
    }
    es_str_add(out, ", by %.3g", least);
    if (most > 1.005 * least)
        es_str_add(out, " to %.3g", most);
}

static void show_wte(es_str *out, const es_train_report *r, const es_style *style)
{
    const es_train_moves *m = &r->wte;
    const char *why = why_others(r);
    bool alone = m->n == m->looked_up;
    es_str line = {0};
    es_str_cat(&line, "wte: ");
    es_show_count(&line, m->n);
    add_count(&line, " of ", m->rows, " rows moved");
    if (m->n)
        show_range(&line, m, false);
    if (alone)
        es_str_cat(&line, ": just those that were looked up");
    else
        add_count(&line, "; ", m->looked_up, " were looked up");
    if (why && !alone)
        es_str_add(&line, "; %s", why);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

/* A comma or a stop would be read as ours. */
static void show_marked(es_str *out, const es_train_report *r, int64_t id, const es_style *style)
{
    size_t n;
    const char *bytes = bytes_of(r, id, &n);
    bool mark = bytes && n == 1 && ispunct((unsigned char)*bytes) && *bytes != '"';
    es_str_cat(out, mark ? "\"" : "");
    show_token(out, r, id, style);
    es_str_cat(out, mark ? "\"" : "");
}

/* "looked up, times: ␣the 21 · "," 14 · …" */
static void show_looked_up(es_str *out, const es_train_report *r, const es_style *style)
{
    const es_train_moves *m = &r->wte;
    int64_t most = r->steps == 1 ? NAMED : NAMED_FEW, n = 0;
    es_flow f = es_flow_start(out, " · ", style);
    for (; n < m->n && n < most && m->of[n].looked_up; n++) {
        es_str token = {0}, times = {0};
        show_marked(&token, r, m->of[n].row, style);
        es_show_count(&times, m->of[n].looked_up);
        es_flow_item(&f, n ? "%s %s" : "looked up, times: %s %s", token.s, times.s);
        es_str_free(&token);
        es_str_free(&times);
    }
    if (n < m->looked_up) {
        es_str more = {0};
        add_count(&more, "and ", m->looked_up - n, " more");
        es_flow_item(&f, "%s", more.s);
        es_str_free(&more);
    }
    es_flow_end(&f);
}

static void show_wpe(es_str *out, const es_train_report *r, const es_style *style)
{
    es_str line = {0};
    es_str_cat(&line, "wpe: ");
    es_show_count(&line, r->wpe.n);
    add_count(&line, " of ", r->wpe.rows, " rows moved");
    es_str_add(&line, ", those of the places 0 to %" PRId64 " in a window", r->recipe.context - 1);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void show_adam(es_str *out, const es_train_report *r, const es_style *style)
{
    double C = (double)r->recipe.n_embd, rate = r->first_rate * r->recipe.wte_lr;
    es_str line = {0};
    es_str_add(&line,
               "In its first step Adam moves each number that has a gradient by about the rate, "
               "however small the gradient is: a row by about %.3g * sqrt(%.0f) = %.3g",
               rate, C, rate * sqrt(C));
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void show_what_next(es_str *out, const es_style *style)
{
    es_wrap(out,
            "In use from here on: the model trained, for :near, :predict and texts; :train goes on "
            "from it, :reset goes back to the model before any training",
            0, style);
}

/* ---- plain ---- */

static void plain_near(es_str *out, const es_train_report *r, const es_train_near *near,
                       const es_style *style)
{
    for (int after = 0; after < 2; after++) {
        const es_neighbour *best = after ? near->after : near->before;
        int64_t n = after ? near->n_after : near->n_before;
        es_str_cat(out, "nearest to ");
        show_token(out, r, near->id, style);
        es_str_cat(out, after ? " after:" : " before:");
        for (int64_t i = 0; i < n; i++) {
            es_str_cat(out, i ? ", " : " ");
            show_token(out, r, best[i].id, style);
            es_str_add(out, " %.3f", best[i].score);
        }
        es_str_char(out, '\n');
    }
}

static void plain_rows(es_str *out, const es_train_report *r, const es_style *style)
{
    const es_train_moves *m = &r->wte;
    int64_t most = r->steps == 1 ? NAMED : NAMED_FEW;
    for (int64_t i = 0; i < m->n && i < most && m->of[i].looked_up; i++) {
        es_str_cat(out, "row ");
        show_token(out, r, m->of[i].row, style);
        es_str_add(out, ": times looked up %" PRId64 ", moved by %.3g\n", m->of[i].looked_up,
                   m->of[i].by);
    }
}

static void plain_train(es_str *out, const es_train_report *r, const es_style *style)
{
    es_str_add(out,
               "steps: %" PRId64 " of %" PRId64 "\nfrom: %s\ntokens: %" PRId64
               "\nloss before: %.2f\nloss after: %.2f\nheld-out tokens: %" PRId64 "\n",
               r->steps, r->recipe.steps, r->context->model->name, r->tokens, r->loss_before,
               r->loss_after, r->measured);
    es_str_add(out, "negatives: ");
    if (r->recipe.negatives)
        es_str_add(out, "%" PRId64, r->recipe.negatives);
    else
        es_str_cat(out, "the whole vocabulary");
    es_str_add(out, "\nrate: %g\noutput matrix: %s\n", r->recipe.lr,
               r->recipe.tied ? "wte" : "its own");
    for (size_t i = 0; i < r->n_near; i++)
        plain_near(out, r, &r->near[i], style);
    for (size_t i = 0; i < r->n_pairs; i++) {
        es_str_cat(out, "moved together: ");
        show_token(out, r, r->pair[i].a, style);
        es_str_cat(out, " and ");
        show_token(out, r, r->pair[i].b, style);
        es_str_add(out, ", cosine %.2f before, %.2f after\n", two_digits(r->pair[i].before),
                   two_digits(r->pair[i].after));
    }
    es_str_add(out,
               "rows of wte that moved: %" PRId64 " of %" PRId64 "\nrows of wte looked up: %" PRId64
               "\n",
               r->wte.n, r->wte.rows, r->wte.looked_up);
    plain_rows(out, r, style);
    es_str_add(out, "rows of wpe that moved: %" PRId64 " of %" PRId64 "\n", r->wpe.n, r->wpe.rows);
}

bool es_show_train(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_train_report *r = data;
    (void)err;
    if (style->plain) {
        plain_train(out, r, style);
        return true;
    }
    show_loss(out, r, style);
    if (r->brief) {
        show_wte(out, r, style);
        show_wpe(out, r, style);
        return true;
    }
    show_recipe(out, r, style);
    show_wte(out, r, style);
    show_looked_up(out, r, style);
    show_wpe(out, r, style);
    if (r->steps <= ES_TRAIN_WHOLE)
        show_adam(out, r, style);
    show_neighbours(out, r, style);
    show_pairs(out, r, style);
    show_what_next(out, style);
    return true;
}
