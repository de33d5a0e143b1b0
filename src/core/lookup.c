// SPDX-License-Identifier: GPL-3.0-or-later
/* The work is moving memory: rows of a are scattered over it, out is written and not read again.  So
 * the row after the next is asked for while one is added, and a long result is written past the caches.
 * A row of b serves all B sentences before the next is read. */
#include "core/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    BLOCK = 4,    /* numbers widened at once: 16 bytes of float32 are a vector everywhere */
    STRIDE = 16,  /* numbers between two looks ahead */
    CHUNK = 2048, /* of b, kept while they are added to B rows */
    STREAM_BYTES =
        4 << 20, /* results from this size on would only displace others from the caches */
    PARALLEL_NUMBERS = 1 << 18
};

/* ---- numbers of a file to float32, BLOCK of them at once ---- */

typedef float floats __attribute__((vector_size(BLOCK * sizeof(float))));
typedef double doubles __attribute__((vector_size(BLOCK * sizeof(double))));
typedef uint16_t halves __attribute__((vector_size(BLOCK * sizeof(uint16_t))));
typedef uint32_t words __attribute__((vector_size(BLOCK * sizeof(uint32_t))));

#define INLINE static inline __attribute__((always_inline))

INLINE floats load_floats(const unsigned char *from)
{
    floats f;
    memcpy(&f, from, sizeof f);
    return f;
}

INLINE words load_halves(const unsigned char *from)
{
    halves h;
    memcpy(&h, from, sizeof h);
    return __builtin_convertvector(h, words);
}

/* The exponent's bias differs by 112: a product with 2^112 moves it, and makes subnormals normal.  What
 * is no finite number keeps the largest exponent. */
INLINE floats widen_f16(words bits)
{
    words largest = (words)((bits & 0x7C00) == 0x7C00) & 0x7F800000;
    floats moved = (floats)((bits & 0x7FFF) << 13) * 0x1p112f;
    return (floats)((words)moved | largest | (bits & 0x8000) << 16);
}

INLINE floats widen(const unsigned char *from, es_store store)
{
    doubles wide;
    switch (store) {
    case ES_STORE_F16: return widen_f16(load_halves(from));
    case ES_STORE_BF16: return (floats)(load_halves(from) << 16);
    case ES_STORE_F64:
        memcpy(&wide, from, sizeof wide);
        return __builtin_convertvector(wide, floats);
    default: return load_floats(from);
    }
}

/* ---- a row ---- */

INLINE void put_block(float *out, floats sum, bool stream)
{
#ifdef __SSE2__
    if (stream) {
        _mm_stream_ps(out, (__m128)sum);
        return;
    }
#endif
    (void)stream;
    memcpy(out, &sum, sizeof sum);
}

/* What add_row does, for one kind of call: store, add and stream are constants where it is inlined. */
INLINE void add_row_of(float *out, const unsigned char *from, es_store store, bool add,
                       const unsigned char *b, int64_t n, bool stream, const unsigned char *ahead)
{
    const size_t size = store == ES_STORE_F64 ? 8 : store == ES_STORE_F32 ? 4 : 2;
    int64_t c = 0;
    for (; c + STRIDE <= n; c += STRIDE) {
        for (size_t line = 0; line < STRIDE * size; line += 64)
            __builtin_prefetch(ahead + (size_t)c * size + line);
        for (int64_t i = c; i < c + STRIDE; i += BLOCK) {
            floats sum = widen(from + (size_t)i * size, store);
            if (add)
                sum += load_floats(b + (size_t)i * sizeof(float));
            put_block(out + i, sum, stream);
        }
    }
    for (; c < n; c += BLOCK) {
        size_t left = n - c < BLOCK ? (size_t)(n - c) : BLOCK;
        unsigned char rest[sizeof(doubles)] = {0}, more[sizeof(floats)] = {0};
        memcpy(rest, from + (size_t)c * size, left * size);
        if (add)
            memcpy(more, b + (size_t)c * sizeof(float), left * sizeof(float));
        floats sum = widen(rest, store);
        if (add)
            sum += load_floats(more);
        memcpy(out + c, &sum, left * sizeof(float));
    }
}

INLINE void add_row_from(float *out, const unsigned char *from, es_store store,
                         const unsigned char *b, int64_t n, bool stream, const unsigned char *ahead)
{
    if (b && stream)
        add_row_of(out, from, store, true, b, n, true, ahead);
    else if (b)
        add_row_of(out, from, store, true, b, n, false, ahead);
    else
        add_row_of(out, from, store, false, b, n, stream, ahead);
}

/* out[0..n) = the numbers at from, plus the float32 ones at b (NULL: nothing); ahead: what will be read
 * soon, as long. */
