// SPDX-License-Identifier: GPL-3.0-or-later
/* Values in brackets: tuples, lists, sets, dicts, comprehensions. */
#include "expr/parser.h"

/* ---- sequences ---- */

es_node *es_parse_starred(es_parser *p, es_level level)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    bool two = first->kind == ES_T_POWER;
    p->at++;
    es_node *value = es_parse_level(p, level);
    if (!value)
        return NULL;
    es_parser_push(p, value);
    es_node *node = es_parser_make(p, ES_N_STAR, first, mark);
    if (node)
        node->i = two ? 2 : 0;
    return node;
}

static es_node *element(es_parser *p)
{
    return es_ahead(p) == ES_T_STAR ? es_parse_starred(p, ES_LEVEL_BITOR) : es_parse_value(p);
}

/* The same in brackets, where a name may be given. */
static es_node *element_within(es_parser *p)
{
    return es_ahead(p) == ES_T_STAR ? element(p) : es_parse_named(p);
}

static bool begins_element(es_token_kind kind)
{
    return kind == ES_T_STAR || es_parser_begins_value(kind);
}

/* More elements after the first, as long as there are commas; all go onto the stack. */
static bool more_elements(es_parser *p, es_node *(*parse)(es_parser *p))
{
    while (es_accept(p, ES_T_COMMA) && begins_element(es_ahead(p))) {
        es_node *node = parse(p);
        if (!node)
            return false;
        es_parser_push(p, node);
    }
    return true;
}

/* "*" alone unpacks into nothing. */
static es_node *lone_star(es_parser *p, es_node *node)
{
    if (!node || node->kind != ES_N_STAR)
        return node;
    es_fail(p->err, ES_ERR_PARSE, "\"*\" unpacks into a list, a tuple or a call, and none is here");
    es_hint(p->err, "a comma makes a tuple: *x,");
    es_error_locate(p->err, node->begin, node->end);
    return NULL;
}

es_node *es_parse_values(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    es_node *node = element(p);
    if (!node || es_ahead(p) != ES_T_COMMA)
        return lone_star(p, node);
    es_parser_push(p, node);
    return more_elements(p, element) ? es_parser_make(p, ES_N_TUPLE, first, mark) : NULL;
}

/* ---- comprehensions ---- */

static es_node *comprehension_part(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    es_node *target = es_parse_targets(p);
    if (!target)
        return NULL;
    es_parser_push(p, target);
    if (!es_accept(p, ES_T_IN))
        return es_parser_expected(p, "expected \"in\", found %s", es_parser_found(p, es_look(p)));
    do {
        es_node *node = es_parse_level(p, ES_LEVEL_OR);
        if (!node)
            return NULL;
        es_parser_push(p, node);
    } while (es_accept(p, ES_T_IF));
    return es_parser_make(p, ES_N_COMPFOR, first, mark);
}

static bool comprehension(es_parser *p)
{
    while (es_ahead(p) == ES_T_FOR) {
        es_node *part = comprehension_part(p);
        if (!part)
            return false;
        es_parser_push(p, part);
    }
    return true;
}

/* element for x in y, from the first `for`; the element is on the stack. */
static es_node *list_of(es_parser *p, es_node_kind kind, const es_token *first, size_t mark)
{
    const es_node *of = p->stack[p->n_stack - 1];
    if (of && of->kind == ES_N_STAR) {
        es_fail(p->err, ES_ERR_PARSE, "\"*\" does not unpack within a comprehension");
        es_error_locate(p->err, of->begin, of->end);
        return NULL;
    }
    return comprehension(p) ? es_parser_make(p, kind, first, mark) : NULL;
}

/* ---- ( ) ---- */

static es_node *empty_tuple(es_parser *p, const es_token *open)
{
    p->at++;
    es_node *node = es_parser_make(p, ES_N_TUPLE, open, p->n_stack);
    node->parens = true;
    return node;
}

es_node *es_parse_generator(es_parser *p, const es_token *first, size_t mark)
{
    es_node *node = list_of(p, ES_N_LISTCOMP, first, mark);
    if (node)
        node->i = 'g';
    return node;
}

