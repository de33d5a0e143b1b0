// SPDX-License-Identifier: GPL-3.0-or-later
/* Expressions, after Vaughan Pratt: an operator goes on with what stands before it as long as it binds at least
 * as tightly as the level that is being read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expr/parser.h"

static const struct infix {
    unsigned char level, op;
} infix[ES_T_KINDS] = {
    [ES_T_OR] = {ES_LEVEL_OR, ES_OP_NOTHING},
    [ES_T_AND] = {ES_LEVEL_AND, ES_OP_NOTHING},
    [ES_T_LT] = {ES_LEVEL_COMPARE, ES_OP_LT},
    [ES_T_LE] = {ES_LEVEL_COMPARE, ES_OP_LE},
    [ES_T_GT] = {ES_LEVEL_COMPARE, ES_OP_GT},
    [ES_T_GE] = {ES_LEVEL_COMPARE, ES_OP_GE},
    [ES_T_EQ] = {ES_LEVEL_COMPARE, ES_OP_EQ},
    [ES_T_NE] = {ES_LEVEL_COMPARE, ES_OP_NE},
    [ES_T_IN] = {ES_LEVEL_COMPARE, ES_OP_IN},
    [ES_T_NOT] = {ES_LEVEL_COMPARE, ES_OP_NOT_IN},
    [ES_T_IS] = {ES_LEVEL_COMPARE, ES_OP_IS},
    [ES_T_BAR] = {ES_LEVEL_BITOR, ES_OP_BITOR},
    [ES_T_CARET] = {ES_LEVEL_BITXOR, ES_OP_BITXOR},
    [ES_T_AMPERSAND] = {ES_LEVEL_BITAND, ES_OP_BITAND},
    [ES_T_SHL] = {ES_LEVEL_SHIFT, ES_OP_SHL},
    [ES_T_SHR] = {ES_LEVEL_SHIFT, ES_OP_SHR},
    [ES_T_PLUS] = {ES_LEVEL_SUM, ES_OP_ADD},
    [ES_T_MINUS] = {ES_LEVEL_SUM, ES_OP_SUB},
    [ES_T_STAR] = {ES_LEVEL_TERM, ES_OP_MUL},
    [ES_T_SLASH] = {ES_LEVEL_TERM, ES_OP_DIV},
    [ES_T_SLASHES] = {ES_LEVEL_TERM, ES_OP_FLOORDIV},
    [ES_T_PERCENT] = {ES_LEVEL_TERM, ES_OP_MOD},
    [ES_T_AT] = {ES_LEVEL_TERM, ES_OP_MATMUL},
    [ES_T_POWER] = {ES_LEVEL_POWER, ES_OP_POW},
};

/* One level deeper, where no bracket counts the levels. */
static es_node *deeper(es_parser *p, es_level level)
{
    es_node *node = NULL;
    if (p->nesting++ < ES_MOST_NESTING) {
        node = es_parse_level(p, level);
    } else {
        es_fail(p->err, ES_ERR_PARSE, "more than %d operations wait for the next", ES_MOST_NESTING);
        es_hint(p->err, "give a part of it a name, and go on with the name");
        es_parser_refuse(p, es_look(p), es_look(p));
    }
    p->nesting--;
    return node;
}

/* ---- what an expression begins with ---- */

static es_node *no_value(es_parser *p)
{
    const es_token *t = es_look(p);
    bool after = p->at && t[-1].kind >= ES_T_FALSE;
    if (after && t[-1].kind != ES_T_RETURN)
        return es_parser_expected(p, "expected a value after \"%s\", found %s",
                                  es_token_word(t[-1].kind), es_parser_found(p, t));
    return es_parser_expected(p, "expected a value, found %s", es_parser_found(p, t));
}

static es_node *leaf(es_parser *p, es_node_kind kind)
{
    const es_token *t = es_look(p);
    p->at++;
    return es_parser_make(p, kind, t, p->n_stack);
}

static es_node *constant(es_parser *p, es_op op)
{
    es_node *node = leaf(p, ES_N_CONST);
    node->op = op;
    return node;
}

/* The digits of a number without its underscores, in the arena. */
static char *plain_digits(es_parser *p, const es_token *t)
{
    const char *s = p->lexer.source + t->begin;
    size_t n = t->end - t->begin, k = 0;
    char *digits = es_arena_alloc(p->arena, n + 1);
    for (size_t i = 0; i < n; i++)
        if (s[i] != '_')
            digits[k++] = s[i];
    return digits;
}

