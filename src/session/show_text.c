// SPDX-License-Identifier: GPL-3.0-or-later
/* How a sentence is shown: the table of its tokens and vectors, wide, stacked or plain. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "session/results.h"
#include "session/show_text.h"

enum { WIDE = 100, STAGES = 3 };

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
    else
        es_flow_item(&f, "model %s: %" PRId64 " number%s a token, %s%s", m->name, C,
                     C == 1 ? "" : "s", m->brief,
                     style->width < WIDE || C == 768 ? "" : ", not GPT-2's own 768");
    es_flow_item(&f, "%s", es_context_device(t->context));
    es_flow_end(&f);
}

/* ---- the rows that are shown ---- */

/* One stage of the sum, for every row shown: the first few channels and the length over all C. */
typedef struct stage {
    float *value; /* (rows, channels) */
    double *length;
} stage;

/* The rows of a text that fit on a screen: the first and, when not all fit, the last ones. */
typedef struct rows {
    es_text *t;
    int64_t n, head; /* rows 0..head-1 are the text's first, the others its last */
    int n_stages;    /* 3, or 1 when there are no positions */
    int token;       /* columns of the widest token */
    int channels;    /* of each stage, from channel 0 on */
    stage stage[STAGES];
    float most[STAGES]; /* the largest value of each stage that is shown */
    float scale;        /* no value shown is larger */
    int decimals;       /* of a length */
} rows;

static int64_t place_of(const rows *r, int64_t i)
{
    return i < r->head ? i : es_text_T(r->t) - r->n + i;
}

static void show_token(es_str *out, const es_text *t, int64_t place, const es_style *style)
{
    size_t n;
    const char *bytes = es_text_token(t, 0, (size_t)place, &n);
    es_style_token(out, bytes, n, style);
}

/* How many rows of so many lines: `most`, or what the screen has room for beside all else. */
static int64_t rows_that_fit(int most, int lines, const es_style *style)
{
    enum { BESIDE = 12, LEAST = 3 };
    int fit = style->height ? (style->height - BESIDE) / lines : most;
    return fit > most ? most : fit < LEAST ? LEAST : fit;
}

/* Which rows, and how wide their tokens are: up to `most`, of which `tail` from the end. */
static rows rows_plan(es_text *t, int64_t most, int64_t tail, int widest, const es_style *style)
{
    int64_t T = es_text_T(t);
    rows r = {.t = t, .n = T < most ? T : most, .head = T <= most ? T : most - tail, .token = 5};
    bool one = t->context->layer.positions == ES_POSITIONS_NONE || es_text_places_only(t);
    r.n_stages = one ? 1 : STAGES;
    for (int64_t i = 0; i < r.n && r.token < widest; i++) {
        es_str shown = {0};
        show_token(&shown, t, place_of(&r, i), style);
        int wide = es_columns(es_str_text(&shown), shown.len);
        r.token = wide > r.token ? wide : r.token;
        es_str_free(&shown);
    }
    r.token = r.token < widest ? r.token : widest;
    return r;
}

static void rows_free(rows *r)
{
    for (int s = 0; s < STAGES; s++) {
        free(r->stage[s].value);
        free(r->stage[s].length);
    }
}

static double length_of(const float *v, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)v[i] * (double)v[i];
    return sqrt(sum);
}

/* Keep n rows of one stage, from row `first` on, and measure them over all C channels. */
static bool keep(rows *r, int s, const es_tensor *tensor, int64_t first, int64_t n, es_error *err)
{
    int64_t C = tensor->shape.dim[2];
    float *all = es_try_alloc((size_t)(n * C), sizeof *all, "the rows", err);
    bool ok = all && es_tensor_read(tensor, all, err);
    for (int64_t i = 0; ok && i < n; i++) {
        memcpy(r->stage[s].value + (first + i) * r->channels, all + i * C,
               (size_t)r->channels * sizeof *all);
        r->stage[s].length[first + i] = length_of(all + i * C, C);
    }
    free(all);
    return ok;
}

static bool read_block(rows *r, int64_t first, int64_t n, es_error *err)
{
    es_embedded e;
    if (n == 0)
        return true;
    if (!es_text_rows(r->t, 0, place_of(r, first), n, &e, err))
        return false;
    const es_tensor *stages[STAGES] = {&e.tok_emb, &e.pos_emb, &e.x};
    if (es_text_places_only(r->t))
        stages[0] = &e.pos_emb;
    bool ok = true;
    int n_stages = r->n_stages;
    assert(n_stages <= STAGES);
    for (int s = 0; ok && s < n_stages; s++)
        ok = keep(r, s, stages[s], first, n, err);
    es_embedded_free(&e);
    return ok;
}

static void find_scale(rows *r)
{
    float most = 0;
    double longest = 0;
    for (int s = 0; s < r->n_stages; s++) {
        for (int64_t i = 0; i < r->n * r->channels; i++)
            if (isfinite(r->stage[s].value[i]))
                r->most[s] = fmaxf(r->most[s], fabsf(r->stage[s].value[i]));
        most = fmaxf(most, r->most[s]);
        for (int64_t i = 0; i < r->n; i++)
            longest = fmax(longest, r->stage[s].length[i]);
    }
    r->scale = es_round_scale(most);
    r->decimals = longest < 1 ? 3 : longest < 100 ? 2 : 0;
}

/* Read what is shown of each row: `channels` numbers a stage, fewer if the model has fewer. */
static bool rows_read(rows *r, int channels, es_error *err)
{
    int64_t C = r->t->context->model->config.n_embd;
    r->channels = C < channels ? (int)C : channels;
    for (int s = 0; s < r->n_stages; s++) {
        r->stage[s].value = es_alloc_array((size_t)(r->n * r->channels), sizeof(float));
        r->stage[s].length = es_alloc_array((size_t)r->n, sizeof(double));
    }
    bool ok = read_block(r, 0, r->head, err) && read_block(r, r->head, r->n - r->head, err);
    if (ok)
        find_scale(r);
    else
        rows_free(r);
    return ok;
}

