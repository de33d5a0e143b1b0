// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/header.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#if ES_HAVE_JANSSON /* the only file that asks */
#include <jansson.h>
#endif

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"

void es_placed_free(es_placed *places, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(places[i].name);
        free(places[i].file);
    }
    free(places);
}

#if ES_HAVE_JANSSON

/* What one object is being read from, for messages about a tensor of it. */
typedef struct reader {
    const char *path, *name;
    es_error *err;
} reader;

/* ---- the text as a whole ---- */

/* Nested and long enough for what it has to say?  A tree of it takes some fifty bytes a value, and a
 * reader that calls itself takes stack for each level: both are limited before anything is built. */
static bool modest(const char *s, size_t n, const char *path, es_error *err)
{
    enum { DEEPEST = 8, MOST = 8 << 20 };
    size_t depth = 0, values = 0;
    bool quoted = false;
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
            continue;
        }
        quoted = c == '"';
        depth += c == '{' || c == '[';
        depth -= (c == '}' || c == ']') && depth;
        values += c == ',';
        if (depth > DEEPEST)
            return es_bad_file(err, path, "its JSON is nested more than %d deep at byte %zu",
                               (int)DEEPEST, i);
        if (values > MOST)
            return es_bad_file(err, path, "its JSON has more than %d values", (int)MOST);
    }
    return true;
}

static bool utf8(const char *s, size_t n, const char *path, es_error *err)
{
    uint32_t cp;
    for (size_t i = 0; i < n;) {
        int len = es_utf8_next(s + i, n - i, &cp);
        if (!len)
            return es_bad_file(err, path, "its JSON is not UTF-8: byte %zu is %02X", i,
                               (unsigned char)s[i]);
        i += (size_t)len;
    }
    return true;
}

/* The one object that a text is; NULL and why. */
static json_t *read_object(const char *s, size_t n, const char *path, es_error *err)
{
    if (!utf8(s, n, path, err) || !modest(s, n, path, err))
        return NULL;
    json_error_t why;
    json_t *object = json_loadb(s, n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);
    if (json_is_object(object))
        return object;
    if (object) {
        es_bad_file(err, path, "its JSON is not an object {…} of tensors");
    } else if (json_error_code(&why) == json_error_out_of_memory) {
        es_no_room(err, "a header", (double)n);
    } else {
        es_str shown = {0};
        es_show_prose(&shown, why.text, strlen(why.text));
        es_bad_file(err, path, "its JSON is broken at byte %d: %s", why.position, shown.s);
        es_str_free(&shown);
    }
    json_decref(object);
    return NULL;
}

/* ---- one tensor ---- */

static bool read_type(const reader *r, es_stored *t, const json_t *value)
{
    const char *name = json_string_value(value);
    if (!name || strlen(name) != json_string_length(value))
        return es_bad_tensor(r->err, r->path, r->name, "has no dtype, a string such as \"F32\"");
    for (size_t i = 0; !t->type && es_stored_type_at(i); i++)
        if (!strcmp(es_stored_type_at(i)->name, name))
            t->type = es_stored_type_at(i);
    if (t->type)
        return true;
    es_str shown = {0}, known = {0};
    es_show_brief(&shown, name, strlen(name));
    for (size_t i = 0; es_stored_type_at(i); i++)
        es_str_add(&known, "%s%s", i ? " " : "", es_stored_type_at(i)->name);
    es_bad_tensor(r->err, r->path, r->name, "has the dtype %s, which no safetensors file has",
                  shown.s);
    es_hint(r->err, "known: %s", known.s);
    es_str_free(&shown);
    es_str_free(&known);
    return false;
}

/* A whole number from 0 on; axis i of a shape, or a data offset. */
static bool read_count(const reader *r, const json_t *value, const char *what, size_t i,
                       int64_t *to)
{
    if (!json_is_integer(value))
        return es_bad_tensor(r->err, r->path, r->name, "has no whole number as %s %zu", what, i);
    *to = json_integer_value(value);
    return *to >= 0 ||
           es_bad_tensor(r->err, r->path, r->name, "has %" PRId64 " as %s %zu", *to, what, i);
}

static bool read_shape(const reader *r, es_stored *t, const json_t *value)
{
    uint64_t bits = 0;
    bool fits = true, empty = false;
    if (!json_is_array(value))
        return es_bad_tensor(r->err, r->path, r->name, "has no shape, a list such as [50257, 768]");
    assert(t->type);
    bits = (uint64_t)t->type->bits;
    t->rank = (int64_t)json_array_size(value);
    for (size_t i = 0; i < (size_t)t->rank; i++) {
        int64_t dim = 0;
        if (!read_count(r, json_array_get(value, i), "axis", i, &dim))
            return false;
        if (i < ES_STORED_DIMS)
            t->dim[i] = dim;
        empty = empty || dim == 0;
        fits = fits && !__builtin_mul_overflow(bits, (uint64_t)dim, &bits);
    }
    if (empty)
        bits = 0;
    else if (!fits)
        return es_bad_tensor(r->err, r->path, r->name, "has more numbers than 64 bits can count");
    t->bytes = bits / 8;
    return bits % 8 == 0 ||
           es_bad_tensor(r->err, r->path, r->name,
                         "takes %" PRIu64 " bits, which is no whole number of bytes", bits);
}

