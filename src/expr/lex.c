// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/lex.h"

#include <string.h>

#include "base/utf8.h"
#include "expr/lex_scan.h"

void es_lex_begin(es_lexer *lex, const char *source, size_t len)
{
    lex->source = source;
    lex->len = len;
    lex->at = len >= 3 && !memcmp(source, "\xEF\xBB\xBF", 3) ? 3 : 0;
    lex->line = 1;
    lex->comments = lex->begun = false;
    lex->fresh = true;
    lex->resume = 0;
    lex->depth = lex->base = 0;
    lex->levels = lex->dedents = 0;
}

void es_lex_within(es_lexer *lex, const char *source, size_t at, size_t len, int line)
{
    es_lex_begin(lex, source, len);
    lex->at = at;
    lex->line = line;
    lex->fresh = false;
    lex->base = 1;
}

/* ---- blanks ---- */

static bool at_break(const es_lexer *lex, size_t at)
{
    return at < lex->len && (lex->source[at] == '\n' || lex->source[at] == '\r');
}

static size_t past_break(const es_lexer *lex, size_t at)
{
    bool two = lex->source[at] == '\r' && at + 1 < lex->len && lex->source[at + 1] == '\n';
    return at + (two ? 2 : 1);
}

/* Bytes of the blank at `at`, or 0: pages on the web are full of spaces that are not U+0020. */
static size_t blank(const es_lexer *lex, size_t at)
{
    unsigned char c = (unsigned char)lex->source[at];
    if (c == ' ' || c == '\t' || c == '\f')
        return 1;
    uint32_t cp;
    if (c < 0xC2 || c > 0xE3)
        return 0;
    size_t n = (size_t)es_utf8_next(lex->source + at, lex->len - at, &cp);
    bool space = cp == 0xA0 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x202F || cp == 0x205F ||
                 cp == 0x3000;
    return n && space ? n : 0;
}

static bool joins(const es_lexer *lex)
{
    return lex->source[lex->at] == '\\' && at_break(lex, lex->at + 1);
}

static es_token token(const es_lexer *lex, es_token_kind kind, size_t begin)
{
    return (es_token){.kind = kind, .begin = begin, .end = lex->at, .line = lex->line};
}

static es_token bad(const es_lexer *lex, es_lex_fault fault, size_t begin)
{
    es_token t = token(lex, ES_T_BAD, begin);
    t.fault = fault;
    return t;
}

static es_token comment(es_lexer *lex)
{
    size_t begin = lex->at;
    while (lex->at < lex->len && !at_break(lex, lex->at))
        lex->at++;
    return token(lex, ES_T_COMMENT, begin);
}

/* Everything that separates words: blanks, joined lines and, within brackets, line breaks. */
static void skip_blanks(es_lexer *lex)
{
    while (lex->at < lex->len) {
        size_t n = blank(lex, lex->at);
        bool join = !n && joins(lex) && past_break(lex, lex->at + 1) < lex->len;
        if (join || (!n && at_break(lex, lex->at) && lex->depth + lex->base > 0)) {
            n = past_break(lex, lex->at + join) - lex->at;
            lex->line++;
        }
        if (!n && (lex->source[lex->at] != '#' || lex->comments))
            return;
        if (!n)
            comment(lex);
        lex->at += n;
    }
}

/* ---- indentation ---- */

/* A joined line says nothing of how far a line is to the right, if one before it did. */
static void measure(es_lexer *lex, int *columns, int *ones)
{
    int first_columns = 0, first_ones = 0;
    *columns = *ones = 0;
    while (lex->at < lex->len) {
        size_t n = blank(lex, lex->at);
        char c = lex->source[lex->at];
        if (n) {
            *columns = c == '\f' ? 0 : c == '\t' ? (*columns / 8 + 1) * 8 : *columns + 1;
            *ones = c == '\f' ? 0 : *ones + 1;
            lex->at += n;
            continue;
        }
        if (!joins(lex) || past_break(lex, lex->at + 1) >= lex->len)
            break;
        if (!first_columns) {
            first_columns = *columns;
            first_ones = *ones;
        }
        lex->at = past_break(lex, lex->at + 1);
        lex->line++;
    }
    if (first_columns) {
        *columns = first_columns;
        *ones = first_ones;
    }
}

