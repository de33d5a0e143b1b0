// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/rounding.h"

#include <math.h>
#include <string.h>

const es_narrow es_bf16 = {"bf16", 8, -126, 0x1.FFp127}, es_f16 = {"f16", 11, -14, 65520.0};

double es_narrow_step(const es_narrow *f, double v)
{
    int exponent = v == 0 ? f->least : ilogb(v);
    return ldexp(1, (exponent < f->least ? f->least : exponent) - f->digits + 1);
}

double es_narrowed(const es_narrow *f, double v)
{
    if (!isfinite(v))
        return v;
    if (fabs(v) >= f->most)
        return copysign((double)INFINITY, v);
    double step = es_narrow_step(f, v);
    return nearbyint(v / step) * step;
}

double es_narrow_cut(const es_narrow *f, double v)
{
    if (!isfinite(v) || fabs(v) >= f->most)
        return es_narrowed(f, v);
    double step = es_narrow_step(f, v);
    return trunc(v / step) * step;
}

/* ---- bytes ---- */

static uint32_t bits_of(double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static double number_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static uint16_t half_bits(double v)
{
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    double size = fabs(es_narrowed(&es_f16, v));
    if (isnan(v))
        return 0x7E00;
    if (isinf(size))
        return sign | 0x7C00;
    if (size < 0x1p-14)
        return sign | (uint16_t)(size * 0x1p24);
    int exponent = ilogb(size);
    return sign | (uint16_t)((exponent + 15) << 10) |
           (uint16_t)((ldexp(size, -exponent) - 1) * 1024);
}

static double half_number(uint16_t bits)
{
    int exponent = bits >> 10 & 31, digits = bits & 1023;
    double size = exponent == 31 ? (digits ? (double)NAN : (double)INFINITY)
                  : exponent     ? ldexp(1024 + digits, exponent - 25)
                                 : ldexp(digits, -24);
    return bits & 0x8000 ? -size : size;
}

static uint16_t turned(uint16_t bits)
{
    return (uint16_t)(bits << 8 | bits >> 8);
}

double es_bytes_of_f32(double v)
{
    return number_of(__builtin_bswap32(bits_of(v)));
}

double es_bytes_of_f16(double v)
{
    return half_number(turned(half_bits(v)));
}

double es_bytes_of_bf16(double v)
{
    return number_of((uint32_t)turned((uint16_t)(bits_of(v) >> 16)) << 16);
}

double es_f16_as_bf16(double v)
{
    return number_of((uint32_t)half_bits(v) << 16);
}

double es_bf16_as_f16(double v)
{
    return half_number((uint16_t)(bits_of(v) >> 16));
}
