// SPDX-License-Identifier: GPL-3.0-or-later
/* Regular expressions over bytes that are mostly, not always, UTF-8: PCRE2's syntax, the one of Perl. */
#ifndef ES_TEXT_PATTERN_H
#define ES_TEXT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct es_pattern es_pattern;

/* From n bytes of UTF-8.  . is any character, line breaks included; \d \w \s are Unicode's; bytes that are
 * no character match nothing.  ES_ERR_PARSE with the library's words, placed in the pattern;
 * ES_ERR_UNSUPPORTED in a program built without PCRE2.  Free with es_pattern_free. */
es_pattern *es_pattern_new(const char *regex, size_t n, bool any_case, es_error *err);
void es_pattern_free(es_pattern *p); /* NULL is fine */

/* Is it somewhere in n bytes?  1 yes, 0 no, -1: after 100,000 steps it is not known.  One caller at a time. */
int es_pattern_in(es_pattern *p, const char *bytes, size_t n);

#endif