static es_token indent(es_lexer *lex, size_t begin, int columns, int ones)
{
    int top = lex->levels - 1;
    if (ones <= lex->indent[top].ones)
        return bad(lex, ES_LEX_TABS, begin);
    if (lex->levels == ES_MOST_INDENTS)
        return bad(lex, ES_LEX_DEEP, begin);
    lex->indent[lex->levels].columns = columns;
    lex->indent[lex->levels++].ones = ones;
    return token(lex, ES_T_INDENT, begin);
}

/* Below the first level is a new first level: a paste may begin in the middle of a line's indentation. */
static es_lex_fault dedent(es_lexer *lex, int columns, int ones)
{
    while (lex->levels > 1 && lex->indent[lex->levels - 1].columns > columns) {
        lex->levels--;
        lex->dedents++;
    }
    int *level = &lex->indent[lex->levels - 1].columns,
        *level_ones = &lex->indent[lex->levels - 1].ones;
    bool same = *level == columns, first = lex->levels == 1 && *level > columns;
    bool tabs = same && *level_ones != ones;
    *level = columns;
    *level_ones = ones;
    return tabs ? ES_LEX_TABS : same || first ? ES_LEX_FINE : ES_LEX_DEDENT;
}

/* At the beginning of a line: true when the token is its indentation's, or a comment. */
static bool line_begins(es_lexer *lex, es_token *out)
{
    int columns, ones;
    size_t begin = lex->at;
    measure(lex, &columns, &ones);
    while (lex->at < lex->len && (at_break(lex, lex->at) || lex->source[lex->at] == '#')) {
        if (lex->source[lex->at] == '#') {
            *out = comment(lex);
            if (lex->comments)
                return true;
            continue;
        }
        lex->at = begin = past_break(lex, lex->at);
        lex->line++;
        measure(lex, &columns, &ones);
    }
    if (lex->at == lex->len)
        return false;
    lex->fresh = false;
    if (lex->levels == 0) {
        lex->levels = 1;
        lex->indent[0].columns = columns;
        lex->indent[0].ones = ones;
        return false;
    }
    if (columns > lex->indent[lex->levels - 1].columns) {
        *out = indent(lex, begin, columns, ones);
        return true;
    }
    es_lex_fault fault = dedent(lex, columns, ones);
    if (fault)
        *out = bad(lex, fault, begin);
    return fault != ES_LEX_FINE;
}

/* ---- words ---- */

static es_token named(es_lexer *lex, size_t n)
{
    size_t begin = lex->at;
    lex->at += n;
    return token(lex, es_lex_keyword(lex->source + begin, n), begin);
}

static es_token number(es_lexer *lex)
{
    es_token_kind kind = ES_T_INT;
    size_t begin = lex->at;
    es_lex_fault fault = ES_LEX_FINE;
    lex->at += es_lex_number(lex->source + begin, lex->len - begin, &kind, &fault);
    return fault ? bad(lex, fault, begin) : token(lex, kind, begin);
}

static es_token string(es_lexer *lex, size_t prefix)
{
    size_t begin = lex->at;
    int lines = 0;
    es_lex_fault fault;
    size_t from = lex->resume ? lex->resume - prefix : 0;
    lex->at += prefix + es_lex_string(lex->source + begin + prefix, lex->len - begin - prefix, from,
                                      &lines, &fault);
    lex->resume = 0;
    es_token t = fault ? bad(lex, fault, begin) : token(lex, ES_T_STRING, begin);
    lex->line += lines;
    return t;
}

/* ---- marks ---- */

