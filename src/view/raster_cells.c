// SPDX-License-Identifier: GPL-3.0-or-later
/* Heat maps: where a pixel lies in one cell it has that cell's colour, where several cells share a pixel it has their
 * mean, each counted by how much of the pixel it takes.  The mean is of the colours as they are stored: the scales for
 * numbers are even in these, so it is the colour of the mean number. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/raster_parts.h"

/* One axis: for each pixel in view the cells first..last, of which the first and the last count in part. */
typedef struct reach {
    int64_t first, last;
    float first_part, last_part; /* of the pixel; where there is one cell, first_part is 1 */
    float part;                  /* of those between */
} reach;

/* Blue, green, red and alpha, 0..255, the first three times alpha; and those of eight cells side by side. */
enum { CHANNELS = 4 };
typedef float sums __attribute__((vector_size(CHANNELS * sizeof(float))));
typedef struct eight_sums {
    es_lanes of[CHANNELS];
} eight_sums;

static reach *axis_of(double at, double size, int from, int to, int64_t cells, bool *one)
{
    int first, end;
    es_pixel_edges(at, size, &first, &end);
    double a_pixel = (double)cells / (end - first);
    reach *axis = es_alloc_array((size_t)(to - from), sizeof *axis);
    *one = a_pixel <= 1;
    for (int i = from; i < to; i++) {
        double low = (i - first) * a_pixel, high = low + a_pixel;
        reach *r = &axis[i - from];
        if (*one)
            low = high = low + a_pixel / 2;
        r->first = low < (double)(cells - 1) ? (int64_t)low : cells - 1;
        r->last = *one ? r->first : (int64_t)ceil(high - 1e-9) - 1;
        r->last = r->last < r->first ? r->first : r->last >= cells ? cells - 1 : r->last;
        r->first_part = r->last > r->first ? (float)(((double)r->first + 1 - low) / a_pixel) : 1;
        r->part = (float)(1 / a_pixel);
        r->last_part = (float)((high - (double)r->last) / a_pixel);
    }
    return axis;
}

static float part_of(const reach *r, int64_t cell)
{
    return cell == r->first ? r->first_part : cell == r->last ? r->last_part : r->part;
}

static sums sums_of(uint32_t opaque)
{
    return (sums){(float)(opaque & 0xFF), (float)(opaque >> 8 & 0xFF), (float)(opaque >> 16 & 0xFF),
                  255};
}

static uint32_t over_sums(uint32_t under, sums s)
{
    if (s[3] < 254.9f)
        s += sums_of(under) * (1 - s[3] / 255);
    s += 0.5f;
    return 0xFF000000 | (uint32_t)s[2] << 16 | (uint32_t)s[1] << 8 | (uint32_t)s[0];
}

/* Every cell has whole pixels of its own.  False: one can see through some of it. */
static bool spread_row(uint32_t *pixel, const es_argb *cell, const reach *x, int n)
{
    uint32_t all = 0xFFFFFFFF;
    for (int i = 0; i < n; i++) {
        es_argb colour = cell[x[i].first];
        pixel[i] = es_over(pixel[i], colour, es_parts(colour >> 24));
        all &= colour;
    }
    return all >> 24 == 0xFF;
}

/* Up to eight cells with their part; cells behind the last count nothing. */
ES_INLINE void add_eight(eight_sums *sum, const es_argb *cell, int64_t n, float part)
{
    es_int_lanes c = {0};
    memcpy(&c, cell, (size_t)n * sizeof *cell);
    es_lanes alpha = __builtin_convertvector(c >> 24 & 0xFF, es_lanes) * part, scale = alpha / 255;
    sum->of[0] += __builtin_convertvector(c & 0xFF, es_lanes) * scale;
    sum->of[1] += __builtin_convertvector(c >> 8 & 0xFF, es_lanes) * scale;
    sum->of[2] += __builtin_convertvector(c >> 16 & 0xFF, es_lanes) * scale;
    sum->of[3] += alpha;
}

ES_INLINE void add_row_loop(eight_sums *sum, const es_argb *cell, int64_t n, float part)
{
    int64_t k = 0;
    for (; k + ES_LANES <= n; k += ES_LANES)
        add_eight(sum++, cell + k, ES_LANES, part);
    if (k < n)
        add_eight(sum, cell + k, n - k, part);
}
ES_TWO_FORMS(static, add_row, (eight_sums * sum, const es_argb *cell, int64_t n, float part),
             (sum, cell, n, part))

/* The sums of the rows in r, for the columns from..to. */
static void sum_rows(eight_sums *sum, const es_argb *cell, const reach *r, int64_t from, int64_t to,
                     int64_t columns)
{
    int64_t block = from / ES_LANES, end = (to + ES_LANES - 1) / ES_LANES;
    from = block * ES_LANES;
    memset(sum + block, 0, (size_t)(end - block) * sizeof *sum);
    for (int64_t row = r->first; row <= r->last; row++)
        add_row(sum + block, cell + row * columns + from, to - from, part_of(r, row));
}

static sums sums_at(const eight_sums *sum, int64_t column)
{
    const float *of = (const float *)&sum[column / ES_LANES] + column % ES_LANES;
    return (sums){of[0], of[ES_LANES], of[2 * ES_LANES], of[3 * ES_LANES]};
}

static void mean_row(uint32_t *pixel, const eight_sums *sum, const reach *x, int n)
{
    for (int i = 0; i < n; i++) {
        sums s = sums_at(sum, x[i].first) * x[i].first_part;
        for (int64_t k = x[i].first + 1; k < x[i].last; k++)
            s += sums_at(sum, k) * x[i].part;
        if (x[i].last > x[i].first)
            s += sums_at(sum, x[i].last) * x[i].last_part;
        pixel[i] = over_sums(pixel[i], s);
    }
}

static void draw_rows(es_raster *r, es_pixels p, const reach *x, const reach *y,
                      const es_argb *cell, int64_t columns, eight_sums *sum)
{
    int n = p.x1 - p.x0;
    bool same = false; /* can the row above be taken again? */
    for (int i = p.y0; i < p.y1; i++) {
        const reach *of = &y[i - p.y0];
        uint32_t *pixel = r->pixels + (size_t)i * r->w + p.x0;
        if (sum) {
            sum_rows(sum, cell, of, x[0].first, x[n - 1].last + 1, columns);
            mean_row(pixel, sum, x, n);
        } else if (same && of->first == of[-1].first) {
            memcpy(pixel, pixel - r->w, (size_t)n * sizeof *pixel);
        } else {
            same = spread_row(pixel, cell + of->first * columns, x, n);
        }
    }
}

void es_raster_cells(es_canvas *c, es_box box, const es_argb *colour, int64_t rows, int64_t columns)
{
    es_raster *r = (es_raster *)c;
    es_pixels p = es_pixels_of(r, box, es_raster_inside(r));
    int n = p.x1 - p.x0;
    double scale = r->scale;
    bool one_x, one_y;
    if (n == 0 || p.y0 == p.y1)
        return;
    reach *x = axis_of(box.x * scale, box.w * scale, p.x0, p.x1, columns, &one_x);
    reach *y = axis_of(box.y * scale, box.h * scale, p.y0, p.y1, rows, &one_y);
    eight_sums *sum =
        one_x && one_y ? NULL : es_alloc_array((size_t)(columns / ES_LANES + 1), sizeof *sum);
    draw_rows(r, p, x, y, colour, columns, sum);
    free(x);
    free(y);
    free(sum);
}
