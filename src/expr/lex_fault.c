// SPDX-License-Identifier: GPL-3.0-or-later
/* What is wrong with a word, for the person who typed it. */
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "expr/lex_scan.h"

/* What pages and word processors make of characters, and what was typed. */
static const struct {
    uint32_t cp;
    const char *plain;
} typeset[] = {
    {0x2018, "'"},
    {0x2019, "'"},
    {0x201A, "'"},
    {0x201B, "'"},
    {0x201C, "\""},
    {0x201D, "\""},
    {0x201E, "\""},
    {0xAB, "\""},
    {0xBB, "\""},
    {0x60, "'"},
    {0xB4, "'"},
    {0xD7, "*"},
    {0x22C5, "*"},
    {0xB7, "*"},
    {0x2217, "*"},
    {0x2212, "-"},
    {0x2010, "-"},
    {0x2011, "-"},
    {0x2013, "-"},
    {0x2014, "-"},
    {0xF7, "/"},
    {0x2044, "/"},
    {0x2215, "/"},
    {0x2264, "<="},
    {0x2265, ">="},
    {0x2260, "!="},
    {0x2192, "->"},
    {0x2026, "..."},
    {0xFF08, "("},
    {0xFF09, ")"},
    {0xFF0C, ","},
    {0xFF1A, ":"},
    {0xFF1B, ";"},
    {0xFF1D, "="},
    {0xFF3B, "["},
    {0xFF3D, "]"},
    {0xAC, "not"},
    {0x2227, "and"},
    {0x2228, "or"},
    {0x2208, "in"},
    {0x221E, "float(\"inf\")"},
    {0xB2, "**2"},
    {0xB3, "**3"},
    {0x22A4, ".T"},
    {0x1D40, ".T"},
    {0x22A5, ".T"},
};

static const char *plain_of(uint32_t cp)
{
    for (size_t i = 0; i < sizeof typeset / sizeof *typeset; i++)
        if (typeset[i].cp == cp)
            return typeset[i].plain;
    return NULL;
}

static bool explain_character(const char *s, size_t n, es_error *err)
{
    uint32_t cp = 0;
    es_utf8_next(s, n, &cp);
    const char *plain = plain_of(cp);
    es_str shown = {0};
    es_show_brief(&shown, s, n);
    if (es_char_visible(cp))
        es_fail(err, ES_ERR_PARSE, "the character %s is not part of the language", shown.s);
    else
        es_fail(err, ES_ERR_PARSE, "an invisible character, %s, stands here", shown.s);
    es_str_free(&shown);
    if (plain)
        return es_hint(err, "try: %s", plain);
    if (cp == '?')
        return es_hint(err, "Python writes a ? b : c as: b if a else c");
    return es_char_visible(cp) ? false : es_hint(err, "delete it");
}

static bool explain_digit(const char *s, size_t n, const char *shown, es_error *err)
{
    char base = (char)(s[1] | 0x20);
    if (n == 2)
        es_fail(err, ES_ERR_PARSE, "no digits follow %s", shown);
    else
        es_fail(err, ES_ERR_PARSE, "%s is no number: after 0%c come digits from 0 to %s", shown,
                base,
                base == 'x'   ? "f"
                : base == 'o' ? "7"
                              : "1");
    return false;
}

static bool explain_number(const es_token *bad, const char *s, es_error *err)
{
    size_t n = bad->end - bad->begin;
    es_str shown = {0};
    es_show_brief(&shown, s, n);
    switch (bad->fault) {
    case ES_LEX_DIGIT: explain_digit(s, n, shown.s, err); break;
    case ES_LEX_IMAGINARY:
        es_fail(err, ES_ERR_UNSUPPORTED, "complex numbers such as %s are not supported", shown.s);
        break;
    case ES_LEX_ZEROS:
        es_fail(err, ES_ERR_PARSE, "a whole number does not begin with 0: %s", shown.s);
        es_hint(err, "octal numbers begin with 0o");
        break;
    default:
        es_fail(err, ES_ERR_PARSE, "%s is neither a number nor a name", shown.s);
        if (memchr(s, '_', n))
            es_hint(err, "in a number \"_\" stands between two digits: 50_257");
        else
            es_hint(err,
                    "a name begins with a letter; between a number and a name stands an operator, "
                    "such as *");
    }
    es_str_free(&shown);
    return false;
}

