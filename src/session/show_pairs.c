// SPDX-License-Identifier: GPL-3.0-or-later
/* Names with tensors, as in a state_dict, a file or named_parameters(): a line for each, its shape in place of
 * its numbers. */
#include <inttypes.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/brief.h"
#include "session/show_value.h"

enum { MOST_LINES = 500, GAP = 2 };

/* Of a dict, or a list of tuples of two: keys and values in turn. */
static int64_t count_parts(const es_value *v)
{
    return v->kind == ES_V_DICT ? es_value_items(v)->n : 2 * es_value_items(v)->n;
}

static const es_value *part_at(const es_value *v, int64_t i)
{
    const es_items *items = es_value_items(v);
    return v->kind == ES_V_DICT ? &items->of[i] : &es_value_items(&items->of[i / 2])->of[i % 2];
}

static bool is_named(const es_value *pair)
{
    return pair->kind == ES_V_TUPLE && es_value_items(pair)->n == 2 &&
           es_value_items(pair)->of[0].kind == ES_V_STR;
}

bool es_has_named_tensors(const es_value *v)
{
    bool tensor = false;
    if (v->kind != ES_V_DICT && v->kind != ES_V_LIST)
        return false;
    const es_items *items = es_value_items(v);
    for (int64_t i = 0; v->kind == ES_V_LIST && i < items->n; i++)
        if (!is_named(&items->of[i]))
            return false;
    for (int64_t i = 1; i < count_parts(v) && !tensor; i += 2)
        tensor = part_at(v, i)->kind == ES_V_TENSOR;
    return tensor;
}

/* A name as it is typed, all else in few words: the i-th of both.  Nothing of the reader's is run. */
static void put(es_str *out, es_interp *in, const es_value *v, int64_t i)
{
    const es_value *part = part_at(v, i);
    if (i % 2 || part->kind != ES_V_STR) {
        es_brief(out, in, part);
        return;
    }
    es_str repr = {0};
    es_show_repr_brief(in, &repr, part, NULL);
    es_show_prose(out, es_str_text(&repr), repr.len);
    es_str_free(&repr);
}

/* Is there room for each line's two parts beside each other? */
static bool all_fit(es_interp *in, const es_value *v, int64_t n, const es_style *style)
{
    int widest[2] = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        es_str part = {0};
        put(&part, in, v, i);
        int columns = es_columns(es_str_text(&part), part.len);
        widest[i % 2] = columns > widest[i % 2] ? columns : widest[i % 2];
        es_str_free(&part);
    }
    return widest[0] + widest[1] + 2 * GAP <= style->width;
}

static void show_grid(es_str *out, es_interp *in, const es_value *v, int64_t n,
                      const es_style *style)
{
    es_grid g = {.align = "ll"};
    for (int64_t i = 0; i < n; i++)
        put(es_grid_cell(&g, ES_PAINT_NONE), in, v, i);
    es_grid_end(&g, out, GAP, GAP, style);
}

/* Its key, and its value below: for narrow screens. */
static void show_stacked(es_str *out, es_interp *in, const es_value *v, int64_t n,
                         const es_style *style)
{
    for (int64_t i = 0; i < n; i++) {
        es_str part = {0};
        put(&part, in, v, i);
        es_wrap(out, es_str_text(&part), i % 2 ? 2 * GAP : GAP, style);
        es_str_free(&part);
    }
}

static void show_plain(es_str *out, es_interp *in, const es_value *v, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        put(out, in, v, i);
        es_str_cat(out, i % 2 ? "\n" : ": ");
    }
}

void es_show_named_tensors(es_str *out, es_interp *in, const es_value *v, const es_style *style)
{
    int64_t all = count_parts(v) / 2, n = 2 * (all < MOST_LINES ? all : MOST_LINES);
    es_str_add(out, "%s%s%" PRId64 "\n", es_value_kind_name(v), style->plain ? ": " : " of ", all);
    if (style->plain)
        show_plain(out, in, v, n);
    else if (all_fit(in, v, n, style))
        show_grid(out, in, v, n, style);
    else
        show_stacked(out, in, v, n, style);
    if (2 * all > n)
        es_str_add(out, "… %" PRId64 " more\n", all - n / 2);
}
