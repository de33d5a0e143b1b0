// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether what has been typed so far is whole. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/blank.h"
#include "expr/parse.h"
#include "expr/parser.h"

/* Trying to parse costs more than reading the words; of a long source only the words are looked at. */
enum { MOST_TRIED = 1 << 12 };

static char *without_prompts(const char *source, size_t len)
{
    char *plain = es_copy_bytes(source, len);
    es_blank_prompts(plain, len);
    return plain;
}

/* ---- what more lines cannot mend ---- */

/* Did the parser stop for want of more?  Behind it is nothing but the end, or a string that is open. */
static bool ran_out(const es_parser *p)
{
    const es_token *t = es_look(p);
    while (t->kind == ES_T_DEDENT)
        t++;
    return t->kind == ES_T_END || t->fault == ES_LEX_QUOTES || t->fault == ES_LEX_JOIN;
}

bool es_parser_may_go_on(const char *source, size_t len)
{
    es_parser p = {.arena = es_arena_new()};
    es_lex_begin(&p.lexer, source, len);
    es_parser_read(&p);
    while (es_ahead(&p) != ES_T_END && es_parse_statement(&p))
        ;
    bool fine = ran_out(&p);
    es_parser_end(&p);
    es_arena_free(p.arena);
    return fine;
}

/* ---- what the last statement is, as far as its words tell ---- */

typedef struct outlook {
    es_token_kind head; /* the first word of the last line that is not indented */
    es_token_kind last; /* the last word of a line */
    int level;          /* of indentation */
    bool fresh;         /* a line begins */
    bool suite;         /* indented lines follow, or are due */
    bool words;         /* there are any */
} outlook;

static bool has_suite(es_token_kind head)
{
    switch (head) {
    case ES_T_IF:
    case ES_T_ELIF:
    case ES_T_ELSE:
    case ES_T_FOR:
    case ES_T_WHILE:
    case ES_T_WITH:
    case ES_T_DEF:
    case ES_T_CLASS:
    case ES_T_TRY:
    case ES_T_EXCEPT:
    case ES_T_FINALLY:
    case ES_T_ASYNC: return true;
    default: return false;
    }
}

/* if a: b may go on with else, on a line of its own; def f(): return 1 may not. */
static bool may_have_else(es_token_kind head)
{
    return head == ES_T_IF || head == ES_T_ELIF || head == ES_T_FOR || head == ES_T_WHILE ||
           head == ES_T_TRY || head == ES_T_EXCEPT;
}

static es_input_state state_of(const outlook *o)
{
    if (!o->words)
        return ES_INPUT_EMPTY;
    if (o->head == ES_T_AT) /* of a decorator: def or class is due */
        return ES_INPUT_OPEN;
    return o->suite || may_have_else(o->head) ? ES_INPUT_SUITE : ES_INPUT_COMPLETE;
}

static void word(outlook *o, es_token_kind kind)
{
    if (o->fresh && o->level == 0)
        o->head = kind;
    o->last = kind;
    o->words = true;
    o->fresh = false;
}

static es_input_state look(const char *source, size_t len)
{
    outlook o = {.fresh = true};
    es_lexer lex;
    es_lex_begin(&lex, source, len);
    for (;;) {
        es_token t = es_lex_next(&lex);
        switch (t.kind) {
        case ES_T_BAD:
            return t.fault == ES_LEX_QUOTES || t.fault == ES_LEX_JOIN ? ES_INPUT_OPEN
                                                                      : ES_INPUT_COMPLETE;
        case ES_T_END: return lex.depth > 0 ? ES_INPUT_OPEN : state_of(&o);
        case ES_T_INDENT: o.level++; break;
        case ES_T_DEDENT: o.level--; break;
        case ES_T_NEWLINE:
            if (o.level == 0)
                o.suite = o.last == ES_T_COLON && has_suite(o.head);
            o.fresh = true;
            break;
        default: word(&o, t.kind);
        }
    }
}

es_input_state es_input_look(const char *source, size_t len)
{
    char *plain = without_prompts(source, len);
    es_input_state state = look(plain, len);
    bool unfinished = state == ES_INPUT_OPEN || state == ES_INPUT_SUITE;
    if (unfinished && len <= MOST_TRIED && !es_parser_may_go_on(plain, len))
        state = ES_INPUT_COMPLETE;
    free(plain);
    return state;
}

/* ---- the next line ---- */

/* The first word of a source, and columns before it. */
static es_token_kind first_word(const char *source, size_t len, int *columns)
{
    es_lexer lex;
    es_lex_begin(&lex, source, len);
    es_token_kind kind = es_lex_next(&lex).kind;
    *columns = lex.levels ? lex.indent[0].columns : 0;
    return kind;
}

bool es_input_continues(const char *source, size_t len, const char *line, size_t n)
{
    int level, columns;
    char *plain = without_prompts(source, len), *next = es_copy_bytes(line, n);
    memset(next, ' ', es_prompt_length(es_prompt_of(source, len), line, n));
    first_word(plain, len, &level);
    es_token_kind kind = first_word(next, n, &columns);
    free(plain);
    free(next);
    return kind == ES_T_END || columns > level || kind == ES_T_ELSE || kind == ES_T_ELIF ||
           kind == ES_T_EXCEPT || kind == ES_T_FINALLY;
}