static bool explain_bracket(const es_lexer *lex, const es_token *bad, es_error *err)
{
    char c = lex->source[bad->begin];
    if (bad->fault == ES_LEX_UNOPENED)
        return es_fail(err, ES_ERR_PARSE, "\"%c\" closes nothing: no \"%c\" is open", c,
                       es_lex_opener(c));
    const es_bracket *open = &lex->open[lex->depth - 1];
    if (open->line == bad->line)
        return es_fail(err, ES_ERR_PARSE, "\"%c\" does not close \"%c\"", c, open->c);
    return es_fail(err, ES_ERR_PARSE, "\"%c\" does not close the \"%c\" of line %d", c, open->c,
                   open->line);
}

static bool explain_deep(const es_lexer *lex, const es_token *bad, es_error *err)
{
    if (memchr("([{", lex->source[bad->begin], 3))
        return es_fail(err, ES_ERR_PARSE, "more than %d brackets are open", ES_MOST_NESTING);
    return es_fail(err, ES_ERR_PARSE, "more than %d levels of indentation", ES_MOST_INDENTS);
}

static bool explain_quote(const char *s, size_t n, es_error *err)
{
    size_t at = 0;
    while (at < n && s[at] != '\'' && s[at] != '"')
        at++;
    es_fail(err, ES_ERR_PARSE, "the string that begins here does not end on this line");
    return es_hint(err, "close it with %c; a string of several lines stands in %c%c%c", s[at],
                   s[at], s[at], s[at]);
}

static bool explain(const es_lexer *lex, const es_token *bad, es_error *err)
{
    const char *s = lex->source + bad->begin;
    size_t n = bad->end - bad->begin;
    switch (bad->fault) {
    case ES_LEX_NUL: return es_fail(err, ES_ERR_PARSE, "a NUL byte stands here");
    case ES_LEX_BYTE:
        return es_fail(err, ES_ERR_PARSE,
                       "the byte \\x%02X is no text: outside of strings the language "
                       "is UTF-8",
                       (unsigned)(unsigned char)*s);
    case ES_LEX_CHARACTER: return explain_character(s, n, err);
    case ES_LEX_QUOTE: return explain_quote(s, n, err);
    case ES_LEX_QUOTES:
        return es_fail(err, ES_ERR_PARSE,
                       "the string that begins here in three quotes is never closed");
    case ES_LEX_UNOPENED:
    case ES_LEX_MISMATCH: return explain_bracket(lex, bad, err);
    case ES_LEX_DEEP: return explain_deep(lex, bad, err);
    case ES_LEX_DEDENT:
        es_fail(err, ES_ERR_PARSE, "this line is indented like no line above it");
        return es_hint(err, "a line that ends an indented part begins where an earlier line began");
    case ES_LEX_TABS:
        es_fail(err, ES_ERR_PARSE, "tabs and spaces are mixed before this line");
        return es_hint(err,
                       "how far it is indented depends on the width of a tab: use spaces only");
    case ES_LEX_BACKSLASH:
        return es_fail(err, ES_ERR_PARSE,
                       "\"\\\" joins two lines: nothing stands after it on its line");
    case ES_LEX_JOIN:
        return es_fail(err, ES_ERR_PARSE,
                       "the \"\\\" at the end asks for another line, and there is none");
    default: return explain_number(bad, s, err);
    }
}

bool es_lex_explain(const es_lexer *lex, const es_token *bad, es_error *err)
{
    explain(lex, bad, err);
    return es_error_locate(err, bad->begin, bad->end);
}
