// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/show_why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { INDENT = 2, NARROW = 12 }; /* columns of values that stand in a column of their own */

/* ---- for a reader ---- */

static void heading(es_str *out, const char *text, const es_style *style)
{
    es_paint_text(out, ES_PAINT_STRONG, text, style);
    es_str_char(out, '\n');
}

static void wrapped(es_str *out, int indent, const es_style *style, const char *fmt, ...)
    ES_PRINTF(4, 5);
static void wrapped(es_str *out, int indent, const es_style *style, const char *fmt, ...)
{
    es_str line = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&line, fmt, ap);
    va_end(ap);
    es_wrap(out, es_str_text(&line), indent, style);
    es_str_free(&line);
}

static void show_numbers(es_str *out, const es_why *w, const es_style *style)
{
    int widest = 0;
    for (size_t i = 0; i < w->n_numbers; i++) {
        int columns = es_columns(w->numbers[i].value, strlen(w->numbers[i].value));
        widest = columns > widest ? columns : widest;
    }
    if (w->n_numbers)
        heading(out, "what stands in it", style);
    es_grid g = {.align = widest > NARROW ? "lw" : "rw"};
    for (size_t i = 0; i < w->n_numbers; i++) {
        const es_why_number *n = &w->numbers[i];
        es_grid_text(&g, "%s", widest > NARROW ? "-" : n->value);
        es_grid_text(&g, "%s%s%s", widest > NARROW ? n->value : "", widest > NARROW ? ": " : "",
                     n->means);
    }
    es_grid_end(&g, out, INDENT, widest > NARROW ? 1 : 2, style);
}

enum { FOR_A_CLASS = 2 }; /* causes: with more, what was asked would scroll away */

static void show_causes(es_str *out, const es_why *w, const es_style *style)
{
    if (!w->n_causes)
        return;
    heading(out, "usual causes in an embedding layer", style);
    es_grid g = {.align = "lw"};
    size_t n = style->big && w->n_causes > FOR_A_CLASS ? FOR_A_CLASS : w->n_causes;
    for (size_t i = 0; i < n; i++) {
        es_grid_text(&g, "-");
        es_grid_text(&g, "%s", w->causes[i]);
    }
    es_grid_end(&g, out, INDENT, 1, style);
    if (n < w->n_causes)
        wrapped(out, INDENT, style, "… %zu more: :set big off shows them all", w->n_causes - n);
}

static void show_place(es_str *out, const es_why_answer *a, const es_style *style)
{
    if (!a->file)
        return;
    wrapped(out, 0, style, "the last line of your own: %s line %" PRId64, a->file, a->line);
    if (a->code)
        es_wrap(out, a->code, INDENT, style);
}

static void show_one(es_str *out, const es_why_answer *a, const es_style *style)
{
    const es_why *w = &a->of[0];
    es_str title = {0};
    es_wrap(&title, w->operation, 0, style);
    es_str_cut(&title, title.len - 1);
    heading(out, title.s, style);
    es_str_free(&title);
    es_wrap(out, w->matched, INDENT, style);
    es_wrap(out, w->says, 0, style);
    show_place(out, a, style);
    show_numbers(out, w, style);
    show_causes(out, w, style);
    if (w->n_look)
        heading(out, "look at", style);
    for (size_t i = 0; i < w->n_look; i++)
        es_wrap(out, w->look[i], INDENT, style);
    if (w->try) {
        heading(out, "the same error here, in tensor mode", style);
        es_wrap(out, w->try, INDENT, style);
    }
    for (size_t i = 1; i < a->n; i++)
        wrapped(out, 0, style, "it may also be: %s (%s)", a->of[i].operation, a->of[i].matched);
}

