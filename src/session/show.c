// SPDX-License-Identifier: GPL-3.0-or-later
/* The two printers, and what they print of errors. */
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/results.h"

bool es_show_result(es_str *out, const es_result *r, const es_style *style, es_error *err)
{
    return !r->kind->show || r->kind->show(out, r->data, style, err);
}

bool es_json_object(es_json *j, const es_result *r, bool values, es_error *err)
{
    es_json_open(j, '{');
    es_json_key_string(j, "kind", r->kind->name);
    bool ok = !r->kind->json || r->kind->json(j, r->data, values, err);
    es_json_close(j, '}');
    return ok;
}

bool es_json_result(es_str *out, const es_result *r, bool values, es_error *err)
{
    es_json j = {.out = out};
    bool ok = es_json_object(&j, r, values, err);
    es_str_char(out, '\n');
    return ok;
}

static void json_place(es_json *j, const char *key, ptrdiff_t place)
{
    es_json_key(j, key);
    if (place < 0)
        es_json_null(j);
    else
        es_json_int(j, place);
}

void es_json_error(es_str *out, const es_error *err, const es_result *partial)
{
    es_json j = {.out = out};
    es_json_open(&j, '{');
    es_json_key_string(&j, "kind", "error");
    es_json_key_string(&j, "error", es_code_name(err->code));
    es_json_key_string(&j, "message", err->message);
    es_json_key_string(&j, "hint", err->hint);
    es_json_key_string(&j, "torch", err->torch);
    json_place(&j, "begin", err->begin);
    json_place(&j, "end", err->begin < 0 ? -1 : err->end);
    if (partial && partial->kind)
        partial->kind->json(&j, partial->data, false, NULL);
    es_json_close(&j, '}');
    es_str_char(out, '\n');
}

/* ---- errors for a reader ---- */

static int columns_of(const es_str *s)
{
    return es_columns(es_str_text(s), s->len);
}

/* The typed line and carets under the place: a window of it when it is wider than the screen. */
static void show_place(es_str *out, const es_error *err, const char *line, size_t len,
                       const es_style *style)
{
    enum { INDENT = 4, CONTEXT = 12 };
    size_t begin = (size_t)err->begin, end = (size_t)err->end;
    if (err->begin < 0 || begin > len || end > len || begin > end || len == 0)
        return;
    if (style->plain) {
        es_str_cat(out, "  in the line: ");
        es_show_brief(out, line + begin, end - begin);
        es_str_char(out, '\n');
        return;
    }
    es_str before = {0}, at = {0}, after = {0};
    size_t from = 0;
    es_show_prose(&before, line, begin);
    int room = style->width - INDENT - CONTEXT;
    while (columns_of(&before) > room / 2 && from < begin) { /* the beginning may scroll away */
        from++;
        es_str_cut(&before, 0);
        es_str_cat(&before, "…");
        es_show_prose(&before, line + from, begin - from);
    }
    es_show_prose(&at, line + begin, end - begin);
    es_show_prose(&after, line + end, len - end < 400 ? len - end : 400);

    es_str whole = {0};
    es_str_bytes(&whole, es_str_text(&before), before.len);
    es_str_bytes(&whole, es_str_text(&at), at.len);
    es_str_bytes(&whole, es_str_text(&after), after.len);
    es_str_fill(out, ' ', INDENT);
    es_cell(out, es_str_text(&whole), whole.len, style->width - INDENT, false, ES_PAINT_NONE,
            style);
    while (out->len && out->s[out->len - 1] == ' ')
        es_str_cut(out, out->len - 1);
    es_str_char(out, '\n');

    int marks = columns_of(&at), most = style->width - INDENT - columns_of(&before);
    marks = marks < 1 ? 1 : marks > most ? most : marks;
    es_str_fill(out, ' ', (size_t)(INDENT + columns_of(&before)));
    es_str carets = {0};
    es_str_fill(&carets, '^', (size_t)marks);
    es_paint_text(out, ES_PAINT_ERROR, carets.s, style);
    es_str_char(out, '\n');
    es_str_free(&carets);
    es_str_free(&whole);
    es_str_free(&before);
    es_str_free(&at);
    es_str_free(&after);
}

static void show_hint(es_str *out, const char *hint, const es_style *style)
{
    while (*hint) {
        size_t n = strcspn(hint, "\n");
        es_str one = {0};
        es_str_bytes(&one, hint, n);
        es_wrap(out, es_str_text(&one), 2, style);
        es_str_free(&one);
        hint += n + (hint[n] == '\n');
    }
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
    show_place(out, err, line, len, style);
    if (err->hint)
        show_hint(out, err->hint, style);
    if (err->torch) {
        es_str torch = {0};
        es_str_add(&torch, "PyTorch says: %s", err->torch);
        es_wrap(out, torch.s, 2, style);
        es_str_free(&torch);
    }
    es_str_free(&first);
    es_str_free(&shown);
}
