// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/corpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

es_corpus es_corpus_new(int64_t vocab_size)
{
    return (es_corpus){.vocab_size = vocab_size,
                       .counts = es_alloc_array((size_t)vocab_size, sizeof(int64_t)),
                       .digest = 0xCBF29CE484222325u};
}

void es_corpus_free(es_corpus *c)
{
    free(c->train.ids);
    free(c->validation.ids);
    free(c->counts);
    *c = (es_corpus){0};
}

/* ---- documents ---- */

static size_t line_length(const char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);
    return end ? (size_t)(end - text) + 1 : n;
}

static bool is_blank(const char *line, size_t n)
{
    size_t i = 0;
    while (i < n && (line[i] == ' ' || (line[i] >= '\t' && line[i] <= '\r')))
        i++;
    return i == n;
}

/* Past the lines that are blank, or that are not; less far when the watch says stop. */
static void skip_lines(const char *text, size_t n, size_t *at, bool blank, es_watch *watch)
{
    while (*at < n && es_watch_step(watch, *at, NULL)) {
        size_t line = line_length(text + *at, n - *at);
        if (is_blank(text + *at, line) != blank)
            return;
        *at += line;
    }
}

/* The next document from byte *at on: *begin and its length, 0 at the end of the text. */
static size_t next_document(const char *text, size_t n, size_t *at, size_t *begin, es_watch *watch)
{
    skip_lines(text, n, at, true, watch);
    *begin = *at;
    skip_lines(text, n, at, false, watch);
    return *at - *begin;
}

/* ---- tokens ---- */

enum { END_OF_FILE = -1 }; /* no token */

/* FNV-1a over ids. */
static uint64_t digest_on(uint64_t digest, const int32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        digest = (digest ^ (uint32_t)ids[i]) * 0x100000001B3u;
    return digest;
}

static bool make_room(es_corpus_part *p, int64_t n, es_error *err)
{
    int64_t room = p->room ? p->room : 1 << 16;
    while (room < n)
        room *= 2;
    if (room == p->room)
        return true;
    int32_t *ids = realloc(p->ids, (size_t)room * sizeof *ids);
    if (!ids)
        return es_no_room(err, "the tokens of the text", (double)room * sizeof *ids);
    p->ids = ids;
    p->room = room;
    return true;
}

static bool append(es_corpus_part *p, const es_tokens *t, int32_t end, es_error *err)
{
    if (!make_room(p, p->n + (int64_t)t->n + 1, err))
        return false;
    memcpy(p->ids + p->n, t->id, t->n * sizeof *t->id);
    p->n += (int64_t)t->n;
    p->ids[p->n++] = end;
    p->documents++;
    return true;
}

static void count(es_corpus *c, const es_tokens *t, int32_t end)
{
    for (size_t i = 0; i < t->n; i++)
        c->counts[t->id[i]]++;
    c->counts[end]++;
}

bool es_corpus_add(es_corpus *c, const es_bpe *bpe, const char *text, size_t n, int threads,
                   es_watch *watch, es_error *err)
{
    es_tokens t = {.ids_only = true};
    es_encoding how = {.threads = threads};
    es_watch within = {.stop = watch ? watch->stop : NULL}; /* counts a document, not the text */
    int32_t end = es_bpe_endoftext(bpe);
    size_t at = 0, begin, length;
    bool ok = true;
    for (int64_t i = 1; ok && (length = next_document(text, n, &at, &begin, watch)); i++) {
        ok = es_bpe_encode(bpe, &t, text + begin, length, &how, &within, err) &&
             es_watch_step(watch, at, err);
        bool held_out = i % ES_CORPUS_HELD_OUT == 0;
        ok = ok && append(held_out ? &c->validation : &c->train, &t, end, err);
        if (ok && !held_out)
            count(c, &t, end);
        if (ok) /* with its end: which documents there are, and of which file, decides what is held out */
            c->digest = digest_on(digest_on(c->digest, t.id, t.n), &end, 1);
    }
    ok = ok && es_watch_step(watch, n, err);
    c->digest = digest_on(c->digest, &(int32_t){END_OF_FILE}, 1);
    c->bytes += (int64_t)n;
    es_tokens_free(&t);
    return ok;
}
