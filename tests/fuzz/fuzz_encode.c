// SPDX-License-Identifier: GPL-3.0-or-later
/* The encoder: every byte string decodes to itself, tokens tile it, words tile it. */
#include <string.h>

#include "fuzz/fuzz.h"
#include "text/vocab.h"

typedef struct count {
    size_t merges;
} count;

static void count_merge(void *user, size_t at, int32_t left, int32_t right, int32_t made)
{
    (void)at;
    promise(left < made && right < made);
    ((count *)user)->merges++;
}

/* The words of text without special tokens: they tile it, and merging each gives its tokens. */
static void check_words(const es_bpe *bpe, const es_tokens *tokens, const char *text, size_t n)
{
    size_t i = 0;
    for (size_t at = 0, len; at < n; at += len) {
        count c = {0};
        len = es_bpe_word(bpe, text + at, n - at);
        promise(len > 0 && len <= n - at);
        promise(es_bpe_trace(bpe, text + at, len, count_merge, &c, NULL, NULL));
        size_t first = i;
        while (i < tokens->n && tokens->begin[i + 1] <= at + len)
            i++;
        promise(tokens->begin[i] == at + len); /* no token crosses a cut */
        promise(i - first == len - c.merges);
    }
    promise(i == tokens->n);
}

int fuzz_encode(const uint8_t *data, size_t size)
{
    static es_bpe *bpe; /* opened once: a vocabulary is immutable */
    if (!bpe)
        bpe = es_vocab_open("gpt2", NULL);
    promise(bpe);
    if (size < 1)
        return 0;

    bool special = data[0] & 1;
    const char *text = (const char *)data + 1;
    size_t n = size - 1;
    es_tokens tokens = {0};
    es_str back = {0};
    promise(es_bpe_encode(bpe, &tokens, text, n, &(es_encoding){.special = special}, NULL, NULL));
    promise(es_bpe_decode(bpe, &back, tokens.id, tokens.n, NULL));
    promise(back.len == n && (n == 0 || !memcmp(back.s, text, n)));
    for (size_t i = 0; i < tokens.n; i++)
        promise(tokens.begin[i] < tokens.begin[i + 1] && tokens.begin[i + 1] <= n);
    if (!special) {
        es_tokens plain = {0};
        promise(es_bpe_encode_plain(bpe, &plain, text, n, NULL) && plain.n == tokens.n);
        promise(n == 0 || !memcmp(plain.id, tokens.id, plain.n * sizeof *plain.id));
        es_tokens_free(&plain);
        check_words(bpe, &tokens, text, n);
    }
    es_tokens_free(&tokens);
    es_str_free(&back);
    return 0;
}

ES_FUZZ_TARGET(fuzz_encode)
