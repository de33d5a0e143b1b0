// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/safetensors_write.h"

#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "base/visible.h"

enum { LENGTH = 8 };

static const char *stored_name(const es_named_tensor *t)
{
    static const char *const names[ES_N_DTYPES] = {[ES_FLOAT32] = "F32",
                                                   [ES_FLOAT64] = "F64",
                                                   [ES_INT64] = "I64",
                                                   [ES_INT32] = "I32",
                                                   [ES_BOOL] = "BOOL"};
    return t->narrow ? es_store_name(t->store) : names[t->tensor->dtype];
}

static bool check_name(const es_named_tensor *t, es_error *err)
{
    bool meta = t->n == 12 && !memcmp(t->name, "__metadata__", 12);
    if (t->n && !meta && !memchr(t->name, '\0', t->n) && es_utf8_valid(t->name, t->n))
        return true;
    es_str shown = {0};
    es_show_brief(&shown, t->name, t->n);
    es_fail(err, ES_ERR_VALUE, "no tensor in a safetensors file can be called %s", shown.s);
    es_str_free(&shown);
    return es_hint(err, "names are UTF-8, not empty, and not __metadata__");
}

static int64_t add_one(es_json *j, const es_named_tensor *t, int64_t begin)
{
    const es_shape *shape = &t->tensor->shape;
    size_t size = t->narrow ? es_store_size(t->store) : es_dtype_size(t->tensor->dtype);
    int64_t end = begin + es_shape_count(shape) * (int64_t)size;
    es_json_key(j, t->name);
    es_json_open(j, '{');
    es_json_key_string(j, "dtype", stored_name(t));
    es_json_key(j, "shape");
    es_json_open(j, '[');
    for (int d = 0; d < shape->ndim; d++)
        es_json_int(j, shape->dim[d]);
    es_json_close(j, ']');
    es_json_key(j, "data_offsets");
    es_json_open(j, '[');
    es_json_int(j, begin);
    es_json_int(j, end);
    es_json_close(j, ']');
    es_json_close(j, '}');
    return end;
}

static void add_metadata(es_json *j, const es_named_string *metadata, size_t n)
{
    es_json_key(j, "__metadata__");
    es_json_open(j, '{');
    for (size_t i = 0; i < n; i++)
        es_json_key_string(j, metadata[i].name, metadata[i].string);
    es_json_close(j, '}');
}

bool es_safetensors_header(es_str *out, const es_named_tensor *tensors, size_t n,
                           const es_named_string *metadata, size_t n_metadata, es_error *err)
{
    es_str text = {0};
    es_json j = {.out = &text};
    int64_t at = 0;
    for (size_t i = 0; i < n; i++)
        if (!check_name(&tensors[i], err))
            return false;
    es_json_open(&j, '{');
    if (n_metadata)
        add_metadata(&j, metadata, n_metadata);
    for (size_t i = 0; i < n; i++)
        at = add_one(&j, &tensors[i], at);
    es_json_close(&j, '}');
    es_str_fill(&text, ' ',
                (LENGTH - text.len % LENGTH) % LENGTH); /* so that numbers lie aligned */
    for (int i = 0; i < LENGTH; i++)
        es_str_char(out, (char)(text.len >> 8 * i & 0xFF));
    es_str_bytes(out, text.s, text.len);
    es_str_free(&text);
    return true;
}
