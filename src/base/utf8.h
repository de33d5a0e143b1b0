// SPDX-License-Identifier: GPL-3.0-or-later
/* UTF-8 as Unicode defines it (table 3-7: no overlong forms, no surrogates, at most U+10FFFF)
 * and what a terminal does with each character. */
#ifndef ES_BASE_UTF8_H
#define ES_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character at s, n > 0 bytes long: returns its 1 to 4 bytes and fills *cp; returns 0 when
 * s does not begin with a whole well-formed sequence. */
int es_utf8_next(const char *s, size_t n, uint32_t *cp);

bool es_utf8_valid(const char *s, size_t n);

/* Write cp (a scalar value) to out; returns its 1 to 4 bytes. */
int es_utf8_put(char out[4], uint32_t cp);

/* May the character be sent to a terminal as it is?  False for controls (C0, DEL, C1), bidi and
 * other invisible characters, spaces other than U+0020, private and unassigned code points. */
bool es_char_visible(uint32_t cp);

int es_char_columns(uint32_t cp);   /* 0, 1 or 2; of visible characters */
bool es_char_combines(uint32_t cp); /* is drawn with the character before it */
bool es_char_rtl(uint32_t cp);      /* written from right to left */

/* 1: a letter in lower case, 2: in upper or title case, 0: neither. */
int es_char_case(uint32_t cp);

/* May a character beyond ASCII begin a name in a program, or stand in one?  Letters; marks and digits. */
bool es_char_begins_name(uint32_t cp);
bool es_char_in_name(uint32_t cp);

/* Columns of text that is ready to print; colour sequences (ESC [ … m) and isolates count 0. */
int es_columns(const char *text, size_t n);

/* Who knows the properties of characters: "utf8proc 2.8.0". */
const char *es_utf8_library(void);

#endif
