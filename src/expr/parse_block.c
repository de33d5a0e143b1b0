// SPDX-License-Identifier: GPL-3.0-or-later
/* Statements with a suite of their own. */
#include "expr/parser.h"

/* ---- suites ---- */

static es_node *else_if(es_parser *p, const es_token *head)
{
    es_fail(p->err, ES_ERR_PARSE, "Python writes \"else if\" as \"elif\"");
    return es_parser_refuse(p, head, head + 1);
}

static es_node *no_colon(es_parser *p, const es_token *head)
{
    const es_token *t = es_look(p);
    if (t->kind == ES_T_ASSIGN &&
        (head->kind == ES_T_IF || head->kind == ES_T_ELIF || head->kind == ES_T_WHILE)) {
        es_fail(p->err, ES_ERR_PARSE,
                "\"=\" gives a name to a value; two values are compared with \"==\"");
        return es_parser_refuse(p, t, t);
    }
    if (head->kind == ES_T_ELSE && t->kind == ES_T_IF)
        return else_if(p, head);
    return es_parser_expected(p, "expected \":\" at the end of the \"%s\" line, found %s",
                              es_token_word(head->kind), es_parser_found(p, t));
}

static bool indented(es_parser *p, const es_token *head)
{
    if (!es_accept(p, ES_T_INDENT)) {
        es_parser_expected(p, "expected an indented line after the \"%s\" of line %d, found %s",
                           es_token_word(head->kind), head->line, es_parser_found(p, es_look(p)));
        return false;
    }
    while (!es_accept(p, ES_T_DEDENT))
        if (!es_parse_statement(p))
            return false;
    return true;
}

/* From the colon on, after the line that `head` begins. */
static es_node *suite(es_parser *p, const es_token *head)
{
    size_t mark = p->n_stack;
    if (!es_accept(p, ES_T_COLON))
        return no_colon(p, head);
    const es_token *first = es_look(p);
    if (first->kind == ES_T_NEWLINE)
        first += 2; /* behind the indentation */
    if (!(es_accept(p, ES_T_NEWLINE) ? indented(p, head) : es_parse_simple(p)))
        return NULL;
    es_node *node = es_parser_make(p, ES_N_SUITE, first, mark);
    if (node)
        node->end = node->kid[node->n_kids - 1]->end;
    return node;
}

/* A compound statement ends where its last suite does, not at the line break behind it. */
es_node *es_parser_compound(es_parser *p, es_node_kind kind, const es_token *first, size_t mark)
{
    es_node *node = es_parser_make(p, kind, first, mark);
    for (int i = 0; node && i < node->n_kids; i++)
        if (node->kid[i] && (node->kid[i]->kind == ES_N_SUITE || node->kid[i]->kind == ES_N_EXCEPT))
            node->end = node->kid[i]->end;
    return node;
}

bool es_parser_push_suite(es_parser *p, const es_token *head)
{
    es_node *node = suite(p, head);
    es_parser_push(p, node);
    return node != NULL;
}

/* else: of a loop, if there is one. */
static bool push_else(es_parser *p)
{
    const es_token *head = es_look(p);
    return !es_accept(p, ES_T_ELSE) || es_parser_push_suite(p, head);
}

/* ---- the statements ---- */

/* `more`: how many elif may follow; each is an ES_N_IF within the one before it. */
static es_node *choice(es_parser *p, int more)
{
    const es_token *head = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    es_node *condition = es_parse_named(p);
    es_parser_push(p, condition);
    if (!condition || !es_parser_push_suite(p, head))
        return NULL;
    if (es_ahead(p) == ES_T_ELIF) {
        if (more == 0) {
            es_fail(p->err, ES_ERR_PARSE, "more than %d \"elif\"", ES_MOST_NESTING);
            return es_parser_refuse(p, es_look(p), es_look(p));
        }
        es_node *next = choice(p, more - 1);
        if (!next)
            return NULL;
        es_parser_push(p, next);
        es_node *node = es_parser_make(p, ES_N_IF, head, mark);
        if (node)
            node->end = next->end;
        return node;
    }
    return push_else(p) ? es_parser_compound(p, ES_N_IF, head, mark) : NULL;
}

