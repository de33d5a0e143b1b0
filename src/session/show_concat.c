// SPDX-License-Identifier: GPL-3.0-or-later
/* Adding positions against concatenating them: for the input alone, and for the whole stream.
 * A block of GPT-2 of width W has matrices W×3W, W×W, W×4W and 4W×W: 12·W² numbers (Radford et al.
 * 2019, model.py); the 13·W of biases and normalisation are left out. */
#include <inttypes.h>
#include <math.h>

#include "session/compare.h"
#include "session/numbers.h"

enum { BLOCKS = 12, WAYS = 3 }; /* blocks of GPT-2's smallest model */

/* What one way costs, numbers not bytes. */
typedef struct way {
    const char *key, *name;
    int64_t width, table, extra, block; /* of x; wpe; the matrix behind x; one block's matrices */
    double x, stream; /* numbers of x at this (B, T), and behind it in each block */
} way;

static int64_t table_of(const es_concat *c, int64_t width)
{
    const es_context *context = c->text->context;
    return context->layer.positions == ES_POSITIONS_LEARNED ? context->model->config.n_ctx * width
                                                            : 0;
}

static void ways_of(way w[WAYS], const es_concat *c)
{
    int64_t C = c->text->context->model->config.n_embd, wide = C + c->Cp;
    double n = (double)es_text_B(c->text) * (double)es_text_T(c->text);
    w[0] = (way){"add", "add", C, table_of(c, C), 0, 12 * C * C, n * (double)C, n * (double)C};
    w[1] = (way){"concat_input",
                 "concatenate, then back to C",
                 wide,
                 table_of(c, c->Cp),
                 wide * C,
                 12 * C * C,
                 n * (double)wide,
                 n * (double)C};
    w[2] = (way){
        "concat_stream",  "concatenate for good", wide, table_of(c, c->Cp), 0, 12 * wide * wide,
        n * (double)wide, n * (double)wide};
}

static int64_t parameters(const way *w)
{
    return w->table + w->extra + BLOCKS * w->block;
}

/* ---- for a reader ---- */

/* The figures of one way by name; value in bytes where that is what counts. */
typedef struct figure {
    const char *name;
    double (*of)(const way *w);
    bool bytes;
} figure;

static double width(const way *w)
{
    return (double)w->width;
}

static double table(const way *w)
{
    return (double)w->table;
}

static double extra(const way *w)
{
    return (double)w->extra;
}

static double block(const way *w)
{
    return (double)w->block;
}

static double blocks(const way *w)
{
    return (double)(BLOCKS * w->block);
}

static double all(const way *w)
{
    return (double)parameters(w);
}

static double all_bytes(const way *w)
{
    return 4 * (double)parameters(w);
}

static double x_bytes(const way *w)
{
    return 4 * w->x;
}

static double stream_bytes(const way *w)
{
    return 4 * w->stream;
}

static const figure figures[] = {
    {"width of x", width, false},
    {"position table", table, false},
    {"matrix back to C", extra, false},
    {"a block, 12·W²", block, false},
    {"12 blocks", blocks, false},
    {"parameters", all, false},
    {"the same in bytes", all_bytes, true},
    {"x", x_bytes, true},
    {"after each block", stream_bytes, true},
};
enum { N_FIGURES = sizeof figures / sizeof *figures };

static void show_figure(es_str *out, const figure *f, const way *w)
{
    double value = f->of(w);
    if (f->bytes)
        es_show_bytes(out, value);
    else if (value < 9e18)
        es_show_count(out, (int64_t)value);
    else
        es_str_add(out, "%.3g", value);
}

static void grid_of_ways(es_str *out, const way w[WAYS], const es_style *style)
{
    es_grid g = {.align = "lrrr"};
    es_grid_text(&g, "%s", "");
    es_grid_text(&g, "add");
    es_grid_text(&g, "concat, back to C");
    es_grid_text(&g, "concat for good");
    for (int i = 0; i < N_FIGURES; i++) {
        es_grid_text(&g, "%s", figures[i].name);
        for (int k = 0; k < WAYS; k++)
            show_figure(es_grid_cell(&g, ES_PAINT_NONE), &figures[i], &w[k]);
    }
    es_grid_end(&g, out, 0, 2, style);
}

/* The same one way below the other. */
static void lists_of_ways(es_str *out, const way w[WAYS], const es_style *style)
{
    for (int k = 0; k < WAYS; k++) {
        es_grid g = {.align = "lr"};
        es_wrap(out, w[k].name, 0, style);
        for (int i = 0; i < N_FIGURES; i++) {
            es_grid_text(&g, "%s", figures[i].name);
            show_figure(es_grid_cell(&g, ES_PAINT_NONE), &figures[i], &w[k]);
        }
        es_grid_end(&g, out, 2, 2, style);
    }
}

