// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/svg_words.h"

#include <inttypes.h>
#include <math.h>

#include "base/utf8.h"

void es_svg_number(es_str *out, double v)
{
    const double farthest = 1e7;
    int64_t n = llround((v > farthest ? farthest : v < -farthest ? -farthest : v) * 100);
    uint64_t size = (uint64_t)(n < 0 ? -n : n);
    es_str_add(out, "%s%" PRIu64, n < 0 ? "-" : "", size / 100);
    if (size % 10)
        es_str_add(out, ".%02d", (int)(size % 100));
    else if (size % 100)
        es_str_add(out, ".%d", (int)(size % 100 / 10));
}

void es_svg_attribute(es_str *out, const char *name, double v)
{
    es_str_add(out, " %s=\"", name);
    es_svg_number(out, v);
    es_str_char(out, '"');
}

void es_svg_paint(es_str *out, const char *what, es_argb colour)
{
    es_argb opacity = colour >> 24;
    es_str_add(out, " %s=\"#%06x\"", what, (unsigned)(colour & 0xffffff));
    if (opacity == 0xff)
        return;
    es_str_add(out, " %s-opacity=\"", what);
    es_svg_number(out, opacity / 255.0);
    es_str_char(out, '"');
}

void es_svg_box(es_str *out, es_box b)
{
    es_str_cat(out, "<rect");
    es_svg_attribute(out, "x", b.x);
    es_svg_attribute(out, "y", b.y);
    es_svg_attribute(out, "width", b.w);
    es_svg_attribute(out, "height", b.h);
}

void es_svg_words(es_str *out, const char *text, size_t n)
{
    for (size_t i = 0, len; i < n; i += len) {
        uint32_t cp = 0;
        int utf8 = es_utf8_next(text + i, n - i, &cp);
        len = utf8 ? (size_t)utf8 : 1;
        if (!utf8 || !es_char_visible(cp))
            continue;
        switch (cp) {
        case '&': es_str_cat(out, "&amp;"); break;
        case '<': es_str_cat(out, "&lt;"); break;
        case '>': es_str_cat(out, "&gt;"); break;
        default: es_str_bytes(out, text + i, len);
        }
    }
}

/* Advances of DejaVu Sans from U+0020 on, in hundredths of an em, rounded up. */
static const unsigned char advances[] = {
    32,  41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, /* 0x20 */
    64,  64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54, /* 0 */
    100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79, /* @ */
    61,  79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, /* P */
    50,  62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, /* ` */
    64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,     /* p */
};

/* In ems, rather more than less. */
static float advance_of(uint32_t cp, bool mono)
{
    const float of_mono = 0.603F, of_letter = 0.66F, of_sign = 0.88F, of_wide = 1;
    int columns = es_char_columns(cp);
    if (columns != 1)
        return (mono ? of_mono : of_wide / 2) * (float)columns;
    if (mono)
        return of_mono;
    if (cp - ' ' < sizeof advances)
        return advances[cp - ' '] / 100.0F;
    return es_char_begins_name(cp) ? of_letter : of_sign;
}

float es_svg_estimate(const char *text, size_t n, const es_ink *ink)
{
    const float bolder = 1.15F;
    float ems = 0;
    for (size_t i = 0, len; i < n; i += len) {
        uint32_t cp = 0;
        int utf8 = es_utf8_next(text + i, n - i, &cp);
        len = utf8 ? (size_t)utf8 : 1;
        ems += utf8 ? advance_of(cp, ink->mono) : 0;
    }
    return ems * ink->size * (ink->bold && !ink->mono ? bolder : 1);
}
