// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens with their bytes and places, and batches of texts. */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/show_kinds.h"
#include "session/show_text.h"

enum { MOST_COLUMNS = 24 }; /* of a token's cell */

static void show_bytes(es_str *out, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        es_str_add(out, "%s%02X", i ? " " : "", (unsigned char)bytes[i]);
}

static int widest_token(const es_text *t, const es_style *style)
{
    int widest = 5;
    es_str shown = {0};
    for (size_t i = 0; i < (size_t)es_text_T(t) && widest < MOST_COLUMNS; i++) {
        size_t n;
        const char *bytes = es_text_token(t, 0, i, &n);
        es_str_cut(&shown, 0);
        es_style_token(&shown, bytes, n, style);
        int wide = es_columns(es_str_text(&shown), shown.len);
        widest = wide > widest ? wide : widest;
    }
    es_str_free(&shown);
    return widest < MOST_COLUMNS ? widest : MOST_COLUMNS;
}

static void plain_tokens(es_str *out, const es_text *t)
{
    es_str_add(out, "tokens: %" PRId64 "\n", es_text_T(t));
    for (size_t i = 0; i < (size_t)es_text_T(t); i++) {
        size_t n;
        const char *bytes = es_text_token(t, 0, i, &n);
        const uint32_t *begin = t->sentences->of[0].tokens.begin;
        es_str_add(out, "token %zu: text ", i);
        es_show_quoted(out, bytes, n);
        es_str_add(out, ", id %" PRId32 ", bytes ", es_text_ids(t)[i]);
        show_bytes(out, bytes, n);
        es_str_add(out, ", from byte %" PRIu32 " to %" PRIu32 "\n", begin[i], begin[i + 1]);
    }
}

/* Written line by line: a text may have a million tokens. */
static void grid_of_tokens(es_str *out, const es_text *t, const es_style *style)
{
    int token = widest_token(t, style), places = 13;
    int room = style->width - (6 + 2 + token + 2 + 6 + 2 + places + 2);
    es_str line = {0}, shown = {0};
    es_str_add(out, "%6s  token%*s  %6s  %-*s  %s\n", "pos", token - 5, "", "id", places,
               "begin-end", room >= 5 ? "bytes" : "");
    for (size_t i = 0; i < (size_t)es_text_T(t); i++) {
        size_t n;
        const char *bytes = es_text_token(t, 0, i, &n);
        const uint32_t *begin = t->sentences->of[0].tokens.begin;
        es_str_cut(&shown, 0);
        es_style_token(&shown, bytes, n, style);
        es_str_add(out, "%6zu  ", i);
        es_cell(out, shown.s, shown.len, token, false, i % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN, style);
        es_str_cut(&line, 0);
        es_str_add(&line, "%" PRIu32 "-%" PRIu32, begin[i], begin[i + 1]);
        es_str_add(out, "  %6" PRId32 "  %-*s  ", es_text_ids(t)[i], places, line.s);
        es_str_cut(&line, 0);
        show_bytes(&line, bytes, n);
        es_show_fit(out, es_str_text(&line), line.len, room >= 5 ? room : 0);
        while (out->s[out->len - 1] == ' ')
            es_str_cut(out, out->len - 1);
        es_str_char(out, '\n');
    }
    es_str_free(&line);
    es_str_free(&shown);
}

bool es_show_tokens(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_text *t = data;
    if (es_text_B(t) > 1)
        return es_show_batch(out, data, style, err);
    if (style->plain) {
        plain_tokens(out, t);
        return true;
    }
    es_show_header(out, t, style);
    if (es_text_T(t))
        grid_of_tokens(out, t, style);
    es_show_split_characters(out, t, style);
    return true;
}

/* ---- batches ---- */

/* "a b ·": the tokens of one text on the time axis, as many as fit. */
static void batch_row(es_str *out, const es_text *t, int64_t b, int columns, const es_style *style)
{
    const es_sentence *s = &t->sentences->of[b];
    int used = 0;
    for (int64_t place = 0; place < es_text_T(t); place++) {
        int64_t i = place - s->at;
        bool pad = i < 0 || i >= (int64_t)s->tokens.n;
        es_str shown = {0};
        if (pad) {
            es_str_cat(&shown, "·");
        } else {
            size_t n;
            const char *bytes = es_text_token(t, b, (size_t)i, &n);
            es_style_token(&shown, bytes, n, style);
        }
        int wide = es_columns(shown.s, shown.len);
        if (used + wide + 2 > columns && place + 1 < es_text_T(t)) {
            es_str_cat(out, "…");
            es_str_free(&shown);
            return;
        }
        es_cell(out, shown.s, shown.len, wide < columns - used ? wide : columns - used, false,
                pad         ? ES_PAINT_FAINT
                : place % 2 ? ES_PAINT_ODD
                            : ES_PAINT_EVEN,
                style);
        es_str_char(out, ' ');
        used += wide + 1;
        es_str_free(&shown);
    }
    es_str_cut(out, out->len - (es_text_T(t) > 0));
}

static bool plain_batch(es_str *out, const es_text *t)
{
    es_str_add(out, "texts: %" PRId64 "\npadding: id %" PRId32 "\n", es_text_B(t),
               t->sentences->pad);
    for (int64_t b = 0; b < es_text_B(t); b++) {
        const es_sentence *s = &t->sentences->of[b];
        es_str_add(out, "text %" PRId64 ": %zu tokens, the first at position %" PRId64 ", ", b,
                   s->tokens.n, s->at);
        es_show_brief(out, s->bytes, s->len);
        es_str_char(out, '\n');
    }
    es_str_add(out, "x shape: B %" PRId64 ", T %" PRId64 ", C %" PRId64 "\n", es_text_B(t),
               es_text_T(t), t->context->model->config.n_embd);
    return true;
}

bool es_show_batch(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_text *t = data;
    int64_t padded = 0;
    bool left = false;
    (void)err;
    if (style->plain)
        return plain_batch(out, t);
    es_show_header(out, t, style);
    es_str_add(out, "%3s %5s  on the time axis\n", "b", "n");
    for (int64_t b = 0; b < es_text_B(t); b++) {
        const es_sentence *s = &t->sentences->of[b];
        es_str_add(out, "%3" PRId64 " %5zu  ", b, s->tokens.n);
        batch_row(out, t, b, style->width - 11, style);
        es_str_char(out, '\n');
        padded += es_text_T(t) - (int64_t)s->tokens.n;
        left = left || s->at > 0;
    }
    if (padded) {
        es_str line = {0};
        es_str_add(&line,
                   "%" PRId64 " place%s of padding, shown as ·, id %" PRId32 ", on the %s "
                   "(:set pad, :set pad-side)",
                   padded, padded == 1 ? "" : "s", t->sentences->pad, left ? "left" : "right");
        es_wrap(out, line.s, 0, style);
        es_str_free(&line);
    }
    es_show_pipeline(out, t, style);
    return true;
}
