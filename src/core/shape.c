// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shape.h"

#include <inttypes.h>
#include <string.h>

es_label es_label_named(const char *name)
{
    es_label label = {{0}};
    if (strlen(name) < sizeof label.s)
        strcpy(label.s, name);
    else
        strcpy(label.s, "?");
    return label;
}

bool es_label_same(const es_label *a, const es_label *b)
{
    return a->s[0] && strcmp(a->s, "?") && !strcmp(a->s, b->s);
}

static void add_axis(es_shape *s, const char *label, int64_t dim)
{
    s->dim[s->ndim] = dim;
    s->label[s->ndim++] = es_label_named(label);
}

es_shape es_shape_1d(const char *l0, int64_t d0)
{
    es_shape s = {0};
    add_axis(&s, l0, d0);
    return s;
}

es_shape es_shape_2d(const char *l0, int64_t d0, const char *l1, int64_t d1)
{
    es_shape s = es_shape_1d(l0, d0);
    add_axis(&s, l1, d1);
    return s;
}

es_shape es_shape_3d(const char *l0, int64_t d0, const char *l1, int64_t d1, const char *l2,
                     int64_t d2)
{
    es_shape s = es_shape_2d(l0, d0, l1, d1);
    add_axis(&s, l2, d2);
    return s;
}

int64_t es_shape_count(const es_shape *s)
{
    int64_t n = 1;
    bool huge = false;
    for (int i = 0; i < s->ndim; i++) {
        if (s->dim[i] == 0)
            return 0;
        if (n > INT64_MAX / s->dim[i])
            huge = true;
        else
            n *= s->dim[i];
    }
    return huge ? INT64_MAX : n;
}

bool es_shape_equal(const es_shape *a, const es_shape *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (a->dim[i] != b->dim[i])
            return false;
    return true;
}

void es_shape_show(es_str *out, const es_shape *s)
{
    es_str_char(out, '[');
    for (int i = 0; i < s->ndim; i++) {
        const char *label = s->label[i].s;
        es_str_add(out, "%s%s%s%" PRId64, i ? ", " : "", label, *label ? "=" : "", s->dim[i]);
    }
    es_str_char(out, ']');
}
