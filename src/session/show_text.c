// SPDX-License-Identifier: GPL-3.0-or-later
/* How a sentence is shown: the table of its tokens and vectors, wide, stacked or plain. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/numbers.h"
#include "session/rare.h"
#include "session/results.h"
#include "session/show_rows.h"
#include "session/show_text.h"

enum { WIDE = 100 };

/* ---- what is said above the table ---- */

void es_show_header(es_str *out, const es_text *t, const es_style *style)
{
    const es_model *m = t->context->model;
    int64_t B = es_text_B(t), T = es_text_T(t), C = m->config.n_embd;
    size_t bytes = es_text_n_bytes(t);
    es_flow f = es_flow_start(out, " · ", style);
    if (B == 1)
        es_flow_item(&f, "%" PRId64 " token%s from %zu byte%s", T, T == 1 ? "" : "s", bytes,
                     bytes == 1 ? "" : "s");
    else
        es_flow_item(&f, "%" PRId64 " texts of up to %" PRId64 " token%s", B, T, T == 1 ? "" : "s");
    if (style->width < 60)
        es_flow_item(&f, "%s", m->name);
    else if (m->bundled && style->width >= WIDE)
        es_flow_item(&f, "model %s: %s", m->name, m->about);
    else
        es_flow_item(&f, "model %s: %" PRId64 " number%s a token, %s%s", m->name, C,
                     C == 1 ? "" : "s", m->brief,
                     style->width < WIDE || C == 768 ? "" : ", not GPT-2's own 768");
    es_flow_item(&f, "%s", es_context_device(t->context));
    es_flow_end(&f);
}

/* ---- pieces of the table ---- */

