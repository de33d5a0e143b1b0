// SPDX-License-Identifier: GPL-3.0-or-later
/* Python's words, one at a time.  The parser, the question whether a line goes on, completion and colouring all
 * read through it; it never stops at a mistake, and takes a line that is not finished yet. */
#ifndef ES_EXPR_LEX_H
#define ES_EXPR_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef enum es_token_kind {
    ES_T_END,     /* for ever, once the source has ended; NEWLINE and DEDENTs come first */
    ES_T_NEWLINE, /* of a statement: not within brackets, not of a blank line */
    ES_T_INDENT,
    ES_T_DEDENT,
    ES_T_COMMENT, /* only if asked for */
    ES_T_BAD,     /* fault says why */
    ES_T_NAME,
    ES_T_INT,
    ES_T_FLOAT,
    ES_T_STRING, /* with prefix and quotes; f-strings whole, holes included */

    ES_T_FALSE,
    ES_T_NONE,
    ES_T_TRUE,
    ES_T_AND,
    ES_T_AS,
    ES_T_ASSERT,
    ES_T_ASYNC,
    ES_T_AWAIT,
    ES_T_BREAK,
    ES_T_CLASS,
    ES_T_CONTINUE,
    ES_T_DEF,
    ES_T_DEL,
    ES_T_ELIF,
    ES_T_ELSE,
    ES_T_EXCEPT,
    ES_T_FINALLY,
    ES_T_FOR,
    ES_T_FROM,
    ES_T_GLOBAL,
    ES_T_IF,
    ES_T_IMPORT,
    ES_T_IN,
    ES_T_IS,
    ES_T_LAMBDA,
    ES_T_NONLOCAL,
    ES_T_NOT,
    ES_T_OR,
    ES_T_PASS,
    ES_T_RAISE,
    ES_T_RETURN,
    ES_T_TRY,
    ES_T_WHILE,
    ES_T_WITH,
    ES_T_YIELD,

    ES_T_LPAREN,
    ES_T_RPAREN,
    ES_T_LSQUARE,
    ES_T_RSQUARE,
    ES_T_LBRACE,
    ES_T_RBRACE,
    ES_T_COMMA,
    ES_T_COLON,
    ES_T_DOT,
    ES_T_SEMICOLON,
    ES_T_ELLIPSIS,
    ES_T_ARROW,
    ES_T_WALRUS,
    ES_T_BANG, /* not Python's, but of a hole: {x!r} */
    ES_T_AT,
    ES_T_PLUS,
    ES_T_MINUS,
    ES_T_STAR,
    ES_T_POWER,
    ES_T_SLASH,
    ES_T_SLASHES,
    ES_T_PERCENT,
    ES_T_AMPERSAND,
    ES_T_BAR,
    ES_T_CARET,
    ES_T_TILDE,
    ES_T_SHL,
    ES_T_SHR,
    ES_T_LT,
    ES_T_LE,
    ES_T_GT,
    ES_T_GE,
    ES_T_EQ,
    ES_T_NE,
    ES_T_ASSIGN,
    ES_T_PLUS_IS,
    ES_T_MINUS_IS,
    ES_T_STAR_IS,
    ES_T_SLASH_IS,
    ES_T_SLASHES_IS,
    ES_T_PERCENT_IS,
    ES_T_AT_IS,
    ES_T_AND_IS,
    ES_T_OR_IS,
    ES_T_XOR_IS,
    ES_T_SHL_IS,
    ES_T_SHR_IS,
    ES_T_POWER_IS,
    ES_T_KINDS
} es_token_kind;

typedef enum es_lex_fault {
    ES_LEX_FINE,
    ES_LEX_NUL,
    ES_LEX_BYTE,      /* no UTF-8 */
    ES_LEX_CHARACTER, /* nothing of the language begins with it */
    ES_LEX_NUMBER,    /* "12ab", "1__0" */
    ES_LEX_ZEROS,     /* 0123 */
    ES_LEX_DIGIT,     /* 0b12, 0o8, 0x */
    ES_LEX_IMAGINARY,
    ES_LEX_QUOTE,     /* a string that its line does not close */
    ES_LEX_QUOTES,    /* one in three quotes that nothing closes */
    ES_LEX_UNOPENED,  /* a bracket closed that was not opened */
    ES_LEX_MISMATCH,  /* ( closed by ] */
    ES_LEX_DEEP,      /* more than ES_MOST_NESTING brackets or levels of indentation */
    ES_LEX_DEDENT,    /* back to a level that was not there */
    ES_LEX_TABS,      /* whether it is indented depends on the width of a tab */
    ES_LEX_BACKSLASH, /* not the last of its line */
    ES_LEX_JOIN       /* a backslash, and no line after it */
} es_lex_fault;

typedef struct es_token {
    es_token_kind kind;
    es_lex_fault fault;
    size_t begin, end; /* bytes of the source; NEWLINE, INDENT, DEDENT, END may be empty */
    int line;          /* of begin, from 1 */
} es_token;

enum { ES_MOST_NESTING = 200, ES_MOST_INDENTS = 100 };

typedef struct es_bracket {
    char c;
    int line;
    size_t at;
} es_bracket;

typedef struct es_lexer {
    const char *source;
    size_t len, at;
    int line;
    bool comments; /* report them */
    bool fresh;    /* at the beginning of a line of code */
    bool begun;    /* its statement has words already: NEWLINE is due */
    size_t resume; /* bytes of the string at `at` that were read before the source grew */
    int depth, base;
    es_bracket open[ES_MOST_NESTING];
    int levels, dedents; /* dedents still to be reported */
    struct {
        int columns, ones; /* with tabs of eight columns, and of one */
    } indent[ES_MOST_INDENTS];
} es_lexer;

/* Read source, which outlives the lexer.  The first line of code sets the level from which the others are
 * indented. */
void es_lex_begin(es_lexer *lex, const char *source, size_t len);
/* Read from `at` to `len` as if within brackets: an expression that line breaks do not end. */
void es_lex_within(es_lexer *lex, const char *source, size_t at, size_t len, int line);
es_token es_lex_next(es_lexer *lex);

/* Why a token is BAD, placed; `lex` is the lexer that has just returned it.  Returns false. */
bool es_lex_explain(const es_lexer *lex, const es_token *bad, es_error *err);

/* "if", "+="; of kinds with many spellings what they are: "name", "line break". */
const char *es_token_word(es_token_kind kind);
static inline bool es_token_is_keyword(es_token_kind kind)
{
    return kind >= ES_T_FALSE && kind <= ES_T_YIELD;
}

#endif
