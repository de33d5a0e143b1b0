// SPDX-License-Identifier: GPL-3.0-or-later
/* Products of matrices: CLBlast where it is, else kernels/product.cl. */
#include "opencl/clblast.h"
#include "opencl/rows.h"
#include "opencl/slots.h"

enum { TILE = 64, ROWS = 4, COLS = 16, GROUP = 16 }; /* as in kernels/product.cl */

/* Multiply-adds of one launch: a card that also draws the desktop must not be kept longer than some tenths of a second. */
static const int64_t MOST = (int64_t)1 << 35;

typedef struct product {
    es_cl_device *d;
    es_cl_grid g; /* out, a, b; the last two axes are those of the matrices */
    cl_mem mem[3];
    cl_long K, batch;
} product;

static int64_t rows_of(const product *p)
{
    return p->g.dim[p->g.ndim - 2];
}

static int64_t cols_of(const product *p)
{
    return p->g.dim[p->g.ndim - 1];
}

/* ---- our kernels ---- */

static bool run_column(product *p, es_error *err)
{
    bool together = p->d->fast_local && p->g.stride[1][p->g.ndim - 1] == 1;
    es_cl_share s = es_cl_share_rows(p->d, rows_of(p), together ? p->K : 1);
    size_t global[] = {s.global[0], s.global[1], (size_t)p->batch},
           local[] = {s.local[0], s.local[1], 1}, room = s.local[0] * s.local[1] * sizeof(cl_float);
    return ES_CL_RUN(p->d, ES_KERNEL_matmul_column, 3, global, local, err, ES_CL_ARG(p->mem[0]),
                     ES_CL_ARG(p->mem[1]), ES_CL_ARG(p->mem[2]), ES_CL_ARG(p->g), ES_CL_ARG(p->K),
                     {room, NULL});
}

static bool run_tiles(product *p, es_error *err)
{
    size_t global[] = {es_cl_up((size_t)cols_of(p), TILE) / TILE * GROUP,
                       es_cl_up((size_t)rows_of(p), TILE) / TILE * GROUP, (size_t)p->batch},
           local[] = {GROUP, GROUP, 1};
    return ES_CL_RUN(p->d, ES_KERNEL_matmul_tiles, 3, global, local, err, ES_CL_ARG(p->mem[0]),
                     ES_CL_ARG(p->mem[1]), ES_CL_ARG(p->mem[2]), ES_CL_ARG(p->g), ES_CL_ARG(p->K));
}

static bool run_blocks(product *p, es_error *err)
{
    size_t global[] = {es_cl_up((size_t)cols_of(p), COLS) / COLS,
                       es_cl_up((size_t)rows_of(p), ROWS) / ROWS, (size_t)p->batch};
    return ES_CL_RUN(p->d, ES_KERNEL_matmul_blocks, 3, global, NULL, err, ES_CL_ARG(p->mem[0]),
                     ES_CL_ARG(p->mem[1]), ES_CL_ARG(p->mem[2]), ES_CL_ARG(p->g), ES_CL_ARG(p->K));
}

static void swap(cl_long *x, cl_long *y)
{
    cl_long was = *x;
    *x = *y;
    *y = was;
}

/* One row times a matrix is that matrix, turned, times a column. */
static void turn(product *p)
{
    int r = p->g.ndim - 2, c = p->g.ndim - 1;
    cl_mem a = p->mem[1];
    p->mem[1] = p->mem[2];
    p->mem[2] = a;
    swap(&p->g.dim[r], &p->g.dim[c]);
    swap(&p->g.offset[1], &p->g.offset[2]);
    for (int d = 0; d < p->g.ndim; d++)
        swap(&p->g.stride[1][d], &p->g.stride[2][d]);
    for (int v = 0; v < 3; v++)
        swap(&p->g.stride[v][r], &p->g.stride[v][c]);
}