/* Numbers that are small beside the largest shown would leave their bars flat without a word. */
static void flat_remark(es_str *out, const es_rows *r, const es_style *style)
{
    if (r->n_stages < ES_STAGES || r->most[0] <= 0 || r->most[0] > r->scale / 7)
        return;
    es_str line = {0};
    es_str_add(
        &line,
        "tok_emb looks flat beside pos_emb: its numbers here are at most %.2g, those of pos_emb "
        "%.2g",
        (double)r->most[0], (double)r->most[1]);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

/* Before the first of the last rows: how many are left out. */
static void gap_line(es_str *out, const es_rows *r, int64_t i, const es_style *style)
{
    if (i != r->head || r->head == es_text_T(r->t))
        return;
    es_flow f = es_flow_start(out, "", style);
    es_flow_item(&f, "… %" PRId64 " more, :tokens shows all", es_text_T(r->t) - r->n);
    es_flow_end(&f);
}

/* "channels 0-23 of 64, each bar -0.6…+0.6, ▄ is 0" */
static void caption(es_str *out, const es_rows *r)
{
    int64_t C = r->t->context->model->config.n_embd;
    double scale = (double)r->scale;
    if (r->channels == 1)
        es_str_add(out, "channel 0 of %" PRId64 ", the bar -%g…+%g, ▄ is 0", C, scale, scale);
    else
        es_str_add(out, "channels 0-%d of %" PRId64 ", each bar -%g…+%g, ▄ is 0", r->channels - 1,
                   C, scale, scale);
}

static int pad_to(es_str *out, const char *text, int columns)
{
    int pad = columns - es_columns(text, strlen(text));
    es_str_cat(out, text);
    es_str_fill(out, ' ', pad > 0 ? (size_t)pad : 0);
    return pad;
}

/* ---- wide: a line a token ---- */

/* Headings of the stages, long where the groups of bars are wide enough for them. */
static void headings(const char *head[ES_STAGES], const es_text *t, bool room)
{
    bool learned = t->context->layer.positions == ES_POSITIONS_LEARNED;
    head[0] = room ? "tok_emb = wte(ids)" : "tok_emb";
    head[1] = !room ? "+ pos_emb" : learned ? "pos_emb = wpe(positions)" : "pos_emb = sin, cos";
    head[2] = room ? "x = tok_emb + pos_emb" : "= x";
    if (t->context->layer.positions == ES_POSITIONS_NONE)
        head[0] = "x = tok_emb = wte(ids), no positions";
    if (es_text_places_only(t))
        head[0] = head[1];
}

static void wide_headings(es_str *out, const es_rows *r, int group, const es_style *style)
{
    const char *head[ES_STAGES];
    es_str words = {0};
    assert(r->n_stages <= ES_STAGES);
    headings(head, r->t, group >= 24 || r->n_stages == 1);
    es_str_cat(out, " pos  ");
    pad_to(out, "token", r->token);
    es_str_cat(out, "     id  ");
    pad_to(out, r->n_stages == 1 ? "length" : "length of", 6 * r->n_stages - 1);
    for (int s = 0; s < r->n_stages; s++) {
        es_str_cat(out, "   ");
        if (s < r->n_stages - 1)
            pad_to(out, head[s], group);
        else
            es_str_cat(out, head[s]);
    }
    es_str_char(out, '\n');

    es_str_fill(out, ' ', (size_t)(6 + r->token + 9));
    pad_to(out, r->n_stages == 1 ? "" : "  tok   pos     x", 6 * r->n_stages - 1);
    es_str_cat(out, "   ");
    caption(&words, r);
    es_show_fit(out, words.s, words.len, style->width - (6 + r->token + 9 + 6 * r->n_stages + 2));
    es_str_char(out, '\n');
    es_str_free(&words);
}

static bool show_wide(es_str *out, es_text *t, const es_style *style, es_error *err)
{
    int64_t most = es_rows_that_fit(24, 1, style);
    es_rows r = es_rows_plan(t, most, most > 8 ? 4 : 1, 16, style);
    int left = 6 + r.token + 9 + 6 * r.n_stages - 1;
    int group = (style->width - left) / r.n_stages - 3;
    if (!es_rows_read(&r, group, err))
        return false;

    if (r.channels < group)
        group = r.channels < 24 ? (group < 24 ? group : 24) : r.channels;
    wide_headings(out, &r, group, style);
    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = es_rows_place(&r, i);
        gap_line(out, &r, i, style);
        es_str_add(out, "%4" PRId64 "  ", place);
        es_rows_token(out, &r, place, style);
        es_str_add(out, "  %5" PRId32 " ", es_text_ids(t)[place]);
        for (int s = 0; s < r.n_stages; s++) {
            es_str_char(out, ' ');
            es_show_length(out, 5, r.decimals, r.stage[s].length[i]);
        }
        for (int s = 0; s < r.n_stages; s++) {
            es_str_fill(out, ' ', s ? (size_t)(3 + group - r.channels) : 3);
            es_bars(out, r.stage[s].value + i * r.channels, r.channels, r.scale, style);
        }
        es_str_char(out, '\n');
    }
    flat_remark(out, &r, style);
    es_rows_free(&r);
    return true;
}

/* ---- stacked: the sum as one reads it ---- */

static void stacked_caption(es_str *out, const es_rows *r, int margin, const es_style *style)
{
    es_str words = {0};
    caption(&words, r);
    if (es_columns(words.s, words.len) <= r->channels) { /* over the bars it speaks of */
        es_str_fill(out, ' ', (size_t)margin);
        pad_to(out, words.s, r->channels);
        es_str_cat(out, " length\n");
    } else {
        es_flow f = es_flow_start(out, ", ", style);
        es_flow_item(&f, "%.*s", (int)strcspn(words.s, ","), words.s);
        es_flow_item(&f, "%s", words.s + strcspn(words.s, ",") + 2);
        es_flow_item(&f, "then the length");
        es_flow_end(&f);
    }
    es_str_free(&words);
}

