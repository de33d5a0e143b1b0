// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/boxed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/place.h"

/* Add the document at byte `begin`, n bytes of it, and the end of it. */
static bool add_document(es_boxed *b, const es_bpe *bpe, size_t begin, size_t n, size_t gap,
                         es_error *err)
{
    const es_encoding how = {0};
    es_tokens *all = &b->tokens, one = {0};
    const char *text = (const char *)b->file.data + begin;
    bool ok =
        es_bpe_encode(bpe, &one, text, n, &how, NULL, err) && es_tokens_room(all, one.n + 1, err);
    for (size_t i = 0; ok && i < one.n; i++)
        es_tokens_put(all, one.id[i], (uint32_t)(begin + one.begin[i + 1]));
    if (ok)
        es_tokens_put(all, es_bpe_endoftext(bpe), (uint32_t)(begin + n + gap));
    es_tokens_free(&one);
    return ok;
}

static bool read_documents(es_boxed *b, const es_bpe *bpe, es_error *err)
{
    const char *text = (const char *)b->file.data;
    size_t size = b->file.size;
    if (size > UINT32_MAX)
        return es_fail(err, ES_ERR_RANGE, "the boxed text is longer than 4 GiB");
    while (size && text[size - 1] == '\n')
        size--;
    for (size_t at = 0; at < size;) {
        const char *blank = memmem(text + at, size - at, "\n\n", 2);
        size_t n = blank ? (size_t)(blank - text) - at : size - at, gap = blank ? 2 : 0;
        b->first = es_realloc(b->first, (b->n_documents + 2) * sizeof *b->first);
        b->first[b->n_documents++] = b->tokens.n;
        if (!add_document(b, bpe, at, n, gap, err))
            return false;
        at += n + gap;
    }
    if (!b->n_documents)
        return es_fail(err, ES_ERR_FORMAT, "the boxed text is empty");
    b->first[b->n_documents] = b->tokens.n;
    return true;
}

static bool open_at(es_boxed *b, const es_bpe *bpe, es_error *err)
{
    es_str path = {0};
    bool ok = es_place_asset(&path, "text/boxed.txt", err) &&
              es_file_open(&b->file, es_str_text(&path), err) && read_documents(b, bpe, err);
    es_str_free(&path);
    if (!ok)
        return false;
    b->vocab_size = es_bpe_vocab_size(bpe);
    b->counts = es_alloc_array((size_t)b->vocab_size, sizeof *b->counts);
    for (size_t i = 0; i < b->tokens.n; i++)
        b->counts[b->tokens.id[i]]++;
    return true;
}

es_boxed *es_boxed_open(const es_bpe *bpe, es_error *err)
{
    es_boxed *b = es_alloc(sizeof *b);
    if (open_at(b, bpe, err))
        return b;
    es_boxed_free(b);
    return NULL;
}

void es_boxed_free(es_boxed *b)
{
    if (!b)
        return;
    es_file_close(&b->file);
    es_tokens_free(&b->tokens);
    free(b->first);
    free(b->counts);
    free(b);
}

int32_t *es_boxed_ids(const es_boxed *b, bool held_out, int64_t *n)
{
    int32_t *ids = es_alloc_array(b->tokens.n, sizeof *ids);
    *n = 0;
    for (size_t d = 0; d < b->n_documents; d++) {
        size_t first = b->first[d], many = b->first[d + 1] - first;
        if (es_boxed_held_out(d) != held_out)
            continue;
        memcpy(ids + *n, b->tokens.id + first, many * sizeof *ids);
        *n += (int64_t)many;
    }
    return ids;
}
