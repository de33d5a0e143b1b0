// SPDX-License-Identifier: GPL-3.0-or-later
/* What is said below the table of a sentence. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "session/show_text.h"

/* Characters that several tokens make together, by places. */
void es_show_split_characters(es_str *out, const es_text *t, const es_style *style)
{
    enum { MOST = 6 };
    const es_sentence *s = &t->sentences->of[0];
    es_flow f = es_flow_start(out, "   ", style);
    size_t n_found = 0, first = 0;
    for (size_t begin = 0, end; begin < s->len; begin = end) {
        uint32_t cp;
        int len = es_utf8_next(s->bytes + begin, s->len - begin, &cp);
        end = begin + (len ? (size_t)len : 1);
        while (s->tokens.begin[first + 1] <= begin)
            first++;
        size_t last = first;
        while (s->tokens.begin[last + 1] < end)
            last++;
        if (last == first || n_found++ >= MOST)
            continue;
        es_str shown = {0};
        if (es_char_visible(cp))
            es_show_token(&shown, s->bytes + begin, end - begin);
        else
            es_str_add(&shown, "U+%04X", (unsigned)cp);
        if (n_found == 1)
            es_flow_item(&f, "characters of several tokens:");
        es_flow_item(&f, "%s %zu-%zu", shown.s, first, last);
        es_str_free(&shown);
    }
    if (n_found > MOST)
        es_flow_item(&f, "… %zu more", n_found - MOST);
    if (n_found)
        es_flow_end(&f);
}

/* A token that comes again: its first places and how often it comes. */
typedef struct repeat {
    uint32_t place[5];
    int64_t n;
} repeat;

static repeat find_repeat(const es_text *t, int64_t first)
{
    enum { MOST = sizeof((repeat *)0)->place / sizeof(uint32_t) };
    const int32_t *ids = es_text_ids(t);
    repeat r = {.n = 0};
    for (int64_t i = first; i < es_text_T(t); i++) {
        if (ids[i] != ids[first])
            continue;
        if (r.n < MOST)
            r.place[r.n] = (uint32_t)i;
        r.n++;
    }
    return r;
}

