// SPDX-License-Identifier: GPL-3.0-or-later
#include "opencl/clblast.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Its C interface, as far as we need it. */
enum { ROW_MAJOR = 101, AS_IS = 111, TURNED = 112 };
typedef int sgemm_fn(int layout, int a_how, int b_how, size_t m, size_t n, size_t k, float alpha,
                     cl_mem a, size_t a_at, size_t a_ld, cl_mem b, size_t b_at, size_t b_ld,
                     float beta, cl_mem c, size_t c_at, size_t c_ld, cl_command_queue *queue,
                     cl_event *event);

static sgemm_fn *sgemm;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const char *const names[] = {"libclblast.so.1", "libclblast.so", "libclblast.dylib"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library)
        *(void **)(void *)&sgemm = dlsym(library, "CLBlastSgemm");
}

bool es_clblast_open(const es_cl_device *d)
{
    const char *wish = getenv("EMBEDSCOPE_CLBLAST");
    bool no = wish && !strcmp(wish, "0"), yes = wish && !strcmp(wish, "1");
    if (no || !d->cl->usual || (!yes && !d->fast_local))
        return false;
    pthread_once(&once, load);
    return sgemm != NULL;
}

/* One operand as CLBlast takes it: rows or columns next to each other. */
static bool lies_well(int64_t rows, int64_t cols, int64_t row_step, int64_t col_step, int *how,
                      size_t *ld)
{
    bool by_rows = col_step == 1 && row_step >= cols, by_cols = row_step == 1 && col_step >= rows;
    *how = by_rows ? AS_IS : TURNED;
    *ld = (size_t)(by_rows ? row_step : col_step);
    return by_rows || by_cols;
}

bool es_clblast_multiply(es_cl_device *d, const es_cl_grid *g, const cl_mem mem[3],
                         const int64_t at[3], int64_t K)
{
    int r = g->ndim - 2, c = g->ndim - 1, how[3];
    int64_t M = g->dim[r], N = g->dim[c];
    size_t ld[3];
    if (!d->clblast || !lies_well(M, N, g->stride[0][r], g->stride[0][c], &how[0], &ld[0]) ||
        how[0] != AS_IS || !lies_well(M, K, g->stride[1][r], g->stride[1][c], &how[1], &ld[1]) ||
        !lies_well(K, N, g->stride[2][r], g->stride[2][c], &how[2], &ld[2]))
        return false;
    int status = sgemm(ROW_MAJOR, how[1], how[2], (size_t)M, (size_t)N, (size_t)K, 1, mem[1],
                       (size_t)at[1], ld[1], mem[2], (size_t)at[2], ld[2], 0, mem[0], (size_t)at[0],
                       ld[0], &d->queue, NULL);
    d->clblast = status == 0;
    if (status == 0)
        es_backend_ran_there(d->be);
    return status == 0;
}
