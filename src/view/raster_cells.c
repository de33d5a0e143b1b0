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

typedef float es_sums __attribute__((vector_size(16))); /* blue, green, red, alpha */

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

static es_sums sums_of(es_argb c)
{
    float alpha = (float)(c >> 24) * (1 / 255.0f);
    es_sums s = {(float)(c & 0xFF), (float)(c >> 8 & 0xFF), (float)(c >> 16 & 0xFF), 1};
    return s * alpha;
}

static uint32_t over_sums(uint32_t under, es_sums s)
{
    s += sums_of(under | 0xFF000000) * (1 - s[3]) + 0.5f;
    return 0xFF000000 | (uint32_t)s[2] << 16 | (uint32_t)s[1] << 8 | (uint32_t)s[0];
}

/* Every cell has whole pixels of its own. */
static void spread_row(uint32_t *pixel, const es_argb *cell, const reach *x, int n)
{
    for (int i = 0; i < n; i++) {
        es_argb colour = cell[x[i].first];
        pixel[i] = es_over(pixel[i], colour, es_parts(colour >> 24));
    }
}

/* sum: (columns), those of the rows in r. */
static void sum_rows(es_sums *sum, const es_argb *cell, const reach *r, int64_t from, int64_t to,
                     int64_t columns)
{
    memset(sum + from, 0, (size_t)(to - from) * sizeof *sum);
    for (int64_t row = r->first; row <= r->last; row++) {
        float part = part_of(r, row);
        const es_argb *of = cell + row * columns;
        for (int64_t k = from; k < to; k++)
            sum[k] += sums_of(of[k]) * part;
    }
}

static void mean_row(uint32_t *pixel, const es_sums *sum, const reach *x, int n)
{
    for (int i = 0; i < n; i++) {
        es_sums s = sum[x[i].first] * x[i].first_part;
        for (int64_t k = x[i].first + 1; k <= x[i].last; k++)
            s += sum[k] * part_of(&x[i], k);
        pixel[i] = over_sums(pixel[i], s);
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
    es_sums *sum = one_x && one_y ? NULL : es_alloc_array((size_t)columns, sizeof *sum);
    for (int i = p.y0; i < p.y1; i++) {
        const reach *of = &y[i - p.y0];
        uint32_t *pixel = r->pixels + (size_t)i * r->w + p.x0;
        if (!sum) {
            spread_row(pixel, colour + of->first * columns, x, n);
            continue;
        }
        sum_rows(sum, colour, of, x[0].first, x[n - 1].last + 1, columns);
        mean_row(pixel, sum, x, n);
    }
    free(x);
    free(y);
    free(sum);
}
