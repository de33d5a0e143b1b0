// SPDX-License-Identifier: GPL-3.0-or-later
/* What stands in brackets behind a value: arguments, subscripts. */
#include "expr/parser.h"

/* ---- calls ---- */

static es_node *keyword(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    p->at += 2;
    es_node *value = es_parse_value(p);
    if (!value)
        return NULL;
    es_parser_push(p, value);
    es_node *node = es_parser_make(p, ES_N_KEYWORD, first, mark);
    if (node)
        es_parser_name_text(p, node, first);
    return node;
}

/* May this argument follow those before it?  `named` and `spread`: there was a=1, **b. */
static bool fits(es_parser *p, const es_node *node, bool named, bool spread)
{
    bool star = node->kind == ES_N_STAR && node->i != 2;
    if (star ? !spread
             : node->kind == ES_N_KEYWORD || node->kind == ES_N_STAR || (!named && !spread))
        return true;
    if (star)
        es_fail(p->err, ES_ERR_PARSE, "an argument with \"*\" stands before those with \"**\"");
    else
        es_fail(p->err, ES_ERR_PARSE, "an argument without a name stands behind one with a name");
    es_hint(p->err, "in a call come first the values, then name=value");
    es_error_locate(p->err, node->begin, node->end);
    return false;
}

static es_node *argument(es_parser *p)
{
    const es_token *t = es_look(p);
    if (t->kind == ES_T_STAR || t->kind == ES_T_POWER)
        return es_parse_starred(p, ES_LEVEL_VALUE);
    if (t->kind == ES_T_NAME && t[1].kind == ES_T_ASSIGN)
        return keyword(p);
    es_node *node = es_parse_named(p);
    if (!node || es_ahead(p) != ES_T_ASSIGN)
        return node;
    const es_token *is = es_look(p);
    es_fail(p->err, ES_ERR_PARSE, "before \"=\" in a call stands the name of an argument");
    es_hint(p->err, "to compare two values: ==");
    return es_parser_refuse(p, is, is);
}

/* x for x in y, as the only argument and without parentheses of its own. */
static es_node *bare_generator(es_parser *p, const es_token *first, es_node *of, bool only)
{
    size_t mark = p->n_stack;
    es_parser_push(p, of);
    es_node *node = es_parse_generator(p, first, mark);
    if (!node || (only && es_ahead(p) == ES_T_RPAREN))
        return node;
    es_fail(p->err, ES_ERR_PARSE,
            "beside other arguments, \"… for … in …\" needs parentheses of its own");
    es_error_locate(p->err, node->begin, node->end);
    return NULL;
}

bool es_parse_arguments(es_parser *p, bool may_generate)
{
    size_t mark = p->n_stack;
    bool named = false, spread = false;
    while (es_ahead(p) != ES_T_RPAREN) {
        const es_token *first = es_look(p);
        es_node *node = argument(p);
        if (node && es_ahead(p) == ES_T_FOR && node->kind != ES_N_STAR &&
            node->kind != ES_N_KEYWORD)
            node = bare_generator(p, first, node, may_generate && p->n_stack == mark);
        if (!node || !fits(p, node, named, spread))
            return false;
        named = named || node->kind == ES_N_KEYWORD;
        spread = spread || (node->kind == ES_N_STAR && node->i == 2);
        es_parser_push(p, node);
        if (!es_accept(p, ES_T_COMMA))
            break;
    }
    return es_parser_close(p, ES_T_RPAREN);
}

es_node *es_parse_call(es_parser *p, const es_token *first, es_node *function)
{
    size_t mark = p->n_stack;
    es_parser_push(p, function);
    p->at++;
    return es_parse_arguments(p, true) ? es_parser_make(p, ES_N_CALL, first, mark) : NULL;
}

/* ---- subscripts ---- */

/* A part of a slice onto the stack: NULL where nothing stands. */
static bool bound(es_parser *p)
{
    es_token_kind kind = es_ahead(p);
    bool none = kind == ES_T_COLON || kind == ES_T_COMMA || kind == ES_T_RSQUARE;
    es_node *node = none ? NULL : es_parse_value(p);
    es_parser_push(p, node);
    return node || none;
}

static es_node *slice(es_parser *p, const es_token *first, size_t mark)
{
    p->at++;
    if (!bound(p))
        return NULL;
    if (!es_accept(p, ES_T_COLON))
        es_parser_push(p, NULL);
    else if (!bound(p))
        return NULL;
    return es_parser_make(p, ES_N_SLICE, first, mark);
}

static es_node *subscript(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    if (first->kind == ES_T_STAR)
        return es_parse_starred(p, ES_LEVEL_VALUE);
    if (first->kind == ES_T_COLON) {
        es_parser_push(p, NULL);
        return slice(p, first, mark);
    }
    es_node *node = es_parse_named(p);
    if (!node || es_ahead(p) != ES_T_COLON || (node->kind == ES_N_NAMED && !node->parens))
        return node;
    es_parser_push(p, node);
    return slice(p, first, mark);
}

/* Commas make a tuple; so does a star, which Python allows here without a comma. */
static es_node *subscripts(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    es_node *node = subscript(p);
    if (!node || (es_ahead(p) != ES_T_COMMA && node->kind != ES_N_STAR))
        return node;
    es_parser_push(p, node);
    while (es_accept(p, ES_T_COMMA) && es_ahead(p) != ES_T_RSQUARE) {
        node = subscript(p);
        if (!node)
            return NULL;
        es_parser_push(p, node);
    }
    return es_parser_make(p, ES_N_TUPLE, first, mark);
}

es_node *es_parse_subscript(es_parser *p, const es_token *first, es_node *value)
{
    size_t mark = p->n_stack;
    es_parser_push(p, value);
    p->at++;
    es_node *index = subscripts(p);
    if (!index || !es_parser_close(p, ES_T_RSQUARE))
        return NULL;
    es_parser_push(p, index);
    return es_parser_make(p, ES_N_INDEX, first, mark);
}
