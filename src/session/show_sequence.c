// SPDX-License-Identifier: GPL-3.0-or-later
/* Lists and tuples that are wider than the screen: an item a line, or as many as fit. */
#include "base/utf8.h"
#include "base/visible.h"
#include "session/show_value.h"

enum { MOST_LEVELS = 4 };

typedef struct page {
    es_str *out;
    es_interp *in;
    const es_style *style;
    es_error *err;
} page;

static bool one_line(const page *p, es_str *line, const es_value *v)
{
    es_str repr = {.brake = p->out->brake};
    bool ok = es_value_repr(p->in, &repr, v, p->err);
    if (ok)
        es_show_prose(line, es_str_text(&repr), repr.len);
    es_str_free(&repr);
    return ok;
}

static bool is_open_to_view(const es_value *v)
{
    return v->kind == ES_V_LIST || (v->kind == ES_V_TUPLE && !es_value_items(v)->fields);
}

static void new_line(const page *p, int indent)
{
    es_str_char(p->out, '\n');
    es_str_fill(p->out, ' ', (size_t)indent);
}

static bool put_sequence(const page *p, const es_value *v, int level);

/* column: where the text ends so far, a bracket or comma behind it included. */
static bool put_items(const page *p, const es_value *v, int level)
{
    const es_items *items = es_value_items(v);
    int column = level + 1;
    bool ok = true;
    for (int64_t i = 0; ok && i < items->n; i++) {
        es_value item = es_value_ref(&items->of[i]); /* a __repr__ may change the list */
        es_str line = {0};
        ok = one_line(p, &line, &item);
        int columns = es_columns(es_str_text(&line), line.len);
        bool sequence = is_open_to_view(&item), fits = level + columns + 3 < p->style->width;
        if (i && (sequence || column + columns + 3 > p->style->width)) {
            new_line(p, level + 1);
            column = level + 1;
        } else if (i) {
            es_str_char(p->out, ' ');
            column++;
        }
        if (ok && sequence && !fits && level + 1 < MOST_LEVELS)
            ok = put_sequence(p, &item, level + 1);
        else
            es_str_bytes(p->out, es_str_text(&line), line.len);
        es_str_cat(p->out, i + 1 < items->n || (items->n == 1 && v->kind == ES_V_TUPLE) ? "," : "");
        column += columns + 1;
        es_str_free(&line);
        es_value_unref(&item);
    }
    return ok;
}

static bool put_sequence(const page *p, const es_value *v, int level)
{
    es_str_char(p->out, v->kind == ES_V_LIST ? '[' : '(');
    bool ok = put_items(p, v, level);
    es_str_char(p->out, v->kind == ES_V_LIST ? ']' : ')');
    return ok;
}

bool es_show_sequence(es_str *out, es_interp *in, const es_value *v, const es_style *style,
                      es_error *err)
{
    const page p = {out, in, style, err};
    bool ok = put_sequence(&p, v, 0);
    es_str_char(out, '\n');
    return ok;
}