static es_node *parentheses(es_parser *p)
{
    const es_token *open = es_look(p), *first = open + 1;
    size_t mark = p->n_stack;
    p->at++;
    if (es_ahead(p) == ES_T_RPAREN)
        return empty_tuple(p, open);
    es_node *node = element_within(p);
    if (!node)
        return NULL;
    if (es_ahead(p) == ES_T_FOR) {
        es_parser_push(p, node);
        node = es_parse_generator(p, first, mark);
    } else if (es_ahead(p) == ES_T_COMMA) {
        es_parser_push(p, node);
        node = more_elements(p, element_within) ? es_parser_make(p, ES_N_TUPLE, first, mark) : NULL;
    } else {
        node = lone_star(p, node);
    }
    if (!node || !es_parser_close(p, ES_T_RPAREN))
        return NULL;
    node->parens = true;
    return node;
}

/* ---- [ ] ---- */

static es_node *square(es_parser *p)
{
    const es_token *open = es_look(p);
    size_t mark = p->n_stack;
    es_node_kind kind = ES_N_LIST;
    p->at++;
    if (es_ahead(p) != ES_T_RSQUARE) {
        es_node *node = element_within(p);
        if (!node)
            return NULL;
        es_parser_push(p, node);
        if (es_ahead(p) == ES_T_FOR) {
            kind = ES_N_LISTCOMP;
            node = list_of(p, kind, open, mark);
            if (!node || !es_parser_close(p, ES_T_RSQUARE))
                return NULL;
            node->end = p->token[p->at - 1].end;
            return node;
        }
        if (!more_elements(p, element_within))
            return NULL;
    }
    return es_parser_close(p, ES_T_RSQUARE) ? es_parser_make(p, kind, open, mark) : NULL;
}

/* ---- { } ---- */

/* key: value or **value, two nodes on the stack. */
static bool pair(es_parser *p)
{
    bool spread = es_accept(p, ES_T_POWER);
    es_node *key = spread ? NULL : es_parse_value(p);
    if (!key && !spread)
        return false;
    if (!spread && !es_accept(p, ES_T_COLON)) {
        es_parser_expected(p, "expected \":\" and the value of this key, found %s",
                           es_parser_found(p, es_look(p)));
        return false;
    }
    es_parser_push(p, key);
    es_node *value = es_parse_level(p, spread ? ES_LEVEL_BITOR : ES_LEVEL_VALUE);
    es_parser_push(p, value);
    return value != NULL;
}

static bool pairs(es_parser *p)
{
    while (es_accept(p, ES_T_COMMA) && es_ahead(p) != ES_T_RBRACE)
        if (!pair(p))
            return false;
    return true;
}

/* A dict, whose first key is on the stack and the colon behind it is next; or the stack is empty and a pair is. */
static es_node *dict(es_parser *p, const es_token *open, size_t mark)
{
    bool spread = p->n_stack == mark;
    if (spread && !pair(p))
        return NULL;
    if (!spread) {
        p->at++;
        es_node *value = es_parse_value(p);
        if (!value)
            return NULL;
        es_parser_push(p, value);
    }
    es_node_kind kind = ES_N_DICT;
    if (es_ahead(p) == ES_T_FOR && !spread) {
        kind = ES_N_DICTCOMP;
        if (!comprehension(p))
            return NULL;
    } else if (!pairs(p)) {
        return NULL;
    }
    return es_parser_close(p, ES_T_RBRACE) ? es_parser_make(p, kind, open, mark) : NULL;
}

static es_node *braces(es_parser *p)
{
    const es_token *open = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    if (es_accept(p, ES_T_RBRACE))
        return es_parser_make(p, ES_N_DICT, open, mark);
    if (es_ahead(p) == ES_T_POWER)
        return dict(p, open, mark);
    es_node *node = element_within(p);
    if (!node)
        return NULL;
    es_parser_push(p, node);
    if (es_ahead(p) == ES_T_COLON && node->kind != ES_N_STAR &&
        (node->kind != ES_N_NAMED || node->parens))
        return dict(p, open, mark);
    if (es_ahead(p) == ES_T_FOR) {
        node = list_of(p, ES_N_SETCOMP, open, mark);
        if (!node || !es_parser_close(p, ES_T_RBRACE))
            return NULL;
        node->end = p->token[p->at - 1].end;
        return node;
    }
    return more_elements(p, element_within) && es_parser_close(p, ES_T_RBRACE)
               ? es_parser_make(p, ES_N_SET, open, mark)
               : NULL;
}

es_node *es_parse_brackets(es_parser *p)
{
    switch (es_ahead(p)) {
    case ES_T_LPAREN: return parentheses(p);
    case ES_T_LSQUARE: return square(p);
    default: return braces(p);
    }
}