static void plain_ways(es_str *out, const way w[WAYS])
{
    for (int k = 0; k < WAYS; k++) {
        es_str_add(out, "way: %s\n", w[k].name);
        for (int i = 0; i < N_FIGURES; i++)
            es_str_add(out, "%s: %.0f%s\n", figures[i].name, figures[i].of(&w[k]),
                       figures[i].bytes ? " bytes" : "");
    }
}

static void say(es_str *out, const es_style *style, const char *fmt, ...) ES_PRINTF(3, 4);
static void say(es_str *out, const es_style *style, const char *fmt, ...)
{
    es_str line = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&line, fmt, ap);
    va_end(ap);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

/* Why adding is enough, with the angle that the model's own rows have. */
static void show_why(es_str *out, const es_concat *c, const es_style *style)
{
    static const double pi = 3.14159265358979323846;
    const char *label = style->plain ? "why: " : "";
    int64_t C = c->text->context->model->config.n_embd;
    if (c->Cp == C)
        say(out, style,
            "%sAdding is concatenating and then multiplying by one fixed matrix, [I; I] of [2C, "
            "C]: a model that concatenates can learn it, for its price.",
            label);
    if (!isfinite(c->angle))
        return;
    say(out, style,
        "%sAdding works where tok_emb and pos_emb point in different directions, for then the "
        "first matrices can learn to read one and pass over the other. Their |cosine| is %.2f on "
        "average over %" PRId64 " token%s here, and %.2f for random directions in C=%" PRId64
        "; 0 is a right angle.",
        label, c->angle, c->n, c->n == 1 ? "" : "s", sqrt(2 / (pi * (double)C)), C);
}

bool es_show_concat(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_concat *c = data;
    const es_config *m = &c->text->context->model->config;
    way w[WAYS];
    (void)err;
    ways_of(w, c);
    say(out, style, "%sB=%" PRId64 ", T=%" PRId64 ", C=%" PRId64 ", Cp=%" PRId64 ", P=%" PRId64,
        style->plain ? "sizes: " : "at ", es_text_B(c->text), es_text_T(c->text), m->n_embd, c->Cp,
        m->n_ctx);
    if (style->plain)
        plain_ways(out, w);
    else if (style->width >= 72)
        grid_of_ways(out, w, style);
    else
        lists_of_ways(out, w, style);
    say(out, style,
        "%sW is the width inside: a block of GPT-2 has matrices W×3W, W×W, W×4W and 4W×W, 12·W² "
        "numbers. Concatenating for good makes them %.2g times as large.",
        style->plain ? "formula: " : "", (double)w[2].block / (double)w[0].block);
    show_why(out, c, style);
    return true;
}

/* ---- JSON ---- */

static void json_way(es_json *j, const way *w)
{
    es_json_key(j, w->key);
    es_json_open(j, '{');
    es_json_key_int(j, "width", w->width);
    es_json_key_int(j, "wpe", w->table);
    es_json_key_int(j, "matrix", w->extra);
    es_json_key_int(j, "block", w->block);
    es_json_key_int(j, "blocks", BLOCKS * w->block);
    es_json_key_int(j, "parameters", parameters(w));
    es_json_key(j, "parameter_bytes");
    es_json_double(j, all_bytes(w));
    es_json_key(j, "x_bytes");
    es_json_double(j, x_bytes(w));
    es_json_key(j, "stream_bytes");
    es_json_double(j, stream_bytes(w));
    es_json_close(j, '}');
}

bool es_json_of_concat(es_json *j, void *data, bool values, es_error *err)
{
    const es_concat *c = data;
    const es_config *m = &c->text->context->model->config;
    way w[WAYS];
    (void)values;
    (void)err;
    ways_of(w, c);
    es_json_key_int(j, "B", es_text_B(c->text));
    es_json_key_int(j, "T", es_text_T(c->text));
    es_json_key_int(j, "C", m->n_embd);
    es_json_key_int(j, "Cp", c->Cp);
    es_json_key_int(j, "P", m->n_ctx);
    es_json_key_int(j, "n_blocks", BLOCKS);
    es_json_key_string(j, "formula", "12*W*W per block");
    for (int k = 0; k < WAYS; k++)
        json_way(j, &w[k]);
    es_json_key(j, "cosine");
    es_json_double(j, c->angle);
    return true;
}
