// SPDX-License-Identifier: GPL-3.0-or-later
/* How charges on the nodes of a square grid push each other away in t-SNE: by Fourier transforms. */
#ifndef ES_ANALYSIS_TSNE_FIELD_H
#define ES_ANALYSIS_TSNE_FIELD_H

#include "analysis/crew.h"
#include "analysis/fft.h"

/* Of eight frequencies along a row and one along a column, as factors; x and y times i. */
typedef struct es_field_kernel {
    es_lanes sum, x, y;
} es_field_kernel;

typedef struct es_field {
    es_crew *crew; /* borrowed */
    int nodes;     /* a side */
    int width;     /* numbers from row to row, and rows: a multiple of 16 */
    float spacing;
    float *charge; /* (width, width) for the caller to fill, 0 beyond the nodes */
    float *push;   /* (width, width, 2) */
    double self; /* what 1 / (1 + 0) of a charge with itself comes to on average, read by splines */

    int length; /* of the transforms: twice the nodes and more, so that what goes round stays apart */
    int blocks; /* of eight frequencies of a row, up to half the length */
    es_fft *fft;
    es_eight *a, *b;         /* (blocks, width) eight frequencies of each row */
    es_field_kernel *kernel; /* (blocks, length / 2 + 1) */
    double *sums;            /* (blocks) */
    bool alone;              /* they are over before others are awake */
} es_field;

/* A length that has room for so many nodes, and how many it has room for. */
int es_field_length(int nodes);
int es_field_nodes(int length);

/* Charges are cubic B-splines, and so is what reads the push: their smoothing is undone here (as Essmann et al. 1995,
 * "A smooth particle mesh Ewald method", section 4).  Does nothing where length and spacing are what they were.
 * ES_ERR_NOMEM, ES_ERR_INTERRUPTED: it is empty then,
 * but for its crew, as before the first time. */
bool es_field_set(es_field *f, int length, float spacing, es_watch *watch, es_error *err);
void es_field_free(es_field *f); /* which becomes empty, but for its crew */

/* push at u = sum over nodes v of charge(v) (u - v) / (1 + |u - v|^2)^2;
 * *sum = that of charge(u) charge(v) / (1 + |u - v|^2) over all u and v.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_field_solve(es_field *f, double *sum, es_watch *watch, es_error *err);

#endif
