// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers as a reader has them: of vectors, counts, lengths, bytes, and the scale that bars go to. */
#ifndef ES_SESSION_NUMBERS_H
#define ES_SESSION_NUMBERS_H

#include <stdint.h>

#include "session/style.h"

/* The smallest "round" number that is at least x > 0: 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten. */
float es_round_scale(float x);

/* A number of a vector: `decimals` of them, or as many digits as the style asks for, after spaces that make
 * it es_number_columns(columns, style) wide: `columns`, or more where the digits need it. */
void es_show_number(es_str *out, double value, int columns, int decimals, const es_style *style);
int es_number_columns(int columns, const es_style *style);

/* A count with thousands separated: 50,257. */
void es_show_count(es_str *out, int64_t n);

/* A length, right in `columns`; where these are 5 or more, large ones fit as 3e+38. */
void es_show_length(es_str *out, int columns, int decimals, double length);

/* Bytes in a reader's unit: 768 B, 12.9 MB. */
void es_show_bytes(es_str *out, double bytes);

#endif
