// SPDX-License-Identifier: GPL-3.0-or-later
/* Rows of a table by ids, and rows added to a table by ids: kernels/lookup.cl. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "opencl/slots.h"

enum {
    GROUP = 128,
    FEW_CHANNELS = 16, /* neighbours in a group on one row: so many, or all the row can use */
    MANY_CHANNELS = 64,
    SENTENCES = 4, /* for one work-item */
    MOST_ROWS =
        1 << 15, /* of work-items; a device may not take more than 65,535 groups in a direction */
    FOUR = 4,
    DIGIT = 8, /* bits of an id that are sorted by at once */
    N_DIGITS = 1 << DIGIT,
    MOST_IDS = 1 << 24 /* sorted at once */
};

/* ---- gather ---- */

/* What the kernel is told, in numbers, or in fours of them: how many there are of each, where a view begins, and how
 * far it is to the next channel (c), place (t), sentence (b) or row of the table (v). */
typedef struct es_cl_lookup {
    cl_long channels, places, sentences;
    cl_long id_place, id_sentence;
    cl_long out, out_c, out_t, out_b;
    cl_long table, table_c, table_v;
    cl_long add, add_c, add_t, add_b;
    cl_int adds, shared; /* is there something to add, and is it the same for all sentences? */
} es_cl_lookup;

static es_cl_lookup lookup_of(const es_view *out, const es_view *table, const es_view *add)
{
    es_cl_lookup l = {.channels = out->dim[2], .places = out->dim[1], .sentences = out->dim[0]};
    l.id_place = 1;
    l.id_sentence = l.places;
    l.out = out->offset;
    l.out_c = out->stride[2];
    l.out_t = out->stride[1];
    l.out_b = out->stride[0];
    l.table = table->offset;
    l.table_c = table->stride[1];
    l.table_v = table->stride[0];
    if (!add)
        return l;
    l.adds = 1;
    l.add = add->offset;
    l.add_c = add->stride[2];
    l.add_t = add->stride[1];
    l.add_b = add->stride[0];
    return l;
}

static void exchange(cl_long *a, cl_long *b)
{
    cl_long was = *a;
    *a = *b;
    *b = was;
}

/* Many sentences of a token or two: they are as good as places. */
static void turn(es_cl_lookup *l)
{
    exchange(&l->places, &l->sentences);
    exchange(&l->id_place, &l->id_sentence);
    exchange(&l->out_t, &l->out_b);
    exchange(&l->add_t, &l->add_b);
}

/* Can all be read and written in fours?  A step along an axis of size 1 is never made, but it is not worth a question. */
static bool in_fours(const es_cl_lookup *l)
{
    const cl_long steps[] = {l->channels, l->out, l->out_t, l->out_b, l->table,
                             l->table_v,  l->add, l->add_t, l->add_b};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] % FOUR != 0)
            return false;
    return l->out_c == 1 && l->table_c == 1 && (!l->adds || l->add_c == 1);
}

static void count_in_fours(es_cl_lookup *l)
{
    cl_long *const steps[] = {&l->channels, &l->out, &l->out_t, &l->out_b, &l->table,
                              &l->table_v,  &l->add, &l->add_t, &l->add_b};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        *steps[i] /= FOUR;
}

/* Work-items side by side on the channels of a row, and several rows a group. */
static void spread(const es_cl_device *d, int64_t channels, int64_t rows, size_t *global,
                   size_t *local)
{
    size_t group = d->most_group < GROUP ? d->most_group : GROUP,
           wide = channels <= FEW_CHANNELS ? FEW_CHANNELS : MANY_CHANNELS;
    local[0] = wide < group ? wide : group;
    local[1] = group / local[0];
    global[0] = es_cl_up((size_t)channels, local[0]);
    global[1] = es_cl_up((size_t)(rows < MOST_ROWS ? rows : MOST_ROWS), local[1]);
}

bool es_cl_gather(const es_view *out, const es_view *table, const int32_t *ids, const es_view *add,
                  es_error *err)
{
    es_cl_device *d = es_cl_of(out->buf->be);
    es_cl_lookup l = lookup_of(out, table, add);
    size_t n = (size_t)(l.places * l.sentences), global[3], local[3];
    if (!n || !l.channels)
        return true;
    cl_mem sent = es_cl_scratch(d, n * sizeof *ids, ids, err);
    if (!sent)
        return false;
    if (l.places < SENTENCES && l.sentences > l.places)
        turn(&l);
    l.shared = l.add_b == 0;
    bool fours = in_fours(&l);
    if (fours)
        count_in_fours(&l);
    spread(d, l.channels, l.places, global, local);
    int64_t turns = (l.sentences + SENTENCES - 1) / SENTENCES;
    global[2] = (size_t)(turns < MOST_ROWS ? turns : MOST_ROWS);
    local[2] = 1;
    cl_mem to = es_cl_mem(out), from = es_cl_mem(table), more = add ? es_cl_mem(add) : from;
    bool ok =
        ES_CL_RUN(d, fours ? ES_KERNEL_gather_fours : ES_KERNEL_gather, 3, global, local, err,
                  ES_CL_ARG(to), ES_CL_ARG(from), ES_CL_ARG(sent), ES_CL_ARG(more), ES_CL_ARG(l));
    es_cl_scratch_free(d, sent);
    return ok;
}

