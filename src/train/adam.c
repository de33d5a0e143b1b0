// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/adam.h"

#include <math.h>

#include "core/vector.h"

/* The factors that are the same for all numbers: with bias corrected moments,
 * rate * (m / c1) / (sqrt(v / c2) + eps) = step * m / (sqrt(v) + eps * sqrt(c2)). */
typedef struct factors {
    float keep_m, add_m, keep_v, add_v, step, eps, scale;
} factors;

ES_INLINE void update_loop(float *params, float *m, float *v, float *gradient, int64_t n,
                           const factors *f)
{
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES) {
        es_lanes g = es_lanes_at(gradient + i) * f->scale;
        es_lanes m1 = es_lanes_at(m + i) * f->keep_m + g * f->add_m;
        es_lanes v1 = es_lanes_at(v + i) * f->keep_v + g * g * f->add_v;
        es_lanes_put(m + i, m1);
        es_lanes_put(v + i, v1);
        es_lanes_put(params + i,
                     es_lanes_at(params + i) - m1 * f->step / (es_lanes_sqrt(v1) + f->eps));
        es_lanes_put(gradient + i, es_lanes_of(0));
    }
    for (; i < n; i++) {
        float g = gradient[i] * f->scale;
        m[i] = m[i] * f->keep_m + g * f->add_m;
        v[i] = v[i] * f->keep_v + g * g * f->add_v;
        params[i] -= m[i] * f->step / (sqrtf(v[i]) + f->eps);
        gradient[i] = 0;
    }
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
