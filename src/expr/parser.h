// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the parser share.  All words of the source are read first; nodes whose parent is not made
 * yet stand on a stack.  Functions that parse return NULL (or false) when err says why. */
#ifndef ES_EXPR_PARSER_H
#define ES_EXPR_PARSER_H

#include "base/str.h"
#include "expr/ast.h"
#include "expr/lex.h"

typedef struct es_parser {
    es_arena *arena;
    es_lexer
        lexer; /* where reading ended: at the end, or behind the first bad word, which is the last token */
    es_token *token;
    size_t n_tokens, room, at;
    es_node **stack;
    size_t n_stack, cap;
    int nesting;
    bool hole;    /* it reads an expression within an f-string */
    es_str found; /* for messages */
    es_error *err;
} es_parser;

/* How tightly an operator binds; a level takes in all that are tighter. */
typedef enum es_level {
    ES_LEVEL_NONE,
    ES_LEVEL_VALUE, /* a if b else c, lambda */
    ES_LEVEL_OR,
    ES_LEVEL_AND,
    ES_LEVEL_NOT,
    ES_LEVEL_COMPARE,
    ES_LEVEL_BITOR,
    ES_LEVEL_BITXOR,
    ES_LEVEL_BITAND,
    ES_LEVEL_SHIFT,
    ES_LEVEL_SUM,
    ES_LEVEL_TERM,
    ES_LEVEL_SIGN,
    ES_LEVEL_POWER
} es_level;

/* ---- words ---- */
void es_parser_read(es_parser *p); /* all tokens of p->lexer */
es_token_kind es_parser_read_one(es_parser *p);
void es_parser_end(es_parser *p); /* what is not in the arena */

static inline const es_token *es_look(const es_parser *p)
{
    return &p->token[p->at];
}
static inline es_token_kind es_ahead(const es_parser *p)
{
    return p->token[p->at].kind;
}
static inline bool es_accept(es_parser *p, es_token_kind kind)
{
    bool is = p->token[p->at].kind == kind;
    p->at += is;
    return is;
}
bool es_parser_begins_value(es_token_kind kind);

/* ---- nodes ---- */
void es_parser_push(es_parser *p, es_node *node); /* NULL: a child that is absent */

/* A node that began at `first` and ends before the next token; its children are what was pushed since the stack
 * was `mark` high. */
es_node *es_parser_make(es_parser *p, es_node_kind kind, const es_token *first, size_t mark);
void es_parser_name_text(es_parser *p, es_node *node,
                         const es_token *t); /* its text is that token */

/* ---- mistakes ---- */
/* Does a slip explain why the next token does not fit: a bad word, a bracket never closed, &&?  Then err says so. */
bool es_parser_slip(es_parser *p);
/* Says what was expected, unless a slip explains more. */
void *es_parser_expected(es_parser *p, const char *fmt, ...) ES_PRINTF(2, 3);
void *es_parser_refuse(es_parser *p, const es_token *first,
                       const es_token *last); /* place an error that is set */
const char *es_parser_found(es_parser *p,
                            const es_token *t);           /* "\"else\"", "the end of the line" */
bool es_parser_close(es_parser *p, es_token_kind closer); /* or a comma is missing */

/* Could this become right if more lines followed, or is it right already?  Prompts are blanked. */
bool es_parser_may_go_on(const char *source, size_t len);

/* ---- grammar ---- */
es_node *es_parse_level(es_parser *p, es_level level);
es_node *es_parse_value(es_parser *p);  /* one, without commas */
es_node *es_parse_named(es_parser *p);  /* the same, or NAME := VALUE */
es_node *es_parse_values(es_parser *p); /* a, *b: a tuple if there are commas */
es_node *es_parse_name(es_parser *p);
es_node *es_parse_starred(es_parser *p, es_level level); /* * or ** and a value */
es_node *es_parse_brackets(es_parser *p);
/* x for x in y from the first "for" on; x is on the stack, at `mark`. */
es_node *es_parse_generator(es_parser *p, const es_token *first, size_t mark);
es_node *es_parse_call(es_parser *p, const es_token *first, es_node *function);
es_node *es_parse_subscript(es_parser *p, const es_token *first, es_node *value);
bool es_parse_arguments(es_parser *p,
                        bool generator); /* from behind "(" to behind ")", onto the stack */
es_node *es_parse_strings(es_parser *p);
es_node *es_parse_params(es_parser *p, es_token_kind closer);
es_node *es_parse_targets(es_parser *p); /* of for: up to "in" */
es_node *es_parse_import(es_parser *p);
bool es_parse_statement(es_parser *p); /* onto the stack, like all on its line */
bool es_parse_simple(es_parser *p);    /* statements of one line, its end included */

typedef enum es_target_use {
    ES_TARGET_ASSIGN,
    ES_TARGET_AUGMENT,
    ES_TARGET_ANNOTATE,
    ES_TARGET_DEL
} es_target_use;
bool es_parser_check_target(es_parser *p, const es_node *node, es_target_use use);

/* ---- parse_block.c: what statements with suites are made of ---- */

bool es_parser_push_suite(es_parser *p, const es_token *head); /* of the line that head begins */
es_node *es_parser_compound(es_parser *p, es_node_kind kind, const es_token *first, size_t mark);

es_node *es_parse_try(es_parser *p); /* parse_try.c */

#endif
