// SPDX-License-Identifier: GPL-3.0-or-later
/* The words and marks of the language. */
#include <string.h>

#include "expr/lex_scan.h"

static const char *const words[ES_T_KINDS] = {
    [ES_T_END] = "end",
    [ES_T_NEWLINE] = "end of the line",
    [ES_T_INDENT] = "indented line",
    [ES_T_DEDENT] = "end of the indented lines",
    [ES_T_COMMENT] = "comment",
    [ES_T_BAD] = "mistake",
    [ES_T_NAME] = "name",
    [ES_T_INT] = "number",
    [ES_T_FLOAT] = "number",
    [ES_T_STRING] = "string",
    [ES_T_FALSE] = "False",
    [ES_T_NONE] = "None",
    [ES_T_TRUE] = "True",
    [ES_T_AND] = "and",
    [ES_T_AS] = "as",
    [ES_T_ASSERT] = "assert",
    [ES_T_ASYNC] = "async",
    [ES_T_AWAIT] = "await",
    [ES_T_BREAK] = "break",
    [ES_T_CLASS] = "class",
    [ES_T_CONTINUE] = "continue",
    [ES_T_DEF] = "def",
    [ES_T_DEL] = "del",
    [ES_T_ELIF] = "elif",
    [ES_T_ELSE] = "else",
    [ES_T_EXCEPT] = "except",
    [ES_T_FINALLY] = "finally",
    [ES_T_FOR] = "for",
    [ES_T_FROM] = "from",
    [ES_T_GLOBAL] = "global",
    [ES_T_IF] = "if",
    [ES_T_IMPORT] = "import",
    [ES_T_IN] = "in",
    [ES_T_IS] = "is",
    [ES_T_LAMBDA] = "lambda",
    [ES_T_NONLOCAL] = "nonlocal",
    [ES_T_NOT] = "not",
    [ES_T_OR] = "or",
    [ES_T_PASS] = "pass",
    [ES_T_RAISE] = "raise",
    [ES_T_RETURN] = "return",
    [ES_T_TRY] = "try",
    [ES_T_WHILE] = "while",
    [ES_T_WITH] = "with",
    [ES_T_YIELD] = "yield",
    [ES_T_LPAREN] = "(",
    [ES_T_RPAREN] = ")",
    [ES_T_LSQUARE] = "[",
    [ES_T_RSQUARE] = "]",
    [ES_T_LBRACE] = "{",
    [ES_T_RBRACE] = "}",
    [ES_T_COMMA] = ",",
    [ES_T_COLON] = ":",
    [ES_T_DOT] = ".",
    [ES_T_SEMICOLON] = ";",
    [ES_T_ELLIPSIS] = "...",
    [ES_T_ARROW] = "->",
    [ES_T_WALRUS] = ":=",
    [ES_T_BANG] = "!",
    [ES_T_AT] = "@",
    [ES_T_PLUS] = "+",
    [ES_T_MINUS] = "-",
    [ES_T_STAR] = "*",
    [ES_T_POWER] = "**",
    [ES_T_SLASH] = "/",
    [ES_T_SLASHES] = "//",
    [ES_T_PERCENT] = "%",
    [ES_T_AMPERSAND] = "&",
    [ES_T_BAR] = "|",
    [ES_T_CARET] = "^",
    [ES_T_TILDE] = "~",
    [ES_T_SHL] = "<<",
    [ES_T_SHR] = ">>",
    [ES_T_LT] = "<",
    [ES_T_LE] = "<=",
    [ES_T_GT] = ">",
    [ES_T_GE] = ">=",
    [ES_T_EQ] = "==",
    [ES_T_NE] = "!=",
    [ES_T_ASSIGN] = "=",
    [ES_T_PLUS_IS] = "+=",
    [ES_T_MINUS_IS] = "-=",
    [ES_T_STAR_IS] = "*=",
    [ES_T_SLASH_IS] = "/=",
    [ES_T_SLASHES_IS] = "//=",
    [ES_T_PERCENT_IS] = "%=",
    [ES_T_AT_IS] = "@=",
    [ES_T_AND_IS] = "&=",
    [ES_T_OR_IS] = "|=",
    [ES_T_XOR_IS] = "^=",
    [ES_T_SHL_IS] = "<<=",
    [ES_T_SHR_IS] = ">>=",
    [ES_T_POWER_IS] = "**=",
};

const char *es_token_word(es_token_kind kind)
{
    return words[kind];
}