static es_node *loop_over(es_parser *p)
{
    const es_token *head = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    es_node *target = es_parse_targets(p);
    if (!target)
        return NULL;
    es_parser_push(p, target);
    if (!es_accept(p, ES_T_IN)) {
        if (es_parser_slip(p))
            return NULL;
        es_parser_expected(p, "expected \"in\" and what \"for\" goes through, found %s",
                           es_parser_found(p, es_look(p)));
        es_hint(p->err, "for example: for i in range(10):");
        return NULL;
    }
    es_node *iterable = es_parse_values(p);
    es_parser_push(p, iterable);
    if (!iterable || !es_parser_push_suite(p, head) || !push_else(p))
        return NULL;
    return es_parser_compound(p, ES_N_FOR, head, mark);
}

static es_node *loop_while(es_parser *p)
{
    const es_token *head = es_look(p);
    size_t mark = p->n_stack;
    p->at++;
    es_node *condition = es_parse_named(p);
    es_parser_push(p, condition);
    if (!condition || !es_parser_push_suite(p, head) || !push_else(p))
        return NULL;
    return es_parser_compound(p, ES_N_WHILE, head, mark);
}

/* What stands behind "as": like a target of for, but one. */
static bool push_as(es_parser *p)
{
    es_node *target = es_parse_level(p, ES_LEVEL_BITOR);
    es_parser_push(p, target);
    return target && es_parser_check_target(p, target, ES_TARGET_ASSIGN);
}

static es_node *with_item(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    es_node *value = es_parse_value(p);
    es_parser_push(p, value);
    if (!value || (es_accept(p, ES_T_AS) && !push_as(p)))
        return NULL;
    return es_parser_make(p, ES_N_WITHITEM, first, mark);
}

/* Items up to the last, which a comma may follow in parentheses; *as: one has a name. */
static bool with_items(es_parser *p, bool parens, bool *as)
{
    size_t first = p->at;
    do {
        if (parens && es_ahead(p) == ES_T_RPAREN && p->at > first)
            break;
        es_node *item = with_item(p);
        es_parser_push(p, item);
        *as = *as || es_ahead(p) == ES_T_AS || (item && item->n_kids == 2);
        if (!item)
            return false;
    } while (es_accept(p, ES_T_COMMA));
    return !parens || es_parser_close(p, ES_T_RPAREN);
}

/* Are the parentheses that are next around all items, as in with (a as b, c as d):?  Python tries, too. */
static bool items_in_parentheses(es_parser *p)
{
    es_parser before = *p;
    bool as = false;
    if (es_ahead(p) != ES_T_LPAREN)
        return false;
    p->err = NULL;
    p->at++;
    bool items = with_items(p, true, &as) && es_ahead(p) == ES_T_COLON;
    p->err = before.err;
    p->at = before.at;
    p->n_stack = before.n_stack;
    p->nesting = before.nesting;
    return items || as;
}

static es_node *with(es_parser *p)
{
    const es_token *head = es_look(p);
    size_t mark = p->n_stack;
    bool as = false;
    p->at++;
    bool parens = items_in_parentheses(p);
    p->at += parens;
    if (!with_items(p, parens, &as) || !es_parser_push_suite(p, head))
        return NULL;
    return es_parser_compound(p, ES_N_WITH, head, mark);
}

/* The name after def or class; *t is it. */
static bool own_name(es_parser *p, const es_token **t)
{
    *t = es_look(p);
    if (es_accept(p, ES_T_NAME))
        return true;
    es_parser_expected(p, "expected a name after \"%s\", found %s", es_token_word((*t)[-1].kind),
                       es_parser_found(p, *t));
    return false;
}

/* The n decorators that stand on the stack from `mark` become the last children. */
static es_node *decorated(es_parser *p, es_node_kind kind, const es_token *head,
                          const es_token *name, size_t mark, size_t n)
{
    for (size_t i = 0; i < n; i++)
        es_parser_push(p, p->stack[mark + i]);
    es_node *node = es_parser_compound(p, kind, head, mark + n);
    p->n_stack = mark;
    if (node)
        es_parser_name_text(p, node, name);
    return node;
}

