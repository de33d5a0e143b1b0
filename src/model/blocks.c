// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/blocks.h"

#include <ctype.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/visible.h"
#include "model/block_source.h"
#include "model/tables.h"

enum { HEAD_WIDTH = 64, LAST_NORM = 2 /* its weight and bias */ };

/* Never behind a prefix: it belongs to what is around the blocks. */
static const char head_name[] = "lm_head.weight";

struct es_block_source {
    es_weights files;
    const char *prefix; /* before the names in them */
    int64_t n_layer;
    pthread_mutex_t lock; /* guards the files, and what follows */
    bool made;
    es_blocks of;
};

/* ---- names ---- */

/* Of which layer is that tensor, its name behind the prefix?  -1: of what follows them; -2: of no block. */
static int64_t layer_of(const char *name)
{
    enum { DIGITS = 5 };
    const es_block_sizes one = {.n_layer = 1, .n_head = 1, .n_embd = 1};
    char *rest = NULL, as_first[sizeof((es_block_part *)0)->name] = "";
    bool numbered = !strncmp(name, "h.", 2) && isdigit((unsigned char)name[2]);
    long layer = numbered ? strtol(name + 2, &rest, 10) : -1;
    if (numbered ? *rest != '.' || rest - name > 2 + DIGITS : strncmp(name, "ln_f.", 5) != 0)
        return -2;
    snprintf(as_first, sizeof as_first, "%s%s", numbered ? "h.0" : "", numbered ? rest : name);
    for (int i = 0; i < es_block_n_parts(&one); i++)
        if (!strcmp(es_block_part_at(&one, i).name, as_first))
            return layer;
    return -2;
}

/* How many tensors belong to blocks behind that prefix, and of how many layers. */
static size_t count_tensors(const es_weights *w, const char *prefix, int64_t *n_layer)
{
    size_t n = 0, head = 0, skip = strlen(prefix);
    *n_layer = 0;
    for (size_t i = 0; i < w->n_tensors; i++) {
        const char *name = es_weights_name(w, i);
        int64_t layer = strncmp(name, prefix, skip) ? -2 : layer_of(name + skip);
        n += layer >= -1;
        head += !strcmp(name, head_name);
        *n_layer = layer + 1 > *n_layer ? layer + 1 : *n_layer;
    }
    bool whole =
        *n_layer || n == LAST_NORM; /* part of a LayerNorm alone is nothing to go on with */
    return whole ? n + head : 0;
}

/* ---- tensors ---- */

static bool missing(const es_block_source *s, const char *name, es_error *err)
{
    es_bad_tensor(err, s->files.path, name, "is missing, while others of the blocks are there");
    return es_hint(err, "blocks are read as GPT-2 has them: :predict needs each of them whole");
}

/* p has a name where it is part of a block. */
static bool wrong_shape(const es_located *found, const es_block_part *p, es_error *err)
{
    const es_stored *t = found->tensor;
    es_str shape = {0}, want = {0};
    es_stored_shape(&shape, t);
    if (p->rows)
        es_str_add(&want, "[%" PRId64 ", %" PRId64 "]", p->rows, p->cols);
    else
        es_str_add(&want, "[%" PRId64 "]", p->cols);
    es_bad_tensor(err, found->file->path, t->name,
                  "has the shape %s, but in GPT-2's blocks beside this wte it is %s", shape.s,
                  want.s);
    es_str_free(&shape);
    es_str_free(&want);
    if (p->name[0] && p->rows && t->rank == 2 && t->dim[0] == p->cols && t->dim[1] == p->rows)
        return es_hint(err, "it looks as if it were saved the other way round, (out, in), as "
                            "nn.Linear has it; GPT-2 has (in, out)");
    return false;
}

/* A part of the blocks as it lies in a file. */
static bool find_part(es_block_source *s, es_located *found, const es_block_part *p, es_error *err)
{
    es_str name = {0};
    es_str_add(&name, "%s%s", s->prefix, p->name);
    bool ok =
        es_weights_find(&s->files, found, name.s, err) && (found->file || missing(s, name.s, err));
    es_str_free(&name);
    if (!ok)
        return false;
    const es_stored *t = found->tensor;
    if (t->rank != (p->rows ? 2 : 1) || t->dim[t->rank - 1] != p->cols ||
        (p->rows && t->dim[0] != p->rows))
        return wrong_shape(found, p, err);
    return t->type->torch ||
           es_bad_tensor(err, found->file->path, t->name,
                         "holds %s; blocks are read from F32, F16, BF16 or F64", t->type->name);
}

