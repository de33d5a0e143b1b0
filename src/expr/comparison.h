// SPDX-License-Identifier: GPL-3.0-or-later
/* What compare(x, y) answers: a few fields, and a report that says it in words. */
#ifndef ES_EXPR_COMPARISON_H
#define ES_EXPR_COMPARISON_H

#include "expr/value.h"
#include "torch/causes.h"

typedef struct es_comparison {
    const es_tensor *x, *y;
    const es_causes *asked;          /* names, tolerances, and what is known */
    const es_difference *difference; /* NULL: the shapes differ, or are all that is known */
    const es_cause *cause;
    bool shapes_only;
} es_comparison;

/* A tuple with named members, "report" the last of them: that is what it prints as. */
es_value es_comparison_value(const es_comparison *c);

/* The report of such a value, or NULL: it is something else. */
const es_value *es_comparison_report(const es_value *v);

#endif
