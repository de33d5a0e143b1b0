// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "model/block_source.h"
#include "model/safetensors_write.h"

/* A tensor of the file, and where its numbers are. */
typedef struct part {
    char name[sizeof((es_block_part *)0)->name];
    es_tensor shape; /* nothing but dtype and shape */
    const float *numbers;
    const int64_t *counts; /* instead */
} part;

typedef struct parts {
    part *of;
    size_t n;
    es_store store;
} parts;

/* rows 0: a vector. */
static part *add(parts *l, const char *name, const float *numbers, int64_t rows, int64_t cols)
{
    l->of = es_realloc(l->of, (l->n + 1) * sizeof *l->of);
    part *p = &l->of[l->n++];
    *p = (part){.numbers = numbers, .shape.dtype = ES_FLOAT32};
    strcpy(p->name, name);
    p->shape.shape = rows ? es_shape_2d("", rows, "", cols) : es_shape_1d("", cols);
    return p;
}

/* The counts first, which are widest, so that all numbers lie aligned. */
static parts list_parts(const es_model_numbers *n, es_store store)
{
    const es_config *c = &n->config;
    parts l = {.store = store};
    if (n->counts) {
        part *p = add(&l, "token_count", NULL, 0, c->vocab_size);
        p->shape.dtype = ES_INT32;
        p->counts = n->counts;
    }
    if (n->wte)
        add(&l, "wte.weight", n->wte, c->vocab_size, c->n_embd);
    if (n->wpe)
        add(&l, "wpe.weight", n->wpe, c->n_ctx, c->n_embd);
    for (int i = 0; n->blocks && i < es_block_n_parts(&n->sizes); i++) {
        es_block_part p = es_block_part_at(&n->sizes, i);
        add(&l, p.name, n->blocks + p.offset, p.rows, p.cols);
    }
    if (n->head)
        add(&l, "lm_head.weight", n->head, c->vocab_size, c->n_embd);
    return l;
}

static size_t bytes_of(const parts *l, const part *p)
{
    size_t size = p->counts ? sizeof(int32_t) : es_store_size(l->store);
    return (size_t)es_shape_count(&p->shape.shape) * size;
}

static bool write_header(es_str *out, const parts *l, const es_model_numbers *n, const char *recipe,
                         es_error *err)
{
    char heads[24];
    snprintf(heads, sizeof heads, "%" PRId64, n->sizes.n_head);
    es_named_string about[3] = {{"format", "pt"}}; /* without which transformers will not load it */
    size_t n_about = 1;
    if (n->blocks)
        about[n_about++] = (es_named_string){"n_head", heads};
    if (recipe)
        about[n_about++] = (es_named_string){"recipe", recipe};
    es_named_tensor *named = es_alloc_array(l->n, sizeof *named);
    for (size_t i = 0; i < l->n; i++) {
        const part *p = &l->of[i];
        named[i] = (es_named_tensor){.name = p->name,
                                     .n = strlen(p->name),
                                     .tensor = &p->shape,
                                     .narrow = !p->counts,
                                     .store = l->store};
    }
    bool ok = es_safetensors_header(out, named, l->n, about, n_about, err);
    free(named);
    return ok;
}

/* More than an int32 can hold stays the largest one can. */
static void put_counts(unsigned char *out, const int64_t *counts, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)(counts[i] < INT32_MAX ? counts[i] : INT32_MAX);
        for (int b = 0; b < 4; b++)
            *out++ = (unsigned char)(bits >> 8 * b);
    }
}

static bool too_large(const part *p, int64_t i, es_store store, es_error *err)
{
    es_fail(err, ES_ERR_VALUE, "number %" PRId64 " of %s is %g, more than %s can hold", i, p->name,
            (double)p->numbers[i], es_store_name(store));
    return es_hint(err, "try: float32; numbers so large are mostly a training that went wrong");
}

static bool put_numbers(unsigned char *out, const part *p, es_store store, es_watch *watch,
                        es_error *err)
{
    enum { STEP = 1 << 16 };
    size_t size = es_store_size(store);
    int64_t n = es_shape_count(&p->shape.shape);
    for (int64_t at = 0; at < n; at += STEP) {
        int64_t some = n - at < STEP ? n - at : STEP;
        if (!es_watch_step(watch, (uint64_t)at, err))
            return false;
        int64_t done = (int64_t)es_store_numbers(out + (size_t)at * size, store, p->numbers + at,
                                                 (size_t)some);
        if (done < some)
            return too_large(p, at + done, store, err);
    }
    return true;
}

