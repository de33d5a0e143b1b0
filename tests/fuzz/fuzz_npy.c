// SPDX-License-Identifier: GPL-3.0-or-later
/* .npy files from anywhere.  The input is a file, or with its first byte { a header and, behind a NUL, numbers:
 * what is accepted lies inside the file, every number of it can be read, at once as well as later, and is the
 * same after it was written and read again. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "model/npy.h"
#include "session/host_files.h"

/* The message is fit to be read, and there is something to do about it. */
static void check_error(es_error *err)
{
    promise(err->message && es_utf8_valid(err->message, strlen(err->message)));
    promise(err->code != ES_ERR_FORMAT || err->hint);
    for (const char *s = err->message; *s; s++)
        promise((unsigned char)*s >= ' ');
    es_error_free(err);
}

static size_t bytes_of(const es_tensor *t)
{
    return (size_t)es_shape_count(&t->shape) * es_dtype_size(t->dtype);
}

static void nothing(void *owner)
{
    (void)owner;
}

/* Made when it is wanted, it is the same to the bit. */
static void check_later(es_backend *be, const es_raw *raw, const es_tensor *now)
{
    es_tensor later;
    es_raw_later(&later, be, raw, NULL, nothing);
    promise(es_buffer_need(later.buf, NULL) && bytes_of(&later) == bytes_of(now));
    promise(!bytes_of(now) || !memcmp(later.buf->mem, now->buf->mem, bytes_of(now)));
    es_tensor_free(&later);
}

/* Written in memory's order, which is by columns where the file was. */
static void check_written(es_backend *be, const es_tensor *t)
{
    es_str file = {0};
    es_npy again;
    es_tensor back;
    es_npy_header(&file, t->dtype, &t->shape);
    promise(file.len % 64 == 0);
    es_str_bytes(&file, t->buf->mem, bytes_of(t));
    promise(es_npy_read(&again, file.s, file.len, "again", NULL) && again.left == 0);
    promise(es_shape_equal(&again.raw.shape, &t->shape) && again.raw.type->dtype == t->dtype);
    promise(es_raw_read(&back, be, &again.raw, NULL, NULL));
    promise(!bytes_of(t) || !memcmp(back.buf->mem, t->buf->mem, bytes_of(t)));
    es_tensor_free(&back);
    es_str_free(&file);
}

static void check_numbers(es_backend *be, const es_npy *npy, const char *file, size_t n)
{
    const es_raw *raw = &npy->raw;
    uint64_t bytes;
    es_tensor t;
    es_error err = ES_ERROR_NONE;
    promise(es_raw_bytes(raw, &bytes));
    promise((const char *)raw->data + bytes + npy->left == file + n);
    if (!es_raw_read(&t, be, raw, NULL, &err)) {
        promise(err.code == ES_ERR_UNSUPPORTED); /* a uint64 beyond int64 */
        check_error(&err);
        return;
    }
    es_odd odd = es_raw_odd(&t);
    promise(odd.nan >= 0 && odd.nan + odd.infinite <= es_shape_count(&t.shape));
    check_later(be, raw, &t);
    check_written(be, &t);
    es_tensor_free(&t);
}

/* A mutated header seldom has the length that stands before it: one that begins with { gets it. */
static void make_file(es_str *file, const uint8_t *data, size_t size)
{
    const uint8_t *end = size && data[0] == '{' ? memchr(data, '\0', size) : NULL;
    size_t n = end ? (size_t)(end - data) : size;
    if (size && data[0] == '{') {
        es_str_bytes(file, "\x93NUMPY\x01\x00", 8);
        es_str_char(file, (char)(n & 0xFF));
        es_str_char(file, (char)(n >> 8 & 0xFF));
        es_str_bytes(file, (const char *)data, n);
        data += n + (end != NULL);
        size -= n + (end != NULL);
    }
    es_str_bytes(file, (const char *)data, size);
}

/* load() itself, whatever the file is. */
static void load(es_backend *be, const es_str *file)
{
    char path[64];
    es_error err = ES_ERROR_NONE;
    int fd = memfd_create("tensor", MFD_CLOEXEC);
    promise(fd >= 0 && write(fd, es_str_text(file), file->len) == (ssize_t)file->len);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    es_interp *in = es_interp_new(&(es_interp_host){.name = NULL}, be);
    es_value typed = es_value_str(path, strlen(path)), v = es_none();
    if (!es_host_load(in, &typed, be, &v, &err))
        check_error(&err);
    es_value_unref(&v);
    es_value_unref(&typed);
    es_interp_free(in);
    close(fd);
}

int fuzz_npy(const uint8_t *data, size_t size)
{
    es_str file = {0};
    es_npy npy;
    es_error err = ES_ERROR_NONE;
    es_backend *be = es_backend_open("cpu", 1, &err);
    promise(be != NULL);
    make_file(&file, data, size);
    char *exact = malloc(file.len + !file.len); /* not a byte more */
    promise(exact != NULL);
    memcpy(exact, es_str_text(&file), file.len);
    if (es_npy_read(&npy, exact, file.len, "a.npy", &err))
        check_numbers(be, &npy, exact, file.len);
    else
        check_error(&err);
    load(be, &file);
    free(exact);
    es_str_free(&file);
    promise(be->in_use == 0);
    es_backend_close(be);
    return 0;
}

ES_FUZZ_TARGET(fuzz_npy)
