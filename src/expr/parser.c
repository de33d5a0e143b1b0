// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"

/* ---- words ---- */

es_token_kind es_parser_read_one(es_parser *p)
{
    if (p->n_tokens == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->token = es_realloc(p->token, p->room * sizeof *p->token);
    }
    p->token[p->n_tokens] = es_lex_next(&p->lexer);
    return p->token[p->n_tokens++].kind;
}

void es_parser_read(es_parser *p)
{
    es_token_kind kind;
    do {
        kind = es_parser_read_one(p);
    } while (kind != ES_T_END && kind != ES_T_BAD);
}

void es_parser_end(es_parser *p)
{
    free(p->token);
    free(p->stack);
    es_str_free(&p->found);
}

bool es_parser_begins_value(es_token_kind kind)
{
    switch (kind) {
    case ES_T_NAME:
    case ES_T_INT:
    case ES_T_FLOAT:
    case ES_T_STRING:
    case ES_T_FALSE:
    case ES_T_NONE:
    case ES_T_TRUE:
    case ES_T_ELLIPSIS:
    case ES_T_LPAREN:
    case ES_T_LSQUARE:
    case ES_T_LBRACE:
    case ES_T_MINUS:
    case ES_T_PLUS:
    case ES_T_TILDE:
    case ES_T_NOT:
    case ES_T_LAMBDA: return true;
    default: return false;
    }
}

/* ---- nodes ---- */

void es_parser_push(es_parser *p, es_node *node)
{
    if (p->n_stack == p->cap) {
        p->cap = p->cap ? 2 * p->cap : 64;
        p->stack = es_realloc(p->stack, p->cap * sizeof(es_node *));
    }
    p->stack[p->n_stack++] = node;
}

es_node *es_parser_make(es_parser *p, es_node_kind kind, const es_token *first, size_t mark)
{
    size_t n = p->n_stack - mark;
    es_node *node = es_arena_alloc(p->arena, sizeof *node);
    node->kind = kind;
    node->begin = first->begin;
    node->end = p->at ? p->token[p->at - 1].end : first->end;
    node->line = first->line;
    node->n_kids = (int)n;
    if (n) {
        node->kid = es_arena_alloc(p->arena, n * sizeof(es_node *));
        memcpy(node->kid, p->stack + mark, n * sizeof(es_node *));
    }
    p->n_stack = mark;
    for (size_t i = 0; i < n; i++)
        if (node->kid[i] && node->kid[i]->height > node->height)
            node->height = node->kid[i]->height;
    if (++node->height <= ES_MOST_HEIGHT)
        return node;
    es_fail(p->err, ES_ERR_PARSE, "more than %d operations, one on the result of another",
            ES_MOST_HEIGHT - 1);
    es_hint(p->err, "give a part of it a name, and go on with the name");
    es_error_locate(p->err, node->begin, node->end);
    return NULL;
}

void es_parser_name_text(es_parser *p, es_node *node, const es_token *t)
{
    node->n_text = t->end - t->begin;
    node->text = es_arena_copy(p->arena, p->lexer.source + t->begin, node->n_text);
}

/* ---- mistakes ---- */

void *es_parser_refuse(es_parser *p, const es_token *first, const es_token *last)
{
    bool empty =
        first->kind < ES_T_COMMENT && first > p->token; /* a line's end: behind its last word */
    size_t begin = empty ? first[-1].end : first->begin;
    es_error_locate(p->err, begin, empty ? begin : last->end);
    return NULL;
}

const char *es_parser_found(es_parser *p, const es_token *t)
{
    if (t->kind < ES_T_COMMENT)
        return t->kind == ES_T_NEWLINE  ? es_translate("the end of the line")
               : t->kind == ES_T_INDENT ? es_translate("an indented line")
               : p->hole                ? es_translate("the end of the braces")
                                        : es_translate("the end");
    es_str_cut(&p->found, 0);
    es_show_brief(&p->found, p->lexer.source + t->begin, t->end - t->begin);
    return es_str_text(&p->found);
}

/* Two marks side by side that mean something in other languages. */
static const struct {
    es_token_kind a, b;
    const char *typed, *python;
} foreign[] = {
    {ES_T_AMPERSAND, ES_T_AMPERSAND, "&&", "a and b"},
    {ES_T_BAR, ES_T_BAR, "||", "a or b"},
    {ES_T_PLUS, ES_T_PLUS, "++", "x += 1"},
    {ES_T_MINUS, ES_T_MINUS, "--", "x -= 1"},
    {ES_T_LT, ES_T_GT, "<>", "a != b"},
    {ES_T_ASSIGN, ES_T_GT, "=>", "a >= b"},
    {ES_T_ASSIGN, ES_T_LT, "=<", "a <= b"},
    {ES_T_EQ, ES_T_ASSIGN, "===", "a == b"},
    {ES_T_NE, ES_T_ASSIGN, "!==", "a != b"},
    {ES_T_SLASH, ES_T_STAR, "/*", "# a comment"},
};

