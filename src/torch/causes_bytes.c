// SPDX-License-Identifier: GPL-3.0-or-later
/* Bytes taken for something else, number by number: the other byte order, one narrow float read as the other; and a
 * sign or all that is negative gone. */
#include <math.h>

#include "torch/theory.h"

static double bytes_of_int64(double v)
{
    return es_fits_int64(v) ? (double)(int64_t)__builtin_bswap64((uint64_t)(int64_t)v) : v;
}

static double bytes_of_int32(double v)
{
    return fabs(v) < 0x1p31 ? (double)(int32_t)__builtin_bswap32((uint32_t)(int32_t)v) : v;
}

static double without_negatives(double v)
{
    return v < 0 ? 0 : v;
}

static double without_sign(double v)
{
    return fabs(v);
}

static const struct {
    const char *name;
    es_dtype dtype; /* of both */
    double (*each)(double v);
    const char *says;
} readings[] = {
    {"byte_order", ES_FLOAT32, es_bytes_of_f32,
     "the four bytes of each float32 are in the other order"},
    {"byte_order", ES_INT64, bytes_of_int64,
     "the eight bytes of each int64 are in the other order"},
    {"byte_order", ES_INT32, bytes_of_int32, "the four bytes of each int32 are in the other order"},
    {"byte_order_f16", ES_FLOAT32, es_bytes_of_f16,
     "the two bytes of each float16 were in the other order before it was widened"},
    {"byte_order_bf16", ES_FLOAT32, es_bytes_of_bf16,
     "the two bytes of each bfloat16 were in the other order before it was widened"},
    {"f16_as_bf16", ES_FLOAT32, es_f16_as_bf16, "float16 was read as bfloat16"},
    {"bf16_as_f16", ES_FLOAT32, es_bf16_as_f16, "bfloat16 was read as float16"},
    {"abs", ES_FLOAT32, without_sign, "all signs are gone"},
    {"relu", ES_FLOAT32, without_negatives, "0 stands where a number was negative: a ReLU"},
};

bool es_causes_bytes(es_case *c, es_error *err)
{
    bool won;
    if (!c->same_shape || c->x->dtype != c->y->dtype)
        return true;
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        if (readings[i].dtype != c->x->dtype)
            continue;
        es_theory h = es_theory_of(c->y, 23, NULL);
        h.each = readings[i].each;
        es_theory_call(&h, "%s", readings[i].name);
        if (!es_case_try(c, &h, &won, err))
            return false;
        if (won)
            es_str_add(&c->best->says, "%s: %s", c->asked->x_name, readings[i].says);
    }
    return true;
}
