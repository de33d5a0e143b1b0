// SPDX-License-Identifier: GPL-3.0-or-later
/* The parameters of def and lambda. */
#include <string.h>

#include "base/visible.h"
#include "expr/parser.h"

enum { MOST_PARAMS = 255, REST = '*', NAMED = 2 * '*', ONLY_NAMED = 'k', ONLY_PLACED = '/' };

typedef struct params {
    es_token_kind closer; /* ")" of def: types may be given; ":" of lambda */
    size_t mark;          /* where they begin on the stack */
    bool defaults, rest, named;
} params;

static bool refuse(es_parser *p, const es_token *t)
{
    es_parser_refuse(p, t, t);
    return false;
}

static bool is_new(es_parser *p, const params *of, const es_token *t)
{
    const char *s = p->lexer.source + t->begin;
    size_t n = t->end - t->begin;
    if (p->n_stack - of->mark == MOST_PARAMS) {
        es_fail(p->err, ES_ERR_PARSE, "more than %d parameters", MOST_PARAMS);
        return refuse(p, t);
    }
    for (size_t i = of->mark; i < p->n_stack; i++) {
        const es_node *other = p->stack[i];
        if (other->n_text != n || memcmp(other->text, s, n) != 0)
            continue;
        es_str name = {0};
        es_show_brief(&name, s, n);
        es_fail(p->err, ES_ERR_PARSE, "two parameters are called %s", name.s);
        es_str_free(&name);
        return refuse(p, t);
    }
    return true;
}

/* NAME [: type] [= default], with its kind in front of it already read. */
static es_node *named(es_parser *p, const params *of, const es_token *first, int kind)
{
    size_t mark = p->n_stack;
    es_node *type = NULL, *value = NULL;
    const es_token *t = es_look(p);
    if (t->kind != ES_T_NAME)
        return es_parser_expected(p, "expected the name of a parameter, found %s",
                                  es_parser_found(p, t));
    if (!is_new(p, of, t))
        return NULL;
    p->at++;
    if (of->closer == ES_T_RPAREN && es_accept(p, ES_T_COLON) && !(type = es_parse_value(p)))
        return NULL;
    if (kind && es_ahead(p) == ES_T_ASSIGN) {
        es_fail(p->err, ES_ERR_PARSE, "a parameter with \"*\" has no default value");
        return es_parser_refuse(p, es_look(p), es_look(p));
    }
    if (es_accept(p, ES_T_ASSIGN) && !(value = es_parse_value(p)))
        return NULL;
    es_parser_push(p, value);
    es_parser_push(p, type);
    es_node *node = es_parser_make(p, ES_N_PARAM, first, mark);
    if (!node)
        return NULL;
    es_parser_name_text(p, node, t);
    node->i = kind;
    return node;
}

static es_node *bare(es_parser *p, const es_token *first, int kind)
{
    size_t mark = p->n_stack;
    es_parser_push(p, NULL);
    es_parser_push(p, NULL);
    es_node *node = es_parser_make(p, ES_N_PARAM, first, mark);
    node->text = "";
    node->i = kind;
    return node;
}

static es_node *star(es_parser *p, params *of)
{
    const es_token *t = es_look(p);
    if (of->rest) {
        es_fail(p->err, ES_ERR_PARSE, "\"*\" stands only once among parameters");
        return es_parser_refuse(p, t, t);
    }
    of->rest = true;
    p->at++;
    if (es_ahead(p) == ES_T_NAME)
        return named(p, of, t, REST);
    if (es_ahead(p) == ES_T_COMMA && t[2].kind == ES_T_NAME)
        return bare(p, t, ONLY_NAMED);
    return es_parser_expected(p, "expected the name of a parameter after \"*\", found %s",
                              es_parser_found(p, es_look(p)));
}

static es_node *slash(es_parser *p, const params *of)
{
    const es_token *t = es_look(p);
    bool again = p->n_stack == of->mark || of->rest;
    for (size_t i = of->mark; i < p->n_stack; i++)
        again = again || p->stack[i]->i == ONLY_PLACED;
    if (again) {
        es_fail(p->err, ES_ERR_PARSE,
                "\"/\" stands only once, behind a parameter and before any \"*\"");
        return es_parser_refuse(p, t, t);
    }
    p->at++;
    return bare(p, t, ONLY_PLACED);
}

static es_node *param(es_parser *p, params *of)
{
    const es_token *t = es_look(p);
    switch (t->kind) {
    case ES_T_STAR: return star(p, of);
    case ES_T_SLASH: return slash(p, of);
    case ES_T_POWER:
        of->named = true;
        p->at++;
        return named(p, of, t, NAMED);
    default: break;
    }
    es_node *node = named(p, of, t, 0);
    if (!node)
        return NULL;
    if (of->defaults && !of->rest && !node->kid[0]) {
        es_fail(p->err, ES_ERR_PARSE,
                "a parameter without a default value stands behind one that has it");
        return es_parser_refuse(p, t, t);
    }
    of->defaults = of->defaults || (node->kid[0] && !of->rest);
    return node;
}

es_node *es_parse_params(es_parser *p, es_token_kind closer)
{
    const es_token *first = es_look(p);
    params of = {.closer = closer, .mark = p->n_stack};
    while (es_ahead(p) != closer) {
        if (of.named) {
            es_parser_expected(p, "expected \"%s\" behind the parameter with \"**\", found %s",
                               es_token_word(closer), es_parser_found(p, es_look(p)));
            return NULL;
        }
        es_node *node = param(p, &of);
        if (!node)
            return NULL;
        es_parser_push(p, node);
        if (!es_accept(p, ES_T_COMMA))
            break;
    }
    es_node *node = es_parser_make(p, ES_N_PARAMS, first, of.mark);
    return node && es_parser_close(p, closer) ? node : NULL;
}
