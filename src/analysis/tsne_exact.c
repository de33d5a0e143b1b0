// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "analysis/tsne.h"

/* |y_i - y_j|^2, and y_i - y_j. */
static double apart(double d[2], const float *at, int64_t i, int64_t j)
{
    d[0] = (double)at[2 * i] - (double)at[2 * j];
    d[1] = (double)at[2 * i + 1] - (double)at[2 * j + 1];
    return d[0] * d[0] + d[1] * d[1];
}

/* What all pairs come to, with their push in gradient if that is not NULL. */
static double push_all(double *gradient, const float *at, int64_t n)
{
    double sum = 0, d[2];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            double near = 1 / (1 + apart(d, at, i, j));
            sum += 2 * near;
            for (int axis = 0; gradient && axis < 2; axis++) {
                gradient[2 * i + axis] += near * near * d[axis];
                gradient[2 * j + axis] -= near * near * d[axis];
            }
        }
    return sum;
}

double es_tsne_exact(const es_graph *P, const float *at, double *gradient)
{
    double kl = 0, d[2];
    if (gradient)
        memset(gradient, 0, 2 * (size_t)P->n * sizeof *gradient);
    double all = push_all(gradient, at, P->n);
    for (int64_t i = 0; gradient && i < 2 * P->n; i++)
        gradient[i] *= -4 / all;
    for (int64_t i = 0; i < P->n; i++)
        for (int64_t a = P->begin[i]; a < P->begin[i + 1]; a++) {
            double p = (double)P->weight[a], far = 1 + apart(d, at, i, P->to[a]);
            kl += p * log(p * far * all);
            for (int axis = 0; gradient && axis < 2; axis++)
                gradient[2 * i + axis] += 4 * p * d[axis] / far;
        }
    return kl;
}
