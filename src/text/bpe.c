// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/bpe.h"

#include <inttypes.h>
#include <string.h>

#include "text/bpe_fast.h"

enum { NO_RANK = -1 };

int32_t es_bpe_n_merges(const es_bpe *bpe)
{
    return (int32_t)bpe->header->n_merges;
}

int32_t es_bpe_vocab_size(const es_bpe *bpe)
{
    return ES_N_BYTES + es_bpe_n_merges(bpe) + 1;
}

int32_t es_bpe_endoftext(const es_bpe *bpe)
{
    return es_bpe_vocab_size(bpe) - 1;
}

int32_t es_bpe_rank(const es_bpe *bpe, int32_t id)
{
    bool merged = id >= ES_N_BYTES && id < es_bpe_endoftext(bpe);
    return merged ? id - ES_N_BYTES : NO_RANK;
}

const char *es_bpe_bytes(const es_bpe *bpe, int32_t id, size_t *len)
{
    if (id < 0 || id >= es_bpe_vocab_size(bpe))
        return NULL;
    *len = bpe->begin[id + 1] - bpe->begin[id];
    return bpe->text + bpe->begin[id];
}

size_t es_bpe_word(const es_bpe *bpe, const char *text, size_t n)
{
    uint32_t end = 0;
    bpe->pretoken(text, n, &end, 1);
    return end;
}

/* Where <|endoftext|> stands in text[begin, len), or len. */
static size_t find_special(const es_bpe *bpe, const char *text, size_t begin, size_t len,
                           size_t *mark_len)
{
    const char *mark = es_bpe_bytes(bpe, es_bpe_endoftext(bpe), mark_len);
    const char *found = memmem(text + begin, len - begin, mark, *mark_len);
    return found ? (size_t)(found - text) : len;
}

bool es_bpe_encode(const es_bpe *bpe, es_tokens *out, const char *text, size_t len,
                   const es_encoding *how, es_watch *watch, es_error *err)
{
    out->n = 0;
    if (len >= UINT32_MAX)
        return es_fail(err, ES_ERR_RANGE,
                       "a text of %zu bytes is too long; at most %" PRIu32
                       " bytes are encoded at once",
                       len, UINT32_MAX - 1);
    es_watch_begin(watch, len);
    bool ok = true;
    for (size_t begin = 0, end, mark = 0; ok && begin < len; begin = end + mark) {
        end = how->special ? find_special(bpe, text, begin, len, &mark) : len;
        ok = es_bpe_encode_parallel(bpe, out, text, begin, end, how->threads, watch, err) &&
             (end == len || es_tokens_add(out, es_bpe_endoftext(bpe), (uint32_t)(end + mark), err));
    }
    return ok;
}

bool es_bpe_decode(const es_bpe *bpe, es_str *out, const int32_t *ids, size_t n, es_error *err)
{
    for (size_t i = 0; i < n; i++) {
        size_t len;
        const char *bytes = es_bpe_bytes(bpe, ids[i], &len);
        if (!bytes) {
            es_fail(err, ES_ERR_INDEX_RANGE,
                    "there is no token %" PRId32 " (number %zu in the list)", ids[i], i);
            return es_hint(err, "the vocabulary has V=%" PRId32 " tokens, 0..%" PRId32,
                           es_bpe_vocab_size(bpe), es_bpe_vocab_size(bpe) - 1);
        }
        es_str_bytes(out, bytes, len);
    }
    return true;
}