static bool show_stacked(es_str *out, es_text *t, const es_style *style, es_error *err)
{
    es_positions positions = t->context->layer.positions;
    const char *label[ES_STAGES] = {
        "  wte ", positions == ES_POSITIONS_LEARNED ? "+ wpe " : "+ pos ", "= x   "};
    if (positions == ES_POSITIONS_NONE)
        label[0] = "x=wte ";
    if (es_text_places_only(t))
        label[0] = positions == ES_POSITIONS_LEARNED ? "  wpe " : "  pos ";
    int widest = style->width < 60 ? 8 : 14;
    int64_t most = es_rows_that_fit(style->big ? 4 : 8, style->big ? 4 : 3, style);
    es_rows r = es_rows_plan(t, most, most > 4 ? 2 : 1, widest, style);
    int place_w = snprintf(NULL, 0, "%" PRId64, es_text_T(t) - 1);
    int left = place_w + 2 + r.token + 1 + 5 + 2, label_w = 6, length_w = 7;
    if (!es_rows_read(&r, style->width - left - label_w - length_w, err))
        return false;

    assert(r.n_stages <= ES_STAGES);
    stacked_caption(out, &r, left + label_w, style);
    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = es_rows_place(&r, i);
        if (style->big && i)
            es_str_char(out, '\n');
        gap_line(out, &r, i, style);
        for (int s = 0; s < r.n_stages; s++) {
            if (s == 0) {
                es_str_add(out, "%*" PRId64 "  ", place_w, place);
                es_rows_token(out, &r, place, style);
                es_str_add(out, " %5" PRId32 "  ", es_text_ids(t)[place]);
            } else {
                es_str_fill(out, ' ', (size_t)left);
            }
            es_str_cat(out, label[s]);
            es_bars(out, r.stage[s].value + i * r.channels, r.channels, r.scale, style);
            es_show_length(out, length_w, r.decimals, r.stage[s].length[i]);
            es_str_char(out, '\n');
        }
    }
    flat_remark(out, &r, style);
    es_rows_free(&r);
    return true;
}

/* ---- plain ---- */

static bool show_plain(es_str *out, es_text *t, const es_style *style, es_error *err)
{
    es_rows r = es_rows_plan(t, 24, 4, 1, style);
    if (!es_rows_read(&r, 1, err))
        return false;
    const es_model *m = t->context->model;
    es_str_add(out, "tokens: %" PRId64 "\nbytes: %zu\n", es_text_T(t), es_text_n_bytes(t));
    es_str_add(out, "model: %s (%s)\ndevice: %s\n", m->name, m->about,
               es_context_device(t->context));
    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = es_rows_place(&r, i);
        size_t n;
        const char *bytes = es_text_token(t, 0, (size_t)place, &n);
        gap_line(out, &r, i, style);
        es_str_add(out, "token %" PRId64 ": text ", place);
        es_show_quoted(out, bytes, n);
        es_str_add(out, ", id %" PRId32 ", length of %s %.*f", es_text_ids(t)[place],
                   es_text_places_only(t) ? "pos_emb" : "tok_emb", r.decimals,
                   r.stage[0].length[i]);
        if (r.n_stages == ES_STAGES)
            es_str_add(out, ", of pos_emb %.*f, of x %.*f", r.decimals, r.stage[1].length[i],
                       r.decimals, r.stage[2].length[i]);
        es_str_char(out, '\n');
    }
    es_str_add(out, "%s shape: B 1, T %" PRId64 ", C %" PRId64 "\n",
               es_text_places_only(t) ? "pos_emb" : "x", es_text_T(t), m->config.n_embd);
    es_rows_free(&r);
    return true;
}

/* ---- the kind ---- */

bool es_show_text(es_str *out, void *data, const es_style *style, es_error *err)
{
    es_text *t = data;
    if (es_text_T(t) == 0) {
        es_str_cat(out, style->plain ? "tokens: 0\n" : "0 tokens: there is nothing to embed\n");
        return true;
    }
    if (style->plain) {
        if (!show_plain(out, t, style, err))
            return false;
        if (!es_text_places_only(t))
            es_show_repeats(out, t, style);
        es_show_rare_in(out, t, style);
        return true;
    }
    es_show_header(out, t, style);
    bool wide = style->width >= WIDE && !style->big;
    if (!(wide ? show_wide(out, t, style, err) : show_stacked(out, t, style, err)))
        return false;
    if (style->big) {
        es_wrap(out, "then: :shapes for the shapes, :row @0 for the numbers", 0, style);
        return true;
    }
    es_show_split_characters(out, t, style);
    if (es_text_places_only(t)) {
        es_show_pipeline(out, t, style);
        return true;
    }
    es_show_repeats(out, t, style);
    es_show_rare_in(out, t, style);
    if (t->context->layer.wpe && !es_show_one_sum(out, t, style, err))
        return false;
    es_show_pipeline(out, t, style);
    return true;
}