/* Numbers that are small beside the largest shown would leave their bars flat without a word. */
static void flat_remark(es_str *out, const rows *r, const es_style *style)
{
    if (r->n_stages < STAGES || r->most[0] <= 0 || r->most[0] > r->scale / 7)
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

/* ---- pieces of the table ---- */

static void token_cell(es_str *out, const rows *r, int64_t place, const es_style *style)
{
    es_str shown = {0};
    show_token(&shown, r->t, place, style);
    es_cell(out, es_str_text(&shown), shown.len, r->token, false,
            place % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN, style);
    es_str_free(&shown);
}

/* Before the first of the last rows: how many are left out. */
static void gap_line(es_str *out, const rows *r, int64_t i, const es_style *style)
{
    if (i != r->head || r->head == es_text_T(r->t))
        return;
    es_flow f = es_flow_start(out, "", style);
    es_flow_item(&f, "… %" PRId64 " more, :tokens shows all", es_text_T(r->t) - r->n);
    es_flow_end(&f);
}

/* "channels 0-23 of 64, each bar -0.6…+0.6, ▄ is 0" */
static void caption(es_str *out, const rows *r)
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
static void headings(const char *head[STAGES], const es_text *t, bool room)
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

static void wide_headings(es_str *out, const rows *r, int group, const es_style *style)
{
    const char *head[STAGES];
    es_str words = {0};
    assert(r->n_stages <= STAGES);
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
    int64_t most = rows_that_fit(24, 1, style);
    rows r = rows_plan(t, most, most > 8 ? 4 : 1, 16, style);
    int left = 6 + r.token + 9 + 6 * r.n_stages - 1;
    int group = (style->width - left) / r.n_stages - 3;
    if (!rows_read(&r, group, err))
        return false;

    if (r.channels < group)
        group = r.channels < 24 ? (group < 24 ? group : 24) : r.channels;
    wide_headings(out, &r, group, style);
    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = place_of(&r, i);
        gap_line(out, &r, i, style);
        es_str_add(out, "%4" PRId64 "  ", place);
        token_cell(out, &r, place, style);
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
    rows_free(&r);
    return true;
}

/* ---- stacked: the sum as one reads it ---- */

static void stacked_caption(es_str *out, const rows *r, int margin, const es_style *style)
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
    const char *label[STAGES] = {"  wte ", positions == ES_POSITIONS_LEARNED ? "+ wpe " : "+ pos ",
                                 "= x   "};
    if (positions == ES_POSITIONS_NONE)
        label[0] = "x=wte ";
    if (es_text_places_only(t))
        label[0] = positions == ES_POSITIONS_LEARNED ? "  wpe " : "  pos ";
    int widest = style->width < 60 ? 8 : 14;
    int64_t most = rows_that_fit(style->big ? 4 : 8, style->big ? 4 : 3, style);
    rows r = rows_plan(t, most, most > 4 ? 2 : 1, widest, style);
    int place_w = snprintf(NULL, 0, "%" PRId64, es_text_T(t) - 1);
    int left = place_w + 2 + r.token + 1 + 5 + 2, label_w = 6, length_w = 7;
    if (!rows_read(&r, style->width - left - label_w - length_w, err))
        return false;

    assert(r.n_stages <= STAGES);
    stacked_caption(out, &r, left + label_w, style);
    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = place_of(&r, i);
        if (style->big && i)
            es_str_char(out, '\n');
        gap_line(out, &r, i, style);
        for (int s = 0; s < r.n_stages; s++) {
            if (s == 0) {
                es_str_add(out, "%*" PRId64 "  ", place_w, place);
                token_cell(out, &r, place, style);
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
    rows_free(&r);
    return true;
}

/* ---- plain ---- */

static bool show_plain(es_str *out, es_text *t, const es_style *style, es_error *err)
{
    rows r = rows_plan(t, 24, 4, 1, style);
    if (!rows_read(&r, 1, err))
        return false;
    const es_model *m = t->context->model;
    es_str_add(out, "tokens: %" PRId64 "\nbytes: %zu\n", es_text_T(t), es_text_n_bytes(t));
    es_str_add(out, "model: %s (%s)\ndevice: %s\n", m->name, m->about,
               es_context_device(t->context));
    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = place_of(&r, i);
        size_t n;
        const char *bytes = es_text_token(t, 0, (size_t)place, &n);
        gap_line(out, &r, i, style);
        es_str_add(out, "token %" PRId64 ": text ", place);
        es_show_quoted(out, bytes, n);
        es_str_add(out, ", id %" PRId32 ", length of %s %.*f", es_text_ids(t)[place],
                   es_text_places_only(t) ? "pos_emb" : "tok_emb", r.decimals,
                   r.stage[0].length[i]);
        if (r.n_stages == STAGES)
            es_str_add(out, ", of pos_emb %.*f, of x %.*f", r.decimals, r.stage[1].length[i],
                       r.decimals, r.stage[2].length[i]);
        es_str_char(out, '\n');
    }
    es_str_add(out, "%s shape: B 1, T %" PRId64 ", C %" PRId64 "\n",
               es_text_places_only(t) ? "pos_emb" : "x", es_text_T(t), m->config.n_embd);
    rows_free(&r);
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
    if (t->context->layer.wpe && !es_show_one_sum(out, t, style, err))
        return false;
    es_show_pipeline(out, t, style);
    return true;
}
