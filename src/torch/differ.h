// SPDX-License-Identifier: GPL-3.0-or-later
/* Where and by how much two tensors of one shape differ. */
#ifndef ES_TORCH_DIFFER_H
#define ES_TORCH_DIFFER_H

#include "torch/torch.h"

enum { ES_SOME_PLACES = 256 };

/* A place is the how many-th number in row-major order; -1: there is none. */
typedef struct es_gap {
    int64_t at;
    double x, y, size;
} es_gap;

typedef struct es_difference {
    int64_t n;       /* numbers there are */
    int64_t unequal; /* of them, those that are not the same to the bit (-0.0 is 0.0, NaN is NaN) */
    int64_t different; /* and those beyond the tolerance */
    es_gap first;      /* of the different, or of the unequal where none is */
    es_gap absolute;   /* the largest |x - y| of numbers that are finite */
    es_gap relative;   /* the largest |x - y| / |y|, y not 0 */
    int64_t nan_x, nan_y, inf_x, inf_y;
    bool zero_x, zero_y; /* all of them are 0 */
    struct {
        int64_t n; /* places where both numbers are finite, and */
        double x, y, xx, yy, xy;
    } sums;                       /* of the numbers there, their squares and their products */
    int64_t some[ES_SOME_PLACES]; /* places among the different, spread over all of them */
    int n_some;
    struct {
        unsigned char *hit; /* of each index of the axis: does anything differ there? */
        int64_t n;          /* how many of them do */
    } axis[ES_MAX_DIMS];
} es_difference;

/* |x - y| <= atol + rtol |y| is within the tolerance; NaN in both is the same.  x and y have one shape and are in
 * host memory.  Free with es_difference_free, after a failure too. */
bool es_torch_differ(es_torch *k, es_difference *d, const es_tensor *x, const es_tensor *y,
                     double rtol, double atol, es_error *err);
void es_difference_free(es_difference *d);

/* Append "[b=0, t=3, c=17]", or "[0, 3, 17]" where axes have no names. */
void es_place_show(es_str *out, const es_shape *shape, int64_t place);
/* Append where it differs: "everywhere", "only at t=0", "at t=0 to t=3 and c=63". */
void es_difference_where(es_str *out, const es_difference *d, const es_shape *shape);

/* How far y goes along with x, from -1 to 1, in *r.  False: there are few numbers, or they do not vary. */
bool es_difference_correlation(const es_difference *d, double *r);

/* place as an index on each axis. */
void es_place_split(int64_t *index, const es_shape *shape, int64_t place);
/* The number at such an index, of a tensor in host memory. */
double es_place_number(const es_tensor *t, const int64_t *index);
/* On to the next index of the first `axes` axes; false after the last. */
bool es_place_next(int64_t *index, const es_shape *shape, int axes);

#endif