static bool put_all(unsigned char *out, const parts *l, es_watch *watch, es_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < l->n; out += bytes_of(l, &l->of[i++]))
        if (l->of[i].counts)
            put_counts(out, l->of[i].counts, es_shape_count(&l->of[i].shape.shape));
        else
            ok = put_numbers(out, &l->of[i], l->store, watch, err);
    return ok;
}

static bool write_all(const char *path, const parts *l, const es_str *header, es_watch *watch,
                      es_error *err)
{
    enum { MODE = 0666 };
    size_t bytes = 0;
    for (size_t i = 0; i < l->n; i++)
        bytes += bytes_of(l, &l->of[i]);
    if (!es_memory_for((double)bytes, err))
        return false;
    unsigned char *data = es_try_alloc(bytes + 1, 1, "a model file", err);
    const es_piece pieces[] = {{header->s, header->len}, {data, bytes}};
    bool ok = data && put_all(data, l, watch, err) &&
              es_file_replace_pieces(path, pieces, 2, MODE, watch, err);
    free(data);
    return ok;
}

bool es_model_write(const char *path, const es_model_numbers *n, es_store store, const char *recipe,
                    es_watch *watch, es_error *err)
{
    es_str header = {0};
    if (recipe && !es_utf8_valid(recipe, strlen(recipe)))
        return es_fail(err, ES_ERR_VALUE, "the recipe of a model is not UTF-8");
    parts l = list_parts(n, store);
    bool ok = write_header(&header, &l, n, recipe, err) && write_all(path, &l, &header, watch, err);
    es_str_free(&header);
    free(l.of);
    return ok;
}

/* ---- in memory ---- */

/* rows NULL: a table of none. */
static es_table *table_of(const float *rows, int64_t n, int64_t C, const char *axis, es_backend *be,
                          es_error *err)
{
    es_shape shape = es_shape_2d(axis, rows ? n : 0, "C", C);
    es_tensor t;
    if (!es_tensor_new(&t, be, ES_FLOAT32, &shape, err))
        return NULL;
    es_table *table = !rows || es_tensor_write(&t, rows, err) ? es_table_of_tensor(&t) : NULL;
    es_tensor_free(&t);
    return table;
}

static bool copy_blocks(es_model *m, const es_model_numbers *n, es_backend *be, es_error *err)
{
    const es_config *c = &n->config;
    size_t bytes = (size_t)es_block_n_params(&n->sizes) * sizeof(float);
    es_blocks b = {.sizes = n->sizes, .params = es_try_alloc(bytes, 1, "the blocks", err)};
    if (!b.params)
        return false;
    memcpy(b.params, n->blocks, bytes);
    if (n->head)
        b.head = table_of(n->head, c->vocab_size, c->n_embd, "V", be, err);
    m->blocks = es_block_source_made(&b);
    return b.head || !n->head;
}

static bool copy_counts(es_model *m, const es_model_numbers *n, es_error *err)
{
    size_t bytes = (size_t)n->config.vocab_size * sizeof *n->counts;
    m->counts = es_try_alloc(bytes, 1, "the counts of tokens", err);
    if (m->counts)
        memcpy(m->counts, n->counts, bytes);
    return m->counts != NULL;
}

es_model *es_model_of_numbers(const es_model_numbers *n, const char *name, const char *about,
                              const char *brief, es_backend *be, es_error *err)
{
    es_model *m = es_alloc(sizeof *m);
    atomic_init(&m->refs, 1);
    m->name = es_copy_string(name);
    m->about = es_copy_string(about);
    m->brief = es_copy_string(brief);
    m->config = n->config;
    m->wte = table_of(n->wte, n->config.vocab_size, n->config.n_embd, "V", be, err);
    m->wpe = m->wte ? table_of(n->wpe, n->config.n_ctx, n->config.n_embd, "P", be, err) : NULL;
    m->wte_from.dtype = n->wte ? "float32" : NULL;
    m->wpe_from.dtype = n->wpe ? "float32" : NULL;
    if (m->wpe && (!n->blocks || copy_blocks(m, n, be, err)) &&
        (!n->counts || copy_counts(m, n, err)))
        return m;
    es_model_unref(m);
    return NULL;
}
