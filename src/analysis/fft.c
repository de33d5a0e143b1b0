// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/fft.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { MOST_PASSES = 32 };

typedef struct root {
    float re, im;
} root;

struct es_fft {
    int n, n_passes;
    int radix[MOST_PASSES];
    root turn[]; /* (n) exp(-2 pi i j / n) */
};

/* ---- lengths ---- */

static int without(int n, int prime)
{
    while (n % prime == 0)
        n /= prime;
    return n;
}

int es_fft_size(int least)
{
    int n = least < 2 ? 2 : least + least % 2;
    while (without(without(without(n, 2), 3), 5) > 1)
        n += 2;
    return n;
}

es_fft *es_fft_new(int n)
{
    static const int radices[] = {4, 2, 3, 5};
    es_fft *f = es_alloc(sizeof *f + (size_t)n * sizeof *f->turn);
    int left = n;
    f->n = n;
    for (size_t i = 0; i < sizeof radices / sizeof *radices; i++)
        for (; left % radices[i] == 0; left /= radices[i])
            f->radix[f->n_passes++] = radices[i];
    assert(left == 1);
    for (int j = 0; j < n; j++) {
        double angle = 2 * M_PI * j / n;
        f->turn[j] = (root){(float)cos(angle), (float)-sin(angle)};
    }
    return f;
}

void es_fft_free(es_fft *f)
{
    free(f);
}

/* ---- a few numbers ---- */

ES_INLINE es_eight plus(es_eight a, es_eight b)
{
    return (es_eight){a.re + b.re, a.im + b.im};
}

ES_INLINE es_eight minus(es_eight a, es_eight b)
{
    return (es_eight){a.re - b.re, a.im - b.im};
}

ES_INLINE es_eight times(es_eight a, float f)
{
    return (es_eight){a.re * f, a.im * f};
}

ES_INLINE es_eight turned(es_eight a, root w)
{
    return (es_eight){a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}

/* -i a */
ES_INLINE es_eight quarter(es_eight a)
{
    return (es_eight){a.im, -a.re};
}

ES_INLINE void transform_2(es_eight *a)
{
    es_eight b = a[1];
    a[1] = minus(a[0], b);
    a[0] = plus(a[0], b);
}

ES_INLINE void transform_3(es_eight *a)
{
    es_eight sum = plus(a[1], a[2]), across = quarter(times(minus(a[1], a[2]), 0.866025404f));
    es_eight middle = minus(a[0], times(sum, 0.5f));
    a[0] = plus(a[0], sum);
    a[1] = plus(middle, across);
    a[2] = minus(middle, across);
}

ES_INLINE void transform_4(es_eight *a)
{
    es_eight even = plus(a[0], a[2]), odd = plus(a[1], a[3]);
    es_eight apart = minus(a[0], a[2]), across = quarter(minus(a[1], a[3]));
    a[0] = plus(even, odd);
    a[1] = plus(apart, across);
    a[2] = minus(even, odd);
    a[3] = minus(apart, across);
}

ES_INLINE void transform_5(es_eight *a)
{
    const float c1 = 0.309016994f, s1 = 0.951056516f, c2 = -0.809016994f, s2 = 0.587785252f;
    es_eight sum_1 = plus(a[1], a[4]), apart_1 = minus(a[1], a[4]);
    es_eight sum_2 = plus(a[2], a[3]), apart_2 = minus(a[2], a[3]);
    es_eight near = plus(a[0], plus(times(sum_1, c1), times(sum_2, c2)));
    es_eight far = plus(a[0], plus(times(sum_1, c2), times(sum_2, c1)));
    es_eight near_across = quarter(plus(times(apart_1, s1), times(apart_2, s2)));
    es_eight far_across = quarter(minus(times(apart_1, s2), times(apart_2, s1)));
    a[0] = plus(a[0], plus(sum_1, sum_2));
    a[1] = plus(near, near_across);
    a[2] = plus(far, far_across);
    a[3] = minus(far, far_across);
    a[4] = minus(near, near_across);
}

/* ---- all of them ---- */

/* One pass: n numbers of which `stride` transforms are made side by side, each of n / stride; radix is a constant. */
ES_INLINE void pass(const es_fft *f, es_eight *out, const es_eight *in, int radix, int stride)
{
    int apart = f->n / radix, steps = apart / stride;
    for (int p = 0; p < steps; p++)
        for (int q = 0; q < stride; q++) {
            es_eight a[5];
#pragma GCC unroll 5
            for (int j = 0; j < radix; j++)
                a[j] = in[q + stride * p + apart * j];
            if (radix == 2)
                transform_2(a);
            else if (radix == 3)
                transform_3(a);
            else if (radix == 4)
                transform_4(a);
            else
                transform_5(a);
            es_eight *to = out + q + stride * radix * p;
            to[0] = a[0];
#pragma GCC unroll 5
            for (int j = 1; j < radix; j++)
                to[stride * j] = turned(a[j], f->turn[j * p * stride]);
        }
}

ES_INLINE void run_loop(const es_fft *f, es_eight *x, es_eight *work)
{
    int stride = 1;
    for (int i = 0; i < f->n_passes; i++) {
        es_eight *in = i % 2 ? work : x, *out = i % 2 ? x : work;
        switch (f->radix[i]) {
        case 2: pass(f, out, in, 2, stride); break;
        case 3: pass(f, out, in, 3, stride); break;
        case 4: pass(f, out, in, 4, stride); break;
        default: pass(f, out, in, 5, stride); break;
        }
        stride *= f->radix[i];
    }
}

ES_TWO_FORMS(static, run, (const es_fft *f, es_eight *x, es_eight *work), (f, x, work))

es_eight *es_fft_run(const es_fft *f, es_eight *x, es_eight *work)
{
    run(f, x, work);
    return f->n_passes % 2 ? work : x;
}

/* ---- squares ---- */

/* Changes places: of a pair of rows `apart` from each other the later half of the one and the earlier half of the
 * other, in groups of lanes as wide. */
ES_INLINE void es_turn_square_loop(es_lanes s[ES_LANES])
{
    for (int i = 0; i < ES_LANES; i += 2) {
        es_lanes a = s[i], b = s[i + 1];
        s[i] = es_lanes_pick(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        s[i + 1] = es_lanes_pick(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < ES_LANES; i += i % 2 ? 3 : 1) {
        es_lanes a = s[i], b = s[i + 2];
        s[i] = es_lanes_pick(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        s[i + 2] = es_lanes_pick(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < ES_LANES / 2; i++) {
        es_lanes a = s[i], b = s[i + 4];
        s[i] = es_lanes_pick(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
        s[i + 4] = es_lanes_pick(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

ES_TWO_FORMS(extern, es_turn_square, (es_lanes square[ES_LANES]), (square))
