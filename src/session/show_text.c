// SPDX-License-Identifier: GPL-3.0-or-later
/* How a sentence is shown: the table of its tokens and vectors, wide, stacked or plain. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "session/results.h"
#include "session/show_text.h"

enum { WIDE = 100, STAGES = 3, MAX_TOKEN = 16 };

/* ---- what is said above the table ---- */

void es_show_header(es_str *out, const es_text *t, const es_style *style)
{
    const es_context *c = t->context;
    es_flow f = es_flow_start(out, " · ", style);
    int64_t B = es_text_B(t), T = es_text_T(t);
    size_t bytes = es_text_n_bytes(t);
    if (B == 1)
        es_flow_item(&f, "%" PRId64 " token%s from %zu byte%s", T, T == 1 ? "" : "s", bytes,
                     bytes == 1 ? "" : "s");
    else
        es_flow_item(&f, "%" PRId64 " texts of up to %" PRId64 " tokens", B, T);
    int64_t C = c->model->config.n_embd;
    if (style->width < 60)
        es_flow_item(&f, "model %s", c->model->name);
    else if (style->width < WIDE)
        es_flow_item(&f, "model %s: %" PRId64 " numbers a token, %s", c->model->name, C,
                     "random, nothing learned");
    else
        es_flow_item(&f, "model %s: %" PRId64 " numbers a token, %s%s", c->model->name, C,
                     c->model->about, C == 768 ? "" : "; GPT-2 has 768");
    es_flow_item(&f, "%s", es_context_device(c));
    es_flow_end(&f);
}

/* ---- the rows that are shown ---- */

/* One stage of the sum, for every row shown: the first n channels and the length over all C. */
typedef struct stage {
    float *value; /* (rows, n) */
    double *length;
} stage;

/* The rows of a text that fit on a screen: the first and, when not all fit, the last ones. */
typedef struct rows {
    es_text *t;
    int64_t n, head; /* rows 0..head-1 are the text's first, the others its last */
    int channels;    /* n of each stage's values */
    int n_stages;    /* 3, or 1 when there are no positions */
    stage stage[STAGES];
    float scale;
} rows;

