// SPDX-License-Identifier: GPL-3.0-or-later
/* Single words: how far names, numbers and strings reach, which keyword or mark one is. */
#ifndef ES_EXPR_LEX_SCAN_H
#define ES_EXPR_LEX_SCAN_H

#include "expr/lex.h"

/* Bytes of the name that s begins with, or 0. */
size_t es_lex_name(const char *s, size_t n);

/* Bytes of the letters before a string's quote that say how it is read: r"", f"", rb"". */
size_t es_lex_prefix(const char *s, size_t n);

/* Bytes of the number that s begins with (a digit, or a point and a digit). */
size_t es_lex_number(const char *s, size_t n, es_token_kind *kind, es_lex_fault *fault);

/* Bytes of the string that s begins with, from its first quote; lines: how many line breaks are in it.  from: 0, or
 * where reading it goes on, which stopped at what was then the end. */
size_t es_lex_string(const char *s, size_t n, size_t from, int *lines, es_lex_fault *fault);

es_token_kind es_lex_keyword(const char *s, size_t n); /* or ES_T_NAME */

/* The mark that is this one character, or ES_T_END. */
es_token_kind es_lex_mark(char c);
/* The mark that a mark and one more character are; the same if they are none together. */
es_token_kind es_lex_longer(es_token_kind kind, char next);

/* The bracket that this one closes. */
static inline char es_lex_opener(char closer)
{
    return closer == ')' ? '(' : closer == ']' ? '[' : '{';
}

#endif
