// SPDX-License-Identifier: GPL-3.0-or-later
/* Errors for a reader: what happened, the place of it, the drawing, what to do. */
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/narrow.h"
#include "session/results.h"
#include "session/show_place.h"

enum { INDENT = ES_PLACE_INDENT, REMARK_GAP = 8 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- the drawing ---- */

/* One line of a drawing, cut to the width; what stands between marks is bold. */
static void show_drawn(es_str *out, const char *s, size_t n, const es_style *style)
{
    int left = style->width - INDENT;
    bool strong = false;
    es_str_fill(out, ' ', INDENT);
    for (const char *end = s + n; s < end && left > 0; s++) {
        size_t run = least(strcspn(s, ES_MARK ES_MARK_END), (size_t)(end - s));
        int columns = es_columns(s, run);
        if (columns > left)
            columns = left;
        es_cell(out, s, run, columns, false, strong ? ES_PAINT_STRONG : ES_PAINT_NONE, style);
        left -= columns;
        s += run;
        strong = s < end && *s == ES_MARK[0];
    }
    es_trim(out);
    es_str_char(out, '\n');
}

/* What stands behind the tab of a drawn line: beside it where there is room, else below. */
static void show_remark(es_str *out, const char *s, size_t n, int used, const es_style *style)
{
    es_str remark = {0};
    es_str_bytes(&remark, s, n);
    if (used + REMARK_GAP + es_columns(remark.s, remark.len) <= style->width) {
        es_str_cut(out, out->len - 1);
        es_str_fill(out, ' ', REMARK_GAP);
        es_str_bytes(out, remark.s, remark.len);
        es_str_char(out, '\n');
    } else {
        es_wrap(out, remark.s, INDENT, style);
    }
    es_str_free(&remark);
}

static void show_drawing(es_str *out, const char *whole, const es_style *style)
{
    es_str fitting = {0};
    es_narrow_drawing(&fitting, whole, style->width - INDENT, style);
    const char *drawing = es_str_text(&fitting);
    for (size_t n; *drawing; drawing += n + (drawing[n] == '\n')) {
        n = strcspn(drawing, "\n");
        size_t drawn = least(strcspn(drawing, "\t"), n), old = out->len;
        show_drawn(out, drawing, drawn, style);
        if (drawn + 1 < n)
            show_remark(out, drawing + drawn + 1, n - drawn - 1,
                        es_columns(out->s + old, out->len - old - 1), style);
    }
    es_str_free(&fitting);
}

/* ---- all of it ---- */

static void show_lines(es_str *out, const char *text, const es_style *style)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        es_str one = {0};
        es_str_bytes(&one, text, n);
        es_wrap(out, es_str_text(&one), 2, style);
        es_str_free(&one);
    }
}

/* A text of several lines keeps them, each one step further in. */
static void show_torch(es_str *out, const char *text, const es_style *style)
{
    es_str one = {0};
    es_str_cat(&one, "PyTorch says: ");
    for (int indent = 2; *text; indent = 4) {
        text += strspn(text, "\t ");
        size_t n = strcspn(text, "\n");
        es_str_bytes(&one, text, n);
        es_wrap(out, es_str_text(&one), indent, style);
        es_str_cut(&one, 0);
        text += n + (text[n] == '\n');
    }
    es_str_free(&one);
}

void es_show_error(es_str *out, const es_error *err, const char *line, size_t len,
                   const char *where, const es_style *style)
{
    es_str first = {0}, shown = {0};
    if (where)
        es_str_add(&first, "%s: ", where);
    es_str_add(&first, "error[%s]: %s", es_code_name(err->code), err->message);
    es_wrap(&shown, first.s, 0, style);
    if (style->colour && !where) { /* the word error alone is painted: it says enough */
        es_paint_text(out, ES_PAINT_ERROR, "error", style);
        es_str_cat(out, shown.s + 5);
    } else {
        es_str_cat(out, shown.s);
    }
    es_show_places(out, err, line, len, style);
    if (style->plain && err->words)
        show_lines(out, err->words, style);
    else if (!style->plain && err->drawing)
        show_drawing(out, err->drawing, style);
    if (err->hint)
        show_lines(out, err->hint, style);
    if (err->torch && strcmp(err->torch, err->message) != 0) /* the same is not said twice */
        show_torch(out, err->torch, style);
    es_str_free(&first);
    es_str_free(&shown);
}