static es_node *whole_number(es_parser *p)
{
    const es_token *t = es_look(p);
    char *s = plain_digits(p, t);
    char mark = *s == '0' ? (char)(s[1] | 0x20) : ' ';
    int base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    errno = 0;
    long long value = strtoll(base == 10 ? s : s + 2, NULL, base);
    if (errno) {
        es_fail(p->err, ES_ERR_RANGE, "a whole number of more than 64 bits: the largest is %lld",
                (long long)INT64_MAX);
        es_hint(p->err, "as a float it fits: write a point behind it, or 1e20");
        return es_parser_refuse(p, t, t);
    }
    es_node *node = leaf(p, ES_N_INT);
    node->i = value;
    return node;
}

static es_node *fraction(es_parser *p)
{
    double value = strtod(plain_digits(p, es_look(p)), NULL);
    es_node *node = leaf(p, ES_N_FLOAT);
    node->f = value;
    return node;
}

static es_node *atom(es_parser *p)
{
    switch (es_ahead(p)) {
    case ES_T_NAME: return es_parse_name(p);
    case ES_T_INT: return whole_number(p);
    case ES_T_FLOAT: return fraction(p);
    case ES_T_STRING: return es_parse_strings(p);
    case ES_T_TRUE: return constant(p, ES_OP_TRUE);
    case ES_T_FALSE: return constant(p, ES_OP_FALSE);
    case ES_T_NONE: return constant(p, ES_OP_NONE);
    case ES_T_ELLIPSIS: return constant(p, ES_OP_ELLIPSIS);
    case ES_T_LPAREN:
    case ES_T_LSQUARE:
    case ES_T_LBRACE: return es_parse_brackets(p);
    default: return no_value(p);
    }
}

static es_node *attribute(es_parser *p, const es_token *first, es_node *value)
{
    p->at++;
    const es_token *t = es_look(p);
    if (t->kind != ES_T_NAME)
        return es_parser_expected(p, "expected a name after \".\", found %s",
                                  es_parser_found(p, t));
    p->at++;
    size_t mark = p->n_stack;
    es_parser_push(p, value);
    es_node *node = es_parser_make(p, ES_N_ATTRIBUTE, first, mark);
    if (!node)
        return NULL;
    es_parser_name_text(p, node, t);
    node->op_begin = t->begin;
    node->op_end = t->end;
    return node;
}

static es_node *postfix(es_parser *p)
{
    const es_token *first = es_look(p);
    es_node *node = atom(p);
    while (node) {
        switch (es_ahead(p)) {
        case ES_T_DOT: node = attribute(p, first, node); break;
        case ES_T_LPAREN: node = es_parse_call(p, first, node); break;
        case ES_T_LSQUARE: node = es_parse_subscript(p, first, node); break;
        default: return node;
        }
    }
    return NULL;
}

static es_node *lambda(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    es_node *params = es_parse_params(p, ES_T_COLON);
    if (!params)
        return NULL;
    es_parser_push(p, params);
    es_node *value = deeper(p, ES_LEVEL_VALUE);
    if (!value)
        return NULL;
    es_parser_push(p, value);
    return es_parser_make(p, ES_N_LAMBDA, first, mark);
}

static es_node *unary(es_parser *p, es_op op, es_level level)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    es_node *operand = deeper(p, level);
    if (!operand)
        return NULL;
    es_parser_push(p, operand);
    es_node *node = es_parser_make(p, ES_N_UNARY, first, mark);
    if (!node)
        return NULL;
    node->op = op;
    node->op_begin = first->begin;
    node->op_end = first->end;
    return node;
}

/* "not" and "lambda" reach far to the right, so they may not be the right side of what binds more tightly. */
static es_node *needs_parentheses(es_parser *p)
{
    const es_token *t = es_look(p);
    es_fail(p->err, ES_ERR_PARSE, "\"%s\" needs parentheses here", es_token_word(t->kind));
    es_hint(p->err, t->kind == ES_T_NOT ? "try: (not …)" : "try: (lambda …)");
    return es_parser_refuse(p, t, t);
}

static es_node *prefix(es_parser *p, es_level level)
{
    switch (es_ahead(p)) {
    case ES_T_MINUS: return unary(p, ES_OP_NEG, ES_LEVEL_SIGN);
    case ES_T_PLUS: return unary(p, ES_OP_POS, ES_LEVEL_SIGN);
    case ES_T_TILDE: return unary(p, ES_OP_INVERT, ES_LEVEL_SIGN);
    case ES_T_NOT:
        return level > ES_LEVEL_NOT ? needs_parentheses(p) : unary(p, ES_OP_NOT, ES_LEVEL_NOT);
    case ES_T_LAMBDA: return level > ES_LEVEL_VALUE ? needs_parentheses(p) : lambda(p);
    default: return postfix(p);
    }
}

/* ---- what goes on ---- */

