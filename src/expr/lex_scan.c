// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/lex_scan.h"

#include <string.h>

#include "base/utf8.h"

/* ---- names ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
}

/* Bytes of the character at s if it may stand in a name, or begin one. */
static size_t name_character(const char *s, size_t n, bool first)
{
    uint32_t cp;
    if (is_letter(*s) || (!first && is_digit(*s)))
        return 1;
    if ((unsigned char)*s < 0x80)
        return 0;
    size_t len = (size_t)es_utf8_next(s, n, &cp);
    return len && (first ? es_char_begins_name(cp) : es_char_in_name(cp)) ? len : 0;
}

size_t es_lex_name(const char *s, size_t n)
{
    size_t at = 0;
    for (size_t len; at < n && (len = name_character(s + at, n - at, at == 0)) > 0; at += len)
        ;
    return at;
}

size_t es_lex_prefix(const char *s, size_t n)
{
    char a = (char)(s[0] | 0x20), b = n > 1 ? (char)(s[1] | 0x20) : ' ';
    if (a != 'r' && a != 'b' && a != 'f' && a != 'u')
        return 0;
    bool two = a == 'r' ? b == 'b' || b == 'f' : a != 'u' && b == 'r';
    return two ? 2 : 1;
}

/* ---- numbers, by the rules of Python 3.11 ---- */

typedef struct scan {
    const char *s;
    size_t n, at;
    es_token_kind kind;
    es_lex_fault fault;
} scan;

static char look(const scan *in)
{
    return in->at < in->n ? in->s[in->at] : '\0';
}

static bool is_digit_of(char c, int base)
{
    if (base == 16 && (c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        return true;
    return is_digit(c) && c - '0' < base;
}

/* Digits with single underscores between them; the first is there. */
static bool digits(scan *in, int base, es_lex_fault fault)
{
    for (;;) {
        while (is_digit_of(look(in), base))
            in->at++;
        if (look(in) != '_')
            return true;
        in->at++;
        if (!is_digit_of(look(in), base)) {
            in->fault = fault;
            return false;
        }
    }
}

/* A number may touch the word after it only where that is "1if x else 2" and the like. */
static bool ends(scan *in)
{
    static const char *const words[] = {"and", "else", "for", "if", "in", "is", "or", "not"};
    const char *rest = in->s + in->at;
    size_t n = in->n - in->at;
    if (n == 0 || !name_character(rest, n, false))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (n >= strlen(words[i]) && !memcmp(rest, words[i], strlen(words[i])))
            return true;
    in->fault = (*rest | 0x20) == 'j' ? ES_LEX_IMAGINARY : ES_LEX_NUMBER;
    return false;
}

static bool exponent(scan *in)
{
    size_t before = in->at++;
    if (look(in) == '+' || look(in) == '-') {
        in->at++;
        if (!is_digit(look(in))) {
            in->fault = ES_LEX_NUMBER;
            return false;
        }
    }
    if (!is_digit(look(in))) { /* 1else 2 */
        in->at = before;
        return true;
    }
    in->kind = ES_T_FLOAT;
    return digits(in, 10, ES_LEX_NUMBER);
}

static bool with_base(scan *in, int base)
{
    in->at += 2;
    if (look(in) == '_')
        in->at++;
    if (!is_digit_of(look(in), base)) {
        in->fault = ES_LEX_DIGIT;
        return false;
    }
    if (!digits(in, base, ES_LEX_DIGIT))
        return false;
    if (is_digit(look(in))) {
        in->fault = ES_LEX_DIGIT;
        return false;
    }
    return ends(in);
}

static bool with_point(scan *in)
{
    bool zeros = false; /* before other digits */
    if (look(in) != '.' && !digits(in, 10, ES_LEX_NUMBER))
        return false;
    for (size_t i = 0; i < in->at && *in->s == '0'; i++)
        zeros = zeros || (in->s[i] >= '1' && in->s[i] <= '9');
    if (look(in) == '.') {
        in->at++;
        in->kind = ES_T_FLOAT;
        if (is_digit(look(in)) && !digits(in, 10, ES_LEX_NUMBER))
            return false;
    }
    if ((look(in) | 0x20) == 'e' && !exponent(in))
        return false;
    if (zeros && in->kind == ES_T_INT && (look(in) | 0x20) != 'j') {
        in->fault = ES_LEX_ZEROS;
        return false;
    }
    return ends(in);
}

size_t es_lex_number(const char *s, size_t n, es_token_kind *kind, es_lex_fault *fault)
{
    scan in = {.s = s, .n = n, .kind = ES_T_INT};
    char c = n > 1 && *s == '0' ? (char)(s[1] | 0x20) : ' ';
    int base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
    bool fine = base == 10 ? with_point(&in) : with_base(&in, base);
    for (size_t len; !fine && in.at < n && (len = name_character(s + in.at, n - in.at, false)) > 0;)
        in.at += len; /* all that was meant to be the number */
    *kind = in.kind;
    *fault = in.fault;
    return in.at;
}

/* ---- strings ---- */

static size_t line_break(const char *s, size_t n)
{
    if (n == 0 || (*s != '\n' && *s != '\r'))
        return 0;
    return *s == '\r' && n > 1 && s[1] == '\n' ? 2 : 1;
}

size_t es_lex_string(const char *s, size_t n, size_t from, int *lines, es_lex_fault *fault)
{
    char quote = *s;
    bool three = n >= 3 && s[1] == quote && s[2] == quote, joined = false;
    size_t at = from ? from : three ? 3 : 1;
    *fault = ES_LEX_FINE;
    while (at < n) {
        if (s[at] == quote && (!three || (n - at >= 3 && s[at + 1] == quote && s[at + 2] == quote)))
            return at + (three ? 3 : 1);
        joined = s[at] == '\\';
        at += joined;
        size_t broken = line_break(s + at, n - at);
        if (broken && !three && !joined)
            break;
        *lines += broken > 0;
        joined = joined && (broken || at == n);
        at += broken ? broken : at < n;
    }
    *fault = three ? ES_LEX_QUOTES : at == n && joined ? ES_LEX_JOIN : ES_LEX_QUOTE;
    return at;
}
