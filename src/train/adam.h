// SPDX-License-Identifier: GPL-3.0-or-later
/* Adam: Kingma and Ba 2015, algorithm 1, with eps 1e-8. */
#ifndef ES_TRAIN_ADAM_H
#define ES_TRAIN_ADAM_H

#include <stdint.h>

typedef struct es_adam {
    double beta1, beta2;
    int64_t step; /* the so many-th, from 1 */
    double rate;
    float gradient_scale; /* by which gradients are taken, as clipping makes them shorter */
} es_adam;

/* One step of n parameters: moments m and v are carried on, the gradient is zeroed for the next. */
void es_adam_step(float *params, float *m, float *v, float *gradient, int64_t n, const es_adam *a);

/* Sum of squares of n numbers. */
double es_adam_squares(const float *gradient, int64_t n);

#endif