/* ---- scatter ---- */

/* What the kernel is told: how many channels, rows, and distinct ids; where the views begin, and their steps. */
typedef struct es_cl_scatter {
    cl_long channels, rows_n, distinct;
    cl_long table, table_c, table_v;
    cl_long rows, rows_c, rows_r;
} es_cl_scatter;

/* Places 0 .. n - 1 of ids in the order of the ids, equal ones as they stand; `order` and `other` are of n each.  A pass a
 * digit, the last digit first; the answer is the one of the two that is returned. */
static uint32_t *sort_places(uint32_t *order, uint32_t *other, const int32_t *ids, size_t n,
                             int64_t V)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (int shift = 0; shift < 32 && (V - 1) >> shift > 0; shift += DIGIT) {
        size_t at[N_DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++)
            at[((uint32_t)ids[i] >> shift) % N_DIGITS + 1]++;
        for (int k = 0; k < N_DIGITS; k++)
            at[k + 1] += at[k];
        for (size_t i = 0; i < n; i++)
            other[at[((uint32_t)ids[order[i]] >> shift) % N_DIGITS]++] = order[i];
        uint32_t *was = order;
        order = other;
        other = was;
    }
    return order;
}

/* The plan of the kernel, up to 3 n + 1 numbers; returns how many ids are distinct.  spare: n. */
static size_t make_plan(uint32_t *plan, uint32_t *spare, const int32_t *ids, size_t n, int64_t V)
{
    uint32_t *sorted = sort_places(plan, spare, ids, n, V);
    if (sorted != plan)
        memcpy(plan, sorted, n * sizeof *plan);
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++)
        distinct += i == 0 || ids[plan[i]] != ids[plan[i - 1]];
    uint32_t *begin = plan + n, *id = begin + distinct + 1, *end = id;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && ids[plan[i]] == ids[plan[i - 1]])
            continue;
        *begin++ = (uint32_t)i;
        *end++ = (uint32_t)ids[plan[i]];
    }
    *begin = (uint32_t)n;
    return distinct;
}

static bool run_scatter(const es_view *table, const es_view *rows, const es_cl_scatter *s,
                        const uint32_t *plan, es_error *err)
{
    es_cl_device *d = es_cl_of(table->buf->be);
    size_t n = (size_t)(s->rows_n + 2 * s->distinct + 1), global[2], local[2];
    cl_mem sent = es_cl_scratch(d, n * sizeof *plan, plan, err), to = es_cl_mem(table),
           from = es_cl_mem(rows);
    spread(d, s->channels, s->distinct, global, local);
    bool ok = sent && ES_CL_RUN(d, ES_KERNEL_scatter_add, 2, global, local, err, ES_CL_ARG(to),
                                ES_CL_ARG(from), ES_CL_ARG(sent), ES_CL_ARG(*s));
    es_cl_scratch_free(d, sent);
    return ok;
}

bool es_cl_scatter_add(const es_view *table, const int32_t *ids, const es_view *rows, es_error *err)
{
    int64_t N = rows->dim[0], most = N < MOST_IDS ? N : MOST_IDS;
    es_cl_scatter s = {.channels = rows->dim[1],
                       .table = table->offset,
                       .table_c = table->stride[1],
                       .table_v = table->stride[0],
                       .rows_c = rows->stride[1],
                       .rows_r = rows->stride[0]};
    if (!N || !s.channels)
        return true;
    uint32_t *plan = es_try_alloc((size_t)most * 4 + 1, sizeof *plan, "the order of ids", err);
    bool ok = plan != NULL;
    for (int64_t first = 0; ok && first < N; first += most) {
        s.rows_n = N - first < most ? N - first : most;
        s.rows = rows->offset + first * s.rows_r;
        s.distinct = (cl_long)make_plan(plan, plan + 3 * s.rows_n + 1, ids + first,
                                        (size_t)s.rows_n, table->dim[0]);
        ok = run_scatter(table, rows, &s, plan, err);
    }
    free(plan);
    return ok;
}
