// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens that were found, and the vocabulary itself. */
#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "session/json_text.h"
#include "session/numbers.h"
#include "session/show_kinds.h"

enum { FIRST = 20 }; /* tokens listed for a reader who did not say how many */

/* Of a row beyond the vocabulary there are none. */
static void show_hex(es_str *out, const char *bytes, size_t n)
{
    for (size_t i = 0; bytes && i < n; i++)
        es_str_add(out, "%s%02X", i ? " " : "", (unsigned char)bytes[i]);
}

static void json_token(es_json *j, const es_bpe *bpe, int32_t id)
{
    size_t n;
    const char *bytes = es_bpe_bytes(bpe, id, &n);
    es_json_open(j, '{');
    es_json_key_int(j, "id", id);
    es_json_key(j, "text");
    if (bytes)
        es_json_text(j, bytes, n);
    else
        es_json_null(j);
    es_json_key(j, "hex");
    if (bytes)
        es_json_hex(j, bytes, n);
    else
        es_json_null(j);
    es_json_close(j, '}');
}

/* ---- find ---- */

static size_t listed(const es_found *f, size_t unless_said)
{
    size_t most = f->top ? f->top : unless_said;
    return f->n < most ? f->n : most;
}

/* The text in quotes, a pattern between its slashes. */
static void show_query(es_str *out, const es_found *f)
{
    enum { COLUMNS = 60 };
    es_str shown = {0};
    if (!f->regex) {
        es_show_brief(out, f->query.s, f->query.len);
        return;
    }
    es_show_prose(&shown, f->query.s, f->query.len);
    es_str_char(out, '/');
    es_show_fit(out, shown.s, shown.len, COLUMNS);
    es_str_char(out, '/');
    es_str_free(&shown);
}