/* Rows of the file, widened. */
static bool read_part(float *out, const es_located *found, const es_block_part *p, es_watch *watch,
                      es_error *err)
{
    enum { STEP = 1 << 18 }; /* numbers between two looks at the watch */
    int64_t rows = p->rows ? p->rows : 1, since = 0;
    es_table *t = es_table_mapped(found->file->data + found->tensor->begin,
                                  found->tensor->type->store, rows, p->cols, NULL, NULL);
    bool ok = true;
    for (int64_t i = 0; ok && i < rows; i++) {
        since += p->cols;
        if (since >= STEP || i == 0) {
            ok = es_watch_step(watch, 0, err);
            since = 0;
        }
        ok = ok && es_table_row(t, i, out + i * p->cols, err);
    }
    es_table_unref(t);
    return ok;
}

/* All of them: each is looked at before there is memory for any. */
static bool read_params(es_block_source *s, es_watch *watch, es_error *err)
{
    const es_block_sizes *sizes = &s->of.sizes;
    es_located found;
    for (int i = 0; i < es_block_n_parts(sizes); i++) {
        es_block_part p = es_block_part_at(sizes, i);
        if (!find_part(s, &found, &p, err))
            return false;
    }
    size_t n = (size_t)es_block_n_params(sizes);
    if (!es_memory_for((double)n * sizeof(float), err))
        return false;
    s->of.params = es_try_alloc(n, sizeof(float), "the blocks of a model", err);
    bool ok = s->of.params != NULL;
    for (int i = 0; ok && i < es_block_n_parts(sizes); i++) {
        es_block_part p = es_block_part_at(sizes, i);
        ok = find_part(s, &found, &p, err) &&
             read_part(s->of.params + p.offset, &found, &p, watch, err);
    }
    return ok;
}

/* ---- how many heads ---- */

