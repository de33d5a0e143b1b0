// SPDX-License-Identifier: GPL-3.0-or-later
/* Shapes with named axes, so that a message can say "the time axis differs: T=5 against T=4". */
#ifndef ES_CORE_SHAPE_H
#define ES_CORE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum { ES_MAX_DIMS = 8, ES_LABEL_SIZE = 24 };

/* An axis name: "B", "T", "C", or compound, "2C", "B·T"; "" is unnamed, "?" lost on the way. */
typedef struct es_label {
    char s[ES_LABEL_SIZE];
} es_label;

typedef struct es_shape {
    int ndim;
    int64_t dim[ES_MAX_DIMS];
    es_label label[ES_MAX_DIMS];
} es_shape;

es_label es_label_named(const char *name); /* "?" when the name does not fit */

/* Do two labels say the same?  An unnamed or lost one says nothing: false. */
bool es_label_same(const es_label *a, const es_label *b);

/* Both set; labels from the caller ("" for none). */
es_shape es_shape_1d(const char *l0, int64_t d0);
es_shape es_shape_2d(const char *l0, int64_t d0, const char *l1, int64_t d1);
es_shape es_shape_3d(const char *l0, int64_t d0, const char *l1, int64_t d1, const char *l2,
                     int64_t d2);

int64_t es_shape_count(const es_shape *s);                 /* elements; 1 for rank 0; saturates */
bool es_shape_equal(const es_shape *a, const es_shape *b); /* sizes only */

/* Append "[B=2, T=5, C=64]"; an unnamed axis is its size alone. */
void es_shape_show(es_str *out, const es_shape *s);

#endif
