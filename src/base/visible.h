// SPDX-License-Identifier: GPL-3.0-or-later
/* The sanitiser: bytes from texts, vocabularies, file names and arguments, made fit to be read.
 * What these functions append is valid UTF-8 without controls, bidi or invisible characters, so
 * it cannot move a cursor, change a colour or reorder a line, wherever it is printed.  An es_str that
 * nothing was appended to holds "" afterwards, not NULL. */
#ifndef ES_BASE_VISIBLE_H
#define ES_BASE_VISIBLE_H

#include "base/str.h"

/* In running prose: as it is, but \n \t \r \xNN \u{NNNN} for what must not be printed. */
void es_show_prose(es_str *out, const char *bytes, size_t n);

/* A name or a path in running prose: the same, cut to about 300 columns.  Names may come from strings, which
 * have no end. */
void es_show_name(es_str *out, const char *bytes, size_t n);

/* In double quotes, as the argument of a command understands it: "a \"b\"\n\xE6". */
void es_show_quoted(es_str *out, const char *bytes, size_t n);

/* The same, cut to about 60 columns with … inside the quotes: for error messages. */
void es_show_brief(es_str *out, const char *bytes, size_t n);

/* A token: spaces as ␣, backslash doubled, a combining mark on ◌, bytes that are no text as
 * <E6 9C>.  Different tokens look different. */
void es_show_token(es_str *out, const char *bytes, size_t n);

/* At most `columns` columns of text that is ready to print, ending in … when cut. */
void es_show_fit(es_str *out, const char *text, size_t n, int columns);

/* Does text hold letters written from right to left? */
bool es_has_rtl(const char *text, size_t n);

#endif
