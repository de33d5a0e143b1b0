// SPDX-License-Identifier: GPL-3.0-or-later
/* The encoder that is used: exact, and linear in any text. */
#ifndef ES_TEXT_BPE_FAST_H
#define ES_TEXT_BPE_FAST_H

#include "text/bpe_tables.h"

/* Append the tokens of one part, text[begin, end), merged by itself.  dead: a bit a byte and one more, all
 * 0; used up.  Room for 64 tokens was made.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED, ES_ERR_FORMAT. */
bool es_bpe_encode_part(const es_bpe *bpe, es_tokens *out, const char *text, size_t begin,
                        size_t end, uint64_t *dead, es_watch *watch, es_error *err);

/* Append the tokens of text[begin, end), in which nothing is special, to those of text[0, begin). */
bool es_bpe_encode_span(const es_bpe *bpe, es_tokens *out, const char *text, size_t begin,
                        size_t end, es_watch *watch, es_error *err);

/* The same by several threads, where the text is long and has places to cut it. */
bool es_bpe_encode_parallel(const es_bpe *bpe, es_tokens *out, const char *text, size_t begin,
                            size_t end, int threads, es_watch *watch, es_error *err);

#endif
