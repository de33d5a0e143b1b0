// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/safetensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "model/content.h"

enum { LENGTH = 8, MOST_HEADER = 100000000, WIDEST = 1 << 20 };

/* ---- what else may lie there ---- */

/* Said in words when the file is something else altogether; true: it may be what it should be. */
static bool nothing_else(const es_safetensors *f, es_error *err)
{
    const es_content c = es_content_of(f->file.data, f->file.size);
    bool other =
        c.kind == ES_CONTENT_OTHER || c.kind == ES_CONTENT_STAND_IN || c.kind == ES_CONTENT_NPY;
    if (!other)
        return true;
    es_bad_file(err, f->path, "this is %s, not a safetensors file", c.is);
    return es_hint(err, "%s",
                   c.kind == ES_CONTENT_STAND_IN ? c.how : "a model is read from safetensors");
}

/* ---- the header ---- */

static uint64_t read_length(const unsigned char *p)
{
    uint64_t n = 0;
    for (int i = LENGTH; i-- > 0;)
        n = n << 8 | p[i];
    return n;
}

static bool broken_off(es_error *err)
{
    return es_hint(err, "it may be a download that broke off: compare its size and checksum, fetch "
                        "it again");
}

/* Where the header is, and what is behind it. */
static bool split(es_safetensors *f, const char **json, size_t *n, es_error *err)
{
    if (!nothing_else(f, err))
        return false;
    if (f->file.size < LENGTH) {
        es_bad_file(err, f->path, "%zu bytes are no safetensors file: 8 say how long its header is",
                    f->file.size);
        return broken_off(err);
    }
    uint64_t length = read_length(f->file.data), rest = f->file.size - LENGTH;
    if (length > MOST_HEADER) {
        es_bad_file(err, f->path,
                    "the first 8 bytes give its header %" PRIu64 " bytes, more than the %d that "
                    "are allowed",
                    length, (int)MOST_HEADER);
        return es_hint(err, "this is most likely no safetensors file");
    }
    if (length > rest) {
        es_bad_file(err, f->path, "its header has %" PRIu64 " bytes, but only %" PRIu64 " follow",
                    length, rest);
        return broken_off(err);
    }
    *json = (const char *)f->file.data + LENGTH;
    *n = (size_t)length;
    f->data = f->file.data + LENGTH + length;
    f->size = rest - length;
    return (length && **json == '{') || es_bad_file(err, f->path, "its header begins with no {");
}

/* ---- the tensors ---- */

/* Does the tensor by itself make sense? */
static bool check_one(const es_safetensors *f, const es_stored *t, es_error *err)
{
    if (t->end > f->size) {
        es_bad_tensor(err, f->path, t->name,
                      "ends at byte %" PRIu64 ", but the file has only %" PRIu64, t->end, f->size);
        return broken_off(err);
    }
    if (t->bytes == t->end - t->begin)
        return true;
    es_str shape = {0};
    es_stored_shape(&shape, t);
    es_bad_tensor(err, f->path, t->name,
                  "of shape %s and type %s takes %" PRIu64 " bytes, but has %" PRIu64, shape.s,
                  t->type->name, t->bytes, t->end - t->begin);
    es_str_free(&shape);
    return false;
}

static int by_place(const void *a, const void *b)
{
    const es_stored *s = a, *t = b;
    if (s->begin != t->begin)
        return s->begin < t->begin ? -1 : 1;
    return (s->end > t->end) - (s->end < t->end);
}

/* One behind the other, from the first byte to the last. */
static bool check_places(const es_safetensors *f, es_error *err)
{
    uint64_t at = 0;
    for (size_t i = 0; i < f->n_tensors; i++) {
        const es_stored *t = &f->tensor[i];
        if (t->begin < at)
            return es_bad_tensor(err, f->path, t->name,
                                 "begins at byte %" PRIu64 ", inside another that ends at %" PRIu64,
                                 t->begin, at);
        if (t->begin > at)
            return es_bad_tensor(err, f->path, t->name,
                                 "begins at byte %" PRIu64 ", and bytes %" PRIu64
                                 " to there belong to none",
                                 t->begin, at);
        at = t->end;
    }
    return at == f->size ||
           es_bad_file(err, f->path, "%" PRIu64 " bytes at its end belong to no tensor",
                       f->size - at);
}

static bool read(es_safetensors *f, es_error *err)
{
    const char *json = NULL;
    size_t n = 0;
    if (!es_file_open(&f->file, f->path, err) || !split(f, &json, &n, err) ||
        !es_header_read(&f->tensor, &f->n_tensors, json, n, f->path, err))
        return false;
    for (size_t i = 0; i < f->n_tensors; i++)
        if (!check_one(f, &f->tensor[i], err))
            return false;
    qsort(f->tensor, f->n_tensors, sizeof *f->tensor, by_place);
    return check_places(f, err);
}

/* ---- for others ---- */

es_safetensors *es_safetensors_open(const char *path, es_error *err)
{
    es_safetensors *f = es_alloc(sizeof *f);
    atomic_init(&f->refs, 1);
    f->path = es_copy_string(path);
    if (read(f, err))
        return f;
    if (err && err->code == ES_ERR_FORMAT && !err->hint)
        es_hint(err, "it is damaged, or no safetensors file: fetch it again, or save it with the "
                     "safetensors library");
    es_safetensors_unref(f);
    return NULL;
}

es_safetensors *es_safetensors_ref(es_safetensors *f)
{
    f->refs++;
    return f;
}

void es_safetensors_unref(es_safetensors *f)
{
    if (!f || --f->refs > 0)
        return;
    es_stored_free(f->tensor, f->n_tensors);
    es_file_close(&f->file);
    free(f->path);
    free(f);
}

const es_stored *es_safetensors_find(const es_safetensors *f, const char *name)
{
    for (size_t i = 0; i < f->n_tensors; i++)
        if (!strcmp(f->tensor[i].name, name))
            return &f->tensor[i];
    return NULL;
}

char *es_safetensors_metadata(const es_safetensors *f, const char *key)
{
    const char *json = (const char *)f->file.data + LENGTH;
    return es_header_metadata(json, (size_t)((const char *)f->data - json), key);
}

static void let_go(void *f)
{
    es_safetensors_unref(f);
}

es_table *es_safetensors_table(es_safetensors *f, const es_stored *t, es_error *err)
{
    es_str shape = {0};
    bool ok = false;
    es_stored_shape(&shape, t);
    if (t->rank != 2)
        es_bad_tensor(err, f->path, t->name,
                      "has the shape %s: a table has two axes, rows and channels", shape.s);
    else if (!t->dim[0] || !t->dim[1])
        es_bad_tensor(err, f->path, t->name, "has the shape %s: there is nothing in it", shape.s);
    else if (t->dim[0] > INT32_MAX || t->dim[1] > WIDEST)
        es_bad_tensor(err, f->path, t->name,
                      "has the shape %s: a table has at most %d rows of %d channels", shape.s,
                      INT32_MAX, (int)WIDEST);
    else if (!t->type->torch)
        es_bad_tensor(err, f->path, t->name, "holds %s; rows are read from F32, F16, BF16 or F64",
                      t->type->name);
    else
        ok = true;
    es_str_free(&shape);
    if (!ok) {
        es_hint(err, "try: another file, or save this tensor in such a form");
        return NULL;
    }
    return es_table_mapped(f->data + t->begin, t->type->store, t->dim[0], t->dim[1],
                           es_safetensors_ref(f), let_go);
}