static es_node *binary(es_parser *p, const es_token *first, es_node *left)
{
    const es_token *t = es_look(p);
    es_level level = (es_level)infix[t->kind].level;
    size_t mark = p->n_stack;
    es_parser_push(p, left);
    p->at++;
    es_node *right =
        level == ES_LEVEL_POWER ? deeper(p, ES_LEVEL_SIGN) : es_parse_level(p, level + 1);
    if (!right)
        return NULL;
    es_parser_push(p, right);
    es_node *node = es_parser_make(p, ES_N_BINARY, first, mark);
    if (!node)
        return NULL;
    node->op = (es_op)infix[t->kind].op;
    node->op_begin = t->begin;
    node->op_end = t->end;
    return node;
}

/* a and b and c is one node. */
static es_node *logical(es_parser *p, const es_token *first, es_node *left)
{
    es_token_kind kind = es_ahead(p);
    size_t mark = p->n_stack;
    es_parser_push(p, left);
    while (es_accept(p, kind)) {
        es_node *right = es_parse_level(p, (es_level)infix[kind].level + 1);
        if (!right)
            return NULL;
        es_parser_push(p, right);
    }
    return es_parser_make(p, kind == ES_T_AND ? ES_N_AND : ES_N_OR, first, mark);
}

/* The comparison that is next, of one word or two; ES_OP_NOTHING if there is none. */
static es_op comparison(const es_parser *p, size_t *words)
{
    const es_token *t = es_look(p);
    *words = 1;
    if (infix[t->kind].level != ES_LEVEL_COMPARE)
        return ES_OP_NOTHING;
    if (t->kind == ES_T_NOT && t[1].kind != ES_T_IN)
        return ES_OP_NOTHING;
    bool is_not = t->kind == ES_T_IS && t[1].kind == ES_T_NOT;
    *words = is_not || t->kind == ES_T_NOT ? 2 : 1;
    return is_not ? ES_OP_IS_NOT : (es_op)infix[t->kind].op;
}

static es_node *compare(es_parser *p, const es_token *first, es_node *left)
{
    size_t mark = p->n_stack, words;
    es_parser_push(p, left);
    for (es_op op; (op = comparison(p, &words)) != ES_OP_NOTHING;) {
        const es_token *t = es_look(p);
        p->at += words;
        const es_token *value = es_look(p);
        es_node *right = es_parse_level(p, ES_LEVEL_BITOR);
        if (!right)
            return NULL;
        size_t own = p->n_stack;
        es_parser_push(p, right);
        es_node *node = es_parser_make(p, ES_N_COMPARAND, value, own);
        if (!node)
            return NULL;
        node->op = op;
        node->op_begin = t->begin;
        node->op_end = t[words - 1].end;
        es_parser_push(p, node);
    }
    return es_parser_make(p, ES_N_COMPARE, first, mark);
}

static es_node *if_else(es_parser *p, const es_token *first, es_node *value)
{
    size_t mark = p->n_stack;
    es_parser_push(p, value);
    p->at++;
    es_node *condition = es_parse_level(p, ES_LEVEL_OR);
    if (!condition)
        return NULL;
    es_parser_push(p, condition);
    if (!es_accept(p, ES_T_ELSE)) {
        if (es_parser_slip(p))
            return NULL;
        es_parser_expected(p, "expected \"else\" and a value, found %s",
                           es_parser_found(p, es_look(p)));
        es_hint(p->err, "a condition within an expression has both: a if b else c");
        return NULL;
    }
    es_node *other = deeper(p, ES_LEVEL_VALUE);
    if (!other)
        return NULL;
    es_parser_push(p, other);
    return es_parser_make(p, ES_N_IFELSE, first, mark);
}

es_node *es_parse_level(es_parser *p, es_level level)
{
    const es_token *first = es_look(p);
    es_node *left = prefix(p, level);
    while (left) {
        es_token_kind kind = es_ahead(p);
        es_level next = (es_level)infix[kind].level;
        size_t words;
        if (next == ES_LEVEL_NONE || next < level)
            break;
        if (next == ES_LEVEL_COMPARE && comparison(p, &words) == ES_OP_NOTHING)
            break;
        left = next == ES_LEVEL_COMPARE ? compare(p, first, left)
               : next <= ES_LEVEL_AND   ? logical(p, first, left)
                                        : binary(p, first, left);
    }
    if (left && level == ES_LEVEL_VALUE && es_ahead(p) == ES_T_IF)
        return if_else(p, first, left);
    return left;
}

es_node *es_parse_value(es_parser *p)
{
    return es_parse_level(p, ES_LEVEL_VALUE);
}

es_node *es_parse_named(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    if (first->kind != ES_T_NAME || first[1].kind != ES_T_WALRUS)
        return es_parse_value(p);
    es_parser_push(p, es_parse_name(p));
    p->at++;
    es_node *value = es_parse_value(p);
    if (!value)
        return NULL;
    es_parser_push(p, value);
    return es_parser_make(p, ES_N_NAMED, first, mark);
}
