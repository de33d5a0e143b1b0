// SPDX-License-Identifier: GPL-3.0-or-later
/* Safetensors files and their indexes from anywhere.  The input is a header as it stands, or with its
 * first byte a file: what is accepted lies inside the file, and its rows can be read. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "model/model.h"
#include "model/safetensors.h"

/* Every error says what is wrong, and nothing that a terminal would obey. */
static void check_error(const es_error *err)
{
    promise(err->code == ES_ERR_FORMAT && err->message && err->hint);
    const char *texts[] = {err->message, err->hint};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0, n = strlen(texts[k]); i < n;) {
            uint32_t cp;
            int len = es_utf8_next(texts[k] + i, n - i, &cp);
            promise(len && (es_char_visible(cp) || (k == 1 && cp == '\n')));
            i += (size_t)len;
        }
}

static void read_rows(const es_table *t)
{
    static float row[1 << 20];
    int64_t rows = es_table_rows(t);
    promise(es_table_width(t) <= 1 << 20);
    for (int64_t i = 0; i < rows; i += 1 + (rows - 1) / 16)
        promise(es_table_row(t, i, row, NULL));
    if (rows)
        promise(es_table_row(t, rows - 1, row, NULL));
}

/* Tensors one behind the other, from the first byte to the last; a table of each that can be one. */
static void check_file(es_safetensors *f)
{
    uint64_t at = 0;
    for (size_t i = 0; i < f->n_tensors; i++) {
        const es_stored *t = &f->tensor[i];
        promise(t->begin == at && t->end - t->begin == t->bytes);
        promise(es_safetensors_find(f, t->name) == t);
        at = t->end;
        es_error err = ES_ERROR_NONE;
        es_table *table = es_safetensors_table(f, t, &err);
        if (table)
            read_rows(table);
        else
            check_error(&err);
        es_table_unref(table);
        es_error_free(&err);
    }
    promise(at == f->size && f->data + f->size == f->file.data + f->file.size);
}

static void open_model(const char *path)
{
    es_error err = ES_ERROR_NONE;
    es_model *m = es_model_open(path, 0, &err);
    if (!m)
        check_error(&err);
    es_model_unref(m);
    es_error_free(&err);
}

static void open_index(const uint8_t *data, size_t size)
{
    es_error err = ES_ERROR_NONE;
    es_placed *places;
    size_t n;
    if (es_index_read(&places, &n, (const char *)data, size, "index", &err))
        for (size_t i = 0; i < n; i++)
            promise(places[i].name && *places[i].file && !strchr(places[i].file, '/'));
    else
        promise(err.code == ES_ERR_FORMAT);
    es_placed_free(places, n);
    es_error_free(&err);
}

/* A mutated header seldom has the length that stands before it: one that begins with { gets it. */
static void write_file(int fd, const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\0', size); /* no header holds a NUL: data follow it */
    size_t n = end ? (size_t)(end - data) : size;
    uint8_t length[8] = {(uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16)};
    if (size && data[0] == '{')
        promise(write(fd, length, sizeof length) == sizeof length);
    promise(write(fd, data, size) == (ssize_t)size);
}

int fuzz_safetensors(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("model", MFD_CLOEXEC);
    promise(fd >= 0);
    write_file(fd, data, size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    es_error err = ES_ERROR_NONE;
    es_safetensors *f = es_safetensors_open(path, &err);
    if (f)
        check_file(f);
    else
        check_error(&err);
    es_safetensors_unref(f);
    es_error_free(&err);
    open_model(path);
    open_index(data, size);
    close(fd);
    return 0;
}

ES_FUZZ_TARGET(fuzz_safetensors)
