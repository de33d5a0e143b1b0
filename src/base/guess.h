// SPDX-License-Identifier: GPL-3.0-or-later
/* "Did you mean": the name nearest to what was typed. */
#ifndef ES_BASE_GUESS_H
#define ES_BASE_GUESS_H

#include <stddef.h>

/* Levenshtein's distance of two short strings; at least `limit` when it is not less. */
int es_distance(const char *a, size_t na, const char *b, size_t nb, int limit);

/* How far a slip of the finger may be from the name that was meant, for a name of n bytes. */
int es_slip(size_t n);

#endif
