// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/raw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/table.h"

/* ---- formats ---- */

/* The numbers need not be aligned. */
#define WIDEN(name, narrow, wide)                                                                  \
    static void name(void *to, const void *from, size_t n)                                         \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            narrow x;                                                                              \
            memcpy(&x, (const char *)from + i * sizeof x, sizeof x);                               \
            const wide y = (wide)x;                                                                \
            memcpy((char *)to + i * sizeof y, &y, sizeof y);                                       \
        }                                                                                          \
    }
WIDEN(widen_f4, float, float)
WIDEN(widen_f8, double, double)
WIDEN(widen_i1, int8_t, int32_t)
WIDEN(widen_i2, int16_t, int32_t)
WIDEN(widen_i4, int32_t, int32_t)
WIDEN(widen_i8, int64_t, int64_t)
WIDEN(widen_u1, uint8_t, int32_t)
WIDEN(widen_u2, uint16_t, int32_t)
WIDEN(widen_u4, uint32_t, int64_t)
WIDEN(widen_u8, uint64_t, int64_t)
WIDEN(widen_b1, uint8_t, bool)

static void widen_f2(void *to, const void *from, size_t n)
{
    float *out = to;
    for (size_t i = 0; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, (const char *)from + i * sizeof bits, sizeof bits);
        out[i] = es_float_of_half(bits);
    }
}

/* The upper half of a float32. */
static void widen_bf16(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t half;
        memcpy(&half, (const char *)from + i * sizeof half, sizeof half);
        const uint32_t bits = (uint32_t)half << 16;
        memcpy((float *)to + i, &bits, sizeof bits);
    }
}

static const es_raw_type types[] = {
    {"float32", "f4", "F32", 4, ES_FLOAT32, widen_f4},
    {"float64", "f8", "F64", 8, ES_FLOAT64, widen_f8},
    {"float16", "f2", "F16", 2, ES_FLOAT32, widen_f2},
    {"bfloat16", NULL, "BF16", 2, ES_FLOAT32, widen_bf16},
    {"int64", "i8", "I64", 8, ES_INT64, widen_i8},
    {"int32", "i4", "I32", 4, ES_INT32, widen_i4},
    {"int16", "i2", "I16", 2, ES_INT32, widen_i2},
    {"int8", "i1", "I8", 1, ES_INT32, widen_i1},
    {"uint8", "u1", "U8", 1, ES_INT32, widen_u1},
    {"uint16", "u2", "U16", 2, ES_INT32, widen_u2},
    {"uint32", "u4", "U32", 4, ES_INT64, widen_u4},
    {"uint64", "u8", "U64", 8, ES_INT64, widen_u8},
    {"bool", "b1", "BOOL", 1, ES_BOOL, widen_b1},
};

const es_raw_type *es_raw_type_at(size_t i)
{
    return i < sizeof types / sizeof *types ? &types[i] : NULL;
}

static bool is(const char *known, const char *name, size_t n)
{
    return known && strlen(known) == n && !memcmp(known, name, n);
}

const es_raw_type *es_raw_type_named(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is(types[i].name, name, n) || is(types[i].npy, name, n) || is(types[i].stored, name, n))
            return &types[i];
    return NULL;
}

/* ---- sizes ---- */

bool es_raw_bytes(const es_raw *raw, uint64_t *bytes)
{
    int64_t n = raw->type->size;
    bool empty = false;
    for (int d = 0; d < raw->shape.ndim; d++) {
        int64_t dim = raw->shape.dim[d];
        empty |= dim == 0;
        /* the widest of ours has 8 bytes, and is counted as well */
        if (__builtin_mul_overflow(n, dim ? dim : 1, &n) || n > INT64_MAX / 8)
            return false;
    }
    *bytes = empty ? 0 : (uint64_t)n;
    return true;
}

/* An empty axis counts as one, as PyTorch has it. */
void es_raw_strides(es_tensor *t, bool fortran)
{
    int64_t n = 1;
    for (int i = 0; i < t->shape.ndim; i++) {
        int d = fortran ? i : t->shape.ndim - 1 - i;
        t->stride[d] = n;
        n *= t->shape.dim[d] ? t->shape.dim[d] : 1;
    }
}

/* ---- reading ---- */

static bool swapped(const es_raw *raw)
{
    return raw->type->size > 1 && raw->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static void swap(unsigned char *to, const unsigned char *from, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++, from += size)
        for (size_t b = size; b-- > 0;)
            *to++ = from[b];
}

/* Beyond int64, where a uint64 became one below 0. */
static bool too_large(const int64_t *made, size_t n, int64_t before, es_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (made[i] < 0) {
            es_fail(err, ES_ERR_UNSUPPORTED,
                    "number %" PRId64 " of it is %" PRIu64 ", more than int64 can hold",
                    before + (int64_t)i, (uint64_t)made[i]);
            return !es_hint(err, "there is no uint64 here; in Python: x.astype(\"float64\")");
        }
    return false;
}

