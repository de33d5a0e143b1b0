// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens that were hardly seen in training, whose rows are mostly what they began with: chance.  Nothing is said
 * where a model does not know how often. */
#ifndef ES_SESSION_RARE_H
#define ES_SESSION_RARE_H

#include "layer/near.h"
#include "session/style.h"
#include "session/text.h"

enum { ES_HARDLY = 20 }; /* times; fewer are hardly any */

/* Append "seen 5,112 times in training", "never seen in training". */
void es_show_times(es_str *out, int64_t count);

/* Which of these tokens, or of a text's, were hardly seen?  Appends a line about them, or nothing. */
void es_show_rare(es_str *out, const es_context *c, const int32_t *ids, size_t n,
                  const es_style *style);
void es_show_rare_in(es_str *out, const es_text *t, const es_style *style);

/* The same about rows found near another: how many of them. */
void es_show_rare_rows(es_str *out, const es_context *c, const es_neighbour *rows, int64_t n,
                       const es_style *style);

#endif
