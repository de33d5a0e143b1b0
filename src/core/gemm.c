// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gemm.h"

#include <pthread.h>

#if ES_HAVE_OPENBLAS
#include <cblas.h>
#else
#include "base/cpus.h"
#endif

/* How many threads OpenBLAS uses is one setting for the whole program, and so is who holds it at one. */
static struct {
    pthread_mutex_t lock;
    int holds, threads;
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

void es_gemm_hold(void)
{
    pthread_mutex_lock(&held.lock);
#if ES_HAVE_OPENBLAS
    if (!held.holds) {
        held.threads = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
#endif
    held.holds++;
    pthread_mutex_unlock(&held.lock);
}

void es_gemm_release(void)
{
    pthread_mutex_lock(&held.lock);
    held.holds--;
#if ES_HAVE_OPENBLAS
    if (!held.holds)
        openblas_set_num_threads(held.threads);
#endif
    pthread_mutex_unlock(&held.lock);
}

int es_gemm_threads(void)
{
    pthread_mutex_lock(&held.lock);
#if ES_HAVE_OPENBLAS
    int n = held.holds ? held.threads : openblas_get_num_threads();
#else
    int n = es_threads(0);
#endif
    pthread_mutex_unlock(&held.lock);
    return n;
}

#if ES_HAVE_OPENBLAS

static CBLAS_TRANSPOSE turn(es_matrix m)
{
    return m.transposed ? CblasTrans : CblasNoTrans;
}

void es_gemm(float *out, int64_t stride, float scale, es_matrix a, es_matrix b, int64_t M,
             int64_t N, int64_t K, bool add)
{
    if (M > 0 && N > 0)
        cblas_sgemm(CblasRowMajor, turn(a), turn(b), (int)M, (int)N, (int)K, scale, a.at,
                    (int)a.stride, b.at, (int)b.stride, add ? 1.0f : 0.0f, out, (int)stride);
}

void es_gram(float *out, const float *rows, int64_t n, int64_t C)
{
    cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, (int)C, (int)n, 1.0f, rows, (int)C, 0.0f,
                out, (int)C);
}

void es_gram_double(double *out, const double *rows, int64_t n, int64_t C)
{
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)C, (int)n, 1, rows, (int)C, 0, out,
                (int)C);
}

#else

static float element(es_matrix m, int64_t row, int64_t col)
{
    return m.transposed ? m.at[col * m.stride + row] : m.at[row * m.stride + col];
}

void es_gemm(float *out, int64_t stride, float scale, es_matrix a, es_matrix b, int64_t M,
             int64_t N, int64_t K, bool add)
{
    for (int64_t m = 0; m < M; m++)
        for (int64_t n = 0; n < N; n++) {
            float sum = 0;
            for (int64_t k = 0; k < K; k++)
                sum += element(a, m, k) * element(b, k, n);
            out[m * stride + n] = scale * sum + (add ? out[m * stride + n] : 0);
        }
}

/* Row by row, so that both operands lie dense. */
#define GRAM(out, rows, n, C)                                                                      \
    do {                                                                                           \
        for (int64_t i = 0; i < (C); i++)                                                          \
            for (int64_t j = 0; j <= i; j++)                                                       \
                (out)[i * (C) + j] = 0;                                                            \
        for (int64_t r = 0; r < (n); r++)                                                          \
            for (int64_t i = 0; i < (C); i++)                                                      \
                for (int64_t j = 0; j <= i; j++)                                                   \
                    (out)[i * (C) + j] += (rows)[r * (C) + i] * (rows)[r * (C) + j];               \
    } while (0)

void es_gram(float *out, const float *rows, int64_t n, int64_t C)
{
    GRAM(out, rows, n, C);
}

void es_gram_double(double *out, const double *rows, int64_t n, int64_t C)
{
    GRAM(out, rows, n, C);
}

#endif
