// SPDX-License-Identifier: GPL-3.0-or-later
/* Rows of a table by ids, and rows added to a table by ids. */

/* As in opencl/lookup.c, which says what it means. */
typedef struct es_cl_lookup {
    long channels, places, sentences;
    long id_place, id_sentence;
    long out, out_c, out_t, out_b;
    long table, table_c, table_v;
    long add, add_c, add_t, add_b;
    int adds, shared;
} es_cl_lookup;

/* Neighbours work on neighbouring channels of one row, and each goes through several sentences: what is added at a place
 * is read once for all of them.  Rows are as many as there are; work-items may be fewer. */
#define ES_GATHER(name, number)                                                                    \
    __kernel void name(__global number *restrict out, __global const number *restrict table,       \
                       __global const int *restrict ids, __global const number *restrict add,      \
                       es_cl_lookup l)                                                             \
    {                                                                                              \
        long c = get_global_id(0);                                                                 \
        if (c >= l.channels)                                                                       \
            return;                                                                                \
        out += l.out + c * l.out_c;                                                                \
        table += l.table + c * l.table_c;                                                          \
        add += l.add + c * l.add_c;                                                                \
        for (long t = get_global_id(1); t < l.places; t += get_global_size(1)) {                   \
            number here = l.adds && l.shared ? add[t * l.add_t] : (number)(0);                     \
            for (long b = get_global_id(2); b < l.sentences; b += get_global_size(2)) {            \
                long id = ids[b * l.id_sentence + t * l.id_place];                                 \
                number value = table[id * l.table_v];                                              \
                if (l.adds) /* adding 0 would make a 0 of -0 */                                    \
                    value += l.shared ? here : add[b * l.add_b + t * l.add_t];                     \
                out[b * l.out_b + t * l.out_t] = value;                                            \
            }                                                                                      \
        }                                                                                          \
    }

ES_GATHER(gather, float)
ES_GATHER(gather_fours, float4) /* channels, offsets and strides count fours */

/* As in opencl/lookup.c. */
typedef struct es_cl_scatter {
    long channels, rows_n, distinct;
    long table, table_c, table_v;
    long rows, rows_c, rows_r;
} es_cl_scatter;

/* One channel of one row of the table a work-item, which adds what belongs there one after the other, in the order of the ids.
 * plan: rows_n rows in the order of their ids, where each id begins in it (distinct + 1), and the ids. */
__kernel void scatter_add(__global float *restrict table, __global const float *restrict rows,
                          __global const uint *restrict plan, es_cl_scatter s)
{
    __global const uint *begin = plan + s.rows_n, *id = begin + s.distinct + 1;
    long c = get_global_id(0);
    if (c >= s.channels)
        return;
    rows += s.rows + c * s.rows_c;
    table += s.table + c * s.table_c;
    for (long k = get_global_id(1); k < s.distinct; k += get_global_size(1)) {
        __global float *to = table + (long)id[k] * s.table_v;
        float sum = *to;
        for (uint i = begin[k]; i < begin[k + 1]; i++)
            sum += rows[(long)plan[i] * s.rows_r];
        *to = sum;
    }
}