static es_lex_fault track_bracket(es_lexer *lex, es_token_kind kind, size_t at)
{
    char c = lex->source[at];
    switch (kind) {
    case ES_T_LPAREN:
    case ES_T_LSQUARE:
    case ES_T_LBRACE:
        if (lex->depth == ES_MOST_NESTING)
            return ES_LEX_DEEP;
        lex->open[lex->depth++] = (es_bracket){.c = c, .line = lex->line, .at = at};
        return ES_LEX_FINE;
    case ES_T_RPAREN:
    case ES_T_RSQUARE:
    case ES_T_RBRACE:
        if (lex->depth == 0)
            return lex->base && c == '}' ? ES_LEX_FINE : ES_LEX_UNOPENED;
        if (lex->open[lex->depth - 1].c != es_lex_opener(c))
            return ES_LEX_MISMATCH;
        lex->depth--;
        return ES_LEX_FINE;
    default: return ES_LEX_FINE;
    }
}

static es_token mark(es_lexer *lex)
{
    size_t begin = lex->at++;
    const char *s = lex->source;
    es_token_kind kind = es_lex_mark(s[begin]);
    if (kind == ES_T_DOT && lex->len - begin >= 3 && s[begin + 1] == '.' && s[begin + 2] == '.') {
        lex->at = begin + 3;
        return token(lex, ES_T_ELLIPSIS, begin);
    }
    while (lex->at < lex->len && strchr("=<>*/", s[lex->at]) && s[lex->at]) {
        es_token_kind next = es_lex_longer(kind, s[lex->at]);
        if (next == kind)
            break;
        kind = next;
        lex->at++;
    }
    es_lex_fault fault = track_bracket(lex, kind, begin);
    return fault ? bad(lex, fault, begin) : token(lex, kind, begin);
}

static es_token stray(es_lexer *lex)
{
    uint32_t cp;
    size_t begin = lex->at;
    char c = lex->source[begin];
    int n = es_utf8_next(lex->source + begin, lex->len - begin, &cp);
    lex->at += n ? (size_t)n : 1;
    if (c == '\\') { /* not before a line break, or before the last */
        bool last =
            lex->at == lex->len || (at_break(lex, lex->at) && past_break(lex, lex->at) == lex->len);
        return bad(lex, last ? ES_LEX_JOIN : ES_LEX_BACKSLASH, begin);
    }
    return bad(lex, !c ? ES_LEX_NUL : n ? ES_LEX_CHARACTER : ES_LEX_BYTE, begin);
}

static es_token line_ends(es_lexer *lex)
{
    size_t begin = lex->at;
    lex->at = past_break(lex, begin);
    es_token t = token(lex, ES_T_NEWLINE, begin);
    lex->line++;
    lex->begun = false;
    lex->fresh = true;
    return t;
}

static es_token source_ends(es_lexer *lex)
{
    bool inside = lex->depth + lex->base > 0;
    if (!inside && lex->begun) {
        lex->begun = false;
        return token(lex, ES_T_NEWLINE, lex->at);
    }
    if (!inside && lex->levels > 1) {
        lex->levels--;
        return token(lex, ES_T_DEDENT, lex->at);
    }
    return token(lex, ES_T_END, lex->at);
}

static es_token word(es_lexer *lex)
{
    const char *s = lex->source + lex->at;
    size_t n = lex->len - lex->at;
    if (es_lex_mark(*s) && !(*s == '.' && n > 1 && s[1] >= '0' && s[1] <= '9'))
        return mark(lex);
    size_t prefix = es_lex_prefix(s, n);
    if (prefix < n && (s[prefix] == '"' || s[prefix] == '\''))
        return string(lex, prefix);
    if (*s == '.' || (*s >= '0' && *s <= '9'))
        return number(lex);
    size_t name = es_lex_name(s, n);
    return name ? named(lex, name) : stray(lex);
}

es_token es_lex_next(es_lexer *lex)
{
    es_token t;
    if (lex->fresh && line_begins(lex, &t))
        return t;
    if (lex->dedents > 0) {
        lex->dedents--;
        return token(lex, ES_T_DEDENT, lex->at);
    }
    skip_blanks(lex);
    if (lex->at == lex->len)
        return source_ends(lex);
    if (lex->source[lex->at] == '#')
        return comment(lex);
    if (at_break(lex, lex->at))
        return line_ends(lex);

    lex->begun = true;
    return word(lex);
}
