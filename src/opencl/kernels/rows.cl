// SPDX-License-Identifier: GPL-3.0-or-later
/* Along rows: sums, extremes, softmax.  A group has get_local_size(0) work-items for each of get_local_size(1) rows; the first is
 * a power of two.  A sum is kept as two floats, what it is and what rounding took from it (Knuth, The Art of Computer
 * Programming 2, 4.2.2, theorem B), so that it is as good as one in double. */

/* As es_reduce_op in core/backend.h. */
enum { ES_REDUCE_SUM, ES_REDUCE_SUM_SQUARES, ES_REDUCE_MAX, ES_REDUCE_MIN };

float2 es_plus(float2 sum, float x)
{
    float total = sum.x + x, part = total - sum.x;
    return (float2)(total, sum.y + ((sum.x - (total - part)) + (x - part)));
}

float es_total(float2 sum)
{
    return isfinite(sum.x) ? sum.x + sum.y : sum.x;
}

/* Two results of the same operation become one.  NaN wins; extremes keep the second number 0. */
float2 es_join(int op, float2 a, float2 b)
{
    if (op == ES_REDUCE_MAX)
        return isnan(a.x) || a.x > b.x ? a : b;
    if (op == ES_REDUCE_MIN)
        return isnan(a.x) || a.x < b.x ? a : b;
    a = es_plus(a, b.x);
    a.y += b.y;
    return a;
}

float2 es_nothing(int op)
{
    return (float2)(op == ES_REDUCE_MAX ? -INFINITY : op == ES_REDUCE_MIN ? INFINITY : 0, 0);
}

/* What all work-items of a row have, joined; every one of them gets it. */
float2 es_join_all(int op, float2 mine, local float2 *room)
{
    int lane = get_local_id(0), lanes = get_local_size(0);
    room += get_local_id(1) * lanes;
    room[lane] = mine;
    for (int span = lanes / 2; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < span)
            room[lane] = es_join(op, room[lane], room[lane + span]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = room[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return mine;
}

/* Numbers begin … end - 1 of a row, as far as this work-item sees them. */
float2 es_reduce_part(int op, global const float *row, long step, long begin, long end)
{
    float2 so_far = es_nothing(op);
    for (long i = begin + get_local_id(0); i < end; i += get_local_size(0)) {
        float x = row[i * step];
        so_far = es_join(op, so_far, (float2)(op == ES_REDUCE_SUM_SQUARES ? x * x : x, 0));
    }
    return so_far;
}

/* Views of g: x, out.  A row is cut into `parts` of `chunk` numbers; of one part the result is written, of several what they
 * are goes to `between`. */
kernel void reduce_rows(global const float *x, global float *out, global float2 *between,
                        es_cl_grid g, int op, long rows, long parts, long chunk,
                        local float2 *room)
{
    int leading = g.ndim - 1;
    long unit = get_global_id(1), row = unit / parts, begin = unit % parts * chunk;
    bool there = row < rows;
    long end = min(begin + chunk, g.dim[leading]);
    float2 mine = es_nothing(op);
    if (there)
        mine = es_reduce_part(op, x + es_at(&g, 0, row, leading), g.stride[0][leading], begin, end);
    mine = es_join_all(op, mine, room);
    if (!there || get_local_id(0) != 0)
        return;
    if (parts == 1)
        out[es_at(&g, 1, row, leading)] = es_total(mine);
    else
        between[unit] = mine;
}

/* The parts of each row, by one work-item. */
kernel void reduce_parts(global const float2 *between, global float *out, es_cl_grid g, int op,
                         long rows, long parts)
{
    long row = get_global_id(0);
    float2 so_far = es_nothing(op);
    if (row >= rows)
        return;
    for (long i = 0; i < parts; i++)
        so_far = es_join(op, so_far, between[row * parts + i]);
    out[es_at(&g, 1, row, g.ndim - 1)] = es_total(so_far);
}

/* Views of g: out, x.  out may be x: each work-item writes what only it has read. */
kernel void softmax_rows(global float *out, global const float *x, es_cl_grid g, long rows,
                         local float2 *room)
{
    int leading = g.ndim - 1;
    long row = get_global_id(1), n = g.dim[leading];
    bool there = row < rows;
    row = there ? row : rows - 1;
    global const float *from = x + es_at(&g, 1, row, leading);
    global float *to = out + es_at(&g, 0, row, leading);
    long from_step = g.stride[1][leading], to_step = g.stride[0][leading];
    float most =
        es_join_all(ES_REDUCE_MAX, es_reduce_part(ES_REDUCE_MAX, from, from_step, 0, n), room).x;
    float2 sum = (float2)(0, 0);
    for (long i = get_local_id(0); i < n; i += get_local_size(0))
        sum = es_plus(sum, exp(from[i * from_step] - most));
    float total = es_total(es_join_all(ES_REDUCE_SUM, sum, room));
    for (long i = get_local_id(0); there && i < n; i += get_local_size(0))
        to[i * to_step] = exp(from[i * from_step] - most) / total;
}
