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

struct es_input {
    es_str plain;     /* the lines, without prompts, each ended by its line break */
    es_prompt prompt; /* which of them they show */
    bool blank;       /* nothing but white space so far */
    es_lexer lexer;   /* behind the last word that no further line can change */
    outlook outlook;  /* what the words before that come to */
    int columns;      /* before the first word */
};

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

/* The words have ended where the lines end, or in a string or behind a backslash that more lines may end: they
 * go on from there. */
static es_input_state pause(es_input *in, const es_token *t, int levels)
{
    es_lexer *lex = &in->lexer;
    if (t->kind != ES_T_BAD) { /* it gave back levels that may go on */
        lex->levels = levels;
        return lex->depth > 0 ? ES_INPUT_OPEN : state_of(&in->outlook);
    }
    if (t->fault != ES_LEX_QUOTES && t->fault != ES_LEX_JOIN)
        return ES_INPUT_COMPLETE;
    bool string = lex->source[t->begin] != '\\';
    lex->resume = string ? lex->at - t->begin : 0;
    lex->at = t->begin;
    return ES_INPUT_OPEN;
}

static es_input_state look(es_input *in)
{
    outlook *o = &in->outlook;
    for (;;) {
        int levels = in->lexer.levels;
        es_token t = es_lex_next(&in->lexer);
        if (t.kind == ES_T_BAD || t.begin == in->lexer.len)
            return pause(in, &t, levels);
        switch (t.kind) {
        case ES_T_INDENT: o->level++; break;
        case ES_T_DEDENT: o->level--; break;
        case ES_T_NEWLINE:
            if (o->level == 0)
                o->suite = o->last == ES_T_COLON && has_suite(o->head);
            o->fresh = true;
            break;
        default:
            if (!o->words)
                in->columns = in->lexer.levels ? in->lexer.indent[0].columns : 0;
            word(o, t.kind);
        }
    }
}

es_input *es_input_new(void)
{
    es_input *in = es_alloc(sizeof *in);
    in->blank = true;
    in->outlook.fresh = true;
    return in;
}

void es_input_free(es_input *in)
{
    if (in)
        es_str_free(&in->plain);
    free(in);
}

/* The lines without their prompts behind the others. */
static void append(es_input *in, const char *lines, size_t n)
{
    size_t before = in->plain.len;
    if (in->blank)
        in->prompt = es_prompt_of(lines, n);
    for (size_t i = 0; i < n && in->blank; i++)
        in->blank = strchr(" \t\r\n", lines[i]) && lines[i];
    es_str_bytes(&in->plain, lines, n);
    es_blank_prompts(in->prompt, in->plain.s + before, n);
    if (n == 0 || lines[n - 1] != '\n')
        es_str_char(&in->plain, '\n');
}

es_input_state es_input_add(es_input *in, const char *lines, size_t n)
{
    bool first = in->plain.len == 0;
    append(in, lines, n);
    size_t len = in->plain.len;
    if (first)
        es_lex_begin(&in->lexer, in->plain.s, len);
    in->lexer.source = in->plain.s;
    in->lexer.len = len;
    es_input_state state = look(in);
    bool unfinished = state == ES_INPUT_OPEN || state == ES_INPUT_SUITE;
    if (unfinished && len <= MOST_TRIED && !es_parser_may_go_on(in->plain.s, len))
        state = ES_INPUT_COMPLETE;
    return state;
}

/* ---- the next line ---- */

bool es_input_takes(const es_input *in, const char *line, size_t n)
{
    size_t prompt = es_prompt_length(in->prompt, line, n);
    char *next = es_copy_bytes(line, n);
    es_lexer lex;
    memset(next, ' ', prompt);
    es_lex_begin(&lex, next, n);
    es_token_kind kind = es_lex_next(&lex).kind;
    int columns = lex.levels ? lex.indent[0].columns : 0;
    free(next);
    return kind == ES_T_END || columns > in->columns || kind == ES_T_ELSE || kind == ES_T_ELIF ||
           kind == ES_T_EXCEPT || kind == ES_T_FINALLY;
}
