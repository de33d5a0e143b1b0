// SPDX-License-Identifier: GPL-3.0-or-later
/* A convolution with three kernels for little more than the price of one.  Charges are real: two rows of them go into one
 * complex signal.  Of 1 / (1 + d^2) only the sum over everything is wanted, which is taken among the frequencies
 * (Parseval) and never transformed back.  x / (1 + d^2)^2 and y / (1 + d^2)^2 go back as one complex signal.  The first
 * and the last pass see only rows that have nodes. */
#include "analysis/tsne_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    SHORT = 240, /* a field of that length takes a third of a millisecond */
    MARGIN = 24, /* an undone spline fades to 1e-7 in twelve nodes */
    TWO = 2 * ES_LANES
};

int es_field_length(int nodes)
{
    return es_fft_size(2 * nodes + MARGIN);
}

int es_field_nodes(int length)
{
    return (length - MARGIN) / 2;
}

/* ---- memory ---- */

void es_field_free(es_field *f)
{
    es_fft_free(f->fft);
    free(f->charge);
    free(f->push);
    free(f->a);
    free(f->b);
    free(f->kernel);
    free(f->sums);
    *f = (es_field){.crew = f->crew};
}

static void *lines(size_t bytes, es_error *err)
{
    void *p = aligned_alloc(64, (bytes / 64 + 1) * 64);
    if (!p)
        es_no_room(err, "the grid of a layout", (double)bytes);
    return p;
}

static bool field_open(es_field *f, int length, es_error *err)
{
    es_field_free(f);
    f->length = length;
    f->alone = length < SHORT;
    f->nodes = es_field_nodes(length);
    f->width = (f->nodes + TWO - 1) / TWO * TWO;
    f->blocks = (length / 2 + ES_LANES) / ES_LANES;
    size_t width = (size_t)f->width, blocks = (size_t)f->blocks;
    size_t kernels = blocks * (size_t)(length / 2 + 1);
    f->charge = lines(width * width * sizeof *f->charge, err);
    f->push = f->charge ? lines(2 * width * width * sizeof *f->push, err) : NULL;
    f->a = f->push ? lines(blocks * width * sizeof *f->a, err) : NULL;
    f->b = f->a ? lines(blocks * width * sizeof *f->b, err) : NULL;
    f->kernel = f->b ? lines(kernels * sizeof *f->kernel, err) : NULL;
    if (!f->kernel)
        return false;
    f->sums = es_alloc_array(blocks, sizeof *f->sums);
    f->fft = es_fft_new(length);
    return true;
}

/* ---- kernels: even or odd along rows and columns, so that half the rows tell the rest ---- */

typedef struct setting {
    es_field *f;
    double *undo; /* (8 blocks) one over what splines, twice, do to a frequency */
    double *self; /* (8 blocks) what they do to a charge with itself */
} setting;

