// SPDX-License-Identifier: GPL-3.0-or-later
/* What :near is asked: tokens added and subtracted, how many rows, by which measure. */
#ifndef ES_SESSION_NEAR_QUERY_H
#define ES_SESSION_NEAR_QUERY_H

#include "session/session.h"

enum { ES_MOST_TERMS = 32 };

typedef struct es_near_ask {
    int32_t id[ES_MOST_TERMS];
    double factor[ES_MOST_TERMS]; /* 1 and -1, times the numbers that stand before a token */
    size_t n;
    es_measure by; /* cosine unless said */
    int64_t top;   /* 10 unless said */
} es_near_ask;

/* TOKEN, or terms joined by + and -, a number and * before a token where wanted; top= and by= anywhere.  A
 * bare word that may be two tokens, with a space before it or without, becomes one of them, and a note says
 * which and why.  ES_ERR_USAGE, ES_ERR_PARSE, and what es_token_named fails with; placed. */
bool es_near_read(const es_call *call, es_near_ask *ask, es_error *err);

/* Sums one behind the other, each of terms as there: a term without a sign before it begins the next.  Fills at most
 * `most` of `sums` with their terms; *n is how many there are, begin[i] where the i-th begins.  More of them:
 * ES_ERR_USAGE, placed at the first too many.  The same errors.  Notes of sums that were
 * understood are appended, a line each, none that is there already: es_near_tell passes them on. */
bool es_near_sums(const es_call *call, es_near_ask *sums, size_t *begin, int most, int *n,
                  es_str *notes, es_error *err);
void es_near_tell(const es_call *call, const es_str *notes);

/* One token as it is named there, from byte *at on, which moves behind it.  The same errors. */
bool es_near_token(const es_call *call, size_t *at, int32_t *id, es_error *err);

#endif
