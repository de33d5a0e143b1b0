// SPDX-License-Identifier: GPL-3.0-or-later
/* What was typed, in few columns. */
#include "base/utf8.h"
#include "base/visible.h"
#include "expr/draw.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void es_excerpt_span(const es_unit *unit, const es_node *node, size_t *begin, size_t *end)
{
    size_t from = node->begin, to = node->end;
    *begin = from;
    *end = to;
    while (from > 0 && is_blank(unit->source[from - 1]))
        from--;
    while (to < unit->len && is_blank(unit->source[to]))
        to++;
    if (node->parens && from > 0 && to < unit->len && unit->source[from - 1] == '(' &&
        unit->source[to] == ')') {
        *begin = from - 1;
        *end = to + 1;
    }
}

/* Bytes of the source on one line, blanks as one space. */
static void put_source(es_str *out, const es_unit *unit, size_t begin, size_t end)
{
    while (begin < end) {
        size_t at = begin;
        while (at < end && !is_blank(unit->source[at]))
            at++;
        es_show_prose(out, unit->source + begin, at - begin);
        for (begin = at; begin < end && is_blank(unit->source[begin]);)
            begin++;
        if (begin > at && begin < end)
            es_str_char(out, ' ');
    }
}

/* The node as typed; folded: without the arguments of its last call. */
static void put_node(es_str *out, const es_unit *unit, const es_node *node, bool folded)
{
    size_t begin, end;
    es_excerpt_span(unit, node, &begin, &end);
    if (folded && node->kind == ES_N_CALL && node->n_kids > 1) {
        es_excerpt_span(unit, node->kid[0], &begin, &end);
        put_source(out, unit, begin, end);
        es_str_cat(out, "(…)");
    } else {
        put_source(out, unit, begin, end);
    }
}

/* Of a chain its last link: "….sum(0)", "…[0]"; of anything else all. */
static void put_link(es_str *out, const es_unit *unit, const es_node *node, bool folded)
{
    const es_node *link = node->kind == ES_N_CALL ? node->kid[0] : node;
    if (link->kind == ES_N_ATTRIBUTE || node->kind == ES_N_INDEX) {
        size_t begin, end;
        es_excerpt_span(unit, link->kid[0], &begin, &end);
        es_str_cat(out, "…");
        put_source(out, unit, end, folded && link != node ? link->end : node->end);
        if (folded && link != node && node->n_kids > 1)
            es_str_cat(out, "(…)");
    } else {
        put_node(out, unit, node, folded);
    }
}

void es_excerpt(es_str *out, const es_unit *unit, const es_node *node, int columns)
{
    enum { FAR = 4096 }; /* bytes that are read of a long one */
    static void (*const way[])(es_str *, const es_unit *, const es_node *,
                               bool) = {put_node, put_node, put_link, put_link};
    es_str s = {0};
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        if (node->end - node->begin > FAR && i == 0)
            continue;
        es_str_cut(&s, 0);
        way[i](&s, unit, node, i % 2);
        if (es_columns(es_str_text(&s), s.len) <= columns)
            break;
    }
    es_show_fit(out, es_str_text(&s), s.len, columns);
    es_str_free(&s);
}
