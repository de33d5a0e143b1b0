// SPDX-License-Identifier: GPL-3.0-or-later
/* One token's vectors, what ids decode to, how a word is merged. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "session/json_text.h"
#include "session/show_kinds.h"

/* ---- decode ---- */

/* A quoted string over as many lines as it needs, each in quotes of its own: put together they are
 * the string, spaces and all. */
static void show_long_string(es_str *out, const char *bytes, size_t n, int columns)
{
    es_str one = {0};
    int used = 2;
    es_str_char(out, '"');
    for (size_t i = 0, len; i < n; i += len) {
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
        es_wrap(out,
                "these bytes alone are no text: \\xNN are bytes of characters that need other "
                "tokens too",
                0, style);
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

static double length_of(const float *v, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)v[i] * (double)v[i];
    return sqrt(sum);
}

/* All C numbers, a power of two of them a line, the first one's channel before them. */
static void show_vector(es_str *out, const char *name, const float *v, int64_t C,
                        const es_style *style)
{
    enum { INDEX = 6, NUMBER = 9 };
    int64_t a_line = 1;
    while (a_line < 16 && INDEX + 2 * a_line * NUMBER <= style->width)
        a_line *= 2;
    es_str_add(out, "%s, length %.4f\n", name, length_of(v, C));
    for (int64_t c = 0; c < C; c++) {
        if (c % a_line == 0)
            es_str_add(out, "%*" PRId64, INDEX, c);
        es_str_add(out, fabsf(v[c]) < 1000 ? " %8.4f" : " %8.1e", (double)v[c]);
        if (c % a_line == a_line - 1 || c == C - 1)
            es_str_char(out, '\n');
    }
}

static void plain_row(es_str *out, const es_row *row, int64_t C)
{
    for (int64_t c = 0; c < C; c++) {
        es_str_add(out, "channel %" PRId64 ": tok_emb %.6f", c, (double)row->tok_emb[c]);
        if (row->pos_emb)
            es_str_add(out, ", pos_emb %.6f", (double)row->pos_emb[c]);
        if (row->x)
            es_str_add(out, ", x %.6f", (double)row->x[c]);
        es_str_char(out, '\n');
    }
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
    if (row->pos >= 0)
        es_flow_item(&f, "pos %" PRId64, row->pos);
    es_flow_item(&f, "model %s", row->context->model->name);
    es_flow_end(&f);
}

bool es_show_row(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_row *row = data;
    int64_t C = row->context->model->config.n_embd;
    (void)err;
    describe_token(out, row, style);
    if (style->plain) {
        plain_row(out, row, C);
        return true;
    }
    es_str name = {0};
    es_str_add(&name, "tok_emb = wte[%" PRId32 "]", row->id);
    show_vector(out, name.s, row->tok_emb, C, style);
    es_str_free(&name);
    if (row->pos_emb) {
        const char *table =
            row->context->layer.positions == ES_POSITIONS_LEARNED ? "wpe" : "sinusoidal";
        es_str_add(&name, "pos_emb = %s[%" PRId64 "]", table, row->pos);
        show_vector(out, name.s, row->pos_emb, C, style);
        es_str_free(&name);
    }
    if (row->x)
        show_vector(out, row->pos_emb ? "x = tok_emb + pos_emb" : "x = tok_emb, no positions",
                    row->x, C, style);
    if (row->pos < 0)
        es_wrap(
            out,
            "It has no place here, so no pos_emb and no x: @0, @1, … name the tokens of the last "
            "text.",
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

/* ---- merges ---- */

typedef struct step {
    size_t at;
    int32_t left, right, made;
} step;

typedef struct steps {
    step *of;
    size_t n, cap;
} steps;

static void add_step(void *user, size_t at, int32_t left, int32_t right, int32_t made)
{
    steps *s = user;
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 16;
        s->of = es_realloc(s->of, s->cap * sizeof *s->of);
    }
    s->of[s->n++] = (step){at, left, right, made};
}

static void show_id(es_str *out, const es_bpe *bpe, int32_t id)
{
    size_t n;
    const char *bytes = es_bpe_bytes(bpe, id, &n);
    es_show_token(out, bytes, n);
}

/* The word as parts with a space between: next[i] is where the part that begins at byte i ends. */
static void show_parts(es_str *out, const char *word, const size_t *next, size_t len)
{
    for (size_t i = 0; i < len; i = next[i]) {
        es_str_cat(out, i ? " " : "");
        es_show_token(out, word + i, next[i] - i);
    }
}

/* Join the part at s->at with the one behind it. */
static void join(size_t *next, const step *s)
{
    next[s->at] = next[next[s->at]];
}

static void show_gap(es_str *out, size_t n, int most, const es_style *style)
{
    es_str line = {0};
    es_str_add(&line, "(%zu steps, the first %d and the last are shown)", n, most);
    es_wrap(out, line.s, 2, style);
    es_str_free(&line);
}

static void show_steps(es_str *out, const es_bpe *bpe, const char *word, size_t *next, size_t len,
                       const steps *all, const es_style *style)
{
    enum { MOST = 40 };
    es_grid g = {.align = "fllr"};
    show_parts(es_grid_cell(&g, ES_PAINT_NONE), word, next, len);
    for (int i = 0; i < 3; i++)
        es_grid_text(&g, "%s", "");
    for (size_t i = 0; i < all->n; i++) {
        const step *s = &all->of[i];
        join(next, s);
        if (i >= MOST && i + 1 < all->n)
            continue; /* the last step is always shown */
        show_parts(es_grid_cell(&g, ES_PAINT_NONE), word, next, len);
        es_str *pair = es_grid_cell(&g, ES_PAINT_NONE);
        show_id(pair, bpe, s->left);
        es_str_char(pair, '+');
        show_id(pair, bpe, s->right);
        es_grid_text(&g, "rank");
        es_show_count(es_grid_cell(&g, ES_PAINT_NONE), es_bpe_rank(bpe, s->made));
    }
    es_grid_end(&g, out, 2, 2, style);
    if (all->n > MOST + 1)
        show_gap(out, all->n, MOST, style);
}

static void show_outcome(es_str *out, const es_bpe *bpe, const char *word, const size_t *next,
                         size_t len, const es_style *style)
{
    enum { MOST = 12 };
    size_t n = 0;
    es_str line = {0};
    for (size_t i = 0; i < len; i = next[i])
        if (n++ < MOST) {
            es_str_cat(&line, n > 1 ? ", " : "");
            es_show_token(&line, word + i, next[i] - i);
            es_str_add(&line, " %" PRId32, es_bpe_find(bpe, word + i, next[i] - i));
        }
    es_str all = {0};
    es_str_add(&all, "no pair left that was ever learned: %zu token%s, %s%s", n, n == 1 ? "" : "s",
               line.s, n > MOST ? ", …" : "");
    es_wrap(out, all.s, 0, style);
    es_str_free(&all);
    es_str_free(&line);
}

static bool show_word(es_str *out, const es_bpe *bpe, const char *word, size_t len,
                      const es_style *style, es_error *err)
{
    steps all = {0};
    size_t *next = es_try_alloc(len, sizeof *next, "the parts of a word", err);
    bool ok = next && es_bpe_trace(bpe, word, len, add_step, &all, err);
    if (ok) {
        for (size_t i = 0; i < len; i++)
            next[i] = i + 1;
        es_str line = {0};
        es_show_brief(&line, word, len);
        es_str_add(&line, " is one piece of %zu byte%s", len, len == 1 ? "" : "s");
        if (all.n)
            es_str_cat(&line,
                       "; at each step the pair that was learned first (lowest rank) is merged");
        es_wrap(out, line.s, 0, style);
        es_str_free(&line);
        if (all.n)
            show_steps(out, bpe, word, next, len, &all, style);
        show_outcome(out, bpe, word, next, len, style);
    }
    free(all.of);
    free(next);
    return ok;
}

bool es_show_merges(es_str *out, void *data, const es_style *style, es_error *err)
{
    enum { MOST = 30 };
    const es_merges *m = data;
    const es_bpe *bpe = m->context->bpe;
    const char *text = es_str_text(&m->text);
    size_t n_words = 0;
    for (size_t at = 0, len; at < m->text.len; at += len) {
        len = es_bpe_word(bpe, text + at, m->text.len - at);
        if (n_words++ < MOST && !show_word(out, bpe, text + at, len, style, err))
            return false;
    }
    if (n_words > MOST)
        es_str_add(out, "… %zu more pieces\n", n_words - MOST);
    return true;
}

static bool json_word(es_json *j, const es_bpe *bpe, const char *word, size_t len, es_error *err)
{
    steps all = {0};
    bool ok = es_bpe_trace(bpe, word, len, add_step, &all, err);
    es_json_open(j, '{');
    es_json_bytes(j, word, len);
    es_json_key(j, "steps");
    es_json_open(j, '[');
    for (size_t i = 0; i < all.n; i++) {
        es_json_open(j, '{');
        es_json_key_int(j, "left", all.of[i].left);
        es_json_key_int(j, "right", all.of[i].right);
        es_json_key_int(j, "made", all.of[i].made);
        es_json_key_int(j, "rank", es_bpe_rank(bpe, all.of[i].made));
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
    es_json_close(j, '}');
    free(all.of);
    return ok;
}

bool es_json_of_merges(es_json *j, void *data, bool values, es_error *err)
{
    const es_merges *m = data;
    const char *text = es_str_text(&m->text);
    bool ok = true;
    (void)values;
    es_json_key(j, "pieces");
    es_json_open(j, '[');
    for (size_t at = 0, len; ok && at < m->text.len; at += len) {
        len = es_bpe_word(m->context->bpe, text + at, m->text.len - at);
        ok = json_word(j, m->context->bpe, text + at, len, err);
    }
    es_json_close(j, ']');
    return ok;
}
