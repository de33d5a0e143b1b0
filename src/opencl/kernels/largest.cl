// SPDX-License-Identifier: GPL-3.0-or-later
/* The largest numbers of rows, in order.  A number and its place become one key, so that no two are alike and the smallest key
 * is the best: NaN before all numbers, of equals the earlier. */

constant ulong es_no_key = ULONG_MAX;

ulong es_key(float x, uint place)
{
    uint bits = as_uint(x == 0 ? 0.0f : x), up = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (ulong)(isnan(x) ? 0 : ~up) << 32 | place;
}

/* keys (rows, width): those of the n numbers of each row (view 0 of g), then none. */
kernel void topk_keys(global const float *x, global ulong *keys, es_cl_grid g, long width)
{
    int leading = g.ndim - 1;
    long i = get_global_id(0), row = get_global_id(1);
    if (i >= width)
        return;
    ulong key = es_no_key;
    if (i < g.dim[leading])
        key = es_key(x[es_at(&g, 0, row, leading) + i * g.stride[0][leading]], (uint)i);
    keys[row * width + i] = key;
}

/* The smallest key of a group's, for all of it. */
ulong es_smallest(ulong mine, local ulong *room)
{
    int lane = get_local_id(0);
    room[lane] = mine;
    for (int span = get_local_size(0) / 2; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < span)
            room[lane] = min(room[lane], room[lane + span]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = room[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return mine;
}

/* best (rows, chunks, k) = the k smallest of each chunk of keys (rows, width), in order: a group looks for the next one k
 * times. */
kernel void topk_best(global const ulong *keys, global ulong *best, long width, long chunk, int k,
                      local ulong *room)
{
    long part = get_group_id(0), parts = get_num_groups(0), row = get_global_id(1);
    long begin = part * chunk, end = min(begin + chunk, width);
    ulong last = 0;
    keys += row * width;
    best += (row * parts + part) * k;
    for (int i = 0; i < k; i++) {
        ulong mine = es_no_key;
        for (long j = begin + get_local_id(0); j < end; j += get_local_size(0))
            if (keys[j] < mine && (i == 0 || keys[j] > last))
                mine = keys[j];
        last = es_smallest(mine, room);
        if (get_local_id(0) == 0)
            best[i] = last;
    }
}

/* One step of a bitonic sort of each row of keys (rows, width), width a power of two (Batcher 1968): pairs `apart` from each other
 * within runs of `run`. */
kernel void topk_sort(global ulong *keys, long width, long run, long apart)
{
    long pair = get_global_id(0);
    if (pair >= width / 2)
        return;
    long i = 2 * pair - (pair & (apart - 1)), j = i + apart;
    keys += get_global_id(1) * width;
    ulong a = keys[i], b = keys[j];
    if ((a > b) == ((i & run) == 0)) {
        keys[i] = b;
        keys[j] = a;
    }
}

/* The first k keys of each row (of `width`) as numbers and places.  Views of g: x, values. */
kernel void topk_take(global const ulong *keys, global const float *x, global float *values,
                      global long *index, es_cl_grid g, long width, long k)
{
    int leading = g.ndim - 1;
    long i = get_global_id(0), row = get_global_id(1);
    if (i >= k)
        return;
    long place = (long)(keys[row * width + i] & 0xFFFFFFFFul);
    index[row * k + i] = place;
    values[es_at(&g, 1, row, leading) + i * g.stride[1][leading]] =
        x[es_at(&g, 0, row, leading) + place * g.stride[0][leading]];
}