/* Eight rows of samples.  What is odd is 0 half way round, where both signs meet. */
ES_INLINE void sample_loop(es_eight *even, es_eight *odd, const es_field *f, int64_t first)
{
    int half = f->length / 2;
    es_lanes y, odd_y;
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

static bool make_kernels(es_field *f, es_watch *watch, es_error *err)
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

bool es_field_set(es_field *f, int length, float spacing, es_watch *watch, es_error *err)
{
    if (f->length == length && f->spacing == spacing)
        return true;
    bool ok = f->length == length || field_open(f, length, err);
    f->spacing = spacing;
    ok = ok && make_kernels(f, watch, err);
    if (!ok)
        es_field_free(f);
    return ok;
}

/* ---- there ---- */

/* Eight numbers of each of eight rows become eight lanes. */
ES_INLINE void read_square(es_lanes square[ES_LANES], const float *at, int64_t stride)
{
    for (int r = 0; r < ES_LANES; r++)
        square[r] = es_lanes_at(at + r * stride);
    es_turn_square(square);
}

static void read_rows(es_eight *x, const es_field *f, const float *rows)
{
    es_lanes re[ES_LANES], im[ES_LANES];
    for (int c = 0; c < f->width; c += ES_LANES) {
        read_square(re, rows + c, f->width);
        read_square(im, rows + (int64_t)ES_LANES * f->width + c, f->width);
        for (int lane = 0; lane < ES_LANES; lane++)
            x[c + lane] = (es_eight){re[lane], im[lane]};
    }
    memset(x + f->width, 0, (size_t)(f->length - f->width) * sizeof *x);
}

/* Sixteen rows: the first eight are the real parts of signals, the others the imaginary ones.  Frequencies k and -k tell
 * them apart, twice as large. */
static void rows_there(void *of, int64_t i, void *room)
{
    const es_field *f = of;
    es_eight *x = room, *work = x + f->length;
    read_rows(x, f, f->charge + i * TWO * f->width);
    const es_eight *z = es_fft_run(f->fft, x, work);
    for (int block = 0; block < f->blocks; block++) {
        es_lanes part[4][ES_LANES];
        for (int lane = 0; lane < ES_LANES; lane++) {
            int k = block * ES_LANES + lane;
            es_eight a = z[k], b = z[k ? f->length - k : 0];
            part[0][lane] = a.re + b.re;
            part[1][lane] = a.im - b.im;
            part[2][lane] = a.im + b.im;
            part[3][lane] = b.re - a.re;
        }
        for (int p = 0; p < 4; p++)
            es_turn_square(part[p]);
        es_eight *to = f->a + (int64_t)block * f->width + i * TWO;
        for (int r = 0; r < ES_LANES; r++) {
            to[r] = (es_eight){part[0][r], part[1][r]};
            to[ES_LANES + r] = (es_eight){part[2][r], part[3][r]};
        }
    }
}

/* ---- columns, there and back ---- */

/* What is to go back has re and im exchanged: of i x c that is x conj(c). */
ES_INLINE void multiply_loop(es_eight *x, es_eight *y, const es_eight *c,
                             const es_field_kernel *kernel, int n, double *total)
{
    es_lanes sum = es_lanes_of(0);
    for (int k = 0; k < n; k++) {
        es_eight at = c[k];
        es_field_kernel by = kernel[k > n / 2 ? n - k : k];
        es_lanes by_y = k > n / 2 ? -by.y : by.y;
        sum += (at.re * at.re + at.im * at.im) * by.sum;
        x[k] = (es_eight){at.re * by.x, -at.im * by.x};
        y[k] = (es_eight){at.re * by_y, -at.im * by_y};
    }
    *total = (double)es_lanes_sum(sum);
}

ES_TWO_FORMS(static, multiply,
             (es_eight * x, es_eight *y, const es_eight *c, const es_field_kernel *kernel, int n,
              double *total),
             (x, y, c, kernel, n, total))

static void columns_there_and_back(void *of, int64_t block, void *room)
{
    es_field *f = of;
    int n = f->length;
    size_t rows = (size_t)f->width * sizeof(es_eight);
    es_eight *c = room, *work = c + n, *x = work + n, *a = f->a + block * f->width;
    memcpy(c, a, rows);
    memset(c + f->width, 0, (size_t)(n - f->width) * sizeof *c);
    es_eight *there = es_fft_run(f->fft, c, work), *y = there == c ? work : c;
    multiply(x, y, there, f->kernel + block * (n / 2 + 1), n, &f->sums[block]);
    es_eight *back = es_fft_run(f->fft, x, there);
    memcpy(a, back, rows);
    memcpy(f->b + block * f->width, es_fft_run(f->fft, y, back == x ? there : x), rows);
}

/* ---- back ---- */

static void take_apart(es_lanes re[ES_LANES], es_lanes im[ES_LANES], const es_eight *rows)
{
    for (int r = 0; r < ES_LANES; r++) {
        re[r] = rows[r].re;
        im[r] = rows[r].im;
    }
    es_turn_square(re);
    es_turn_square(im);
}

/* The frequencies of x + i y, exchanged as those of x and y are. */
static void join_rows(es_eight *z, const es_field *f, int64_t first)
{
    es_lanes x_re[ES_LANES], x_im[ES_LANES], y_re[ES_LANES], y_im[ES_LANES];
    for (int block = 0; block < f->blocks; block++) {
        take_apart(x_re, x_im, f->a + (int64_t)block * f->width + first);
        take_apart(y_re, y_im, f->b + (int64_t)block * f->width + first);
        for (int lane = 0; lane < ES_LANES; lane++) {
            int k = block * ES_LANES + lane;
            if (k > 0 && k < f->length / 2)
                z[f->length - k] = (es_eight){y_im[lane] - x_re[lane], x_im[lane] + y_re[lane]};
            if (k <= f->length / 2)
                z[k] = (es_eight){x_re[lane] + y_im[lane], x_im[lane] - y_re[lane]};
        }
    }
}

static void write_rows(es_field *f, const es_eight *z, int64_t first)
{
    es_lanes x[ES_LANES], y[ES_LANES];
    for (int c = 0; c < f->width; c += ES_LANES) {
        for (int lane = 0; lane < ES_LANES; lane++) {
            x[lane] = z[c + lane].im;
            y[lane] = z[c + lane].re;
        }
        es_turn_square(x);
        es_turn_square(y);
        for (int r = 0; r < ES_LANES; r++) {
            float *to = f->push + 2 * ((first + r) * f->width + c);
            es_lanes_put(to, es_lanes_pick(x[r], y[r], 0, 8, 1, 9, 2, 10, 3, 11));
            es_lanes_put(to + ES_LANES, es_lanes_pick(x[r], y[r], 4, 12, 5, 13, 6, 14, 7, 15));
        }
    }
}

static void rows_back(void *of, int64_t i, void *room)
{
    es_field *f = of;
    es_eight *z = room, *work = z + f->length;
    join_rows(z, f, i * ES_LANES);
    write_rows(f, es_fft_run(f->fft, z, work), i * ES_LANES);
}

bool es_field_solve(es_field *f, double *sum, es_watch *watch, es_error *err)
{
    size_t signal = (size_t)f->length * sizeof(es_eight);
    const es_chunks there = {f->width / TWO, 2 * signal, rows_there, f->alone};
    const es_chunks columns = {f->blocks, 3 * signal, columns_there_and_back, f->alone};
    const es_chunks back = {f->width / ES_LANES, 2 * signal, rows_back, f->alone};
    if (!es_crew_work(f->crew, &there, f, watch, err) ||
        !es_crew_work(f->crew, &columns, f, watch, err) ||
        !es_crew_work(f->crew, &back, f, watch, err))
        return false;
    *sum = 0;
    for (int block = 0; block < f->blocks; block++)
        *sum += f->sums[block];
    return true;
}
