// SPDX-License-Identifier: GPL-3.0-or-later
/* A JSON writer: one object on one line, commas and escapes done here.  Controls (C0, DEL, C1),
 * bidi and other invisible characters leave as \uXXXX; numbers as %.9g (float32) or %.17g, NaN and
 * the infinities as null.  A string with a brake may be filled: see es_str_braked. */
#ifndef ES_BASE_JSON_H
#define ES_BASE_JSON_H

#include <stdint.h>

#include "base/str.h"

typedef struct es_json {
    es_str *out;
    bool comma; /* something stands before the next value at this level */
} es_json;

void es_json_open(es_json *j, char bracket);  /* '{' or '[' */
void es_json_close(es_json *j, char bracket); /* '}' or ']' */
void es_json_key(es_json *j, const char *key);

void es_json_null(es_json *j);
void es_json_bool(es_json *j, bool value);
void es_json_int(es_json *j, int64_t value);
void es_json_float(es_json *j, float value);
void es_json_double(es_json *j, double value);
void es_json_string(es_json *j, const char *s);                  /* NULL is null */
void es_json_text(es_json *j, const char *bytes, size_t n);      /* null unless valid UTF-8 */
void es_json_hex(es_json *j, const char *bytes, size_t n);       /* "e6 9c" as "e69c" */
void es_json_ints(es_json *j, const int32_t *values, int64_t n); /* [1,2,3] */
void es_json_floats(es_json *j, const float *values, int64_t n); /* [0.5,null] */

/* A key and its value at once. */
void es_json_key_int(es_json *j, const char *key, int64_t value);
void es_json_key_string(es_json *j, const char *key, const char *s);

#endif
