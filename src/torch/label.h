// SPDX-License-Identifier: GPL-3.0-or-later
/* Arithmetic with the names of axes: what a size computed from named sizes is called.  "" is no name, "?" a
 * name that was lost; both stay what they are.  Names too long to keep become "?". */
#ifndef ES_TORCH_LABEL_H
#define ES_TORCH_LABEL_H

#include "core/shape.h"

bool es_label_is_named(const es_label *a); /* neither "" nor "?" */

es_label es_label_times(const es_label *a, int64_t n);           /* "2C"; n 1: C */
es_label es_label_plus(const es_label *a, int64_t n);            /* "T-1", "T+1"; n 0: T */
es_label es_label_sum(const es_label *a, const es_label *b);     /* "T1+T2"; the same twice: "2T" */
es_label es_label_product(const es_label *a, const es_label *b); /* "B·T"; an unnamed one: "" */
es_label es_label_part(const es_label *a, int64_t n);            /* "C/4" */
es_label es_label_slice(const es_label *a, const char *subscript); /* "T[:3]" */

/* Of two labels on one axis of equal size, what the result's axis is called: the one that is named, the
 * left of two.  *clash: both are named, and differ. */
es_label es_label_meet(const es_label *a, const es_label *b, bool *clash);

#endif
