// SPDX-License-Identifier: GPL-3.0-or-later
/* Statements of one line. */
#include <string.h>

#include "expr/parser.h"

/* ---- expressions and assignments ---- */

static es_op augmented(es_token_kind kind)
{
    static const unsigned char ops[ES_T_KINDS] = {
        [ES_T_PLUS_IS] = ES_OP_ADD,         [ES_T_MINUS_IS] = ES_OP_SUB,
        [ES_T_STAR_IS] = ES_OP_MUL,         [ES_T_SLASH_IS] = ES_OP_DIV,
        [ES_T_SLASHES_IS] = ES_OP_FLOORDIV, [ES_T_PERCENT_IS] = ES_OP_MOD,
        [ES_T_AT_IS] = ES_OP_MATMUL,        [ES_T_AND_IS] = ES_OP_BITAND,
        [ES_T_OR_IS] = ES_OP_BITOR,         [ES_T_XOR_IS] = ES_OP_BITXOR,
        [ES_T_SHL_IS] = ES_OP_SHL,          [ES_T_SHR_IS] = ES_OP_SHR,
        [ES_T_POWER_IS] = ES_OP_POW,
    };
    return (es_op)ops[kind];
}

static es_node *assign(es_parser *p, const es_token *first, es_node *node)
{
    size_t mark = p->n_stack;
    es_parser_push(p, node);
    while (es_accept(p, ES_T_ASSIGN)) {
        if (!es_parser_check_target(p, node, ES_TARGET_ASSIGN))
            return NULL;
        node = es_parse_values(p);
        if (!node)
            return NULL;
        es_parser_push(p, node);
    }
    return es_parser_make(p, ES_N_ASSIGN, first, mark);
}

static es_node *augment(es_parser *p, const es_token *first, es_node *target)
{
    const es_token *t = es_look(p);
    size_t mark = p->n_stack;
    if (!es_parser_check_target(p, target, ES_TARGET_AUGMENT))
        return NULL;
    es_parser_push(p, target);
    p->at++;
    es_node *value = es_parse_values(p);
    if (!value)
        return NULL;
    es_parser_push(p, value);
    es_node *node = es_parser_make(p, ES_N_AUGMENT, first, mark);
    if (!node)
        return NULL;
    node->op = augmented(t->kind);
    node->op_begin = t->begin;
    node->op_end = t->end;
    return node;
}

static es_node *annotate(es_parser *p, const es_token *first, es_node *target)
{
    size_t mark = p->n_stack;
    const es_token *colon = es_look(p);
    if (colon[1].kind == ES_T_NEWLINE) {
        es_fail(p->err, ES_ERR_PARSE,
                "\":\" ends the line of if, for, def and the like, and this is none");
        return es_parser_refuse(p, colon, colon);
    }
    if (!es_parser_check_target(p, target, ES_TARGET_ANNOTATE))
        return NULL;
    es_parser_push(p, target);
    p->at++;
    es_node *type = es_parse_value(p);
    if (!type)
        return NULL;
    es_parser_push(p, type);
    es_node *value = NULL;
    if (es_accept(p, ES_T_ASSIGN) && !(value = es_parse_values(p)))
        return NULL;
    es_parser_push(p, value);
    return es_parser_make(p, ES_N_ANNOTATE, first, mark);
}

static es_node *expression(es_parser *p)
{
    const es_token *first = es_look(p);
    es_node *node = es_parse_values(p);
    if (!node)
        return NULL;
    es_token_kind kind = es_ahead(p);
    if (kind == ES_T_ASSIGN)
        return assign(p, first, node);
    if (augmented(kind))
        return augment(p, first, node);
    if (kind == ES_T_COLON)
        return annotate(p, first, node);
    size_t mark = p->n_stack;
    es_parser_push(p, node);
    return es_parser_make(p, ES_N_EXPR, first, mark);
}

/* ---- statements with a word of their own ---- */

static bool line_ends(const es_parser *p)
{
    es_token_kind kind = es_ahead(p);
    return kind == ES_T_NEWLINE || kind == ES_T_SEMICOLON;
}

static es_node *plain(es_parser *p, es_node_kind kind)
{
    p->at++;
    return es_parser_make(p, kind, es_look(p) - 1, p->n_stack);
}

static es_node *give_back(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    if (!line_ends(p)) {
        es_node *value = es_parse_values(p);
        if (!value)
            return NULL;
        es_parser_push(p, value);
    }
    return es_parser_make(p, ES_N_RETURN, first, mark);
}