static es_node *function(es_parser *p, size_t mark)
{
    const es_token *head = es_look(p), *name;
    size_t n = p->n_stack - mark;
    p->at++;
    if (!own_name(p, &name))
        return NULL;
    if (!es_accept(p, ES_T_LPAREN))
        return es_parser_expected(p, "expected \"(\" and the parameters, found %s",
                                  es_parser_found(p, es_look(p)));
    es_node *params = es_parse_params(p, ES_T_RPAREN), *type = NULL;
    es_parser_push(p, params);
    if (!params || (es_accept(p, ES_T_ARROW) && !(type = es_parse_value(p))) ||
        !es_parser_push_suite(p, head))
        return NULL;
    es_parser_push(p, type);
    return decorated(p, ES_N_DEF, head, name, mark, n);
}

static es_node *class(es_parser *p, size_t mark)
{
    const es_token *head = es_look(p), *name;
    size_t n = p->n_stack - mark;
    p->at++;
    if (!own_name(p, &name))
        return NULL;
    const es_token *first = es_look(p);
    size_t bases_mark = p->n_stack;
    if (es_accept(p, ES_T_LPAREN) && !es_parse_arguments(p, false))
        return NULL;
    es_node *bases = es_parser_make(p, ES_N_TUPLE, first, bases_mark);
    es_parser_push(p, bases);
    if (!bases || !es_parser_push_suite(p, head))
        return NULL;
    return decorated(p, ES_N_CLASS, head, name, mark, n);
}

static es_node *definition(es_parser *p)
{
    size_t mark = p->n_stack;
    while (es_accept(p, ES_T_AT)) {
        es_node *node = es_parse_value(p);
        if (!node)
            return NULL;
        es_parser_push(p, node);
        if (!es_accept(p, ES_T_NEWLINE))
            return es_parser_expected(p, "expected the end of the line after a decorator, found %s",
                                      es_parser_found(p, es_look(p)));
    }
    if (es_ahead(p) == ES_T_DEF)
        return function(p, mark);
    if (es_ahead(p) == ES_T_CLASS)
        return class(p, mark);
    return es_parser_expected(p, "expected \"def\" or \"class\" after a decorator, found %s",
                              es_parser_found(p, es_look(p)));
}

/* ---- what cannot begin a statement ---- */

static es_node *misplaced(es_parser *p)
{
    const es_token *t = es_look(p);
    if (t->kind == ES_T_INDENT) {
        es_fail(p->err, ES_ERR_PARSE, "this line is indented, and no line above it ends in \":\"");
        return es_parser_refuse(p, t + 1, t + 1);
    }
    if (t->kind == ES_T_COLON) {
        es_fail(p->err, ES_ERR_PARSE, "a command cannot stand within a statement");
        es_hint(p->err, "end the statement with an empty line, then give the command");
        return es_parser_refuse(p, t, t);
    }
    if (t->kind == ES_T_ELSE && t[1].kind == ES_T_IF)
        return else_if(p, t);
    es_fail(p->err, ES_ERR_PARSE, "\"%s\" belongs to no statement above it",
            es_token_word(t->kind));
    if (t->kind == ES_T_ELSE || t->kind == ES_T_ELIF)
        es_hint(p->err,
                "it is indented as far as its \"if\", and follows it without another statement "
                "between");
    return es_parser_refuse(p, t, t);
}

static es_node *block(es_parser *p)
{
    switch (es_ahead(p)) {
    case ES_T_IF: return choice(p, ES_MOST_NESTING);
    case ES_T_FOR: return loop_over(p);
    case ES_T_WHILE: return loop_while(p);
    case ES_T_WITH: return with(p);
    case ES_T_TRY: return es_parse_try(p);
    case ES_T_AT:
    case ES_T_DEF:
    case ES_T_CLASS: return definition(p);
    default: return misplaced(p);
    }
}

bool es_parse_statement(es_parser *p)
{
    switch (es_ahead(p)) {
    case ES_T_IF:
    case ES_T_FOR:
    case ES_T_WHILE:
    case ES_T_WITH:
    case ES_T_TRY:
    case ES_T_AT:
    case ES_T_DEF:
    case ES_T_CLASS:
    case ES_T_INDENT:
    case ES_T_COLON:
    case ES_T_ELIF:
    case ES_T_ELSE:
    case ES_T_EXCEPT:
    case ES_T_FINALLY: break;
    default: return es_parse_simple(p);
    }
    es_node *node = block(p);
    if (node)
        es_parser_push(p, node);
    return node != NULL;
}
