// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/numbers.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

float es_round_scale(float x)
{
    static const float steps[] = {1, 1.5f, 2, 3, 4, 5, 6, 8, 10};
    if (!(x > 0) || isinf(x))
        return 1;
    float power = powf(10, floorf(log10f(x)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= x)
            return fminf(steps[i] * power, FLT_MAX);
    return 10 * power;
}

/* A sign, a point and an exponent beside the digits: -1.23e-05. */
int es_number_columns(int columns, const es_style *style)
{
    int need = style->digits ? style->digits + 6 : 0;
    return columns > need ? columns : need;
}

void es_show_number(es_str *out, double value, int columns, int decimals, const es_style *style)
{
    int wide = columns ? es_number_columns(columns, style) : 0;
    if (style->digits)
        es_str_add(out, "%*.*g", wide, style->digits, value);
    else if (columns && fabs(value) >= 1000)
        es_str_add(out, "%*.1e", wide, value);
    else
        es_str_add(out, "%*.*f", wide, decimals, value);
}

void es_show_count(es_str *out, int64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%" PRId64, n < 0 ? -n : n);
    if (n < 0)
        es_str_char(out, '-');
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            es_str_char(out, ',');
        es_str_char(out, digits[i]);
    }
}

void es_show_length(es_str *out, int columns, int decimals, double length)
{
    enum { LARGE = 100000 }; /* takes six columns */
    if (length < LARGE)
        es_str_add(out, "%*.*f", columns, decimals, length);
    else
        es_str_add(out, "%*.0e", columns, length);
}

void es_show_bytes(es_str *out, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    es_str_add(out, unit && bytes < 100 ? "%.3g %s" : "%.0f %s", bytes, units[unit]);
}