/* The first keyword that begins with each letter; they are in the order of the alphabet. */
static const unsigned char keywords_of[128] = {
    ['F'] = ES_T_FALSE,    ['N'] = ES_T_NONE,   ['T'] = ES_T_TRUE,  ['a'] = ES_T_AND,
    ['b'] = ES_T_BREAK,    ['c'] = ES_T_CLASS,  ['d'] = ES_T_DEF,   ['e'] = ES_T_ELIF,
    ['f'] = ES_T_FINALLY,  ['g'] = ES_T_GLOBAL, ['i'] = ES_T_IF,    ['l'] = ES_T_LAMBDA,
    ['n'] = ES_T_NONLOCAL, ['o'] = ES_T_OR,     ['p'] = ES_T_PASS,  ['r'] = ES_T_RAISE,
    ['t'] = ES_T_TRY,      ['w'] = ES_T_WHILE,  ['y'] = ES_T_YIELD,
};

es_token_kind es_lex_keyword(const char *s, size_t n)
{
    int k = (unsigned char)*s < 128 ? keywords_of[(unsigned char)*s] : 0;
    for (; k && words[k][0] == *s; k++)
        if (!strncmp(words[k], s, n) && !words[k][n])
            return (es_token_kind)k;
    return ES_T_NAME;
}

static const unsigned char marks[128] = {
    ['('] = ES_T_LPAREN,  [')'] = ES_T_RPAREN,    ['['] = ES_T_LSQUARE, [']'] = ES_T_RSQUARE,
    ['{'] = ES_T_LBRACE,  ['}'] = ES_T_RBRACE,    [','] = ES_T_COMMA,   [':'] = ES_T_COLON,
    ['.'] = ES_T_DOT,     [';'] = ES_T_SEMICOLON, ['!'] = ES_T_BANG,    ['@'] = ES_T_AT,
    ['+'] = ES_T_PLUS,    ['-'] = ES_T_MINUS,     ['*'] = ES_T_STAR,    ['/'] = ES_T_SLASH,
    ['%'] = ES_T_PERCENT, ['&'] = ES_T_AMPERSAND, ['|'] = ES_T_BAR,     ['^'] = ES_T_CARET,
    ['~'] = ES_T_TILDE,   ['<'] = ES_T_LT,        ['>'] = ES_T_GT,      ['='] = ES_T_ASSIGN,
};

es_token_kind es_lex_mark(char c)
{
    return (unsigned char)c < 128 ? (es_token_kind)marks[(unsigned char)c] : ES_T_END;
}

/* A mark and the character that makes it a longer one. */
static const struct {
    unsigned char from, next, to;
} longer[] = {
    {ES_T_STAR, '*', ES_T_POWER},
    {ES_T_SLASH, '/', ES_T_SLASHES},
    {ES_T_LT, '<', ES_T_SHL},
    {ES_T_GT, '>', ES_T_SHR},
    {ES_T_MINUS, '>', ES_T_ARROW},
    {ES_T_COLON, '=', ES_T_WALRUS},
    {ES_T_LT, '=', ES_T_LE},
    {ES_T_GT, '=', ES_T_GE},
    {ES_T_ASSIGN, '=', ES_T_EQ},
    {ES_T_BANG, '=', ES_T_NE},
    {ES_T_PLUS, '=', ES_T_PLUS_IS},
    {ES_T_MINUS, '=', ES_T_MINUS_IS},
    {ES_T_STAR, '=', ES_T_STAR_IS},
    {ES_T_SLASH, '=', ES_T_SLASH_IS},
    {ES_T_SLASHES, '=', ES_T_SLASHES_IS},
    {ES_T_PERCENT, '=', ES_T_PERCENT_IS},
    {ES_T_AT, '=', ES_T_AT_IS},
    {ES_T_AMPERSAND, '=', ES_T_AND_IS},
    {ES_T_BAR, '=', ES_T_OR_IS},
    {ES_T_CARET, '=', ES_T_XOR_IS},
    {ES_T_SHL, '=', ES_T_SHL_IS},
    {ES_T_SHR, '=', ES_T_SHR_IS},
    {ES_T_POWER, '=', ES_T_POWER_IS},
};

es_token_kind es_lex_longer(es_token_kind kind, char next)
{
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (longer[i].from == kind && longer[i].next == (unsigned char)next)
            return (es_token_kind)longer[i].to;
    return kind;
}
