// SPDX-License-Identifier: GPL-3.0-or-later
/* The nearest rows. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"
#include "session/numbers.h"
#include "session/rare.h"
#include "session/show_kinds.h"

static bool counts_known(const es_nearest *near)
{
    return near->context->model->counts != NULL;
}

/* A token as the style has it; a row beyond the vocabulary has no text. */
static void show_token(es_str *out, const es_nearest *near, int32_t id, const es_style *style)
{
    size_t n;
    const char *bytes = es_bpe_bytes(near->context->bpe, id, &n);
    if (!bytes)
        es_str_add(out, style->plain ? "none" : "(no text)");
    else if (style->plain)
        es_show_quoted(out, bytes, n);
    else
        es_style_token(out, bytes, n, style);
}

/* "␣king - ␣man + 0.5 * ␣woman" */
static void show_query(es_str *out, const es_nearest *near, const es_style *style)
{
    for (size_t i = 0; i < near->n_ids; i++) {
        double factor = near->factors[i], size = fabs(factor);
        bool minus = signbit(factor);
        es_str_cat(out, i ? (minus ? " - " : " + ") : minus ? "- " : "");
        if (size != 1)
            es_str_add(out, "%g * ", size);
        show_token(out, near, near->ids[i], style);
    }
}

/* Decimals that show four digits of the largest score, the same for all. */
static int decimals_of(const es_nearest *near)
{
    double most = 0;
    for (int64_t i = 0; i < near->n; i++)
        most = fmax(most, fabs(near->best[i].score));
    if (near->by == ES_BY_COSINE || most == 0)
        return 3;
    int decimals = 3 - (int)floor(log10(most));
    return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

static void show_score(es_str *out, double score, int decimals)
{
    double shown = fabs(score) < 0.5 * pow(10, -decimals) ? 0 : score; /* no -0.000 */
    if (fabs(shown) < 1e7 && (shown != 0 || score == 0 || decimals < 9))
        es_str_add(out, "%.*f", decimals, shown);
    else
        es_str_add(out, "%.3e", score);
}

static const char *score_name(es_measure by)
{
    return by == ES_BY_EUCLID ? "distance" : es_measure_name(by);
}

/* ---- for a reader ---- */

static void show_header(es_str *out, const es_nearest *near, const es_style *style)
{
    es_str query = {0}, rows = {0}, times = {0};
    int64_t V = near->context->model->config.vocab_size;
    show_query(&query, near, style);
    es_str_cat(&rows, near->left_out ? "" : "all ");
    es_show_count(&rows, V - near->left_out);
    if (near->left_out) {
        es_str_cat(&rows, " of ");
        es_show_count(&rows, V);
    }
    es_flow f = es_flow_start(out, " · ", style);
    es_flow_item(&f, "nearest to %s by %s", query.s, es_measure_name(near->by));
    if (counts_known(near) && near->n_ids == 1) {
        es_show_times(&times, es_model_count(near->context->model, near->ids[0]));
        es_flow_item(&f, "%s", times.s);
    }
    es_flow_item(&f, "%s rows of wte compared", rows.s);
    es_flow_item(&f,
                 near->n_ids == 1 ? "the token itself left out" : "the tokens asked for left out");
    es_flow_item(&f, "model %s, %s", near->context->model->name, near->context->model->brief);
    es_flow_end(&f);
    es_str_free(&query);
    es_str_free(&rows);
    es_str_free(&times);
}

/* The rows under their headings, a line each; returns how wide the scores are. */
static int show_rows(es_str *out, const es_nearest *near, int decimals, const es_style *style)
{
    bool counts = counts_known(near);
    es_grid g = {.align = counts ? "rfrr" : "rfr"};
    int wide = (int)strlen(score_name(near->by));
    es_grid_text(&g, "%s", score_name(near->by));
    es_grid_text(&g, "token");
    es_grid_text(&g, "id");
    if (counts)
        es_grid_text(&g, "seen");
    for (int64_t i = 0; i < near->n && !es_str_braked(out); i++) {
        int32_t id = (int32_t)near->best[i].id;
        es_str *score = es_grid_cell(&g, ES_PAINT_NONE);
        show_score(score, near->best[i].score, decimals);
        wide = (int)score->len > wide ? (int)score->len : wide;
        show_token(es_grid_cell(&g, i % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN), near, id, style);
        es_grid_text(&g, "%" PRId32, id);
        if (counts)
            es_show_count(es_grid_cell(&g, ES_PAINT_NONE),
                          es_model_count(near->context->model, id));
    }
    es_grid_end(&g, out, 0, 2, style);
    return wide;
}

/* The line of the noise floor: its score under the scores, then what it says. */
static void show_floor(es_str *out, const es_nearest *near, int wide, const es_style *style)
{
    es_str line = {0}, prose = {0};
    es_str_cat(&prose, "──────── the best of ");
    es_show_count(&prose, near->context->model->config.vocab_size - 1);
    es_str_cat(&prose, " random rows of this width reaches about this: what is below says little");
    es_wrap(&line, prose.s, wide + 2, style);
    es_str_add(out, "%*.3f", wide, near->floor);
    es_str_bytes(out, line.s + wide, line.len - (size_t)wide);
    es_str_free(&line);
    es_str_free(&prose);
}

static size_t end_of_line(const es_str *s, size_t at)
{
    const char *newline = at < s->len ? memchr(s->s + at, '\n', s->len - at) : NULL;
    return newline ? (size_t)(newline - s->s) + 1 : s->len;
}

static void plain_near(es_str *out, const es_nearest *near, const es_style *style)
{
    es_str_cat(out, "near: ");
    show_query(out, near, style);
    es_str_add(out, "\nby: %s\nrows of wte compared: %" PRId64 "\nleft out: %s\n",
               es_measure_name(near->by), near->context->model->config.vocab_size - near->left_out,
               near->n_ids == 1 ? "the token itself" : "the tokens asked for");
    if (!isnan(near->floor))
        es_str_add(out, "noise floor: %.3f (the best of as many random rows of this width)\n",
                   near->floor);
    int decimals = decimals_of(near);
    for (int64_t i = 0; i < near->n && !es_str_braked(out); i++) {
        int32_t id = (int32_t)near->best[i].id;
        int64_t seen = es_model_count(near->context->model, id);
        es_str_add(out, "row %" PRId64 ": text ", i + 1);
        show_token(out, near, id, style);
        es_str_add(out, ", id %" PRId32 ", %s ", id, score_name(near->by));
        show_score(out, near->best[i].score, decimals);
        if (seen >= 0)
            es_str_add(out, ", seen %" PRId64, seen);
        es_str_char(out, '\n');
    }
}

/* Rows that training hardly touched: the query's and those it found. */
static void show_rare(es_str *out, const es_nearest *near, const es_style *style)
{
    es_show_rare(out, near->context, near->ids, near->n_ids, style);
    es_show_rare_rows(out, near->context, near->best, near->n, style);
}

bool es_show_near(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_nearest *near = data;
    (void)err;
    if (style->plain) {
        plain_near(out, near, style);
        show_rare(out, near, style);
        return true;
    }
    es_str rows = {.brake = out->brake};
    show_header(out, near, style);
    int wide = show_rows(&rows, near, decimals_of(near), style);
    size_t at = end_of_line(&rows, 0);
    for (int64_t i = 0; i < near->n && near->best[i].score >= near->floor; i++)
        at = end_of_line(&rows, at);
    bool floor = !isnan(near->floor);
    es_str_bytes(out, rows.s, floor ? at : rows.len);
    if (floor) {
        show_floor(out, near, wide, style);
        es_str_bytes(out, rows.s + at, rows.len - at);
    }
    es_str_free(&rows);
    show_rare(out, near, style);
    return true;
}

/* ---- JSON ---- */

static void json_row(es_json *j, const es_nearest *near, const es_neighbour *row)
{
    size_t n = 0;
    int32_t id = (int32_t)row->id;
    const char *bytes = es_bpe_bytes(near->context->bpe, id, &n);
    int64_t count = es_model_count(near->context->model, id);
    es_json_open(j, '{');
    es_json_key_int(j, "id", id);
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
    es_json_key(j, "score");
    es_json_float(j, (float)row->score);
    es_json_key(j, "count");
    if (count < 0)
        es_json_null(j);
    else
        es_json_int(j, count);
    es_json_close(j, '}');
}

bool es_json_of_near(es_json *j, void *data, bool values, es_error *err)
{
    const es_nearest *near = data;
    (void)values;
    (void)err;
    es_json_key(j, "query");
    es_json_ints(j, near->ids, (int64_t)near->n_ids);
    es_json_key_string(j, "by", es_measure_name(near->by));
    es_json_key(j, "noise_floor");
    es_json_float(j, (float)near->floor);
    es_json_key(j, "rows");
    es_json_open(j, '[');
    for (int64_t i = 0; i < near->n && !es_str_braked(j->out); i++)
        json_row(j, near, &near->best[i]);
    es_json_close(j, ']');
    return true;
}