static void show_unknown(es_str *out, const es_why_answer *a, const es_style *style)
{
    es_wrap(out, "No error text that is known here is in it, and a guess would not help.", 0,
            style);
    if (a->nearest)
        wrapped(out, 0, style, "nearest by its words: %s", a->nearest);
    es_wrap(out,
            "What counts is the last line of a traceback, with its numbers. Known are texts of "
            "PyTorch and NumPy about shapes, indices, dtypes, devices and memory.",
            0, style);
}

static void plain_one(es_str *out, const es_why_answer *a)
{
    const es_why *w = &a->of[0];
    es_str_add(out, "operation: %s\nmatched: %s\nsays: %s\n", w->operation, w->matched, w->says);
    if (a->file)
        es_str_add(out, "your line: %s line %" PRId64 "%s%s\n", a->file, a->line,
                   a->code ? ": " : "", a->code ? a->code : "");
    for (size_t i = 0; i < w->n_numbers; i++)
        es_str_add(out, "%s: %s\n", w->numbers[i].value, w->numbers[i].means);
    for (size_t i = 0; i < w->n_causes; i++)
        es_str_add(out, "cause %zu: %s\n", i + 1, w->causes[i]);
    for (size_t i = 0; i < w->n_look; i++)
        es_str_add(out, "look: %s\n", w->look[i]);
    if (w->try)
        es_str_add(out, "try: %s\n", w->try);
    for (size_t i = 1; i < a->n; i++)
        es_str_add(out, "also: %s (%s)\n", a->of[i].operation, a->of[i].matched);
}

static void plain_unknown(es_str *out, const es_why_answer *a)
{
    es_str_cat(out, "operation: none, no error text that is known here is in it\n");
    if (a->nearest)
        es_str_add(out, "nearest: %s\n", a->nearest);
}

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_why_answer *a = data;
    (void)err;
    if (style->plain)
        (a->n ? plain_one : plain_unknown)(out, a);
    else
        (a->n ? show_one : show_unknown)(out, a, style);
    return true;
}

/* ---- JSON ---- */

static void json_strings(es_json *j, const char *key, const char *const *of, size_t n)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (size_t i = 0; i < n; i++)
        es_json_string(j, of[i]);
    es_json_close(j, ']');
}

static void json_numbers(es_json *j, const es_why *w)
{
    es_json_key(j, "numbers");
    es_json_open(j, '[');
    for (size_t i = 0; i < w->n_numbers; i++) {
        const es_why_number *n = &w->numbers[i];
        es_json_open(j, '{');
        es_json_key(j, "value");
        if (n->whole)
            es_json_int(j, n->i);
        else
            es_json_string(j, n->value);
        es_json_key_string(j, "means", n->means);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_one(es_json *j, const es_why *w)
{
    es_json_key_string(j, "operation", w->operation);
    es_json_key_string(j, "matched", w->matched);
    es_json_key_string(j, "says", w->says);
    json_numbers(j, w);
    json_strings(j, "causes", w->causes, w->n_causes);
    json_strings(j, "look", w->look, w->n_look);
    es_json_key_string(j, "try", w->try);
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    static const es_why nothing = {0};
    const es_why_answer *a = data;
    (void)values;
    (void)err;
    json_one(j, a->n ? &a->of[0] : &nothing);
    es_json_key(j, "also");
    es_json_open(j, '[');
    for (size_t i = 1; i < a->n; i++) {
        es_json_open(j, '{');
        json_one(j, &a->of[i]);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
    es_json_key_string(j, "nearest", a->nearest);
    es_json_key_string(j, "file", a->file);
    es_json_key(j, "line");
    if (a->file)
        es_json_int(j, a->line);
    else
        es_json_null(j);
    es_json_key_string(j, "code", a->code);
    return true;
}

static void forget(void *data)
{
    es_why_free(data);
    free(data);
}

es_result es_result_why(es_why_answer *a)
{
    static const es_kind kind = {"why", show, json, forget};
    es_why_answer *data = es_alloc(sizeof *data);
    *data = *a;
    *a = (es_why_answer){0};
    return (es_result){.kind = &kind, .data = data};
}
