// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/parse.h"

#include <string.h>

#include "base/mem.h"
#include "expr/blank.h"
#include "expr/parser.h"

static bool too_large(const char *source, size_t len, es_error *err)
{
    if (len > ES_MOST_SOURCE)
        return !es_fail(err, ES_ERR_PARSE, "a source of %zu bytes: at most %d are read at once",
                        len, ES_MOST_SOURCE);
    for (size_t at = 0; at < len;) {
        const char *end = memchr(source + at, '\n', len - at);
        size_t n = end ? (size_t)(end - source) - at : len - at;
        if (n > ES_MOST_LINE) {
            es_fail(err, ES_ERR_PARSE, "a line of %zu bytes: the longest has %d", n, ES_MOST_LINE);
            return !es_error_locate(err, at, at + 1);
        }
        at += n + 1;
    }
    return false;
}

static es_node *body(es_parser *p)
{
    const es_token *first = es_look(p);
    while (es_ahead(p) != ES_T_END)
        if (!es_parse_statement(p))
            return NULL;
    es_node *node = es_parser_make(p, ES_N_SUITE, first, 0);
    if (node)
        node->end = node->n_kids ? node->kid[node->n_kids - 1]->end : node->begin;
    return node;
}

es_unit *es_parse(const char *source, size_t len, es_error *err)
{
    if (too_large(source, len, err))
        return NULL;
    es_unit *u = es_alloc(sizeof *u);
    u->refs = 1;
    u->source = es_copy_bytes(source, len);
    u->len = len;
    u->first_line = 1;
    u->arena = es_arena_new();
    es_blank_prompts(es_prompt_of(u->source, len), u->source, len);

    es_parser p = {.arena = u->arena, .err = err};
    es_lex_begin(&p.lexer, u->source, len);
    es_parser_read(&p);
    u->root = body(&p);
    es_parser_end(&p);
    if (u->root)
        return u;
    es_unit_unref(u);
    return NULL;
}
