// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
} stores[] = {
    [ES_STORE_F32] = {"F32", 4},
    [ES_STORE_F16] = {"F16", 2},
    [ES_STORE_BF16] = {"BF16", 2},
    [ES_STORE_F64] = {"F64", 8},
};

const char *es_store_name(es_store store)
{
    return stores[store].name;
}

size_t es_store_size(es_store store)
{
    return stores[store].size;
}

static uint64_t little_endian(const unsigned char *p, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = size; i-- > 0;)
        bits = bits << 8 | p[i];
    return bits;
}

static float float_of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* 1 sign, 5 exponent, 10 fraction bits. */
float es_float_of_half(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3FF;
    if (exponent == 31)
        return float_of_bits(sign | 0x7F800000u | fraction << 13);
    if (exponent)
        return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    float subnormal = (float)fraction * 0x1p-24f;
    return sign ? -subnormal : subnormal;
}

uint32_t es_half_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7FFFFFFF;
    if (size > 0x7F800000)
        return sign | 0x7E00; /* NaN */
    if (size >= 0x477FF000)
        return sign | 0x7C00; /* from 65520 on, half-way to 2^16 */
    if (size < 0x38800000)    /* below 2^-14 its numbers are multiples of 2^-24 */
        return sign | (uint32_t)nearbyintf(fabsf(x) * 0x1p24f);
    return sign | (size - 0x38000000 + 0xFFF + (size >> 13 & 1)) >> 13;
}

/* The upper half of a float32, rounded. */
static uint32_t bf16_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? bits >> 16 | 0x40 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

static uint64_t bits_of_stored(es_store store, float x)
{
    uint64_t bits = 0;
    uint32_t narrow;
    const double wide = (double)x;
    switch (store) {
    case ES_STORE_F32: memcpy(&narrow, &x, sizeof narrow); return narrow;
    case ES_STORE_F16: return es_half_of_float(x);
    case ES_STORE_BF16: return bf16_of_float(x);
    default: memcpy(&bits, &wide, sizeof bits); return bits;
    }
}

static float float_of_stored(es_store store, const unsigned char *p)
{
    uint64_t bits = little_endian(p, stores[store].size);
    double wide;
    switch (store) {
    case ES_STORE_F32: return float_of_bits((uint32_t)bits);
    case ES_STORE_F16: return es_float_of_half((uint32_t)bits);
    case ES_STORE_BF16: return float_of_bits((uint32_t)bits << 16);
    default: memcpy(&wide, &bits, sizeof wide); return (float)wide;
    }
}

size_t es_store_numbers(void *out, es_store store, const float *x, size_t n)
{
    size_t size = stores[store].size;
    unsigned char *to = out;
    for (size_t i = 0; i < n; i++, to += size) {
        uint64_t bits = bits_of_stored(store, x[i]);
        for (size_t b = 0; b < size; b++)
            to[b] = (unsigned char)(bits >> 8 * b);
        if (isfinite(x[i]) && !isfinite(float_of_stored(store, to)))
            return i;
    }
    return n;
}

void es_store_floats(float *out, es_store store, const void *data, size_t n)
{
    size_t size = stores[store].size;
    const unsigned char *from = data;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (store == ES_STORE_F32) {
        memcpy(out, from, n * size);
        return;
    }
#endif
    for (size_t i = 0; i < n; i++)
        out[i] = float_of_stored(store, from + i * size);
}
