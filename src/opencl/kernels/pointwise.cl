// SPDX-License-Identifier: GPL-3.0-or-later
/* Each number by itself: copies, and operations on one or two numbers. */

/* As es_map_op in core/backend.h. */
enum {
    ES_ADD,
    ES_SUB,
    ES_MUL,
    ES_DIV,
    ES_POW,
    ES_MAX,
    ES_MIN,
    ES_NEG,
    ES_ABS,
    ES_EXP,
    ES_LOG,
    ES_SQRT,
    ES_SIN,
    ES_COS,
    ES_TANH
};

float es_apply2(int op, float x, float y)
{
    switch (op) {
    case ES_ADD: return x + y;
    case ES_SUB: return x - y;
    case ES_MUL: return x * y;
    case ES_DIV: return x / y;
    case ES_POW: return pow(x, y);
    case ES_MAX: return isnan(x) || x > y ? x : y;
    default: return isnan(x) || x < y ? x : y;
    }
}

float es_apply1(int op, float x)
{
    switch (op) {
    case ES_NEG: return -x;
    case ES_ABS: return fabs(x);
    case ES_EXP: return exp(x);
    case ES_LOG: return log(x);
    case ES_SQRT: return sqrt(x);
    case ES_SIN: return sin(x);
    case ES_COS: return cos(x);
    default: return tanh(x);
    }
}

/* ---- any views: one number a work-item ---- */

/* Where element i lies in each of the views.  Each division serves all of them. */
void es_places(const es_cl_grid *g, long i, long *at)
{
    if (g->ndim == 1) {
        for (int v = 0; v < 3; v++)
            at[v] = g->offset[v] + i * g->stride[v][0];
        return;
    }
    for (int v = 0; v < g->n_views; v++)
        at[v] = g->offset[v];
    for (int d = g->ndim - 1; d >= 0; d--) {
        long here = i;
        if (d > 0 && g->count <= UINT_MAX) { /* a division of 64 bits takes four times as long */
            uint whole = (uint)i, size = (uint)g->dim[d];
            i = whole / size;
            here = whole - (uint)i * size;
        } else if (d > 0) {
            i /= g->dim[d];
            here -= i * g->dim[d];
        }
        for (int v = 0; v < g->n_views; v++)
            at[v] += here * g->stride[v][d];
    }
}

__kernel void copy(__global float *out, __global const float *x, es_cl_grid g)
{
    long i = get_global_id(0), at[3];
    if (i >= g.count)
        return;
    es_places(&g, i, at);
    out[at[0]] = x[at[1]];
}

__kernel void map1(__global float *out, __global const float *x, es_cl_grid g, int op)
{
    long i = get_global_id(0), at[3];
    if (i >= g.count)
        return;
    es_places(&g, i, at);
    out[at[0]] = es_apply1(op, x[at[1]]);
}

__kernel void map2(__global float *out, __global const float *x, __global const float *y,
                   es_cl_grid g, int op)
{
    long i = get_global_id(0), at[3];
    if (i >= g.count)
        return;
    es_places(&g, i, at);
    out[at[0]] = es_apply2(op, x[at[1]], y[at[2]]);
}

/* ---- rows that are dense: four numbers a work-item ---- */

/* The last axis counts fours, and its stride is 4, or 0 where a number stretches over it.  `rest` numbers behind the last four,
 * where there is one axis only, go to one work-item more. */

float4 es_apply2_fours(int op, float4 x, float4 y)
{
    switch (op) {
    case ES_ADD: return x + y;
    case ES_SUB: return x - y;
    case ES_MUL: return x * y;
    case ES_DIV: return x / y;
    case ES_MAX: return select(y, x, isnan(x) | (x > y));
    default: return select(y, x, isnan(x) | (x < y));
    }
}

float4 es_apply1_fours(int op, float4 x)
{
    switch (op) {
    case ES_NEG: return -x;
    case ES_ABS: return fabs(x);
    default: return sqrt(x);
    }
}

float4 es_four(__global const float *x, const es_cl_grid *g, int v, const long *at)
{
    __global const float *from = x + at[v];
    return g->stride[v][g->ndim - 1] ? *(__global const float4 *)from : (float4)(*from);
}

/* The number k places behind the last four of view v. */
float es_one_of_rest(__global const float *x, const es_cl_grid *g, int v, int k)
{
    long stride = g->stride[v][0];
    return x[g->offset[v] + g->count * stride + (stride ? k : 0)];
}

__kernel void copy_fours(__global float *out, __global const float *x, es_cl_grid g)
{
    long i = get_global_id(0), at[3];
    if (i >= g.count)
        return;
    es_places(&g, i, at);
    *(__global float4 *)(out + at[0]) = es_four(x, &g, 1, at);
}

__kernel void map1_fours(__global float *out, __global const float *x, es_cl_grid g, int op,
                         int rest)
{
    long i = get_global_id(0), at[3];
    if (i < g.count) {
        es_places(&g, i, at);
        *(__global float4 *)(out + at[0]) = es_apply1_fours(op, es_four(x, &g, 1, at));
    } else if (i == g.count) {
        for (int k = 0; k < rest; k++)
            out[g.offset[0] + i * 4 + k] = es_apply1(op, es_one_of_rest(x, &g, 1, k));
    }
}

__kernel void map2_fours(__global float *out, __global const float *x, __global const float *y,
                         es_cl_grid g, int op, int rest)
{
    long i = get_global_id(0), at[3];
    if (i < g.count) {
        es_places(&g, i, at);
        *(__global float4 *)(out + at[0]) =
            es_apply2_fours(op, es_four(x, &g, 1, at), es_four(y, &g, 2, at));
    } else if (i == g.count) {
        for (int k = 0; k < rest; k++)
            out[g.offset[0] + i * 4 + k] =
                es_apply2(op, es_one_of_rest(x, &g, 1, k), es_one_of_rest(y, &g, 2, k));
    }
}
