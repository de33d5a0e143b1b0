// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/visible.h"

#include <string.h>

#include "base/utf8.h"

enum { SPACE_MARK = 0x2423, DOTTED_CIRCLE = 0x25CC, BRIEF_COLUMNS = 60, NAME_COLUMNS = 300 };

static void escape_char(es_str *out, uint32_t cp)
{
    switch (cp) {
    case '\n': es_str_cat(out, "\\n"); break;
    case '\t': es_str_cat(out, "\\t"); break;
    case '\r': es_str_cat(out, "\\r"); break;
    default:
        if (cp < 0x80)
            es_str_add(out, "\\x%02x", (unsigned)cp);
        else
            es_str_add(out, "\\u{%x}", (unsigned)cp);
    }
}

static void escape_byte(es_str *out, char byte)
{
    es_str_add(out, "\\x%02X", (unsigned char)byte);
}

static void put(es_str *out, uint32_t cp)
{
    char utf8[4];
    es_str_bytes(out, utf8, (size_t)es_utf8_put(utf8, cp));
}

/* The common walk: characters that are in `also` are escaped with a backslash before them. */
static void show(es_str *out, const char *bytes, size_t n, const char *also)
{
    es_str_bytes(out, "", 0);
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        int len = es_utf8_next(bytes + i, n - i, &cp);
        if (!len) {
            escape_byte(out, bytes[i++]);
            continue;
        }
        if (cp && cp < 0x80 && strchr(also, (int)cp))
            es_str_char(out, '\\');
        if (es_char_visible(cp))
            es_str_bytes(out, bytes + i, (size_t)len);
        else
            escape_char(out, cp);
        i += (size_t)len;
    }
}

void es_show_prose(es_str *out, const char *bytes, size_t n)
{
    show(out, bytes, n, "");
}

void es_show_quoted(es_str *out, const char *bytes, size_t n)
{
    es_str_char(out, '"');
    show(out, bytes, n, "\"\\");
    es_str_char(out, '"');
}

/* What show() makes of it, cut; no more of the bytes is looked at than could be seen. */
static void show_cut(es_str *out, const char *bytes, size_t n, const char *escaped, int columns)
{
    es_str whole = {0};
    size_t enough = 4 * (size_t)columns; /* in bytes: no character is longer */
    show(&whole, bytes, n < enough ? n : enough, escaped);
    if (n > enough)
        es_str_cat(&whole, "…");
    es_show_fit(out, es_str_text(&whole), whole.len, columns);
    es_str_free(&whole);
}

void es_show_name(es_str *out, const char *bytes, size_t n)
{
    show_cut(out, bytes, n, "", NAME_COLUMNS);
}

void es_show_brief(es_str *out, const char *bytes, size_t n)
{
    es_str_char(out, '"');
    show_cut(out, bytes, n, "\"\\", BRIEF_COLUMNS);
    es_str_char(out, '"');
}

/* The run of bytes at s that begin no character, as <E6 9C>; returns its length. */
static size_t show_lone_bytes(es_str *out, const char *s, size_t n)
{
    uint32_t cp;
    size_t len = 0;
    for (; len < n && !es_utf8_next(s + len, n - len, &cp); len++)
        es_str_add(out, "%c%02X", len ? ' ' : '<', (unsigned char)s[len]);
    es_str_char(out, '>');
    return len;
}

void es_show_token(es_str *out, const char *bytes, size_t n)
{
    es_str_bytes(out, "", 0);
    bool has_base = false; /* is there something for a combining mark to sit on? */
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        int len = es_utf8_next(bytes + i, n - i, &cp);
        if (!len) {
            i += show_lone_bytes(out, bytes + i, n - i);
            has_base = false;
            continue;
        }
        if (cp == ' ') {
            put(out, SPACE_MARK);
        } else if (cp == '\\') {
            es_str_cat(out, "\\\\");
        } else if (cp == SPACE_MARK || !es_char_visible(cp)) {
            escape_char(out, cp);
        } else {
            if (es_char_combines(cp) && !has_base)
                put(out, DOTTED_CIRCLE);
            es_str_bytes(out, bytes + i, (size_t)len);
        }
        has_base = cp != ' ' && es_char_visible(cp);
        i += (size_t)len;
    }
}

void es_show_fit(es_str *out, const char *text, size_t n, int columns)
{
    if (es_columns(text, n) <= columns) {
        es_str_bytes(out, text, n);
        return;
    }
    int used = 0;
    size_t i = 0;
    while (i < n) {
        uint32_t cp = 0;
        int len = es_utf8_next(text + i, n - i, &cp);
        int wide = len ? es_char_columns(cp) : 1;
        if (used + wide > columns - 1)
            break;
        used += wide;
        i += len ? (size_t)len : 1;
    }
    es_str_bytes(out, text, i);
    if (columns > 0)
        es_str_cat(out, "…");
}

bool es_has_rtl(const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t cp = 0;
        int len = es_utf8_next(text + i, n - i, &cp);
        if (len && es_char_rtl(cp))
            return true;
        i += len ? (size_t)len : 1;
    }
    return false;
}
