// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"

#include <math.h>

static void philox_round(uint32_t c[4], const uint32_t k[2])
{
    uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    uint32_t c1 = c[1], c3 = c[3];
    c[0] = (uint32_t)(b >> 32) ^ c1 ^ k[0];
    c[1] = (uint32_t)b;
    c[2] = (uint32_t)(a >> 32) ^ c3 ^ k[1];
    c[3] = (uint32_t)a;
}

void es_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t k[2] = {key[0], key[1]};
    for (int i = 0; i < 4; i++)
        out[i] = counter[i];
    for (int round = 0; round < 10; round++) {
        philox_round(out, k);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
}

/* log x for 0 < x < 1, by halving to [sqrt(1/2), sqrt(2)) and the series of atanh; libm's own
 * differs in the last bit from machine to machine. */
static double portable_log(double x)
{
    int exponent = 0;
    while (x < 0.70710678118654752) {
        x *= 2;
        exponent--;
    }
    double t = (x - 1) / (x + 1), t2 = t * t, sum = 0;
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * t2 + 1.0 / k;
    return 2 * t * sum + exponent * 0.69314718055994531;
}

static double ratio(const double *top, const double *bottom, int n, double x)
{
    double a = 0, b = 0;
    for (int i = n - 1; i >= 0; i--) {
        a = a * x + top[i];
        b = b * x + bottom[i];
    }
    return a / b;
}

double es_normal_quantile(double p)
{
    static const double middle[2][8] = {
        {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
         1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
         3.3430575583588128105e+4, 2.5090809287301226727e+3},
        {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
         2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
         5.2264952788528545610e+3}};
    static const double near[2][8] = {
        {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
         3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
         2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
         1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
         1.05075007164441684324e-9}};
    static const double far[2][8] = {
        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
         2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
         2.71155556874348757815e-5, 2.01033439929228813265e-7},
        {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
         7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
         2.04426310338993978564e-15}};

    double q = p - 0.5;
    if (fabs(q) <= 0.425)
        return q * ratio(middle[0], middle[1], 8, 0.180625 - q * q);
    double tail = q < 0 ? p : 1 - p;
    double r = sqrt(-portable_log(tail));
    double z = r <= 5 ? ratio(near[0], near[1], 8, r - 1.6) : ratio(far[0], far[1], 8, r - 5);
    return q < 0 ? -z : z;
}

void es_normal_row(float *out, int64_t n, uint64_t seed, uint32_t stream, uint64_t row, double sd)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int64_t c = 0; c < n; c += 4) {
        const uint32_t counter[4] = {(uint32_t)(c / 4), stream, (uint32_t)row,
                                     (uint32_t)(row >> 32)};
        uint32_t bits[4];
        es_philox(bits, counter, key);
        for (int64_t i = 0; i < 4 && c + i < n; i++) {
            double p = (bits[i] + 0.5) / 4294967296.0;
            out[c + i] = (float)(sd * es_normal_quantile(p));
        }
    }
}
