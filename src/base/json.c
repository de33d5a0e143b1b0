// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

static void before_value(es_json *j)
{
    if (j->comma)
        es_str_char(j->out, ',');
    j->comma = true;
}

void es_json_open(es_json *j, char bracket)
{
    before_value(j);
    es_str_char(j->out, bracket);
    j->comma = false;
}

void es_json_close(es_json *j, char bracket)
{
    es_str_char(j->out, bracket);
    j->comma = true;
}

void es_json_key(es_json *j, const char *key)
{
    es_json_string(j, key);
    es_str_char(j->out, ':');
    j->comma = false;
}

void es_json_null(es_json *j)
{
    before_value(j);
    es_str_cat(j->out, "null");
}

void es_json_bool(es_json *j, bool value)
{
    before_value(j);
    es_str_cat(j->out, value ? "true" : "false");
}

void es_json_int(es_json *j, int64_t value)
{
    before_value(j);
    es_str_add(j->out, "%" PRId64, value);
}

static void number(es_json *j, double value, int digits)
{
    if (es_str_braked(j->out))
        return;
    before_value(j);
    if (isfinite(value))
        es_str_add(j->out, "%.*g", digits, value);
    else
        es_str_cat(j->out, "null");
}

void es_json_float(es_json *j, float value)
{
    number(j, (double)value, 9);
}

void es_json_double(es_json *j, double value)
{
    number(j, value, 17);
}

void es_json_string(es_json *j, const char *s)
{
    if (s)
        es_json_text(j, s, strlen(s));
    else
        es_json_null(j);
}

static void escaped(es_str *out, uint32_t cp)
{
    if (cp >= 0x10000) {
        cp -= 0x10000;
        es_str_add(out, "\\u%04x\\u%04x", 0xD800 + (unsigned)(cp >> 10),
                   0xDC00 + (unsigned)(cp & 0x3FF));
    } else {
        es_str_add(out, "\\u%04x", (unsigned)cp);
    }
}

void es_json_text(es_json *j, const char *bytes, size_t n)
{
    if (es_str_braked(j->out))
        return;
    if (!es_utf8_valid(bytes, n)) {
        es_json_null(j);
        return;
    }
    before_value(j);
    es_str_char(j->out, '"');
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        int len = es_utf8_next(bytes + i, n - i, &cp);
        if (cp == '"' || cp == '\\')
            es_str_add(j->out, "\\%c", (int)cp);
        else if (es_char_visible(cp))
            es_str_bytes(j->out, bytes + i, (size_t)len);
        else
            escaped(j->out, cp);
        i += (size_t)len;
    }
    es_str_char(j->out, '"');
}

void es_json_hex(es_json *j, const char *bytes, size_t n)
{
    before_value(j);
    es_str_char(j->out, '"');
    for (size_t i = 0; i < n; i++)
        es_str_add(j->out, "%02x", (unsigned char)bytes[i]);
    es_str_char(j->out, '"');
}

void es_json_ints(es_json *j, const int32_t *values, int64_t n)
{
    es_json_open(j, '[');
    for (int64_t i = 0; i < n; i++)
        es_json_int(j, values[i]);
    es_json_close(j, ']');
}

void es_json_floats(es_json *j, const float *values, int64_t n)
{
    es_json_open(j, '[');
    for (int64_t i = 0; i < n; i++)
        es_json_float(j, values[i]);
    es_json_close(j, ']');
}

void es_json_key_int(es_json *j, const char *key, int64_t value)
{
    es_json_key(j, key);
    es_json_int(j, value);
}

void es_json_key_string(es_json *j, const char *key, const char *s)
{
    es_json_key(j, key);
    es_json_string(j, s);
}
