// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens with their bytes and places, and batches of texts. */
#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/rare.h"
#include "session/show_kinds.h"
#include "session/show_text.h"

static void show_bytes(es_str *out, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        es_str_add(out, "%s%02X", i ? " " : "", (unsigned char)bytes[i]);
}

static void plain_token(es_str *out, const es_text *t, int64_t b, size_t i)
{
    size_t n;
    const char *bytes = es_text_token(t, b, i, &n);
    const uint32_t *begin = t->sentences->of[b].tokens.begin;
    es_str_add(out, "token %" PRId64 ": text ", t->sentences->of[b].at + (int64_t)i);
    es_show_quoted(out, bytes, n);
    es_str_add(out, ", id %" PRId32 ", bytes ", t->sentences->of[b].tokens.id[i]);
    show_bytes(out, bytes, n);
    es_str_add(out, ", from byte %" PRIu32 " to %" PRIu32 "\n", begin[i], begin[i + 1]);
}

/* Columns of the table; it is written line by line, because a text may have a million tokens. */
typedef struct widths {
    int pos, token, id, places, bytes;
} widths;

static int digits(uint64_t n)
{
    return snprintf(NULL, 0, "%" PRIu64, n);
}

/* Columns that fit tokens 0..head-1 and those from `tail` on. */
static widths measure(es_str *out, const es_text *t, int64_t b, size_t head, size_t tail,
                      const es_style *style)
{
    size_t T = t->sentences->of[b].tokens.n;
    widths w = {.pos = digits(T - 1), .token = 5, .id = 5};
    if (w.pos < 3)
        w.pos = 3;
    w.places = 2 * digits(t->sentences->of[b].tokens.begin[T]) + 1;
    if (w.places < 9)
        w.places = 9;
    int rest = style->width - w.pos - w.id - w.places - 6, most = rest < 24 ? rest : 24;
    es_str shown = {0};
    for (size_t i = 0; i < T && w.token < most && !es_str_braked(out); i++) {
        if (i == head && i < tail)
            i = tail;
        size_t n;
        const char *bytes = es_text_token(t, b, i, &n);
        es_str_cut(&shown, 0);
        es_style_token(&shown, bytes, n, style);
        int wide = es_columns(es_str_text(&shown), shown.len);
        w.token = wide > w.token ? wide : w.token;
    }
    es_str_free(&shown);
    if (w.token > most)
        w.token = most;
    w.bytes = rest - w.token - 2;
    return w;
}

static void token_line(es_str *out, const es_text *t, int64_t b, size_t i, const widths *w,
                       const es_style *style)
{
    size_t n;
    const char *bytes = es_text_token(t, b, i, &n);
    const uint32_t *begin = t->sentences->of[b].tokens.begin;
    es_str cell = {0};
    es_style_token(&cell, bytes, n, style);
    es_str_add(out, "%*" PRId64 "  ", w->pos, t->sentences->of[b].at + (int64_t)i);
    es_cell(out, cell.s, cell.len, w->token, false, i % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN, style);
    es_str_cut(&cell, 0);
    es_str_add(&cell, "%" PRIu32 "-%" PRIu32, begin[i], begin[i + 1]);
    es_str_add(out, "  %*" PRId32 "  %s", w->id, t->sentences->of[b].tokens.id[i], cell.s);
    if (w->bytes >= 5) {
        es_str_fill(out, ' ', (size_t)w->places - cell.len + 2);
        es_str_cut(&cell, 0);
        show_bytes(&cell, bytes, n);
        es_show_fit(out, cell.s, cell.len, w->bytes);
    }
    es_str_char(out, '\n');
    es_str_free(&cell);
}

static void token_heading(es_str *out, const widths *w)
{
    es_str_add(out, "%*s  %-*s  %*s  %-*s%s\n", w->pos, "pos", w->token, "token", w->id, "id",
               w->bytes >= 5 ? w->places + 2 : 0, "begin-end", w->bytes >= 5 ? "bytes" : "");
}

/* Tokens 0..head-1 of one text, and after a word on the gap those from `tail` on. */
static void show_lines(es_str *out, const es_text *t, int64_t b, size_t head, size_t tail,
                       const es_style *style)
{
    size_t n = t->sentences->of[b].tokens.n;
    if (style->plain)
        es_str_add(out, "tokens: %zu\n", n);
    if (!n)
        return;
    widths w = measure(out, t, b, head, tail, style);
    if (!style->plain)
        token_heading(out, &w);
    for (size_t i = 0; i < n && !es_str_braked(out); i++) {
        if (i == head && i < tail) {
            es_str_add(out, "… %zu more, :tokens shows all\n", tail - head);
            i = tail;
        }
        if (style->plain)
            plain_token(out, t, b, i);
        else
            token_line(out, t, b, i, &w, style);
    }
}

bool es_show_tokens(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_text *t = data;
    (void)err;
    if (!style->plain)
        es_show_header(out, t, style);
    for (int64_t b = 0; b < es_text_B(t) && !es_str_braked(out); b++) {
        size_t n = t->sentences->of[b].tokens.n;
        if (es_text_B(t) > 1)
            es_str_add(out, "text %" PRId64 ", %zu token%s:\n", b, n, n == 1 ? "" : "s");
        show_lines(out, t, b, n, n, style);
    }
    if (!style->plain && es_text_B(t) == 1)
        es_show_split_characters(out, t, style);
    return true;
}

bool es_show_tokens_brief(es_str *out, void *data, const es_style *style, es_error *err)
{
    enum { HEAD = 6, TAIL = 2 };
    const es_text *t = data;
    size_t T = (size_t)es_text_T(t);
    if (es_text_B(t) > 1)
        return es_show_batch(out, data, style, err);
    bool all = T <= HEAD + TAIL + 1;
    if (!style->plain)
        es_show_header(out, t, style);
    show_lines(out, t, 0, all ? T : HEAD, all ? T : T - TAIL, style);
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
        int wide = es_columns(shown.s, shown.len), after = place + 1 < es_text_T(t) ? 2 : 0;
        if (used + wide + after > columns) {
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
    for (int64_t b = 0; b < es_text_B(t) && !es_str_braked(out); b++) {
        const es_sentence *s = &t->sentences->of[b];
        es_str_add(out, "text %" PRId64 ": %zu token%s, the first at position %" PRId64 ", ", b,
                   s->tokens.n, s->tokens.n == 1 ? "" : "s", s->at);
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
    for (int64_t b = 0; b < es_text_B(t) && !es_str_braked(out); b++) {
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
    es_show_rare_in(out, t, style);
    es_show_pipeline(out, t, style);
    return true;
}
