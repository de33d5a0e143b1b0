// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"

#include <stdio.h>

#if ES_HAVE_UTF8PROC /* the only file that asks */
#include <utf8proc.h>
#endif

/* The second byte's limits do all the work of table 3-7; the others are plain 80..BF. */
int es_utf8_next(const char *s, size_t n, uint32_t *cp)
{
    const unsigned char *u = (const unsigned char *)s;
    unsigned c = u[0];
    if (c < 0x80) {
        *cp = c;
        return 1;
    }

    int len = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (!len || n < (size_t)len)
        return 0;
    unsigned low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
    unsigned high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    if (u[1] < low || u[1] > high)
        return 0;

    uint32_t value = c & (0xFFu >> (len + 1));
    for (int i = 1; i < len; i++) {
        if ((u[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (u[i] & 0x3F);
    }
    *cp = value;
    return len;
}

bool es_utf8_valid(const char *s, size_t n)
{
    uint32_t cp;
    for (size_t i = 0; i < n;) {
        int len = es_utf8_next(s + i, n - i, &cp);
        if (!len)
            return false;
        i += (size_t)len;
    }
    return true;
}

int es_utf8_put(char out[4], uint32_t cp)
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    int len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (int i = len - 1; i > 0; i--, cp >>= 6)
        out[i] = (char)(0x80 | (cp & 0x3F));
    out[0] = (char)((0xF00u >> len & 0xFF) | cp);
    return len;
}

#if ES_HAVE_UTF8PROC

/* Default_Ignorable_Code_Point beyond category Cf: selectors, fillers and joiners that show nothing
 * and that terminals measure differently. */
static bool is_ignorable(uint32_t cp)
{
    return cp == 0x034F || cp == 0x115F || cp == 0x1160 || cp == 0x17B4 || cp == 0x17B5 ||
           (cp >= 0x180B && cp <= 0x180F) || cp == 0x3164 || (cp >= 0xFE00 && cp <= 0xFE0F) ||
           cp == 0xFFA0 || (cp >= 0xE0000 && cp <= 0xE0FFF);
}

bool es_char_visible(uint32_t cp)
{
    if (cp < 0x7F)
        return cp >= 0x20;
    switch (utf8proc_category((utf8proc_int32_t)cp)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    default: return !is_ignorable(cp);
    }
}

/* The vowels and finals of Hangul, which stand in the syllable of the letter before them. */
static bool is_jamo_tail(uint32_t cp)
{
    return (cp >= 0x1160 && cp <= 0x11FF) || (cp >= 0xD7B0 && cp <= 0xD7FB);
}

/* As terminals count, which follow the C library's wcwidth: spacing marks, unlike for utf8proc, take room. */
int es_char_columns(uint32_t cp)
{
    if (utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_MC)
        return 1;
    return is_jamo_tail(cp) ? 0 : utf8proc_charwidth((utf8proc_int32_t)cp);
}

bool es_char_combines(uint32_t cp)
{
    return utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_MC ||
           es_char_columns(cp) == 0;
}

bool es_char_rtl(uint32_t cp)
{
    if (cp < 0x590)
        return false;
    int bidi = utf8proc_get_property((utf8proc_int32_t)cp)->bidi_class;
    return bidi == UTF8PROC_BIDI_CLASS_R || bidi == UTF8PROC_BIDI_CLASS_AL;
}

int es_char_case(uint32_t cp)
{
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return c == UTF8PROC_CATEGORY_LL                                ? 1
           : c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LT ? 2
                                                                    : 0;
}

bool es_char_begins_name(uint32_t cp)
{
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return (c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO) || c == UTF8PROC_CATEGORY_NL;
}

bool es_char_in_name(uint32_t cp)
{
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return es_char_begins_name(cp) || c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_MC ||
           c == UTF8PROC_CATEGORY_ND || c == UTF8PROC_CATEGORY_PC;
}

#else /* without the tables only ASCII is known to be harmless: the rest is shown as \u{…} */

bool es_char_visible(uint32_t cp)
{
    return cp >= 0x20 && cp < 0x7F;
}

int es_char_columns(uint32_t cp)
{
    (void)cp;
    return 1;
}

bool es_char_combines(uint32_t cp)
{
    (void)cp;
    return false;
}

bool es_char_rtl(uint32_t cp)
{
    (void)cp;
    return false;
}

int es_char_case(uint32_t cp)
{
    return cp >= 'a' && cp <= 'z' ? 1 : cp >= 'A' && cp <= 'Z' ? 2 : 0;
}

/* Letters of Latin, Greek and Cyrillic, which need no table. */
bool es_char_begins_name(uint32_t cp)
{
    return (cp >= 0xC0 && cp <= 0x24F && cp != 0xD7 && cp != 0xF7) ||
           (cp >= 0x386 && cp <= 0x481 && cp != 0x387);
}

bool es_char_in_name(uint32_t cp)
{
    return es_char_begins_name(cp);
}

#endif

static size_t colour_length(const char *s, size_t n)
{
    size_t i = 2;
    if (n < 3 || s[0] != '\x1b' || s[1] != '[')
        return 0;
    while (i < n && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
        i++;
    return i < n && s[i] == 'm' ? i + 1 : 0;
}

int es_columns(const char *text, size_t n)
{
    int columns = 0;
    for (size_t i = 0; i < n;) {
        size_t skip = colour_length(text + i, n - i);
        uint32_t cp = 0;
        if (!skip) {
            skip = (size_t)es_utf8_next(text + i, n - i, &cp);
            bool isolate = cp >= 0x2066 && cp <= 0x2069;
            if (skip && !isolate)
                columns += es_char_columns(cp);
        }
        i += skip ? skip : 1;
    }
    return columns;
}

const char *es_utf8_library(void)
{
#if ES_HAVE_UTF8PROC
    static char name[40];
    snprintf(name, sizeof name, "utf8proc %s", utf8proc_version());
    return name;
#else
    return "none: characters beyond ASCII are escaped";
#endif
}
