// SPDX-License-Identifier: GPL-3.0-or-later
/* Kernels are even or odd along rows and columns, so that half the rows tell the rest, and what comes out is real or
 * imaginary: two kernels are transformed as one signal. */
#include "analysis/tsne_kernel.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

typedef struct setting {
    es_field *f;
    double *undo; /* (8 blocks) one over what splines, twice, do to a frequency */
    double *self; /* (8 blocks) what they do to a charge with itself */
} setting;

/* Eight rows of samples.  What is odd is 0 half way round, where both signs meet. */
ES_INLINE void sample_loop(es_eight *even, es_eight *odd, const es_field *f, int64_t first)
{
    int half = f->length / 2;
    es_lanes y = es_lanes_of(0), odd_y = y;
    for (int lane = 0; lane < ES_LANES; lane++) {
        y[lane] = f->spacing * (float)(first + lane);
        odd_y[lane] = first + lane < half ? y[lane] : 0;
    }
    for (int c = 0; c < f->length; c++) {
        float x = f->spacing * (float)(c > half ? c - f->length : c);
        es_lanes near = 1.0f / (1.0f + x * x + y * y), square = near * near;
        even[c] = (es_eight){near, odd_y * square};
        odd[c] = (es_eight){(c == half ? 0 : x) * square, es_lanes_of(0)};
    }
}

ES_TWO_FORMS(static, sample, (es_eight * even, es_eight *odd, const es_field *f, int64_t first),
             (even, odd, f, first))

/* A transform along rows of what is even is real, of what is odd imaginary. */
static void sample_rows(void *of, int64_t i, void *room)
{
    es_field *f = ((setting *)of)->f;
    int64_t column = f->length / 2 + 1, first = i * ES_LANES;
    es_eight *even = room, *odd = even + f->length, *work = odd + f->length;
    sample(even, odd, f, first);
    es_eight *evens = es_fft_run(f->fft, even, work);
    es_eight *odds = es_fft_run(f->fft, odd, evens == even ? work : even);
    for (int block = 0; block < f->blocks; block++) {
        es_lanes sum[ES_LANES], x[ES_LANES], y[ES_LANES];
        for (int k = 0; k < ES_LANES; k++) {
            sum[k] = evens[block * ES_LANES + k].re;
            y[k] = evens[block * ES_LANES + k].im;
            x[k] = odds[block * ES_LANES + k].im;
        }
        es_turn_square(sum);
        es_turn_square(x);
        es_turn_square(y);
        es_field_kernel *to = f->kernel + block * column + first;
        for (int r = 0; r < ES_LANES && first + r < column; r++)
            to[r] = (es_field_kernel){sum[r], x[r], y[r]};
    }
}

/* Both ends of a row of frequencies stand for themselves, those between for two. */
static float times_counted(const es_field *f, int64_t k)
{
    int64_t half = f->length / 2;
    return k > half ? 0 : k == 0 || k == half ? 1 : 2;
}

/* One over the transforms' length, splines, and halves that other passes leave out. */
static void scale_column(setting *s, es_field_kernel *column, int64_t block)
{
    es_field *f = s->f;
    double self = 0, n = f->length;
    for (int ky = 0; ky <= f->length / 2; ky++)
        for (int lane = 0; lane < ES_LANES; lane++) {
            int64_t kx = block * ES_LANES + lane;
            double undo = s->undo[kx] * s->undo[ky] / (n * n);
            double sum = (double)times_counted(f, kx) * undo * (double)column[ky].sum[lane];
            self += sum * (double)times_counted(f, ky) * s->self[kx] * s->self[ky];
            column[ky].sum[lane] = (float)(sum / 4);
            column[ky].x[lane] *= (float)(undo / 2);
            column[ky].y[lane] *= (float)(undo / 2);
        }
    f->sums[block] = self;
}

static void sample_columns(void *of, int64_t block, void *room)
{
    setting *s = of;
    es_field *f = s->f;
    int n = f->length, half = n / 2;
    es_eight *even = room, *odd = even + n, *work = odd + n;
    es_field_kernel *column = f->kernel + block * (half + 1);
    for (int r = 0; r < n; r++) {
        es_field_kernel at = column[r > half ? n - r : r];
        even[r] = (es_eight){at.sum, at.x};
        odd[r] = (es_eight){r > half ? -at.y : at.y, es_lanes_of(0)};
    }
    es_eight *evens = es_fft_run(f->fft, even, work);
    es_eight *odds = es_fft_run(f->fft, odd, evens == even ? work : even);
    for (int k = 0; k <= half; k++)
        column[k] = (es_field_kernel){evens[k].re, evens[k].im, odds[k].im};
    scale_column(s, column, block);
}

/* Values of B-splines at whole numbers: cubic ones (1, 4, 1) / 6, and of degree seven, which is what a cubic one
 * comes to with itself, (1, 120, 1191, 2416, ...) / 5040. */
static void know_splines(setting *s)
{
    for (int k = 0; k < s->f->blocks * ES_LANES; k++) {
        double angle = 2 * M_PI * k / s->f->length, cubic = (4 + 2 * cos(angle)) / 6;
        s->undo[k] = 1 / (cubic * cubic);
        s->self[k] =
            (2416 + 2 * (1191 * cos(angle) + 120 * cos(2 * angle) + cos(3 * angle))) / 5040;
    }
}

bool es_field_make_kernels(es_field *f, es_watch *watch, es_error *err)
{
    size_t frequencies = (size_t)f->blocks * ES_LANES, room = 3 * (size_t)f->length;
    setting s = {f, es_alloc_array(frequencies, sizeof *s.undo),
                 es_alloc_array(frequencies, sizeof *s.self)};
    know_splines(&s);
    const es_chunks rows = {f->length / 2 / ES_LANES + 1, room * sizeof(es_eight), sample_rows,
                            f->alone};
    const es_chunks columns = {f->blocks, room * sizeof(es_eight), sample_columns, f->alone};
    bool ok = es_crew_work(f->crew, &rows, &s, watch, err) &&
              es_crew_work(f->crew, &columns, &s, watch, err);
    f->self = 0;
    for (int block = 0; ok && block < f->blocks; block++)
        f->self += f->sums[block];
    free(s.undo);
    free(s.self);
    return ok;
}