static void show_one_repeat(es_str *out, const es_text *t, const repeat *r, const es_style *style)
{
    enum { MOST = sizeof r->place / sizeof *r->place };
    size_t len;
    const char *bytes = es_text_token(t, 0, r->place[0], &len);
    es_str line = {0};
    if (style->plain)
        es_show_quoted(&line, bytes, len);
    else
        es_style_token(&line, bytes, len, style);
    es_str_cat(&line, " again (pos ");
    for (int64_t i = 0; i < r->n && i < MOST; i++)
        es_str_add(&line, "%s%" PRIu32, i ? ", " : "", r->place[i]);
    es_str_cat(&line, r->n > MOST ? ", …): same row of wte, " : "): same row of wte, ");
    const char *table = t->context->layer.positions == ES_POSITIONS_LEARNED ? "wpe" : "pos_emb";
    if (t->context->layer.wpe)
        es_str_add(&line, "x differs by %s[%" PRIu32 "] - %s[%" PRIu32 "]", table, r->place[1],
                   table, r->place[0]);
    else
        es_str_cat(&line, "and x is the same: without positions nothing tells them apart");
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

/* Two passes over the ids, because a text without positions may have millions of them. */
void es_show_repeats(es_str *out, const es_text *t, const es_style *style)
{
    enum { SHOWN = 2 };
    int64_t T = es_text_T(t), n_found = 0, first[SHOWN];
    const int32_t *ids = es_text_ids(t);
    /* how often each id was seen, up to 2; then 3 once it is counted as found */
    unsigned char *seen = es_alloc((size_t)es_bpe_vocab_size(t->context->bpe));
    for (int64_t i = 0; i < T; i++)
        seen[ids[i]] = seen[ids[i]] ? 2 : 1;
    for (int64_t i = 0; i < T; i++) {
        if (seen[ids[i]] != 2)
            continue;
        seen[ids[i]] = 3;
        if (n_found < SHOWN)
            first[n_found] = i;
        n_found++;
    }
    for (int64_t k = 0; k < n_found && k < SHOWN; k++) {
        repeat r = find_repeat(t, first[k]);
        show_one_repeat(out, t, &r, style);
    }
    if (n_found > SHOWN) {
        es_flow f = es_flow_start(out, "", style);
        es_flow_item(&f,
                     n_found - SHOWN == 1 ? "… and %" PRId64 " more token comes again"
                                          : "… and %" PRId64 " more tokens come again",
                     n_found - SHOWN);
        es_flow_end(&f);
    }
    free(seen);
}

static bool one_number(const es_tensor *t, float *value, es_error *err)
{
    es_view v = es_tensor_as_view(t);
    for (int i = 0; i < v.ndim; i++)
        v.dim[i] = 1;
    return t->buf->be->ops->read(value, &v, err);
}

/* Does the sum still hold with this many decimals? */
static bool adds_up(const float v[3], int decimals)
{
    double power = pow(10, decimals);
    return round((double)v[0] * power) + round((double)v[1] * power) == round((double)v[2] * power);
}

/* "channel 0 of ␣cat: 0.312 + (-0.041) = 0.271", with enough decimals to be true as printed. */
bool es_show_one_sum(es_str *out, es_text *t, const es_style *style, es_error *err)
{
    enum { LARGE = 10000000 };
    int64_t place = es_text_T(t) > 1;
    es_embedded e;
    float v[3];
    if (!es_text_rows(t, 0, place, 1, &e, err))
        return false;
    bool ok = one_number(&e.tok_emb, &v[0], err) && one_number(&e.pos_emb, &v[1], err) &&
              one_number(&e.x, &v[2], err);
    es_embedded_free(&e);
    if (!ok)
        return false;

    if (!(fabsf(v[0]) < LARGE && fabsf(v[1]) < LARGE)) /* no decimals would make that true */
        return true;
    int decimals = fabsf(v[2]) < 0.1f ? 4 : 3;
    while (decimals < 9 && !adds_up(v, decimals))
        decimals++;
    size_t len;
    const char *bytes = es_text_token(t, 0, (size_t)place, &len);
    es_str token = {0};
    es_style_token(&token, bytes, len, style);
    es_flow f = es_flow_start(out, "     ", style);
    es_flow_item(&f,
                 v[1] < 0 ? "channel 0 of %s: %.*f + (%.*f) = %.*f"
                          : "channel 0 of %s: %.*f + %.*f = %.*f",
                 token.s, decimals, (double)v[0], decimals, (double)v[1], decimals, (double)v[2]);
    es_flow_item(&f, "lengths do not add: the directions differ");
    es_flow_end(&f);
    es_str_free(&token);
    return true;
}

/* Where the model has no wte. */
static void places_pipeline(es_str *out, const es_text *t, const es_style *style)
{
    es_str line = {0};
    es_str_add(&line,
               "pos_emb [1, T=%" PRId64 ", C=%" PRId64
               "] a row per place; tok_emb and x: none, this "
               "model has no token table (wte)",
               es_text_T(t), t->context->model->config.n_embd);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

void es_show_pipeline(es_str *out, const es_text *t, const es_style *style)
{
    if (es_text_places_only(t)) {
        places_pipeline(out, t, style);
        return;
    }
    int64_t B = es_text_B(t), T = es_text_T(t), C = t->context->model->config.n_embd;
    bool positions = t->context->layer.positions != ES_POSITIONS_NONE;
    es_str line = {0};
    es_str_add(&line,
               "ids [B=%" PRId64 ", T=%" PRId64 "] → tok_emb [B=%" PRId64 ", T=%" PRId64
               ", C=%" PRId64 "] a row per id",
               B, T, B, T, C);
    if (positions)
        es_str_add(&line,
                   " + pos_emb [1, T=%" PRId64 ", C=%" PRId64 "] a row per place, shared by all "
                   "sentences",
                   T, C);
    es_str_add(&line, " → x [B=%" PRId64 ", T=%" PRId64 ", C=%" PRId64 "]", B, T, C);
    if (es_columns(line.s, line.len) <= style->width) {
        es_str_add(out, "%s\n", line.s);
        es_str_free(&line);
        return;
    }
    es_str_free(&line);

    es_grid g = {.align = "llw"};
    es_grid_text(&g, "ids");
    es_grid_text(&g, "[B=%" PRId64 ", T=%" PRId64 "]", B, T);
    es_grid_text(&g, "whole numbers");
    es_grid_text(&g, "tok_emb");
    es_grid_text(&g, "[B=%" PRId64 ", T=%" PRId64 ", C=%" PRId64 "]", B, T, C);
    es_grid_text(&g, "a row of wte per id");
    if (positions) {
        es_grid_text(&g, "pos_emb");
        es_grid_text(&g, "[1, T=%" PRId64 ", C=%" PRId64 "]", T, C);
        es_grid_text(&g, "a row per place, shared by all sentences");
    }
    es_grid_text(&g, "x");
    es_grid_text(&g, "[B=%" PRId64 ", T=%" PRId64 ", C=%" PRId64 "]", B, T, C);
    es_grid_text(&g, "%s",
                 positions ? "their sum, what the first block receives"
                           : "tok_emb alone: no positions are added");
    es_grid_end(&g, out, 0, 2, style);
}
