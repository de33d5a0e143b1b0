// SPDX-License-Identifier: GPL-3.0-or-later
/* One token's vectors, and what ids decode to. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "layer/cosine.h"
#include "session/json_text.h"
#include "session/numbers.h"
#include "session/rare.h"
#include "session/show_kinds.h"

/* ---- decode ---- */

/* A quoted string over as many lines as it needs, each in quotes of its own: put together they are
 * the string, spaces and all. */
static void show_long_string(es_str *out, const char *bytes, size_t n, int columns)
{
    es_str one = {0};
    int used = 2;
    es_str_char(out, '"');
    for (size_t i = 0, len; i < n && !es_str_braked(out); i += len) {
        uint32_t cp;
        int utf8 = es_utf8_next(bytes + i, n - i, &cp);
        len = utf8 ? (size_t)utf8 : 1;
        es_str_cut(&one, 0);
        es_show_quoted(&one, bytes + i, len);
        int wide = es_columns(one.s, one.len) - 2;
        if (used + wide > columns) {
            es_str_cat(out, "\"\n\"");
            used = 2;
        }
        es_str_bytes(out, one.s + 1, one.len - 2);
        used += wide;
    }
    es_str_cat(out, "\"\n");
    es_str_free(&one);
}

bool es_show_decode(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_str *bytes = data;
    (void)err;
    if (style->plain)
        es_str_cat(out, "text: ");
    show_long_string(out, es_str_text(bytes), bytes->len,
                     style->plain ? ES_MAX_WIDTH : style->width);
    if (!es_utf8_valid(es_str_text(bytes), bytes->len))
        es_wrap(out, "\\xNN is a byte of a character that has its other bytes in other tokens", 0,
                style);
    return true;
}

bool es_json_of_decode(es_json *j, void *data, bool values, es_error *err)
{
    const es_str *bytes = data;
    (void)values;
    (void)err;
    es_json_key(j, "text");
    es_json_text(j, es_str_text(bytes), bytes->len);
    es_json_key(j, "hex");
    es_json_hex(j, es_str_text(bytes), bytes->len);
    return true;
}

/* ---- row ---- */

/* All C numbers, a power of two of them a line, the first one's channel before them. */
static void show_vector(es_str *out, const char *name, const float *v, int64_t C,
                        const es_style *style)
{
    enum { INDEX = 6, NUMBER = 8, DECIMALS = 4 };
    int64_t a_line = 1, wide = 1 + es_number_columns(NUMBER, style);
    while (a_line < 16 && INDEX + 2 * a_line * wide <= style->width)
        a_line *= 2;
    es_str heading = {0};
    es_str_add(&heading, "%s, length ", name);
    if (style->digits)
        es_show_number(&heading, es_length(v, C), 0, DECIMALS, style);
    else
        es_show_length(&heading, 0, DECIMALS, es_length(v, C));
    es_wrap(out, heading.s, 0, style);
    es_str_free(&heading);
    for (int64_t c = 0; c < C; c++) {
        if (c % a_line == 0)
            es_str_add(out, "%*" PRId64, INDEX, c);
        es_str_char(out, ' ');
        es_show_number(out, (double)v[c], NUMBER, DECIMALS, style);
        if (c % a_line == a_line - 1 || c == C - 1)
            es_str_char(out, '\n');
    }
}

static void plain_row(es_str *out, const es_row *row, int64_t C, const es_style *style)
{
    const float *const vector[] = {row->tok_emb, row->pos_emb, row->x};
    static const char *const name[] = {"tok_emb", "pos_emb", "x"};
    for (int64_t c = 0; c < C; c++) {
        const char *comma = "";
        es_str_add(out, "channel %" PRId64 ":", c);
        for (int i = 0; i < 3; i++) {
            if (!vector[i])
                continue;
            es_str_add(out, "%s %s ", comma, name[i]);
            comma = ",";
            es_show_number(out, (double)vector[i][c], 0, 6, style);
        }
        es_str_char(out, '\n');
    }
}

