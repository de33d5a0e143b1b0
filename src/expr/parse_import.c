// SPDX-License-Identifier: GPL-3.0-or-later
/* import and from. */
#include "expr/parser.h"

/* A node whose text is all words from `first` up to the next, without the blanks between them. */
static es_node *joined(es_parser *p, es_node_kind kind, const es_token *first, size_t mark)
{
    es_str text = {0};
    for (const es_token *t = first; t < es_look(p); t++)
        es_str_bytes(&text, p->lexer.source + t->begin, t->end - t->begin);
    es_node *node = es_parser_make(p, kind, first, mark);
    if (node) {
        node->n_text = text.len;
        node->text = es_arena_copy(p->arena, es_str_text(&text), text.len);
    }
    es_str_free(&text);
    return node;
}

/* torch.nn.functional */
static bool dotted(es_parser *p)
{
    do {
        if (es_ahead(p) != ES_T_NAME) {
            es_parser_expected(p, "expected the name of a module, found %s",
                               es_parser_found(p, es_look(p)));
            return false;
        }
        p->at++;
    } while (es_accept(p, ES_T_DOT));
    return true;
}

/* What is imported, with its new name behind "as". */
static es_node *alias(es_parser *p, const es_token *first)
{
    size_t mark = p->n_stack;
    es_node *node = joined(p, ES_N_ALIAS, first, mark);
    if (!node || !es_accept(p, ES_T_AS))
        return node;
    const char *text = node->text;
    size_t n_text = node->n_text;
    es_node *name = es_parse_name(p);
    if (!name)
        return NULL;
    es_parser_push(p, name);
    node = es_parser_make(p, ES_N_ALIAS, first, mark);
    if (node) {
        node->text = text;
        node->n_text = n_text;
    }
    return node;
}

/* a.b as c, d */
static bool modules(es_parser *p)
{
    do {
        const es_token *first = es_look(p);
        es_node *node = dotted(p) ? alias(p, first) : NULL;
        if (!node)
            return false;
        es_parser_push(p, node);
    } while (es_accept(p, ES_T_COMMA));
    return true;
}

/* a as b, c, perhaps in parentheses. */
static bool members(es_parser *p)
{
    bool parens = es_accept(p, ES_T_LPAREN);
    do {
        const es_token *first = es_look(p);
        if (parens && first->kind == ES_T_RPAREN && first[-1].kind == ES_T_COMMA)
            break;
        if (first->kind != ES_T_NAME) {
            es_parser_expected(p, "expected a name, found %s", es_parser_found(p, first));
            return false;
        }
        p->at++;
        es_node *node = alias(p, first);
        if (!node)
            return false;
        es_parser_push(p, node);
    } while (es_accept(p, ES_T_COMMA));
    return !parens || es_parser_close(p, ES_T_RPAREN);
}

/* from ..a.b import … */
static bool from(es_parser *p)
{
    const es_token *first = es_look(p);
    while (es_ahead(p) == ES_T_DOT || es_ahead(p) == ES_T_ELLIPSIS)
        p->at++;
    if ((es_ahead(p) != ES_T_IMPORT || es_look(p) == first) && !dotted(p))
        return false;
    es_parser_push(p, joined(p, ES_N_NAME, first, p->n_stack));
    if (!es_accept(p, ES_T_IMPORT)) {
        es_parser_expected(p, "expected \"import\", found %s", es_parser_found(p, es_look(p)));
        return false;
    }
    const es_token *t = es_look(p);
    if (!es_accept(p, ES_T_STAR))
        return members(p);
    es_parser_push(p, alias(p, t));
    return true;
}

es_node *es_parse_import(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    bool of = first->kind == ES_T_FROM;
    p->at++;
    if (!of)
        es_parser_push(p, NULL);
    if (!(of ? from(p) : modules(p)))
        return NULL;
    es_node *node = es_parser_make(p, ES_N_IMPORT, first, mark);
    if (!node)
        return NULL;
    node->n_text = node->end - node->begin;
    node->text = es_arena_copy(p->arena, p->lexer.source + node->begin, node->n_text);
    node->i = of ? 'f' : 0;
    return node;
}
