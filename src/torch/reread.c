// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/reread.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "torch/label.h"

/* Neighbours that hold the same numbers: old axes [i, i_end) and new axes [j, j_end). */
typedef struct group {
    int i, i_end, j, j_end;
} group;

/* How many of the axes are more than a 1. */
static int real_axes(const es_shape *s, int from, int to)
{
    int n = 0;
    for (int i = from; i < to; i++)
        n += s->dim[i] != 1;
    return n;
}

/* One axis stays what it is, whatever its size was asked for by. */
static void keep(es_torch *k, es_shape *shape, int j, const es_label *own)
{
    es_label *asked = &shape->label[j];
    if (!es_label_is_named(own)) {
        if (!es_label_is_named(asked))
            *asked = *own;
        return;
    }
    if (es_label_is_named(asked) && strcmp(asked->s, own->s) != 0 && shape->dim[j] != 1)
        es_torch_note(k, "axis %d was asked for as %s and is still %s: its numbers stay in order",
                      j, asked->s, own->s);
    *asked = *own;
}

/* The parts of a split axis, put together again: H and C/H are C. */
static bool restores(es_label *whole, const es_label *a, int64_t size, const es_label *b)
{
    char by_name[ES_LABEL_SIZE + 1], by_size[ES_LABEL_SIZE + 1];
    snprintf(by_name, sizeof by_name, "/%s", a->s);
    snprintf(by_size, sizeof by_size, "/%" PRId64, size);
    const char *slash = strrchr(b->s, '/');
    if (!slash || slash == b->s || (strcmp(slash, by_name) != 0 && strcmp(slash, by_size) != 0))
        return false;
    *whole = *b;
    whole->s[slash - b->s] = '\0';
    return true;
}

static void merge(es_shape *shape, const es_shape *old, const group *g, int j)
{
    if (es_label_is_named(&shape->label[j]))
        return;
    bool first = true;
    es_label all = es_label_named("");
    int64_t size = 1;
    for (int i = g->i; i < g->i_end; i++) {
        if (old->dim[i] == 1 && !es_label_is_named(&old->label[i]))
            continue;
        if (first)
            all = old->label[i];
        else if (!restores(&all, &all, size, &old->label[i]))
            all = es_label_product(&all, &old->label[i]);
        size *= old->dim[i];
        first = false;
    }
    shape->label[j] = all;
}

/* The part of a split axis that is called by it: the one whose size was worked out, else the last. */
static int part_of(const es_shape *shape, const group *g, int inferred)
{
    if (inferred >= g->j && inferred < g->j_end)
        return inferred;
    int part = g->j_end - 1;
    while (shape->dim[part] == 1)
        part--;
    return part;
}

static void split(es_shape *shape, const es_label *own, int64_t size, const group *g, int inferred)
{
    int part = part_of(shape, g, inferred), others = 0, other = -1;
    if (es_label_is_named(&shape->label[part]) || !es_label_is_named(own))
        return;
    for (int j = g->j; j < g->j_end; j++)
        if (j != part && shape->dim[j] != 1) {
            others++;
            other = j;
        }
    shape->label[part] = es_label_part(own, size / shape->dim[part]);
    if (others == 1 && es_label_is_named(&shape->label[other])) {
        char name[2 * ES_LABEL_SIZE];
        snprintf(name, sizeof name, "%s/%s", own->s, shape->label[other].s);
        shape->label[part] = es_label_named(name);
    }
}

static void add_axis(es_str *text, const es_shape *old, int i, const char *joint)
{
    es_str_cat(text, joint);
    if (es_label_is_named(&old->label[i]))
        es_str_cat(text, old->label[i].s);
    else
        es_str_add(text, "axis %d", i);
}

static void mix(es_torch *k, es_shape *shape, const es_shape *old, const group *g)
{
    es_str text = {0};
    bool named = false;
    int left = real_axes(old, g->i, g->i_end), first = left;
    for (int i = g->i; i < g->i_end; i++) {
        if (old->dim[i] == 1)
            continue;
        add_axis(&text, old, i, left == first ? "" : left == 1 ? " and " : ", ");
        named |= es_label_is_named(&old->label[i]);
        left--;
    }
    if (named) { /* axes that nobody named are nobody's surprise */
        es_torch_note(k, "row-major re-read mixes %s", es_str_text(&text));
        for (int j = g->j; j < g->j_end; j++)
            shape->label[j] = es_label_named(shape->dim[j] == 1 ? "" : "?");
    }
    es_str_free(&text);
}

static void name_group(es_torch *k, es_shape *shape, const es_shape *old, const group *g,
                       int inferred)
{
    int from = real_axes(old, g->i, g->i_end), to = real_axes(shape, g->j, g->j_end);
    if (to == 1) {
        int j = g->j;
        while (shape->dim[j] == 1)
            j++;
        merge(shape, old, g, j);
    } else if (from == 1) {
        int i = g->i;
        while (old->dim[i] == 1)
            i++;
        split(shape, &old->label[i], old->dim[i], g, inferred);
    } else {
        mix(k, shape, old, g);
    }
}

/* The fewest axes from i and j on whose sizes multiply to the same. */
static group next_group(const es_shape *shape, const es_shape *old, int i, int j)
{
    group g = {i, i + 1, j, j + 1};
    int64_t p = old->dim[i], q = shape->dim[j];
    while (p != q) {
        if (p < q)
            p *= old->dim[g.i_end++];
        else
            q *= shape->dim[g.j_end++];
    }
    return g;
}

void es_torch_reread(es_torch *k, es_shape *shape, const es_shape *old, int inferred)
{
    bool same_rank = shape->ndim == old->ndim;
    if (es_shape_count(shape) == 0 || es_shape_count(shape) == INT64_MAX) {
        for (int j = 0; j < shape->ndim; j++)
            if (same_rank && shape->dim[j] == old->dim[j])
                keep(k, shape, j, &old->label[j]);
        return;
    }
    for (int i = 0, j = 0; i < old->ndim || j < shape->ndim;) {
        if (i < old->ndim && j < shape->ndim && old->dim[i] == shape->dim[j]) {
            keep(k, shape, j++, &old->label[i++]);
        } else if (j < shape->ndim && shape->dim[j] == 1) {
            j++;
        } else if (old->dim[i] == 1 && (j == shape->ndim || !es_label_is_named(&old->label[i]))) {
            i++;
        } else {
            group g = next_group(shape, old, i, j);
            name_group(k, shape, old, &g, inferred);
            i = g.i_end;
            j = g.j_end;
        }
    }
}