static void show_count(es_flow *f, const es_row *row)
{
    int64_t count = es_model_count(row->context->model, row->id);
    es_str times = {0};
    if (count < 0)
        return;
    es_show_times(&times, count);
    es_flow_item(f, "%s", times.s);
    es_str_free(&times);
}

/* "␣cat · id 3797 · bytes 20 63 61 74 · pos 1 · model untrained" */
static void describe_token(es_str *out, const es_row *row, const es_style *style)
{
    size_t n;
    const char *bytes = es_bpe_bytes(row->context->bpe, row->id, &n);
    es_flow f = es_flow_start(out, style->plain ? ", " : " · ", style);
    if (bytes) {
        es_str token = {0}, hex = {0};
        if (style->plain)
            es_show_quoted(&token, bytes, n);
        else
            es_style_token(&token, bytes, n, style);
        for (size_t i = 0; i < n; i++)
            es_str_add(&hex, " %02X", (unsigned char)bytes[i]);
        es_flow_item(&f, style->plain ? "token: %s" : "%s", token.s);
        es_flow_item(&f, "id %" PRId32, row->id);
        es_flow_item(&f, "bytes%s", es_str_text(&hex));
        es_str_free(&token);
        es_str_free(&hex);
    } else {
        es_flow_item(&f, "id %" PRId32, row->id);
    }
    if (row->b > 0)
        es_flow_item(&f, "text %" PRId64, row->b);
    if (row->pos >= 0)
        es_flow_item(&f, "pos %" PRId64, row->pos);
    es_flow_item(&f, "model %s", row->context->model->name);
    show_count(&f, row);
    es_flow_end(&f);
}

bool es_show_row(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_row *row = data;
    int64_t C = row->context->model->config.n_embd;
    (void)err;
    describe_token(out, row, style);
    es_show_rare(out, row->context, &row->id, 1, style);
    if (style->plain) {
        plain_row(out, row, C, style);
        return true;
    }
    es_str name = {0};
    if (row->tok_emb) {
        es_str_add(&name, "tok_emb = wte[%" PRId32 "]", row->id);
        show_vector(out, name.s, row->tok_emb, C, style);
        es_str_free(&name);
    } else {
        es_wrap(out, "tok_emb and x: none, this model has no token table", 0, style);
    }
    if (row->pos_emb) {
        const char *table =
            row->context->layer.positions == ES_POSITIONS_LEARNED ? "wpe" : "sinusoidal";
        es_str_add(&name, "pos_emb = %s[%" PRId64 "]", table, row->pos);
        show_vector(out, name.s, row->pos_emb, C, style);
        es_str_free(&name);
    }
    if (row->x && row->pos_emb)
        show_vector(out, "x = tok_emb + pos_emb", row->x, C, style);
    else if (row->x)
        es_wrap(out, "x is the same: no positions are added", 0, style);
    if (row->pos < 0 && !style->big)
        es_wrap(out,
                "A token has a pos_emb and an x only at its place in a text: @0, @1, … name the "
                "tokens of the last text.",
                0, style);
    return true;
}

static void json_vector(es_json *j, const char *key, const float *v, int64_t C)
{
    es_json_key(j, key);
    if (v)
        es_json_floats(j, v, C);
    else
        es_json_null(j);
}

bool es_json_of_row(es_json *j, void *data, bool values, es_error *err)
{
    const es_row *row = data;
    int64_t C = row->context->model->config.n_embd;
    size_t n;
    const char *bytes = es_bpe_bytes(row->context->bpe, row->id, &n);
    (void)values;
    (void)err;
    es_json_key_int(j, "id", row->id);
    if (bytes) {
        es_json_key(j, "text");
        es_json_text(j, bytes, n);
        es_json_key(j, "hex");
        es_json_hex(j, bytes, n);
    }
    if (row->context->model->counts)
        es_json_key_int(j, "count", es_model_count(row->context->model, row->id));
    es_json_key(j, "pos");
    if (row->pos < 0)
        es_json_null(j);
    else
        es_json_int(j, row->pos);
    json_vector(j, "tok_emb", row->tok_emb, C);
    json_vector(j, "pos_emb", row->pos_emb, C);
    json_vector(j, "x", row->x, C);
    return true;
}
