// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/adam.h"

#include <math.h>

#include "core/vector.h"

/* The factors that are the same for all numbers: with bias corrected moments,
 * rate * (m / c1) / (sqrt(v / c2) + eps) = step * m / (sqrt(v) + eps * sqrt(c2)). */
typedef struct factors {
    float keep_m, add_m, keep_v, add_v, step, eps, scale;
} factors;

/* What is too small to matter is 0.  Moments of a token long unseen would else fall below 1e-38, where processors
 * take a hundred times longer, and stay there: the smallest number times 0.9 is itself. */
ES_INLINE es_lanes or_zero(es_lanes x)
{
    const float least = 1e-30f;
    return (es_lanes)((es_int_lanes)x & ~((x < least) & (x > -least))); /* NaN stays */
}

ES_INLINE void update_lanes(es_lanes *p, es_lanes *m, es_lanes *v, es_lanes gradient,
                            const factors *f)
{
    es_lanes g = gradient * f->scale;
    *m = or_zero(*m * f->keep_m + g * f->add_m);
    *v = or_zero(*v * f->keep_v + g * g * f->add_v);
    *p -= *m * f->step / (es_lanes_sqrt(*v) + f->eps);
}

ES_INLINE void update_loop(float *params, float *m, float *v, float *gradient, int64_t n,
                           const factors *f)
{
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES) {
        es_lanes p = es_lanes_at(params + i), m1 = es_lanes_at(m + i), v1 = es_lanes_at(v + i);
        update_lanes(&p, &m1, &v1, es_lanes_at(gradient + i), f);
        es_lanes_put(params + i, p);
        es_lanes_put(m + i, m1);
        es_lanes_put(v + i, v1);
    }
    if (i < n) {
        int64_t left = n - i;
        es_lanes p = es_lanes_some_at(params + i, left);
        es_lanes m1 = es_lanes_some_at(m + i, left), v1 = es_lanes_some_at(v + i, left);
        update_lanes(&p, &m1, &v1, es_lanes_some_at(gradient + i, left), f);
        es_lanes_put_some(params + i, p, left);
        es_lanes_put_some(m + i, m1, left);
        es_lanes_put_some(v + i, v1, left);
    }
    memset(gradient, 0, (size_t)n * sizeof *gradient);
}
ES_TWO_FORMS(static, update,
             (float *params, float *m, float *v, float *gradient, int64_t n, const factors *f),
             (params, m, v, gradient, n, f))

void es_adam_step(float *params, float *m, float *v, float *gradient, int64_t n, const es_adam *a)
{
    double c1 = 1 - pow(a->beta1, (double)a->step), c2 = 1 - pow(a->beta2, (double)a->step);
    factors f = {.keep_m = (float)a->beta1,
                 .add_m = (float)(1 - a->beta1),
                 .keep_v = (float)a->beta2,
                 .add_v = (float)(1 - a->beta2),
                 .step = (float)(a->rate * sqrt(c2) / c1),
                 .eps = (float)(1e-8 * sqrt(c2)),
                 .scale = a->gradient_scale};
    update(params, m, v, gradient, n, &f);
}

double es_adam_squares(const float *gradient, int64_t n)
{
    enum { RUN = 4096 }; /* of float32, before it is added to a float64 */
    double sum = 0;
    for (int64_t i = 0; i < n; i += RUN) {
        int64_t run = i + RUN < n ? RUN : n - i;
        sum += es_dot(gradient + i, gradient + i, run);
    }
    return sum;
}
