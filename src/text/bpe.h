// SPDX-License-Identifier: GPL-3.0-or-later
/* The byte-pair encoder: bytes to ids and back, exactly, for every byte string. */
#ifndef ES_TEXT_BPE_H
#define ES_TEXT_BPE_H

#include <stdint.h>

#include "base/str.h"
#include "base/watch.h"
#include "text/tokens.h"

/* A vocabulary's tables.  Opaque: they may change shape.  Immutable: threads may share one. */
typedef struct es_bpe es_bpe;

/* From a merge list as OpenAI published it (vocab.bpe: a line "left right" a merge, in GPT-2's
 * printable alphabet for bytes): ids 0..255 are the bytes, 256 + i is merge i, the last id is
 * <|endoftext|>.  ES_ERR_FORMAT names the line, ES_ERR_IO.  Free with es_bpe_free. */
es_bpe *es_bpe_from_merges(const char *path, es_error *err);

/* From tables that es_bpe_save wrote on this kind of machine: mapped, and checked before anything
 * is trusted.  ES_ERR_FORMAT, ES_ERR_IO. */
es_bpe *es_bpe_from_tables(const char *path, es_error *err);
bool es_bpe_save(const es_bpe *bpe, const char *path, es_error *err);
void es_bpe_free(es_bpe *bpe);

int32_t es_bpe_vocab_size(const es_bpe *bpe);
int32_t es_bpe_n_merges(const es_bpe *bpe);
int32_t es_bpe_endoftext(const es_bpe *bpe);

/* The bytes of a token; borrowed; NULL if there is no such id. */
const char *es_bpe_bytes(const es_bpe *bpe, int32_t id, size_t *len);

typedef struct es_encoding {
    bool special; /* the text <|endoftext|> is that one token, else it is text like any other */
    int threads;  /* long texts are encoded by up to so many; 0 is 1 */
} es_encoding;

/* out = the tokens of len bytes; what out held is forgotten, its memory reused.  watch (may be NULL)
 * counts bytes.  Linear time for every text, no recursion; memory: the tokens (8 bytes each, and room
 * to grow), an eighth of the longest word, half a megabyte a thread.
 * ES_ERR_NOMEM; ES_ERR_RANGE beyond 4 GiB; ES_ERR_INTERRUPTED. */
bool es_bpe_encode(const es_bpe *bpe, es_tokens *out, const char *text, size_t len,
                   const es_encoding *how, es_watch *watch, es_error *err);

/* The same tokens by the definition: merging word by word, time n log n in the longest. */
bool es_bpe_encode_plain(const es_bpe *bpe, es_tokens *out, const char *text, size_t len,
                         es_error *err);

/* Append the bytes of n ids.  ES_ERR_INDEX_RANGE names the id and its place. */
bool es_bpe_decode(const es_bpe *bpe, es_str *out, const int32_t *ids, size_t n, es_error *err);

/* The one token that is exactly these bytes, or -1. */
int32_t es_bpe_find(const es_bpe *bpe, const char *bytes, size_t len);

/* Length of the first word of text (see pretoken.h), n > 0 bytes. */
size_t es_bpe_word(const es_bpe *bpe, const char *text, size_t n);

/* Replay the merges of one word (from es_bpe_word) in the order they happen: at byte `at`, tokens
 * left and right became `made`, by the merge learned rank-th.  Called once a merge. */
typedef void (*es_merge_fn)(void *user, size_t at, int32_t left, int32_t right, int32_t made);
bool es_bpe_trace(const es_bpe *bpe, const char *word, size_t len, es_merge_fn on_merge, void *user,
                  es_watch *watch, es_error *err);

/* The rank of the merge that makes id, 0 the first learned; -1 for a byte or a special token. */
int32_t es_bpe_rank(const es_bpe *bpe, int32_t id);

#endif