/* kind VALUE [between VALUE]; `bare`: or nothing. */
static es_node *one_or_two(es_parser *p, es_node_kind kind, es_token_kind between, bool bare)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    if (!bare || !line_ends(p)) {
        do {
            es_node *value = es_parse_value(p);
            if (!value)
                return NULL;
            es_parser_push(p, value);
        } while (p->n_stack == mark + 1 && es_accept(p, between));
    }
    return es_parser_make(p, kind, first, mark);
}

static es_node *delete (es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    do {
        es_node *target = es_parse_value(p);
        if (!target || !es_parser_check_target(p, target, ES_TARGET_DEL))
            return NULL;
        es_parser_push(p, target);
    } while (es_accept(p, ES_T_COMMA) && !line_ends(p));
    return es_parser_make(p, ES_N_DEL, first, mark);
}

es_node *es_parse_name(es_parser *p)
{
    const es_token *t = es_look(p);
    if (t->kind != ES_T_NAME)
        return es_parser_expected(p, "expected a name, found %s", es_parser_found(p, t));
    p->at++;
    es_node *node = es_parser_make(p, ES_N_NAME, t, p->n_stack);
    es_parser_name_text(p, node, t);
    return node;
}

static es_node *global(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    do {
        es_node *name = es_parse_name(p);
        if (!name)
            return NULL;
        es_parser_push(p, name);
    } while (es_accept(p, ES_T_COMMA));
    es_node *node = es_parser_make(p, ES_N_GLOBAL, first, mark);
    if (node && first->kind == ES_T_NONLOCAL)
        node->i = 'n';
    return node;
}

/* ---- a line ---- */

static es_node *simple(es_parser *p)
{
    switch (es_ahead(p)) {
    case ES_T_PASS: return plain(p, ES_N_PASS);
    case ES_T_BREAK: return plain(p, ES_N_BREAK);
    case ES_T_CONTINUE: return plain(p, ES_N_CONTINUE);
    case ES_T_RETURN: return give_back(p);
    case ES_T_RAISE: return one_or_two(p, ES_N_RAISE, ES_T_FROM, true);
    case ES_T_ASSERT: return one_or_two(p, ES_N_ASSERT, ES_T_COMMA, false);
    case ES_T_DEL: return delete (p);
    case ES_T_GLOBAL:
    case ES_T_NONLOCAL: return global(p);
    case ES_T_IMPORT:
    case ES_T_FROM: return es_parse_import(p);
    case ES_T_IF:
    case ES_T_FOR:
    case ES_T_WHILE:
    case ES_T_WITH:
    case ES_T_DEF:
    case ES_T_CLASS:
        es_fail(p->err, ES_ERR_PARSE, "\"%s\" begins a line of its own",
                es_token_word(es_ahead(p)));
        return es_parser_refuse(p, es_look(p), es_look(p));
    default: return expression(p);
    }
}

static bool is_word(const es_parser *p, const es_token *t, const char *word)
{
    size_t n = strlen(word);
    return t->kind == ES_T_NAME && t->end - t->begin == n &&
           !memcmp(p->lexer.source + t->begin, word, n);
}

/* int x = 3, let x = 3, The cat sat */
static void hint_words(es_parser *p, const es_token *first, const es_token *t)
{
    if (first->kind != ES_T_NAME || t != first + 1 || t->kind != ES_T_NAME)
        return;
    if (t[1].kind == ES_T_ASSIGN)
        es_hint(p->err, "a name needs no declaration: leave the first word out");
    else if (t[1].kind == ES_T_NAME || t[1].kind == ES_T_NEWLINE || t[1].kind == ES_T_DOT)
        es_hint(p->err, "text stands in quotes: \"The cat sat\"");
}

/* Something stands behind a whole statement. */
static bool too_much(es_parser *p, const es_token *first)
{
    const es_token *t = es_look(p);
    if (is_word(p, first, "print") && t == first + 1 && es_parser_begins_value(t->kind)) {
        es_fail(p->err, ES_ERR_PARSE, "print is a function: what it prints stands in parentheses");
        es_hint(p->err, "try: print(…)");
        es_parser_refuse(p, first, first);
        return false;
    }
    if (es_parser_slip(p))
        return false;
    es_parser_expected(p, "expected an operator or the end of the line, found %s",
                       es_parser_found(p, t));
    hint_words(p, first, t);
    return false;
}

bool es_parse_simple(es_parser *p)
{
    for (;;) {
        const es_token *first = es_look(p);
        es_node *node = simple(p);
        if (!node)
            return false;
        es_parser_push(p, node);
        if (!line_ends(p))
            return too_much(p, first);
        bool semicolon = es_accept(p, ES_T_SEMICOLON);
        if (es_accept(p, ES_T_NEWLINE)) {
            node->quiet = semicolon && node->kind == ES_N_EXPR;
            return true;
        }
    }
}
