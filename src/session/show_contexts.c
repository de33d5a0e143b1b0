// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens in their surroundings, one under the other. */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/contexts.h"
#include "session/json_text.h"
#include "session/numbers.h"

enum { JSON_BYTES = 60, PLAIN_COLUMNS = 40, INDENT = 2 };

static const char *bytes_of(const es_contexts *c, int32_t id, size_t *n)
{
    *n = 0; /* a row beyond the vocabulary has no text */
    return es_bpe_bytes(c->context->bpe, id, n);
}

static void show_token(es_str *out, const es_contexts *c, int32_t id, const es_style *style)
{
    size_t n;
    const char *bytes = bytes_of(c, id, &n);
    if (!bytes)
        es_str_cat(out, style->plain ? "none" : "(no text)");
    else if (style->plain)
        es_show_quoted(out, bytes, n);
    else
        es_style_token(out, bytes, n, style);
}

/* The first byte of a character among the last `most` of n. */
static size_t tail(const char *bytes, size_t n, size_t most)
{
    size_t at = n > most ? n - most : 0;
    while (at < n && ((unsigned char)bytes[at] & 0xC0) == 0x80)
        at++;
    return at;
}

/* How many of n bytes, at most `most`, end with a character. */
static size_t head(const char *bytes, size_t n, size_t most)
{
    size_t at = n > most ? most : n;
    while (at < n && at && ((unsigned char)bytes[at] & 0xC0) == 0x80)
        at--;
    return at;
}

/* The end of what stands before a token, in so many columns; with … where something is left out. */
static void fit_left(es_str *out, const es_surroundings *s, int columns)
{
    size_t from = tail(s->left, s->n_left, 4 * (size_t)columns);
    es_str shown = {0};
    uint32_t cp;
    es_show_prose(&shown, s->left + from, s->n_left - from);
    size_t at = 0;
    while (at < shown.len && es_columns(shown.s + at, shown.len - at) > columns - (at || from))
        at += (size_t)es_utf8_next(shown.s + at, shown.len - at, &cp);
    es_str_cat(out, at || from ? "…" : "");
    es_str_bytes(out, es_str_text(&shown) + at, shown.len - at);
    es_str_free(&shown);
}

static void fit_right(es_str *out, const es_surroundings *s, int columns)
{
    size_t n = head(s->right, s->n_right, 4 * (size_t)columns);
    es_str shown = {0};
    es_show_prose(&shown, s->right, n);
    es_show_fit(out, es_str_text(&shown), shown.len, columns);
    es_str_free(&shown);
}

/* ---- for a reader ---- */

/* Where the parts of a line stand: the token in the middle, the widest of all. */
typedef struct columns {
    int left, token, right;
} columns;

static columns columns_of(const es_contexts *c, const es_style *style)
{
    columns w = {0};
    for (size_t i = 0; i < c->n; i++) {
        es_str token = {0};
        show_token(&token, c, c->of[i].id, style);
        int wide = es_columns(token.s, token.len);
        w.token = c->of[i].n_at && wide > w.token ? wide : w.token;
        es_str_free(&token);
    }
    int most = style->width / 3;
    w.token = w.token > most ? most : w.token;
    int rest = style->width - INDENT - w.token - 2;
    w.left = rest / 2;
    w.right = rest - w.left;
    return w;
}

/* "  …and the Queen and the [␣King] were very much…" */
static void show_line(es_str *out, const es_contexts *c, const es_stands *of, size_t at, columns w,
                      const es_style *style)
{
    es_surroundings s = es_boxed_around(c->boxed, at);
    es_str left = {0}, token = {0}, right = {0};
    fit_left(&left, &s, w.left);
    fit_right(&right, &s, w.right);
    show_token(&token, c, of->id, style);
    es_str_fill(out, ' ', INDENT);
    es_cell(out, es_str_text(&left), left.len, w.left, true, ES_PAINT_NONE, style);
    es_str_char(out, '[');
    int wide = es_columns(token.s, token.len);
    es_cell(out, token.s, token.len, wide < w.token ? wide : w.token, false, ES_PAINT_STRONG,
            style);
    es_str_char(out, ']');
    if (right.len)
        es_cell(out, right.s, right.len, es_columns(right.s, right.len), false, ES_PAINT_NONE,
                style);
    es_str_char(out, '\n');
    es_str_free(&left);
    es_str_free(&token);
    es_str_free(&right);
}

static void show_times(es_str *out, int64_t times)
{
    es_show_count(out, times);
    es_str_cat(out, times == 1 ? " time" : " times");
}

static void show_heading(es_str *out, const es_contexts *c, const es_stands *of,
                         const es_style *style)
{
    es_str token = {0}, times = {0}, all = {0};
    show_token(&token, c, of->id, style);
    show_times(&times, of->times);
    es_show_count(&all, (int64_t)c->boxed->tokens.n);
    es_flow f = es_flow_start(out, " · ", style);
    if (of != c->of)
        es_flow_item(&f, "%s, cosine %.3f, %s", token.s, of->score, times.s);
    else if (of->times)
        es_flow_item(&f, "%s stands %s in the boxed text of %s tokens", token.s, times.s, all.s);
    else
        es_flow_item(&f, "%s does not stand in the boxed text of %s tokens", token.s, all.s);
    es_flow_end(&f);
    es_str_free(&token);
    es_str_free(&times);
    es_str_free(&all);
}

