// SPDX-License-Identifier: GPL-3.0-or-later
/* Blocks and counts in a model's files: narrow numbers, what is written, what is read back. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/table.h"
#include "support.h"

Suite *blocks_suite(void);

/* ---- narrow numbers ---- */

static uint32_t half_after(float x, float towards)
{
    return es_half_of_float(nextafterf(x, towards));
}

/* Every finite one comes back; what lies between two goes to the nearer, in the middle to the even one. */
START_TEST(halves_are_rounded_to_the_nearest_and_to_even)
{
    enum { INFINITE = 0x7C00, SIGN = 0x8000 };
    for (uint32_t h = 0; h < INFINITE; h++) {
        float x = es_float_of_half(h);
        float next = h + 1 < INFINITE ? es_float_of_half(h + 1) : 0x1p16F;
        float middle = (x + next) / 2;
        demand(es_half_of_float(x) == h && es_half_of_float(-x) == (h | SIGN), "%u", h);
        demand(es_half_of_float(middle) == h + (h & 1), "half-way after %u", h);
        demand(half_after(middle, 0) == h && half_after(middle, INFINITY) == h + 1,
               "around the middle after %u", h);
    }
    ck_assert_uint_eq(es_half_of_float(65519.996F), 0x7BFF);
    ck_assert_uint_eq(es_half_of_float(65520), INFINITE);
    ck_assert_uint_eq(es_half_of_float(-INFINITY), SIGN | INFINITE);
    ck_assert(isnan(es_float_of_half(es_half_of_float(NAN))));
    ck_assert_uint_eq(es_half_of_float(0x1p-25F), 0);
    ck_assert_uint_eq(es_half_of_float(FLT_TRUE_MIN), 0);
}
END_TEST

START_TEST(numbers_are_stored_up_to_one_that_does_not_fit)
{
    static const float x[] = {1, -0.0F, 65504, INFINITY, 65520, 1};
    unsigned char f16[sizeof x], bf16[sizeof x], f64[2 * sizeof x];
    ck_assert_uint_eq(es_store_numbers(f16, ES_STORE_F16, x, 6), 4);
    ck_assert_mem_eq(f16, "\x00\x3C\x00\x80\xFF\x7B\x00\x7C", 8);
    ck_assert_uint_eq(es_store_numbers(f64, ES_STORE_F64, x, 6), 6);
    ck_assert_mem_eq(f64, "\x00\x00\x00\x00\x00\x00\xF0\x3F", 8);

    static const float y[] = {1.00390625F /* 1 + 2^-8 */, 1.01171875F /* 1 + 3 * 2^-8 */, NAN,
                              FLT_MAX};
    ck_assert_uint_eq(es_store_numbers(bf16, ES_STORE_BF16, y, 4), 3);
    ck_assert_mem_eq(bf16, "\x80\x3F\x82\x3F", 4);
    ck_assert_uint_eq(bf16[4] | bf16[5] << 8, 0x7FC0);
}
END_TEST

Suite *blocks_suite(void)
{
    Suite *s = suite_create("blocks");
    TCase *narrow = tcase_create("narrow");
    tcase_add_test(narrow, halves_are_rounded_to_the_nearest_and_to_even);
    tcase_add_test(narrow, numbers_are_stored_up_to_one_that_does_not_fit);
    suite_add_tcase(s, narrow);
    return s;
}
