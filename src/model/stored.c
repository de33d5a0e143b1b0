// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/stored.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/visible.h"

static const es_stored_type types[] = {
    {"F32", "float32", 32, ES_STORE_F32},
    {"F16", "float16", 16, ES_STORE_F16},
    {"BF16", "bfloat16", 16, ES_STORE_BF16},
    {"F64", "float64", 64, ES_STORE_F64},
    {.name = "BOOL", .bits = 8},
    {.name = "I8", .bits = 8},
    {.name = "U8", .bits = 8},
    {.name = "I16", .bits = 16},
    {.name = "U16", .bits = 16},
    {.name = "I32", .bits = 32},
    {.name = "U32", .bits = 32},
    {.name = "I64", .bits = 64},
    {.name = "U64", .bits = 64},
    {.name = "C64", .bits = 64},
    {.name = "F8_E4M3", .bits = 8},
    {.name = "F8_E5M2", .bits = 8},
    {.name = "F8_E4M3FNUZ", .bits = 8},
    {.name = "F8_E5M2FNUZ", .bits = 8},
    {.name = "F8_E8M0", .bits = 8},
    {.name = "F6_E2M3", .bits = 6},
    {.name = "F6_E3M2", .bits = 6},
    {.name = "F4", .bits = 4},
};

const es_stored_type *es_stored_type_at(size_t i)
{
    return i < sizeof types / sizeof *types ? &types[i] : NULL;
}

/* ES_ERR_FORMAT with the path and, unless it is NULL, the tensor before the message. */
ES_PRINTF(4, 0)
static bool bad(es_error *err, const char *path, const char *tensor, const char *fmt, va_list ap)
{
    es_str message = {0};
    es_show_prose(&message, path, strlen(path));
    es_str_cat(&message, tensor ? ": tensor " : ": ");
    if (tensor) {
        es_show_brief(&message, tensor, strlen(tensor));
        es_str_char(&message, ' ');
    }
    es_str_vadd(&message, fmt, ap);
    es_fail(err, ES_ERR_FORMAT, "%s", message.s);
    es_str_free(&message);
    return false;
}

bool es_bad_file(es_error *err, const char *path, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    bad(err, path, NULL, es_translate(fmt), ap);
    va_end(ap);
    return false;
}

bool es_bad_tensor(es_error *err, const char *path, const char *tensor, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    bad(err, path, tensor, es_translate(fmt), ap);
    va_end(ap);
    return false;
}

void es_stored_shape(es_str *out, const es_stored *t)
{
    es_str_char(out, '[');
    for (int64_t i = 0; i < t->rank && i < ES_STORED_DIMS; i++)
        es_str_add(out, "%s%" PRId64, i ? ", " : "", t->dim[i]);
    es_str_cat(out, t->rank > ES_STORED_DIMS ? ", …]" : "]");
}

void es_stored_free(es_stored *tensors, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(tensors[i].name);
    free(tensors);
}