static int64_t place_of(const rows *r, int64_t i)
{
    return i < r->head ? i : es_text_T(r->t) - r->n + i;
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

/* Copy n rows of one stage, from row `first` on, and measure them over all C channels. */
static bool keep_stage(rows *r, int s, const es_tensor *tensor, int64_t first, int64_t n,
                       es_error *err)
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

static bool read_block(rows *r, int64_t first, int64_t place, int64_t n, es_error *err)
{
    es_embedded e;
    if (n == 0)
        return true;
    if (!es_text_rows(r->t, 0, place, n, &e, err))
        return false;
    bool ok = r->n_stages == 1 ? keep_stage(r, 0, &e.x, first, n, err)
                               : keep_stage(r, 0, &e.tok_emb, first, n, err) &&
                                     keep_stage(r, 1, &e.pos_emb, first, n, err) &&
                                     keep_stage(r, 2, &e.x, first, n, err);
    es_embedded_free(&e);
    return ok;
}

static void find_scale(rows *r)
{
    float most = 0;
    for (int s = 0; s < r->n_stages; s++)
        for (int64_t i = 0; i < r->n * r->channels; i++)
            if (fabsf(r->stage[s].value[i]) > most && isfinite(r->stage[s].value[i]))
                most = fabsf(r->stage[s].value[i]);
    r->scale = es_round_scale(most);
}

static bool rows_read(rows *r, es_text *t, int64_t most, int64_t tail, int channels, es_error *err)
{
    int64_t T = es_text_T(t), C = t->context->model->config.n_embd;
    *r = (rows){.t = t, .n = T < most ? T : most, .channels = C < channels ? (int)C : channels};
    r->head = T <= most ? T : most - tail;
    r->n_stages = t->context->layer.positions == ES_POSITIONS_NONE ? 1 : STAGES;
    for (int s = 0; s < r->n_stages; s++) {
        r->stage[s].value = es_alloc_array((size_t)(r->n * r->channels), sizeof(float));
        r->stage[s].length = es_alloc_array((size_t)r->n, sizeof(double));
    }
    bool ok = read_block(r, 0, 0, r->head, err) &&
              read_block(r, r->head, T - (r->n - r->head), r->n - r->head, err);
    if (ok)
        find_scale(r);
    else
        rows_free(r);
    return ok;
}

/* ---- pieces of the table ---- */

static void token_cell(es_str *out, const es_text *t, int64_t place, int columns,
                       const es_style *style)
{
    size_t n;
    const char *bytes = es_text_token(t, 0, (size_t)place, &n);
    es_str shown = {0};
    es_style_token(&shown, bytes, n, style);
    es_cell(out, es_str_text(&shown), shown.len, columns, false,
            place % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN, style);
    es_str_free(&shown);
}

static int widest_token(const rows *r, int most, const es_style *style)
{
    int widest = 5; /* the heading */
    for (int64_t i = 0; i < r->n; i++) {
        size_t n;
        const char *bytes = es_text_token(r->t, 0, (size_t)place_of(r, i), &n);
        es_str shown = {0};
        es_style_token(&shown, bytes, n, style);
        int wide = es_columns(es_str_text(&shown), shown.len);
        widest = wide > widest ? wide : widest;
        es_str_free(&shown);
    }
    return widest < most ? widest : most;
}

static int digits_of(int64_t n)
{
    int digits = 1;
    for (; n >= 10; n /= 10)
        digits++;
    return digits;
}

static void gap_line(es_str *out, const rows *r, int64_t i, const es_style *style)
{
    if (i != r->head || r->head == es_text_T(r->t))
        return;
    es_flow f = es_flow_start(out, "", style);
    es_flow_item(&f, "… %" PRId64 " more, :tokens shows all", es_text_T(r->t) - r->n);
    es_flow_end(&f);
}

static void scale_caption(es_flow *f, const rows *r)
{
    int64_t C = r->t->context->model->config.n_embd;
    if (r->channels == 1)
        es_flow_item(f, "channel 0 of %" PRId64 ", a bar -%g…+%g, ▄ is 0", C, (double)r->scale,
                     (double)r->scale);
    else
        es_flow_item(f, "channels 0-%d of %" PRId64 ", each bar -%g…+%g, ▄ is 0", r->channels - 1,
                     C, (double)r->scale, (double)r->scale);
}

static int length_decimals(const rows *r)
{
    double most = 0;
    for (int s = 0; s < r->n_stages; s++)
        for (int64_t i = 0; i < r->n; i++)
            most = fmax(most, r->stage[s].length[i]);
    return most < 1 ? 3 : most < 100 ? 2 : 0;
}

/* ---- wide: a line a token ---- */

static const char *position_heading(const es_text *t, bool room)
{
    bool learned = t->context->layer.positions == ES_POSITIONS_LEARNED;
    return !room     ? "+ pos_emb"
           : learned ? "pos_emb = wpe(positions)"
                     : "pos_emb = sin, cos of positions";
}

/* Columns left of the bars: place, token, id, lengths. */
static int wide_margin(const rows *r, int token, const es_style *style)
{
    (void)style;
    return 4 + 2 + token + 2 + 5 + 2 + r->n_stages * 6;
}

static bool show_wide(es_str *out, es_text *t, const es_style *style, es_error *err)
{
    rows r;
    int stages = t->context->layer.positions == ES_POSITIONS_NONE ? 1 : STAGES;
    int room = (style->width - wide_margin(&(rows){.n_stages = stages}, MAX_TOKEN, style) - 2 -
                3 * (stages - 1)) /
               stages;
    if (!rows_read(&r, t, 24, 4, room, err))
        return false;

    int token = widest_token(&r, MAX_TOKEN, style), dec = length_decimals(&r);
    bool roomy = room >= 24 || stages == 1;
    const char *head[STAGES] = {roomy ? "tok_emb = wte(ids)" : "tok_emb",
                                position_heading(t, roomy),
                                roomy ? "x = tok_emb + pos_emb" : "= x"};
    if (stages == 1)
        head[0] = "x = tok_emb = wte(ids), no positions";
    int group = r.channels > 24 || !roomy ? r.channels : 24;
    group = group < 9 ? 9 : group;

    es_str_add(out, "%4s  ", "pos");
    es_cell(out, "token", 5, token, false, ES_PAINT_NONE, style);
    es_str_add(out, "  %5s  %-*s", "id", stages * 6, stages == 1 ? "len" : "length of");
    for (int s = 0; s < stages; s++)
        es_str_add(out, "  %s%*s", head[s], s == stages - 1 ? 0 : group - (int)strlen(head[s]) + 1,
                   "");
    es_str_char(out, '\n');
    es_str_fill(out, ' ', (size_t)(4 + 2 + token + 2 + 5 + 2));
    if (stages == STAGES)
        es_str_cat(out, "  tok   pos     x ");
    else
        es_str_fill(out, ' ', 6);
    es_str_cat(out, "  ");
    es_flow caption = es_flow_start(out, "", style);
    scale_caption(&caption, &r);
    es_flow_end(&caption);

    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = place_of(&r, i);
        gap_line(out, &r, i, style);
        es_str_add(out, "%4" PRId64 "  ", place);
        token_cell(out, t, place, token, style);
        es_str_add(out, "  %5" PRId32 "  ", es_text_ids(t)[place]);
        for (int s = 0; s < stages; s++)
            es_str_add(out, "%5.*f ", dec, r.stage[s].length[i]);
        for (int s = 0; s < stages; s++) {
            es_str_cat(out, "  ");
            es_bars(out, r.stage[s].value + i * r.channels, r.channels, r.scale, style);
            if (s < stages - 1)
                es_str_fill(out, ' ', (size_t)(group - r.channels + 1));
        }
        es_str_char(out, '\n');
    }
    rows_free(&r);
    return true;
}

