// SPDX-License-Identifier: GPL-3.0-or-later
/* A file a table, named by its numbers: neighbours-SHA256.graph.  A head, then ids and cosines as they lie in memory:
 * a cache belongs to one machine, and one of another byte order does not know the version. */
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/knn.h"
#include "analysis/sweep.h"
#include "base/cache.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/message.h"
#include "base/place.h"
#include "base/sha256.h"
#include "base/visible.h"

#define BEFORE "neighbours-"
#define AFTER  ".graph"
enum {
    VERSION = 1,
    SWEPT = 1 << 18, /* numbers of the rows that are read at once */
    MOST_FILES = 8   /* of ours in the folder */
};

typedef struct head {
    char magic[8];
    uint32_t version, k;
    int64_t n, C;
    char rows[ES_SHA256_DIGITS]; /* their SHA-256, by blocks */
    uint64_t ids, cosines;       /* checksums of what follows */
    uint64_t self;               /* and of the head up to here */
} head;

static const char magic[8] = "es knn\n";

/* ---- what a table is called ---- */

typedef struct summing {
    es_sha256_sum sum; /* of the blocks' own sums */
    int64_t C;
} summing;

static void sum_block(void *of, int64_t first, int64_t n, float *rows, void *room)
{
    const summing *s = of;
    (void)first;
    es_sha256(room, rows, (size_t)(n * s->C) * sizeof *rows);
}

static void add_block(void *of, const void *room)
{
    summing *s = of;
    es_sha256_add(&s->sum, room, ES_SHA256_DIGITS);
}

/* Of the sums of blocks, which several threads make at a time. */
static bool sum_of_rows(char out[ES_SHA256_DIGITS + 1], const es_table *t, es_watch *watch,
                        es_error *err)
{
    summing s = {.C = es_table_width(t)};
    const es_sweep how = {.block = es_sweep_rows(SWEPT, s.C),
                          .room = ES_SHA256_DIGITS + 1,
                          .work = sum_block,
                          .fold = add_block};
    es_sha256_begin(&s.sum);
    if (!es_sweep_table(&how, &s, t, watch, err))
        return false;
    es_sha256_end(out, &s.sum);
    return true;
}

/* ---- reading ---- */

typedef struct kept {
    es_str path;
    head want; /* what is known of the head before the graph */
    es_str *note;
} kept;

static void note(const kept *c, const char *fmt, ...) ES_PRINTF(2, 3);
static void note(const kept *c, const char *fmt, ...)
{
    va_list ap;
    if (!c->note)
        return;
    es_str_cat(c->note, c->note->len ? "; " : "");
    va_start(ap, fmt);
    es_str_vadd(c->note, es_translate(fmt), ap);
    va_end(ap);
}

static void note_damage(const kept *c)
{
    es_str name = {0};
    es_show_name(&name, c->path.s, c->path.len);
    note(c, "%s is damaged or not of this program, and made anew", es_str_text(&name));
    es_str_free(&name);
}

/* A list of a row's neighbours that can be one: ids of rows, the nearest first, and nobody after the last. */
static bool is_list(const int32_t *id, const float *cosine, int64_t i, int64_t k, int64_t n)
{
    for (int64_t j = 0; j < k; j++) {
        bool none = id[j] == -1;
        if (id[j] < -1 || id[j] >= n || id[j] == i || !(fabsf(cosine[j]) <= 1))
            return false;
        if (j && !none && (id[j - 1] == -1 || cosine[j] > cosine[j - 1]))
            return false;
    }
    return true;
}

static bool is_graph(const head *h, const int32_t *id, const float *cosine)
{
    size_t entries = (size_t)h->n * h->k;
    if (h->ids != es_checksum(id, entries * sizeof *id) ||
        h->cosines != es_checksum(cosine, entries * sizeof *cosine))
        return false;
    for (int64_t i = 0; i < h->n; i++)
        if (!is_list(id + i * h->k, cosine + i * h->k, i, h->k, h->n))
            return false;
    return true;
}

static uint64_t sum_of_head(const head *h)
{
    return es_checksum(h, offsetof(head, self));
}

/* Is it of this table, and as long as it says? */
static bool is_head(const head *h, const head *want, size_t size)
{
    size_t entry = sizeof(int32_t) + sizeof(float);
    return !memcmp(h->magic, want->magic, sizeof magic) && h->version == want->version &&
           h->self == sum_of_head(h) && h->n == want->n && h->C == want->C &&
           !memcmp(h->rows, want->rows, sizeof h->rows) && h->k > 0 && h->k <= INT32_MAX &&
           (size - sizeof *h) % entry == 0 && (size - sizeof *h) / entry == (size_t)h->n * h->k;
}

