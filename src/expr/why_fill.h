// SPDX-License-Identifier: GPL-3.0-or-later
/* Puts what was found in a text into the sentences that explain it, and says what else a number may be. */
#ifndef ES_EXPR_WHY_FILL_H
#define ES_EXPR_WHY_FILL_H

#include "base/str.h"
#include "expr/why.h"
#include "expr/why_match.h"
#include "expr/why_table.h"

typedef struct es_fill {
    const es_squeezed *text;
    const es_match *match;
    const es_why_size *sizes; /* the reader's own */
    size_t n_sizes;
    bool small; /* a large number counts as missing: the line is to be run */
} es_fill;

/* Append the template (see why_table.h); false: it needs what the text does not have. */
bool es_fill_in(es_str *out, const char *template, const es_fill *f);

/* Is it a whole number and nothing else? */
bool es_fill_whole(const char *s, int64_t *value);

/* Append to what a number means: "; C is 8 here too". */
void es_fill_remark(es_str *out, const es_why_number *number, es_why_role role, const es_fill *f);

#endif