static bool foreign_pair(es_parser *p, const es_token *t)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (t->kind != foreign[i].a || t[1].kind != foreign[i].b || t->end != t[1].begin)
            continue;
        es_fail(p->err, ES_ERR_PARSE, "Python has no \"%s\" here", foreign[i].typed);
        es_hint(p->err, "Python writes: %s", foreign[i].python);
        es_parser_refuse(p, t, t + 1);
        return true;
    }
    return false;
}

static const struct {
    es_token_kind kind;
    const char *python;
} foreign_marks[] = {{ES_T_BANG, "not a"}, {ES_T_ARROW, "a.b"}, {ES_T_SLASHES, "# a comment"}};

static bool foreign_mark(es_parser *p, const es_token *t)
{
    for (size_t i = 0; i < sizeof foreign_marks / sizeof *foreign_marks; i++) {
        bool first = t == p->token || t[-1].kind < ES_T_COMMENT;
        if (t->kind != foreign_marks[i].kind || (t->kind == ES_T_SLASHES && !first))
            continue;
        es_fail(p->err, ES_ERR_PARSE, "Python has no \"%s\" here", es_token_word(t->kind));
        es_hint(p->err, "Python writes: %s", foreign_marks[i].python);
        es_parser_refuse(p, t, t);
        return true;
    }
    return false;
}

static bool unsupported(es_parser *p, const es_token *t)
{
    switch (t->kind) {
    case ES_T_WALRUS:
        es_fail(p->err, ES_ERR_PARSE, "\":=\" stands within an expression, after a name");
        es_hint(p->err, "here in parentheses, (n := 3); as a statement it is n = 3");
        break;
    case ES_T_YIELD:
    case ES_T_ASYNC:
    case ES_T_AWAIT:
        es_fail(p->err, ES_ERR_UNSUPPORTED, "\"%s\" is not supported", es_token_word(t->kind));
        break;
    default: return false;
    }
    es_parser_refuse(p, t, t);
    return true;
}

/* A bracket that was never closed makes a later line look wrong. */
static bool never_closed(es_parser *p, const es_token *t)
{
    const es_lexer *lex = &p->lexer;
    if (lex->depth == 0 || p->token[p->n_tokens - 1].kind == ES_T_BAD)
        return false;
    const es_bracket *open = &lex->open[lex->depth - 1];
    if (t->kind != ES_T_END && t->line <= open->line)
        return false;
    es_fail(p->err, ES_ERR_PARSE, "\"%c\" is never closed", open->c);
    if (p->hole)
        es_hint(p->err, "quotes within the braces of an f-string are of the other kind");
    es_error_locate(p->err, open->at, open->at + 1);
    return true;
}

bool es_parser_slip(es_parser *p)
{
    const es_token *t = es_look(p);
    if (t->kind == ES_T_BAD) {
        es_lex_explain(&p->lexer, t, p->err);
        return true;
    }
    if (never_closed(p, t) || unsupported(p, t) || foreign_mark(p, t))
        return true;
    for (size_t back = 0; back <= 2 && back <= p->at; back++)
        if (t - back + 1 < p->token + p->n_tokens && foreign_pair(p, t - back))
            return true;
    return false;
}

void *es_parser_expected(es_parser *p, const char *fmt, ...)
{
    es_str text = {0};
    va_list ap;
    if (es_parser_slip(p))
        return NULL;
    va_start(ap, fmt);
    es_str_vadd(&text, es_translate(fmt), ap);
    va_end(ap);
    es_fail(p->err, ES_ERR_PARSE, "%s", es_str_text(&text));
    es_str_free(&text);
    const es_token *t = es_look(p);
    if (es_token_is_keyword(t->kind) && p->at && t[-1].kind != ES_T_NEWLINE)
        es_hint(p->err, "\"%s\" is a word of the language and no name", es_token_word(t->kind));
    return es_parser_refuse(p, t, t);
}

bool es_parser_close(es_parser *p, es_token_kind closer)
{
    if (es_accept(p, closer))
        return true;
    if (es_parser_slip(p))
        return false;
    const es_token *t = es_look(p);
    es_parser_expected(p, "expected \",\" or \"%s\", found %s", es_token_word(closer),
                       es_parser_found(p, t));
    if (p->at && es_parser_begins_value(t->kind))
        es_hint(p->err, "perhaps a comma is missing before it");
    return false;
}
