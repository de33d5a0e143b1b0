// SPDX-License-Identifier: GPL-3.0-or-later
/* out (…, M, N) = a (…, M, K) @ b (…, K, N).  Views of g: out, a, b; its last two axes are those of the matrices, and the third
 * dimension of the launch counts the matrices of a batch. */

/* A fused multiply-add rounds once, where there is one. */
#pragma OPENCL FP_CONTRACT ON

typedef struct es_matrices {
    global float *out;
    global const float *a, *b;
    long M, N, K;
    long out_row, out_col, a_row, a_col, b_row, b_col; /* steps */
} es_matrices;

es_matrices es_matrices_of(const es_cl_grid *g, long K, global float *out, global const float *a,
                           global const float *b)
{
    int rows = g->ndim - 2, cols = g->ndim - 1;
    long batch = get_global_id(2);
    es_matrices m = {out + es_at(g, 0, batch, rows),
                     a + es_at(g, 1, batch, rows),
                     b + es_at(g, 2, batch, rows),
                     g->dim[rows],
                     g->dim[cols],
                     K,
                     g->stride[0][rows],
                     g->stride[0][cols],
                     g->stride[1][rows],
                     g->stride[1][cols],
                     g->stride[2][rows],
                     g->stride[2][cols]};
    return m;
}

/* ---- where local memory is fast: a tile of out a group, a square of it a work-item ---- */

#define TILE  64 /* rows and columns of a tile */
#define DEPTH 16 /* of it that is brought at once */
#define EACH  4  /* rows and columns of a work-item: 16 x 16 of them make a tile */

/* at (DEPTH, TILE) = rows first … of x from depth k on, zeros beyond its end.  Work-items that are neighbours read
 * neighbours, whichever way x lies. */
void es_bring(local float (*at)[TILE + 1], global const float *x, long first, long rows, long k,
              long depth, long row_step, long depth_step)
{
    int item = get_local_id(1) * 16 + get_local_id(0);
    bool by_depth = depth_step == 1;
    for (int i = item; i < TILE * DEPTH; i += 256) {
        int r = by_depth ? i / DEPTH : i % TILE, d = by_depth ? i % DEPTH : i / TILE;
        bool there = first + r < rows && k + d < depth;
        at[d][r] = there ? x[(first + r) * row_step + (k + d) * depth_step] : 0.0f;
    }
}

__attribute__((reqd_work_group_size(16, 16, 1))) kernel void
matmul_tiles(global float *out, global const float *a, global const float *b, es_cl_grid g, long K)
{
    local float as[DEPTH][TILE + 1], bs[DEPTH][TILE + 1];
    es_matrices m = es_matrices_of(&g, K, out, a, b);
    long row = (long)get_group_id(1) * TILE, col = (long)get_group_id(0) * TILE;
    int x = get_local_id(0), y = get_local_id(1);
    float sum[EACH][EACH];
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
            sum[i][j] = 0;
    for (long k = 0; k < m.K; k += DEPTH) {
        es_bring(as, m.a, row, m.M, k, m.K, m.a_row, m.a_col);
        es_bring(bs, m.b, col, m.N, k, m.K, m.b_col, m.b_row);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 0; d < DEPTH; d++)
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += as[d][y + 16 * i] * bs[d][x + 16 * j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            long r = row + y + 16 * i, c = col + x + 16 * j;
            if (r < m.M && c < m.N)
                m.out[r * m.out_row + c * m.out_col] = sum[i][j];
        }
}

/* ---- where it is not, on processors: four rows of sixteen columns a work-item, in vectors ---- */

#define ROWS 4
#define COLS 16

/* Fewer of either: number by number. */
void es_block_rest(const es_matrices *m, long row, long rows, long col, long cols)
{
    for (long r = row; r < row + rows; r++)
        for (long c = col; c < col + cols; c++) {
            float sum = 0;
            for (long k = 0; k < m->K; k++)
                sum += m->a[r * m->a_row + k * m->a_col] * m->b[k * m->b_row + c * m->b_col];
            m->out[r * m->out_row + c * m->out_col] = sum;
        }
}

/* b has its columns next to each other. */
kernel void matmul_blocks(global float *out, global const float *a, global const float *b,
                          es_cl_grid g, long K)
{
    es_matrices m = es_matrices_of(&g, K, out, a, b);
    long row = (long)get_global_id(1) * ROWS, col = (long)get_global_id(0) * COLS;
    if (row >= m.M || col >= m.N)
        return;
    if (m.M - row < ROWS || m.N - col < COLS) {
        es_block_rest(&m, row, min(m.M - row, (long)ROWS), col, min(m.N - col, (long)COLS));
        return;
    }
    float16 sum[ROWS] = {0, 0, 0, 0};
    for (long k = 0; k < m.K; k++) {
        float16 right = vload16(0, m.b + k * m.b_row + col);
        for (int r = 0; r < ROWS; r++)
            sum[r] += m.a[(row + r) * m.a_row + k * m.a_col] * right;
    }
    for (int r = 0; r < ROWS; r++) {
        float one[COLS];
        vstore16(sum[r], 0, one);
        for (int c = 0; c < COLS; c++)
            m.out[(row + r) * m.out_row + (col + c) * m.out_col] = one[c];
    }
}

/* ---- a matrix and one column ---- */

/* A group has get_local_size(0) work-items, a power of two, for each of get_local_size(1) rows. */
kernel void matmul_column(global float *out, global const float *a, global const float *b,
                          es_cl_grid g, long K, local float *room)
{
    es_matrices m = es_matrices_of(&g, K, out, a, b);
    int lane = get_local_id(0), lanes = get_local_size(0);
    long row = get_global_id(1);
    float sum = 0;
    if (row < m.M)
        for (long k = lane; k < m.K; k += lanes)
            sum += m.a[row * m.a_row + k * m.a_col] * m.b[k * m.b_row];
    room += get_local_id(1) * lanes;
    room[lane] = sum;
    for (int span = lanes / 2; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < span)
            room[lane] += room[lane + span];
    }
    if (lane == 0 && row < m.M)
        m.out[row * m.out_row] = room[0];
}

#pragma OPENCL FP_CONTRACT OFF
