// SPDX-License-Identifier: GPL-3.0-or-later
/* A walk along one axis of several tensors, line by line, for what needs a whole line at a time. */
#ifndef ES_TORCH_LINES_H
#define ES_TORCH_LINES_H

#include "torch/grid.h"

typedef struct es_lines es_lines;

/* line[i]: the elements of tensor i along the axis, l->n of them (of a tensor whose axis has size 1: one).
 * Long lines are read in pieces, with es_lines_pace after each. */
typedef bool es_line_fn(es_lines *l, const es_cells *line, es_error *err);

struct es_lines {
    es_torch *k;
    es_line_fn *fn;
    const void *ctx;
    int64_t n;
    int n_tensors;
    int64_t step[ES_MOST_GRID], worked;
};

/* All lines of t[0..n), in host memory, with the sizes of t[1]; t[0]'s axis may be 1 instead.  A tensor of rank 0
 * is a line of one. */
bool es_lines_run(es_torch *k, const es_tensor *const *t, int n, int axis, es_line_fn *fn,
                  const void *ctx, es_error *err);

/* es_lines_run over out and n operands (stretched to shape unless that is NULL), brought to host memory; out is to
 * be put on its device by es_host_done.  what needs them, for a message. */
bool es_lines_along(es_torch *k, es_tensor *out, const es_tensor *const *x, int n,
                    const es_shape *shape, int axis, es_line_fn *fn, const void *ctx,
                    const char *what, es_error *err);

/* The piece of a line that begins at element i; es_lines_piece is its length. */
es_cells es_cells_from(const es_cells *line, int64_t i);
static inline int64_t es_lines_piece(const es_lines *l, int64_t i)
{
    return l->n - i < ES_ROW ? l->n - i : ES_ROW;
}
bool es_lines_pace(es_lines *l, int64_t n, es_error *err);

/* The largest of a line, and the logarithm of the sum of e to the power of each minus it: no power overflows. */
bool es_lines_log_sum(es_lines *l, const es_cells *line, double *max, double *log_sum,
                      es_error *err);

#endif