static bool take(es_knn *out, const head *h, const int32_t *id, const float *cosine, int k,
                 es_error *err)
{
    if (!es_knn_open(out, h->n, k, err))
        return false;
    for (int64_t i = 0; i < h->n; i++) {
        memcpy(out->id + i * k, id + i * h->k, (size_t)k * sizeof *id);
        memcpy(out->cosine + i * k, cosine + i * h->k, (size_t)k * sizeof *cosine);
    }
    return true;
}

/* From an open file; false without err: it is none of ours, or of fewer neighbours. */
static bool read_graph(es_knn *out, kept *c, const es_file *f, es_error *err)
{
    head h = {0};
    bool whole = f->size >= sizeof h;
    if (whole)
        memcpy(&h, f->data, sizeof h);
    whole = whole && is_head(&h, &c->want, f->size);
    if (whole && h.k < c->want.k)
        return false;
    size_t entries = whole ? (size_t)h.n * h.k : 0;
    const int32_t *id = (const int32_t *)(f->data + sizeof h);
    const float *cosine = (const float *)(const void *)(id + entries);
    if (whole && is_graph(&h, id, cosine))
        return take(out, &h, id, cosine, (int)c->want.k, err);
    note_damage(c);
    return false;
}

static bool look_up(es_knn *out, kept *c, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_file f;
    if (access(c->path.s, F_OK))
        return false;
    bool ok = es_file_is_plain("read", c->path.s, &why) && es_file_open(&f, c->path.s, &why);
    if (!ok) {
        note(c, "the neighbours kept are of no use: %s", why.message);
        es_error_free(&why);
        return false;
    }
    ok = read_graph(out, c, &f, err);
    es_file_close(&f);
    if (ok)
        utimensat(AT_FDCWD, c->path.s, NULL, 0); /* it was of use: others are older */
    return ok;
}

/* ---- writing ---- */

/* Whole or not at all; that it cannot be kept is no failure, but being stopped is. */
static bool keep(const kept *c, const es_knn *g, es_watch *watch, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_str path = {0};
    size_t entries = (size_t)g->n * (size_t)g->k;
    head h = c->want;
    h.ids = es_checksum(g->id, entries * sizeof *g->id);
    h.cosines = es_checksum(g->cosine, entries * sizeof *g->cosine);
    h.self = sum_of_head(&h);
    const es_piece pieces[] = {
        {&h, sizeof h}, {g->id, entries * sizeof *g->id}, {g->cosine, entries * sizeof *g->cosine}};
    es_watch_begin(watch, sizeof h + entries * (sizeof *g->id + sizeof *g->cosine));
    bool ok = es_place_user(&path, ES_XDG_CACHE, strrchr(c->path.s, '/') + 1, true, &why) &&
              es_file_replace_pieces(path.s, pieces, 3, 0600, watch, &why);
    if (ok)
        es_cache_tidy(path.s, BEFORE, AFTER, MOST_FILES);
    else if (why.code != ES_ERR_INTERRUPTED)
        note(c, "the neighbours are not kept for the next time: %s", why.message);
    ok = ok || why.code != ES_ERR_INTERRUPTED || es_fail(err, why.code, "%s", why.message);
    es_error_free(&why);
    es_str_free(&path);
    return ok;
}

/* ---- both ---- */

/* Where the graph of this table is kept; false without err: nowhere, as *note says. */
static bool find_place(kept *c, const es_table *t, int k, es_watch *watch, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    char sum[ES_SHA256_DIGITS + 1];
    es_str name = {0};
    if (!sum_of_rows(sum, t, watch, err))
        return false;
    c->want =
        (head){.version = VERSION, .k = (uint32_t)k, .n = es_table_rows(t), .C = es_table_width(t)};
    memcpy(c->want.magic, magic, sizeof magic);
    memcpy(c->want.rows, sum, sizeof c->want.rows);
    es_str_add(&name, BEFORE "%s" AFTER, sum);
    bool ok = es_place_user(&c->path, ES_XDG_CACHE, name.s, false, &why);
    if (!ok)
        note(c, "the neighbours are not kept for the next time: %s", why.message);
    es_error_free(&why);
    es_str_free(&name);
    return ok;
}

bool es_knn_kept(es_knn *out, const es_table *t, int k, es_backend *be, bool *cached, es_str *note,
                 es_watch *watch, es_error *err)
{
    es_error why = ES_ERROR_NONE, *e = err ? err : &why;
    kept c = {.note = note};
    bool read = false;
    *out = (es_knn){0};
    cached = cached ? cached : &read;
    *cached = false;
    if (k < 1)
        return es_knn_make(out, t, k, be, watch, err); /* which says why not */
    bool place = find_place(&c, t, k, watch, e);
    *cached = place && look_up(out, &c, e);
    bool ok = e->code == ES_OK;
    if (ok && !*cached)
        ok = es_knn_make(out, t, k, be, watch, e) && (!place || keep(&c, out, watch, e));
    if (!ok)
        es_knn_free(out);
    es_error_free(&why);
    es_str_free(&c.path);
    return ok;
}
