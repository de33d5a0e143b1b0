// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/show_rows.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "layer/cosine.h"
#include "session/numbers.h"

int64_t es_rows_place(const es_rows *r, int64_t i)
{
    return i < r->head ? i : es_text_T(r->t) - r->n + i;
}

static void show_token(es_str *out, const es_text *t, int64_t place, const es_style *style)
{
    size_t n;
    const char *bytes = es_text_token(t, 0, (size_t)place, &n);
    es_style_token(out, bytes, n, style);
}

int64_t es_rows_that_fit(int most, int lines, const es_style *style)
{
    enum { BESIDE = 12, LEAST = 3 };
    int fit = style->height ? (style->height - BESIDE) / lines : most;
    return fit > most ? most : fit < LEAST ? LEAST : fit;
}

es_rows es_rows_plan(es_text *t, int64_t most, int64_t tail, int widest, const es_style *style)
{
    int64_t T = es_text_T(t);
    es_rows r = {.t = t, .n = T < most ? T : most, .head = T <= most ? T : most - tail, .token = 5};
    bool one = t->context->layer.positions == ES_POSITIONS_NONE || es_text_places_only(t);
    r.n_stages = one ? 1 : ES_STAGES;
    for (int64_t i = 0; i < r.n && r.token < widest; i++) {
        es_str shown = {0};
        show_token(&shown, t, es_rows_place(&r, i), style);
        int wide = es_columns(es_str_text(&shown), shown.len);
        r.token = wide > r.token ? wide : r.token;
        es_str_free(&shown);
    }
    r.token = r.token < widest ? r.token : widest;
    return r;
}

void es_rows_free(es_rows *r)
{
    for (int s = 0; s < ES_STAGES; s++) {
        free(r->stage[s].value);
        free(r->stage[s].length);
    }
}

/* Keep n rows of one stage, from row `first` on, and measure them over all C channels. */
static bool keep(es_rows *r, int s, const es_tensor *tensor, int64_t first, int64_t n,
                 es_error *err)
{
    int64_t C = tensor->shape.dim[2];
    float *all = es_try_alloc((size_t)(n * C), sizeof *all, "the rows", err);
    bool ok = all && es_tensor_read(tensor, all, err);
    for (int64_t i = 0; ok && i < n; i++) {
        memcpy(r->stage[s].value + (first + i) * r->channels, all + i * C,
               (size_t)r->channels * sizeof *all);
        r->stage[s].length[first + i] = es_length(all + i * C, C);
    }
    free(all);
    return ok;
}

static bool read_block(es_rows *r, int64_t first, int64_t n, es_error *err)
{
    es_embedded e;
    if (n == 0)
        return true;
    if (!es_text_rows(r->t, 0, es_rows_place(r, first), n, &e, err))
        return false;
    const es_tensor *stages[ES_STAGES] = {&e.tok_emb, &e.pos_emb, &e.x};
    if (es_text_places_only(r->t))
        stages[0] = &e.pos_emb;
    bool ok = true;
    int n_stages = r->n_stages;
    assert(n_stages <= ES_STAGES);
    for (int s = 0; ok && s < n_stages; s++)
        ok = keep(r, s, stages[s], first, n, err);
    es_embedded_free(&e);
    return ok;
}

static void find_scale(es_rows *r)
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

bool es_rows_read(es_rows *r, int channels, es_error *err)
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
        es_rows_free(r);
    return ok;
}

void es_rows_token(es_str *out, const es_rows *r, int64_t place, const es_style *style)
{
    es_str shown = {0};
    show_token(&shown, r->t, place, style);
    es_cell(out, es_str_text(&shown), shown.len, r->token, false,
            place % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN, style);
    es_str_free(&shown);
}