/* What a config.json says; 0: nothing, or it is another model's. */
static bool heads_in(int64_t *n_head, const char *path, int64_t C, es_error *err)
{
    static const char *const keys[] = {"n_head", "num_attention_heads", "n_embd", "hidden_size"};
    int64_t number[sizeof keys / sizeof *keys] = {0};
    es_file f;
    if (!es_file_open(&f, path, err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof keys / sizeof *keys; i++)
        ok = es_config_read(&number[i], keys[i], (const char *)f.data, f.size, path, err);
    es_file_close(&f);
    int64_t width = number[2] ? number[2] : number[3];
    if (!width || width == C)
        *n_head = number[0] ? number[0] : number[1];
    return ok;
}

static bool heads_beside(int64_t *n_head, const es_weights *w, int64_t C, es_error *err)
{
    const char *slash = strrchr(w->path, '/');
    es_str path = {0};
    es_str_bytes(&path, w->path, slash ? (size_t)(slash - w->path) + 1 : 0);
    es_str_cat(&path, "config.json");
    bool there = access(path.s, R_OK) == 0 && es_file_is_plain("read", path.s, NULL);
    bool ok = !there || heads_in(n_head, path.s, C, err);
    es_str_free(&path);
    return ok;
}

/* The file's own word, else that of the config.json, else GPT-2's rule. */
static bool read_heads(es_block_source *s, es_error *err)
{
    es_block_sizes *sizes = &s->of.sizes;
    int64_t C = sizes->n_embd, n = 0;
    for (size_t i = 0; !n && i < s->files.n_files; i++) {
        char *said = es_safetensors_metadata(s->files.file[i], "n_head");
        n = said ? strtoll(said, NULL, 10) : 0;
        free(said);
    }
    n = n > 0 ? n : 0;
    if (!n && !heads_beside(&n, &s->files, C, err))
        return false;
    if (!n)
        n = C > HEAD_WIDTH ? C / HEAD_WIDTH : 1;
    sizes->n_head = n;
    if (C % n == 0)
        return true;
    es_bad_file(err, s->files.path,
                "%" PRId64 " channels cannot be shared out to %" PRId64 " heads", C, n);
    return es_hint(err, "n_head in its metadata, or in a config.json beside it, says how many "
                        "there are; without either one has 64 channels");
}

/* ---- the output matrix ---- */

/* Are the tensor's bytes those of the table?  False also when the watch says stop. */
static bool same_bytes(const es_located *found, const es_table *t, es_watch *watch)
{
    enum { STEP = 1 << 20 };
    es_store store;
    const unsigned char *a = es_table_data(t, &store), *b = found->file->data;
    uint64_t n = found->tensor->end - found->tensor->begin;
    b += found->tensor->begin;
    if (!a || store != found->tensor->type->store)
        return false;
    for (uint64_t at = 0; at < n; at += STEP)
        if (!es_watch_step(watch, 0, NULL) ||
            memcmp(a + at, b + at, n - at < STEP ? n - at : STEP) != 0)
            return false;
    return true;
}

static bool read_head(es_block_source *s, const es_model *m, es_watch *watch, es_error *err)
{
    es_located found;
    const es_block_part whole = {.rows = m->config.vocab_size, .cols = m->config.n_embd};
    if (!es_weights_find(&s->files, &found, head_name, err))
        return false;
    if (!found.file || !whole.rows)
        return true;
    const es_stored *t = found.tensor;
    if (t->rank != 2 || t->dim[0] != whole.rows || t->dim[1] != whole.cols)
        return wrong_shape(&found, &whole, err);
    if (same_bytes(&found, m->wte, watch))
        return true;
    s->of.head = es_safetensors_table(found.file, t, err);
    return s->of.head && es_watch_step(watch, 0, err);
}

/* ---- for others ---- */

static void forget(es_block_source *s)
{
    es_table_unref(s->of.all);
    free(s->of.params);
    es_table_unref(s->of.head);
    s->of = (es_blocks){0};
}

/* What is in memory now may be wanted on a device. */
static void offer_params(es_blocks *b)
{
    int64_t C = b->sizes.n_embd;
    b->all =
        es_table_mapped(b->params, ES_STORE_F32, es_block_n_params(&b->sizes) / C, C, NULL, NULL);
}

static bool make(es_block_source *s, const es_model *m, es_watch *watch, es_error *err)
{
    s->of.sizes = (es_block_sizes){.n_layer = s->n_layer, .n_embd = m->config.n_embd, .n_head = 1};
    bool ok = read_params(s, watch, err) && read_heads(s, err) && read_head(s, m, watch, err);
    if (ok)
        offer_params(&s->of);
    else
        forget(s);
    return ok;
}

bool es_model_has_blocks(const es_model *m)
{
    return m->blocks != NULL;
}

int64_t es_model_n_layer(const es_model *m)
{
    return m->blocks ? m->blocks->n_layer : 0;
}

const es_blocks *es_model_blocks(const es_model *m, es_watch *watch, es_error *err)
{
    es_block_source *s = m->blocks;
    if (!s) {
        es_fail(err, ES_ERR_VALUE, "model %s has tables but no blocks, so x is where it ends",
                m->name);
        es_hint(err, "try: :model mini, which has them");
        return NULL;
    }
    pthread_mutex_lock(&s->lock);
    s->made = s->made || make(s, m, watch, err);
    bool made = s->made;
    pthread_mutex_unlock(&s->lock);
    return made ? &s->of : NULL;
}

static es_block_source *source_new(void)
{
    es_block_source *s = es_alloc(sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

es_block_source *es_block_source_of_files(es_weights *w, size_t *n_tensors)
{
    *n_tensors = 0;
    for (int i = 0; es_name_prefix(i); i++) {
        int64_t n_layer;
        *n_tensors = count_tensors(w, es_name_prefix(i), &n_layer);
        if (!*n_tensors)
            continue;
        es_block_source *s = source_new();
        s->files = *w;
        s->prefix = es_name_prefix(i);
        s->n_layer = n_layer;
        *w = (es_weights){0};
        return s;
    }
    return NULL;
}

es_block_source *es_block_source_made(const es_blocks *blocks)
{
    es_block_source *s = source_new();
    s->made = true;
    s->n_layer = blocks->sizes.n_layer;
    s->of = *blocks;
    offer_params(&s->of);
    return s;
}

void es_block_source_free(es_block_source *s)
{
    if (!s)
        return;
    forget(s);
    es_weights_close(&s->files);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