static bool run(product *p, es_error *err)
{
    if (cols_of(p) == 1)
        return run_column(p, err);
    return p->d->tiles ? run_tiles(p, err) : run_blocks(p, err);
}

/* A few rows at a time, if there is much to do. */
static bool run_in_turns(product *p, es_error *err)
{
    int64_t M = rows_of(p), work = cols_of(p) * (p->K ? p->K : 1) * p->batch,
            at_once = MOST / work > 1 ? MOST / work : 1;
    product part = *p;
    int r = p->g.ndim - 2;
    bool ok = true;
    for (int64_t first = 0; ok && first < M; first += at_once) {
        part.g.dim[r] = M - first < at_once ? M - first : at_once;
        for (int v = 0; v < 2; v++) /* out and a */
            part.g.offset[v] = p->g.offset[v] + first * p->g.stride[v][r];
        ok = run(&part, err) && (at_once >= M || es_cl_flush(p->d, err));
    }
    return ok;
}

/* ---- columns of b that are not next to each other, for the kernel that wants them so ---- */

static bool pack(es_view *b, es_buffer *buf, es_error *err)
{
    es_view from = *b;
    int64_t n = 1;
    *buf = (es_buffer){.be = b->buf->be, .bytes = (size_t)es_view_count(b) * sizeof(float)};
    buf->mem = es_cl_scratch(es_cl_of(buf->be), buf->bytes, NULL, err);
    b->buf = buf;
    b->offset = 0;
    for (int i = b->ndim - 1; i >= 0; n *= b->dim[i--])
        b->stride[i] = n;
    return buf->mem && es_cl_copy(b, &from, err);
}

/* ---- batches ---- */

/* Where the matrices of item i of the batch begin. */
static void begin_of(const es_cl_grid *g, int64_t i, int64_t at[3])
{
    for (int v = 0; v < 3; v++)
        at[v] = g->offset[v];
    for (int d = g->ndim - 3; d >= 0; d--) {
        for (int v = 0; v < 3; v++)
            at[v] += i % g->dim[d] * g->stride[v][d];
        i /= g->dim[d];
    }
}

/* All by CLBlast?  What it has done before it failed is done again. */
static bool by_clblast(product *p)
{
    bool ok = p->d->clblast && p->K > 0;
    pthread_mutex_lock(&p->d->lock);
    for (int64_t i = 0; ok && i < p->batch; i++) {
        int64_t at[3];
        begin_of(&p->g, i, at);
        ok = es_clblast_multiply(p->d, &p->g, p->mem, at, p->K);
    }
    pthread_mutex_unlock(&p->d->lock);
    return ok;
}

static product product_of(const es_view *out, const es_view *a, const es_view *b)
{
    const es_view *views[] = {out, a, b};
    product p = {.d = es_cl_of(out->buf->be),
                 .g = es_cl_grid_of(views, 3, 2),
                 .mem = {es_cl_mem(out), es_cl_mem(a), es_cl_mem(b)},
                 .K = a->dim[a->ndim - 1],
                 .batch = 1};
    for (int i = 0; i + 2 < p.g.ndim; i++)
        p.batch *= p.g.dim[i];
    return p;
}

bool es_cl_matmul(const es_view *out, const es_view *a, const es_view *b, es_error *err)
{
    es_view right = *b;
    es_buffer packed = {0};
    if (!es_view_count(out))
        return true;
    product p = product_of(out, a, b);
    if (by_clblast(&p))
        return true;
    bool column = cols_of(&p) == 1 || rows_of(&p) == 1;
    bool wants = !p.d->tiles && !column && es_view_count(b) && b->stride[b->ndim - 1] != 1;
    bool ok = !wants || pack(&right, &packed, err);
    p = product_of(out, a, &right);
    if (rows_of(&p) == 1)
        turn(&p);
    ok = ok && run_in_turns(&p, err);
    es_cl_scratch_free(p.d, packed.mem);
    return ok;
}