/* The neighbours that have no line of their own. */
static void show_absent(es_str *out, const es_contexts *c, const es_style *style)
{
    es_str line = {0};
    for (size_t i = 1; i < c->n; i++) {
        if (c->of[i].times)
            continue;
        es_str_cat(&line, line.len ? ", " : "near it, but not in the boxed text: ");
        show_token(&line, c, c->of[i].id, style);
        es_str_add(&line, " %.3f", c->of[i].score);
    }
    if (line.len)
        es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void show_nearest(es_str *out, const es_contexts *c, const es_style *style)
{
    const es_model *m = c->context->model;
    es_flow f = es_flow_start(out, " · ", style);
    es_flow_item(&f, "its nearest neighbours in the model %s, %s", m->name, m->brief);
    es_flow_end(&f);
}

static void plain_contexts(es_str *out, const es_contexts *c, const es_style *style)
{
    es_str_add(out, "model: %s (%s)\ntokens of the boxed text: %zu\n", c->context->model->name,
               c->context->model->about, c->boxed->tokens.n);
    for (size_t i = 0; i < c->n && !es_str_braked(out); i++) {
        const es_stands *of = &c->of[i];
        es_str token = {0};
        show_token(&token, c, of->id, style);
        es_str_add(out, "%s: %s", i ? "neighbour" : "token", token.s);
        es_str_free(&token);
        if (i)
            es_str_add(out, ", cosine %.3f", of->score);
        es_str_add(out, ", stands there %" PRId64 " time%s\n", of->times,
                   of->times == 1 ? "" : "s");
        for (size_t k = 0; k < of->n_at; k++) {
            es_surroundings s = es_boxed_around(c->boxed, of->at[k]);
            es_str_add(out, "byte %zu: ", s.begin);
            fit_left(out, &s, PLAIN_COLUMNS);
            es_str_char(out, '[');
            es_show_prose(out, s.token, s.n_token);
            es_str_char(out, ']');
            fit_right(out, &s, PLAIN_COLUMNS);
            es_str_char(out, '\n');
        }
    }
}

bool es_show_contexts(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_contexts *c = data;
    (void)err;
    if (style->plain) {
        plain_contexts(out, c, style);
        return true;
    }
    columns w = columns_of(c, style);
    for (size_t i = 0; i < c->n && !es_str_braked(out); i++) {
        if (i == 1)
            show_nearest(out, c, style);
        if (i == 0 || c->of[i].times)
            show_heading(out, c, &c->of[i], style);
        for (size_t k = 0; k < c->of[i].n_at; k++)
            show_line(out, c, &c->of[i], c->of[i].at[k], w, style);
    }
    show_absent(out, c, style);
    return true;
}

/* ---- JSON ---- */

static void json_line(es_json *j, const es_contexts *c, size_t at)
{
    es_surroundings s = es_boxed_around(c->boxed, at);
    size_t from = tail(s.left, s.n_left, JSON_BYTES);
    es_json_open(j, '{');
    es_json_key_int(j, "begin", (int64_t)s.begin);
    es_json_key(j, "left");
    es_json_text(j, s.left + from, s.n_left - from);
    es_json_key(j, "right");
    es_json_text(j, s.right, head(s.right, s.n_right, JSON_BYTES));
    es_json_close(j, '}');
}

static void json_token(es_json *j, const es_contexts *c, const es_stands *of)
{
    size_t n;
    const char *bytes = bytes_of(c, of->id, &n);
    es_json_open(j, '{');
    es_json_key_int(j, "id", of->id);
    es_json_key(j, "text");
    bytes ? es_json_text(j, bytes, n) : es_json_null(j);
    es_json_key(j, "hex");
    bytes ? es_json_hex(j, bytes, n) : es_json_null(j);
    es_json_key(j, "score");
    es_json_float(j, (float)of->score);
    es_json_key_int(j, "times", of->times);
    es_json_key(j, "lines");
    es_json_open(j, '[');
    for (size_t k = 0; k < of->n_at && !es_str_braked(j->out); k++)
        json_line(j, c, of->at[k]);
    es_json_close(j, ']');
    es_json_close(j, '}');
}

bool es_json_of_contexts(es_json *j, void *data, bool values, es_error *err)
{
    const es_contexts *c = data;
    (void)values;
    (void)err;
    es_json_key_int(j, "text_tokens", (int64_t)c->boxed->tokens.n);
    es_json_key(j, "tokens");
    es_json_open(j, '[');
    for (size_t i = 0; i < c->n; i++)
        json_token(j, c, &c->of[i]);
    es_json_close(j, ']');
    return true;
}