static void add_row(float *out, const unsigned char *from, es_store store, const unsigned char *b,
                    int64_t n, bool stream, const unsigned char *ahead)
{
    switch (store) {
    case ES_STORE_F32: add_row_from(out, from, ES_STORE_F32, b, n, stream, ahead); break;
    case ES_STORE_F16: add_row_from(out, from, ES_STORE_F16, b, n, stream, ahead); break;
    case ES_STORE_BF16: add_row_from(out, from, ES_STORE_BF16, b, n, stream, ahead); break;
    case ES_STORE_F64: add_row_from(out, from, ES_STORE_F64, b, n, stream, ahead); break;
    }
}

/* ---- all rows ---- */

typedef struct lookup {
    float *out;
    const unsigned char *a;
    es_store store;
    const int32_t *ids;
    int64_t B, T, C;
    bool stream;
} lookup;

static const unsigned char *row_of(const lookup *l, int64_t b, int64_t t, int64_t c)
{
    if (b >= l->B &&
        t + 1 < l->T) { /* sentences go round, then places; at the end any row will do */
        b -= l->B;
        t++;
    }
    int64_t i = (b < l->B ? b : l->B - 1) * l->T + t;
    return l->a + ((size_t)l->ids[i] * (size_t)l->C + (size_t)c) * es_store_size(l->store);
}

/* Numbers c .. c + n - 1 of place t in all B sentences. */
static void add_chunk(const lookup *l, int64_t t, int64_t c, int64_t n, const unsigned char *b)
{
    for (int64_t s = 0; s < l->B; s++) {
        float *out = l->out + (s * l->T + t) * l->C + c;
        const unsigned char *from = row_of(l, s, t, c), *ahead = row_of(l, s + 2, t, c);
        add_row(out, from, l->store, b, n, l->stream, ahead);
    }
}

static void add_place(const lookup *l, int64_t t, const unsigned char *b, es_store store)
{
    float wide[CHUNK];
    size_t size = es_store_size(store);
    for (int64_t c = 0; c < l->C; c += CHUNK) {
        int64_t n = l->C - c < CHUNK ? l->C - c : CHUNK;
        const unsigned char *numbers = b ? b + (size_t)c * size : NULL;
        if (b && store != ES_STORE_F32) {
            add_row(wide, numbers, store, NULL, n, false, numbers);
            numbers = (const unsigned char *)wide;
        }
        add_chunk(l, t, c, n, numbers);
    }
}

static bool both_at_hand(const lookup *l, const es_table *b, int64_t pos0, int threads)
{
    es_store store = ES_STORE_F32;
    const unsigned char *rows = b ? es_table_data(b, &store) : NULL;
    size_t row = (size_t)l->C * es_store_size(store);
    if (b && !rows)
        return false;
    int64_t T = l->T;
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) if (l->B * T * l->C >= PARALLEL_NUMBERS)
#endif
    {
#ifdef _OPENMP
#pragma omp for schedule(static) nowait
#endif
        for (int64_t t = 0; t < T; t++)
            add_place(l, t, rows ? rows + (size_t)(pos0 + t) * row : NULL, store);
#ifdef __SSE2__
        _mm_sfence(); /* orders the streaming stores of the thread that runs it, no other's */
#endif
    }
    return true;
}

/* Where a table is made row by row. */
static bool one_by_one(float *out, const es_table *a, const int32_t *ids, int64_t B, int64_t T,
                       const es_table *b, int64_t pos0, es_error *err)
{
    int64_t C = es_table_width(a);
    float *row = es_try_alloc((size_t)C, sizeof *row, "a row", err);
    bool ok = row != NULL;
    for (int64_t t = 0; ok && t < T; t++) {
        ok = !b || es_table_row(b, pos0 + t, row, err);
        for (int64_t s = 0; ok && s < B; s++) {
            float *to = out + (s * T + t) * C;
            ok = es_table_row(a, ids[s * T + t], to, err);
            for (int64_t c = 0; b && c < C; c++)
                to[c] += row[c];
        }
    }
    free(row);
    return ok;
}

bool es_lookup_add(float *out, const es_table *a, const int32_t *ids, int64_t B, int64_t T,
                   const es_table *b, int64_t pos0, int threads, es_error *err)
{
    lookup l = {.out = out, .ids = ids, .B = B, .T = T, .C = es_table_width(a)};
    size_t bytes = (size_t)(B * T * l.C) * sizeof *out;
    l.a = es_table_data(a, &l.store);
    l.stream = bytes >= STREAM_BYTES && (uintptr_t)out % 16 == 0 && l.C % 4 == 0;
    return (l.a && both_at_hand(&l, b, pos0, threads)) ||
           one_by_one(out, a, ids, B, T, b, pos0, err);
}
