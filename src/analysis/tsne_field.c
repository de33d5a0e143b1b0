// SPDX-License-Identifier: GPL-3.0-or-later
/* A convolution with three kernels for little more than the price of one.  Charges are real: two rows of them go into one
 * complex signal.  Of 1 / (1 + d^2) only the sum over everything is wanted, which is taken among the frequencies
 * (Parseval) and never transformed back.  x / (1 + d^2)^2 and y / (1 + d^2)^2 go back as one complex signal.  The first
 * and the last pass see only rows that have nodes. */
#include "analysis/tsne_field.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/tsne_kernel.h"
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
    es_crew *crew = f->crew;
    *f = (es_field){0};
    f->crew = crew;
}

static void *lines(size_t bytes, es_error *err)
{
    void *p = aligned_alloc(64, (bytes / 64 + 1) * 64);
    if (!p)
        es_no_room(err, "the grid of a layout", (double)bytes);
    return p;
}

/* f is empty. */
static bool field_open(es_field *f, int length, es_error *err)
{
    int nodes = es_field_nodes(length);
    es_field to = {.crew = f->crew,
                   .length = length,
                   .nodes = nodes,
                   .width = (nodes + TWO - 1) / TWO * TWO,
                   .blocks = (length / 2 + ES_LANES) / ES_LANES,
                   .alone = length < SHORT};
    size_t width = (size_t)to.width, blocks = (size_t)to.blocks;
    size_t kernels = blocks * (size_t)(length / 2 + 1);
    to.charge = lines(width * width * sizeof *to.charge, err);
    to.push = to.charge ? lines(2 * width * width * sizeof *to.push, err) : NULL;
    to.a = to.push ? lines(blocks * width * sizeof *to.a, err) : NULL;
    to.b = to.a ? lines(blocks * width * sizeof *to.b, err) : NULL;
    to.kernel = to.b ? lines(kernels * sizeof *to.kernel, err) : NULL;
    to.sums = es_alloc_array(blocks, sizeof *to.sums);
    to.fft = es_fft_new(length);
    if (to.kernel)
        *f = to;
    else
        es_field_free(&to);
    return to.kernel != NULL;
}

/* ---- length and spacing ---- */

bool es_field_set(es_field *f, int length, float spacing, es_watch *watch, es_error *err)
{
    if (f->length == length && f->spacing == spacing)
        return true;
    if (f->length != length) {
        es_field_free(f);
        if (!field_open(f, length, err))
            return false;
    }
    f->spacing = spacing;
    if (es_field_make_kernels(f, watch, err))
        return true;
    es_field_free(f);
    return false;
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