static bool read_offsets(const reader *r, es_stored *t, const json_t *value)
{
    int64_t offset[2] = {0};
    if (!json_is_array(value) || json_array_size(value) != 2)
        return es_bad_tensor(r->err, r->path, r->name,
                             "has no data_offsets, two numbers such as [0, 4096]");
    for (size_t i = 0; i < 2; i++)
        if (!read_count(r, json_array_get(value, i), "data offset", i, &offset[i]))
            return false;
    t->begin = (uint64_t)offset[0];
    t->end = (uint64_t)offset[1];
    return t->begin <= t->end ||
           es_bad_tensor(r->err, r->path, r->name,
                         "begins at byte %" PRIu64 " and ends before it, at %" PRIu64, t->begin,
                         t->end);
}

static bool read_tensor(const reader *r, es_stored *t, const json_t *value)
{
    if (!json_is_object(value))
        return es_bad_tensor(r->err, r->path, r->name,
                             "is not an object with dtype, shape and data_offsets");
    return read_type(r, t, json_object_get(value, "dtype")) &&
           read_shape(r, t, json_object_get(value, "shape")) &&
           read_offsets(r, t, json_object_get(value, "data_offsets"));
}

static bool check_metadata(const json_t *value, const char *path, es_error *err)
{
    const char *key;
    json_t *of, *object = (json_t *)value;
    if (!json_is_object(value))
        return es_bad_file(err, path, "its __metadata__ is not an object of strings");
    json_object_foreach(object, key, of)
    {
        if (!json_is_string(of))
            return es_bad_file(err, path, "its __metadata__ holds something that is no string");
    }
    return true;
}

/* ---- the two files ---- */

bool es_header_read(es_stored **tensors, size_t *n_tensors, const char *json, size_t n,
                    const char *path, es_error *err)
{
    json_t *object = read_object(json, n, path, err), *value;
    *tensors = NULL;
    *n_tensors = 0;
    if (!object)
        return false;
    const char *key;
    bool ok = true;
    es_stored *list = es_try_alloc(json_object_size(object) + 1, sizeof *list, "a header", err);
    size_t n_list = 0;
    if (list) {
        json_object_foreach(object, key, value)
        {
            if (!strcmp(key, "__metadata__")) {
                ok = ok && check_metadata(value, path, err);
                continue;
            }
            list[n_list] = (es_stored){.name = es_copy_string(key)};
            ok = ok && read_tensor(&(reader){path, key, err}, &list[n_list], value);
            n_list++;
        }
    }
    json_decref(object);
    if (list && ok) {
        *tensors = list;
        *n_tensors = n_list;
        return true;
    }
    es_stored_free(list, n_list);
    return false;
}

char *es_header_metadata(const char *json, size_t n, const char *key)
{
    json_t *object = read_object(json, n, "", NULL);
    const json_t *metadata = json_object_get(object, "__metadata__");
    char *of = es_copy_string(json_string_value(json_object_get(metadata, key)));
    json_decref(object);
    return of;
}

bool es_config_read(int64_t *number, const char *key, const char *json, size_t n, const char *path,
                    es_error *err)
{
    json_t *object = read_object(json, n, path, err);
    int64_t found = json_integer_value(json_object_get(object, key));
    *number = found > 0 ? found : 0;
    bool ok = object != NULL;
    json_decref(object);
    return ok;
}

/* A file in the index's own folder? */
static bool is_plain_name(const char *file)
{
    return file && *file && !strchr(file, '/') && strcmp(file, ".") && strcmp(file, "..");
}

bool es_index_read(es_placed **places, size_t *n_places, const char *json, size_t n,
                   const char *path, es_error *err)
{
    json_t *object = read_object(json, n, path, err), *value;
    json_t *map = json_object_get(object, "weight_map");
    *places = NULL;
    *n_places = 0;
    if (!object)
        return false;
    const char *key;
    bool ok = json_is_object(map) ||
              es_bad_file(err, path, "has no weight_map, which says the file of each tensor");
    es_placed *list =
        ok ? es_try_alloc(json_object_size(map) + 1, sizeof *list, "an index", err) : NULL;
    size_t n_list = 0;
    if (list) {
        json_object_foreach(map, key, value)
        {
            const char *file = json_string_value(value);
            if (file && strlen(file) != json_string_length(value))
                file = NULL; /* a NUL in it */
            if (ok && !is_plain_name(file))
                ok = es_bad_tensor(err, path, key, "is not in a file of the index's own folder");
            list[n_list++] =
                (es_placed){es_copy_string(key), es_copy_string(ok && file ? file : "")};
        }
    }
    json_decref(object);
    if (list && ok) {
        *places = list;
        *n_places = n_list;
        return true;
    }
    es_placed_free(list, n_list);
    return false;
}

#else

static bool left_out(const char *path, es_error *err)
{
    es_str shown = {0};
    es_show_prose(&shown, path, strlen(path));
    es_fail(err, ES_ERR_UNSUPPORTED, "%s: this program was built without jansson", shown.s);
    es_str_free(&shown);
    return es_hint(err, "model files are read with it: install it and build again");
}

bool es_header_read(es_stored **tensors, size_t *n_tensors, const char *json, size_t n,
                    const char *path, es_error *err)
{
    (void)json;
    (void)n;
    *tensors = NULL;
    *n_tensors = 0;
    return left_out(path, err);
}

char *es_header_metadata(const char *json, size_t n, const char *key)
{
    (void)json;
    (void)n;
    (void)key;
    return NULL;
}

bool es_config_read(int64_t *number, const char *key, const char *json, size_t n, const char *path,
                    es_error *err)
{
    (void)key;
    (void)json;
    (void)n;
    *number = 0;
    return left_out(path, err);
}

bool es_index_read(es_placed **places, size_t *n_places, const char *json, size_t n,
                   const char *path, es_error *err)
{
    (void)json;
    (void)n;
    *places = NULL;
    *n_places = 0;
    return left_out(path, err);
}

#endif