/* ---- stacked: the sum as one reads it ---- */

static bool show_stacked(es_str *out, es_text *t, const es_style *style, es_error *err)
{
    rows r;
    int64_t T = es_text_T(t);
    int place_w = digits_of(T - 1), token_most = style->width < 60 ? 8 : 14;
    es_positions positions = t->context->layer.positions;
    const char *label[STAGES] = {"  wte", positions == ES_POSITIONS_LEARNED ? "+ wpe" : "+ pos",
                                 "= x  "};
    if (positions == ES_POSITIONS_NONE)
        label[0] = "x=wte";

    /* The tokens' width decides how many channels fit; read once with a guess, once for real. */
    if (!rows_read(&r, t, 8, 2, 1, err))
        return false;
    int token = widest_token(&r, token_most, style), dec = length_decimals(&r);
    rows_free(&r);
    int margin = place_w + 2 + token + 1 + 5 + 1, label_w = 5 + 1, length_w = 6;
    if (!rows_read(&r, t, 8, 2, style->width - margin - label_w - length_w, err))
        return false;

    es_flow f = es_flow_start(out, "   ", style);
    scale_caption(&f, &r);
    es_flow_item(&f, "then the length");
    es_flow_end(&f);
    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = place_of(&r, i);
        gap_line(out, &r, i, style);
        for (int s = 0; s < r.n_stages; s++) {
            if (s == 0) {
                es_str_add(out, "%*" PRId64 "  ", place_w, place);
                token_cell(out, t, place, token, style);
                es_str_add(out, " %5" PRId32 " ", es_text_ids(t)[place]);
            } else {
                es_str_fill(out, ' ', (size_t)margin);
            }
            es_str_add(out, "%s ", label[s]);
            es_bars(out, r.stage[s].value + i * r.channels, r.channels, r.scale, style);
            es_str_add(out, "%6.*f\n", dec, r.stage[s].length[i]);
        }
    }
    rows_free(&r);
    return true;
}

/* ---- plain ---- */

static bool show_plain(es_str *out, es_text *t, const es_style *style, es_error *err)
{
    rows r;
    if (!rows_read(&r, t, 24, 4, 1, err))
        return false;
    const es_config *config = &t->context->model->config;
    int dec = length_decimals(&r);
    es_str_add(out, "tokens: %" PRId64 "\nbytes: %zu\n", es_text_T(t), es_text_n_bytes(t));
    es_str_add(out, "model: %s (%s)\ndevice: %s\n", t->context->model->name,
               t->context->model->about, es_context_device(t->context));
    for (int64_t i = 0; i < r.n; i++) {
        int64_t place = place_of(&r, i);
        size_t n;
        const char *bytes = es_text_token(t, 0, (size_t)place, &n);
        es_str shown = {0};
        es_show_quoted(&shown, bytes, n);
        gap_line(out, &r, i, style);
        es_str_add(out, "token %" PRId64 ": text %s, id %" PRId32, place, shown.s,
                   es_text_ids(t)[place]);
        es_str_add(out, ", length of tok_emb %.*f", dec, r.stage[0].length[i]);
        if (r.n_stages == STAGES)
            es_str_add(out, ", of pos_emb %.*f, of x %.*f", dec, r.stage[1].length[i], dec,
                       r.stage[2].length[i]);
        es_str_char(out, '\n');
        es_str_free(&shown);
    }
    es_str_add(out, "x shape: B 1, T %" PRId64 ", C %" PRId64 "\n", es_text_T(t), config->n_embd);
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
        es_show_repeats(out, t, style);
        return true;
    }
    es_show_header(out, t, style);
    bool ok =
        style->width >= WIDE ? show_wide(out, t, style, err) : show_stacked(out, t, style, err);
    if (!ok)
        return false;
    es_show_split_characters(out, t, style);
    es_show_repeats(out, t, style);
    if (t->context->layer.wpe && !es_show_one_sum(out, t, style, err))
        return false;
    es_show_pipeline(out, t, style);
    return true;
}
