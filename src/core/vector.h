// SPDX-License-Identifier: GPL-3.0-or-later
/* Arithmetic on rows of float32 for loops that do little else: inlined, and compiled a second time for
 * processors with wider registers by the function that holds the loop (ES_WIDE). */
#ifndef ES_CORE_VECTOR_H
#define ES_CORE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE__
#include <xmmintrin.h>
#else
#include <math.h>
#endif

#define ES_INLINE static inline __attribute__((always_inline))

/* A loop is an ES_INLINE function and two that call it, one of them ES_WIDE; es_is_wide says which of the two this
 * processor runs. */
#if defined __x86_64__
#define ES_WIDE      __attribute__((target("avx2,fma")))
#define es_is_wide() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define ES_WIDE
#define es_is_wide() false
#endif

/* NOLINTBEGIN(bugprone-macro-parentheses): words before a name take none */
/* Defines SCOPE (extern or static) void NAME(parameters): NAME_loop, an ES_INLINE function, in the form that suits
 * the processor. */
#define ES_TWO_FORMS(scope, name, parameters, arguments)                                           \
    static void name##_any parameters                                                              \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }                                                                                              \
    ES_WIDE static void name##_wide parameters                                                     \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }                                                                                              \
    scope void name parameters                                                                     \
    {                                                                                              \
        if (es_is_wide())                                                                          \
            name##_wide arguments;                                                                 \
        else                                                                                       \
            name##_any arguments;                                                                  \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

enum { ES_LANES = 8 };
typedef float es_lanes __attribute__((vector_size(ES_LANES * sizeof(float)), aligned(4)));
typedef int32_t es_int_lanes __attribute__((vector_size(ES_LANES * sizeof(int32_t))));

ES_INLINE es_lanes es_lanes_at(const float *p)
{
    es_lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

ES_INLINE void es_lanes_put(float *p, es_lanes v)
{
    memcpy(p, &v, sizeof v);
}

/* The end of a row: up to ES_LANES numbers at p, the rest of the lanes 0. */
ES_INLINE es_lanes es_lanes_some_at(const float *p, int64_t n)
{
    es_lanes v = {0};
    memcpy(&v, p, (size_t)(n < ES_LANES ? n : ES_LANES) * sizeof *p);
    return v;
}

ES_INLINE void es_lanes_put_some(float *p, es_lanes v, int64_t n)
{
    memcpy(p, &v, (size_t)(n < ES_LANES ? n : ES_LANES) * sizeof *p);
}

ES_INLINE es_lanes es_lanes_of(float f)
{
    return (es_lanes){f, f, f, f, f, f, f, f};
}

/* Lanes of a (0 to 7) and b (8 to 15), as eight constants say. */
#ifdef __clang__
#define es_lanes_pick(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define es_lanes_pick(a, b, ...) __builtin_shuffle(a, b, (es_int_lanes){__VA_ARGS__})
#endif

ES_INLINE float es_lanes_sum(es_lanes v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* The larger of each lane. */
ES_INLINE es_lanes es_lanes_max(es_lanes a, es_lanes b)
{
    es_int_lanes more = a > b;
    return (es_lanes)(((es_int_lanes)a & more) | ((es_int_lanes)b & ~more));
}

/* Bit i says whether lane i of a comparison holds. */
ES_INLINE unsigned es_lanes_mask(es_int_lanes holds)
{
    unsigned mask = 0;
#ifdef __SSE__
    for (int half = 0; half < 2; half++) {
        __m128 four;
        memcpy(&four, (const char *)&holds + half * sizeof four, sizeof four);
        mask |= (unsigned)_mm_movemask_ps(four) << 4 * half;
    }
#else
    for (int lane = 0; lane < ES_LANES; lane++)
        mask |= (unsigned)(holds[lane] != 0) << lane;
#endif
    return mask;
}

ES_INLINE float es_lanes_largest(es_lanes v)
{
    float most = v[0];
    for (int lane = 1; lane < ES_LANES; lane++)
        most = v[lane] > most ? v[lane] : most;
    return most;
}

/* The largest of x[0..n) and `most`. */
ES_INLINE float es_largest(const float *x, int64_t n, float most)
{
    es_lanes m = es_lanes_of(most);
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES)
        m = es_lanes_max(es_lanes_at(x + i), m);
    most = es_lanes_largest(m);
    for (; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

/* sum of a[i] * b[i] */
ES_INLINE float es_dot(const float *a, const float *b, int64_t n)
{
    es_lanes s0 = es_lanes_of(0), s1 = s0;
    int64_t i = 0;
    for (; i + 2 * ES_LANES <= n; i += 2 * ES_LANES) {
        s0 += es_lanes_at(a + i) * es_lanes_at(b + i);
        s1 += es_lanes_at(a + i + ES_LANES) * es_lanes_at(b + i + ES_LANES);
    }
    for (; i + ES_LANES <= n; i += ES_LANES)
        s0 += es_lanes_at(a + i) * es_lanes_at(b + i);
    float sum = es_lanes_sum(s0 + s1);
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* y += f * x */
ES_INLINE void es_axpy(float *y, float f, const float *x, int64_t n)
{
    es_lanes fs = es_lanes_of(f);
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES)
        es_lanes_put(y + i, es_lanes_at(y + i) + fs * es_lanes_at(x + i));
    for (; i < n; i++)
        y[i] += f * x[i];
}

ES_INLINE es_lanes es_lanes_sqrt(es_lanes x)
{
#ifdef __SSE__
    for (int half = 0; half < 2; half++) {
        __m128 four;
        memcpy(&four, (const char *)&x + half * sizeof four, sizeof four);
        four = _mm_sqrt_ps(four);
        memcpy((char *)&x + half * sizeof four, &four, sizeof four);
    }
#else
    for (int lane = 0; lane < ES_LANES; lane++)
        x[lane] = sqrtf(x[lane]);
#endif
    return x;
}

/* e^x, relative error below 2e-7; x is held within -87..88.  Source: Cephes' expf (Moshier): x = n log 2 + r, a
 * polynomial of r, and n into the exponent. */
ES_INLINE es_lanes es_lanes_exp(es_lanes x)
{
    es_lanes most = es_lanes_of(88.0f), least = es_lanes_of(-87.0f);
    x = (es_lanes)(((es_int_lanes)x & ~(x > most)) | ((es_int_lanes)most & (x > most)));
    x = es_lanes_max(least, x);    /* NaN stays */
    const float round = 0x1.8p23f; /* adding it leaves the nearest whole number in the low bits */
    es_lanes n = x * 1.44269504f + round;
    es_int_lanes whole = (es_int_lanes)n << 23;
    n -= round;
    es_lanes r = x - n * 0.693359375f + n * 2.12194440e-4f;
    es_lanes p = ((((1.9875691500e-4f * r + 1.3981999507e-3f) * r + 8.3334519073e-3f) * r +
                   4.1665795894e-2f) *
                      r +
                  1.6666665459e-1f) *
                     r +
                 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    return (es_lanes)((es_int_lanes)p + whole);
}

/* log x of normal numbers above 0, relative error below 2e-7 but near 1, where it is that of x - 1.  Source: Cephes'
 * logf (Moshier): x = 2^n m, m from sqrt(1/2) to sqrt(2), a polynomial of m - 1. */
ES_INLINE es_lanes es_lanes_log(es_lanes x)
{
    es_int_lanes whole = ((es_int_lanes)x - 0x3f3504f3) >> 23;
    es_lanes n = __builtin_convertvector(whole, es_lanes);
    es_lanes r = (es_lanes)((es_int_lanes)x - (whole << 23)) - 1.0f, r2 = r * r;
    es_lanes p = 7.0376836292e-2f * r - 1.1514610310e-1f;
    p = (p * r + 1.1676998740e-1f) * r - 1.2420140846e-1f;
    p = (p * r + 1.4249322787e-1f) * r - 1.6668057665e-1f;
    p = (p * r + 2.0000714765e-1f) * r - 2.4999993993e-1f;
    p = (p * r + 3.3333331174e-1f) * r * r2 - 2.12194440e-4f * n - 0.5f * r2;
    return r + p + 0.693359375f * n;
}

#endif