static bool convert(const es_raw *raw, void *to, es_watch *watch, es_error *err)
{
    enum { BLOCK = 8192, WIDEST = 8 };
    unsigned char turned[BLOCK * WIDEST];
    const es_raw_type *type = raw->type;
    size_t size = (size_t)type->size, wide = es_dtype_size(type->dtype);
    int64_t all = es_shape_count(&raw->shape);
    for (int64_t at = 0; at < all; at += BLOCK) {
        size_t n = all - at < BLOCK ? (size_t)(all - at) : BLOCK;
        const unsigned char *from = raw->data + (size_t)at * size;
        void *block = (char *)to + (size_t)at * wide;
        if (!es_watch_step(watch, (uint64_t)at, err))
            return false;
        if (swapped(raw)) {
            swap(turned, from, n, size);
            from = turned;
        }
        type->widen(block, from, n);
        if (type->widen == widen_u8 && too_large(block, n, at, err))
            return false;
    }
    return true;
}

/* Into a buffer that has its memory. */
static bool fill(es_buffer *buf, const es_raw *raw, es_watch *watch, es_error *err)
{
    if (buf->host || buf->be->ops->host_memory)
        return convert(raw, buf->mem, watch, err);
    int64_t n = es_shape_count(&raw->shape);
    es_view dst = {.buf = buf, .ndim = 1, .dim = {n}, .stride = {1}};
    void *dense = es_try_alloc((size_t)n + 1, es_dtype_size(raw->type->dtype), "a file", err);
    bool ok = dense && convert(raw, dense, watch, err) && buf->be->ops->write(&dst, dense, err);
    free(dense);
    return ok;
}

bool es_raw_read(es_tensor *out, es_backend *be, const es_raw *raw, es_watch *watch, es_error *err)
{
    if (!es_tensor_new(out, be, raw->type->dtype, &raw->shape, err))
        return false;
    es_raw_strides(out, raw->fortran);
    if (fill(out->buf, raw, watch, err))
        return true;
    es_tensor_free(out);
    return false;
}

/* ---- later ---- */

typedef struct later {
    es_raw raw;
    es_buffer *made; /* what was converted; one reference; NULL: nothing was, or need be */
    void *owner;
    void (*release)(void *owner);
} later;

/* Are the bytes of the file what memory would hold? */
static bool lies_as_it_is(const es_buffer *buf, const es_raw *raw)
{
    size_t size = es_dtype_size(raw->type->dtype);
    return (buf->host || buf->be->ops->host_memory) && !swapped(raw) &&
           raw->type->dtype != ES_BOOL && (size_t)raw->type->size == size &&
           raw->type->widen != widen_u8 && (uintptr_t)raw->data % size == 0;
}

static bool make(es_buffer *buf, es_error *err)
{
    later *l = buf->late.of;
    if (lies_as_it_is(buf, &l->raw)) {
        buf->mem = (void *)l->raw.data;
        return true;
    }
    if (!es_memory_for((double)buf->bytes, err))
        return false;
    es_buffer *made = es_buffer_new(buf->be, buf->bytes, buf->host, err);
    if (!made)
        return false;
    if (!fill(made, &l->raw, NULL, err)) {
        es_buffer_unref(made);
        return false;
    }
    l->made = made;
    buf->mem = made->mem;
    buf->late.own = es_buffer_need; /* it is nobody else's */
    return true;
}

static void forget(es_buffer *buf)
{
    later *l = buf->late.of;
    es_buffer_unref(l->made);
    l->release(l->owner);
    free(l);
}

void es_raw_later(es_tensor *out, es_backend *be, const es_raw *raw, void *owner,
                  void (*release)(void *owner))
{
    later *l = es_alloc(sizeof *l);
    *l = (later){.raw = *raw, .owner = owner, .release = release};
    es_dtype dtype = raw->type->dtype;
    *out = (es_tensor){.dtype = dtype, .shape = raw->shape};
    es_raw_strides(out, raw->fortran);
    size_t bytes = (size_t)es_shape_count(&raw->shape) * es_dtype_size(dtype);
    out->buf = es_buffer_later(be, bytes, dtype != ES_FLOAT32,
                               (es_late){.make = make, .forget = forget, .of = l});
}

/* ---- what is no number ---- */

/* The place of the i-th in memory. */
static void place_of(int64_t i, const es_tensor *t, int64_t place[ES_MAX_DIMS])
{
    for (int d = 0; d < t->shape.ndim; d++)
        place[d] = i / t->stride[d] % t->shape.dim[d];
}

es_odd es_raw_odd(const es_tensor *t)
{
    es_odd odd = {0};
    bool wide = t->dtype == ES_FLOAT64;
    bool looks = (wide || (t->dtype == ES_FLOAT32 && t->buf->be->ops->host_memory));
    for (int64_t i = 0, n = looks ? es_shape_count(&t->shape) : 0; i < n; i++) {
        double x =
            wide ? ((const double *)t->buf->mem)[i] : (double)((const float *)t->buf->mem)[i];
        if (isfinite(x))
            continue;
        if (!odd.nan && !odd.infinite)
            place_of(i, t, odd.first);
        odd.nan += isnan(x);
        odd.infinite += !isnan(x);
    }
    return odd;
}