/* "137 tokens contain "cat"", "no token matches "^ .at$"" */
static void show_number(es_str *out, const es_found *f, const es_style *style)
{
    es_str line = {0};
    if (f->n)
        es_show_count(&line, (int64_t)f->n);
    else
        es_str_cat(&line, "no");
    es_str_add(&line, " token%s %s", f->n > 1 ? "s" : "", f->regex ? "match" : "contain");
    es_str_cat(&line, f->n > 1 ? " " : f->regex ? "es " : "s ");
    show_query(&line, f);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void plain_rows(es_str *out, const es_found *f, size_t n)
{
    for (size_t i = 0; i < n && !es_str_braked(out); i++) {
        size_t len;
        const char *bytes = es_bpe_bytes(f->context->bpe, f->ids[i], &len);
        es_str_add(out, "token %" PRId32 ": text ", f->ids[i]);
        if (bytes) {
            es_show_quoted(out, bytes, len);
            es_str_cat(out, ", bytes ");
            show_hex(out, bytes, len);
        } else {
            es_str_cat(out, "none");
        }
        es_str_char(out, '\n');
    }
}

static void plain_found(es_str *out, const es_found *f, size_t n)
{
    es_str_add(out, "%s: ", f->regex ? "pattern" : "text");
    es_show_quoted(out, f->query.s, f->query.len);
    es_str_add(out, "\ntokens: %zu\n", f->n);
    plain_rows(out, f, n);
}

static void grid_of_found(es_str *out, const es_found *f, size_t n, const es_style *style)
{
    es_grid g = {.align = "rff"};
    es_grid_text(&g, "id");
    es_grid_text(&g, "token");
    es_grid_text(&g, "bytes");
    for (size_t i = 0; i < n && !es_str_braked(out); i++) {
        size_t len;
        const char *bytes = es_bpe_bytes(f->context->bpe, f->ids[i], &len);
        es_grid_text(&g, "%" PRId32, f->ids[i]);
        es_str *token = es_grid_cell(&g, i % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN);
        if (bytes)
            es_style_token(token, bytes, len, style);
        else
            es_str_cat(token, "(no text)");
        show_hex(es_grid_cell(&g, ES_PAINT_NONE), bytes, len);
    }
    es_grid_end(&g, out, 0, 2, style);
}

static void show_rest(es_str *out, const es_found *f, size_t n, const es_style *style)
{
    if (n < f->n)
        es_str_add(out,
                   style->plain ? "more: %zu, top=%zu shows all\n"
                                : "… %zu more, top=%zu shows all\n",
                   f->n - n, f->n);
}

bool es_show_find(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_found *f = data;
    size_t n = listed(f, FIRST);
    (void)err;
    if (style->plain) {
        plain_found(out, f, n);
    } else {
        show_number(out, f, style);
        if (n)
            grid_of_found(out, f, n, style);
    }
    show_rest(out, f, n, style);
    return true;
}

static void json_rows(es_json *j, const es_found *f)
{
    es_json_key_int(j, "n", (int64_t)f->n);
    es_json_key(j, "rows");
    es_json_open(j, '[');
    for (size_t i = 0; i < listed(f, f->n) && !es_str_braked(j->out); i++)
        json_token(j, f->context->bpe, f->ids[i]);
    es_json_close(j, ']');
}

bool es_json_of_find(es_json *j, void *data, bool values, es_error *err)
{
    const es_found *f = data;
    (void)values;
    (void)err;
    es_json_bytes(j, f->query.s, f->query.len);
    es_json_key(j, "regex");
    es_json_bool(j, f->regex);
    json_rows(j, f);
    return true;
}

/* ---- selection ---- */

bool es_show_selection(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_found *f = data;
    size_t n = listed(f, FIRST);
    (void)err;
    if (style->plain)
        es_str_add(out, "selected: %zu\n", f->n);
    else if (f->n == 0)
        es_wrap(out, "nothing is selected", 0, style);
    else
        es_str_add(out, f->n == 1 ? "%zu token is selected\n" : "%zu tokens are selected\n", f->n);
    if (style->plain)
        plain_rows(out, f, n);
    else if (n)
        grid_of_found(out, f, n, style);
    show_rest(out, f, n, style);
    return true;
}

bool es_json_of_selection(es_json *j, void *data, bool values, es_error *err)
{
    (void)values;
    (void)err;
    json_rows(j, data);
    return true;
}

/* ---- vocab ---- */

typedef struct lines {
    es_str *out;
    es_grid grid;
    const es_style *style;
} lines;

/* One line: what it is, and an empty cell or the rest of a plain line to fill. */
static es_str *line_of(lines *l, const char *name)
{
    if (!l->style->plain) {
        es_grid_text(&l->grid, "%s", name);
        return es_grid_cell(&l->grid, ES_PAINT_NONE);
    }
    es_str_add(l->out, "%s%s: ", l->out->len ? "\n" : "", name);
    return l->out;
}

static void add_count(es_str *out, int64_t n, const es_style *style)
{
    if (style->plain)
        es_str_add(out, "%" PRId64, n);
    else
        es_show_count(out, n);
}

static void add_token(es_str *out, const es_bpe *bpe, int32_t id, const es_style *style)
{
    size_t n;
    const char *bytes = es_bpe_bytes(bpe, id, &n);
    enum { COLUMNS = 24 };
    es_str shown = {0};
    es_str_add(out, "id %" PRId32 ", ", id);
    if (style->plain) {
        es_show_quoted(out, bytes, n);
        return;
    }
    es_style_token(&shown, bytes, n, style);
    es_show_fit(out, shown.s, shown.len, COLUMNS);
    es_str_free(&shown);
}

bool es_show_vocab(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_vocabulary *v = data;
    const es_bpe *bpe = v->context->bpe;
    es_str text = {.brake = out->brake};
    lines l = {.out = &text, .grid = {.align = "lw"}, .style = style};
    size_t longest;
    (void)err;
    es_show_prose(line_of(&l, "vocabulary"), v->context->vocab, strlen(v->context->vocab));
    add_count(line_of(&l, "tokens"), es_bpe_vocab_size(bpe), style);
    add_count(line_of(&l, "merges"), es_bpe_n_merges(bpe), style);
    add_token(line_of(&l, "special"), bpe, es_bpe_endoftext(bpe), style);
    es_bpe_bytes(bpe, v->longest, &longest);
    es_str *cell = line_of(&l, "longest");
    es_str_add(cell, "%zu bytes, ", longest);
    add_token(cell, bpe, v->longest, style);
    cell = line_of(&l, "no text");
    add_count(cell, v->no_text, style);
    es_str_cat(cell, " of the tokens: their bytes are parts of characters");
    es_show_prose(line_of(&l, "found at"), v->path.s, v->path.len);
    if (style->plain) {
        es_str_bytes(out, text.s, text.len);
        es_str_char(out, '\n');
    } else {
        es_grid_end(&l.grid, out, 0, 2, style);
    }
    es_str_free(&text);
    return true;
}

bool es_json_of_vocab(es_json *j, void *data, bool values, es_error *err)
{
    const es_vocabulary *v = data;
    const es_bpe *bpe = v->context->bpe;
    (void)values;
    (void)err;
    es_json_key_string(j, "name", v->context->vocab);
    es_json_key(j, "path");
    es_json_text(j, v->path.s, v->path.len);
    es_json_key_int(j, "size", es_bpe_vocab_size(bpe));
    es_json_key_int(j, "merges", es_bpe_n_merges(bpe));
    es_json_key(j, "special");
    es_json_open(j, '[');
    json_token(j, bpe, es_bpe_endoftext(bpe));
    es_json_close(j, ']');
    es_json_key(j, "longest");
    json_token(j, bpe, v->longest);
    es_json_key_int(j, "no_text", v->no_text);
    return true;
}
