// SPDX-License-Identifier: GPL-3.0-or-later
/* Vocabulary files: a merge list, or tables as saved, that came from anywhere.  What is accepted works. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "text/bpe.h"

static void use(es_bpe *bpe)
{
    static const char text[] = "The cat sat, hello hello\n\xff\xe2\x82 ";
    es_tokens tokens = {0};
    es_str back = {0};
    promise(es_bpe_encode(bpe, &tokens, text, sizeof text, &(es_encoding){.special = true}, NULL,
                          NULL));
    if (es_bpe_decode(bpe, &back, tokens.id, tokens.n, NULL))
        promise(back.len <= 1000000);
    for (int32_t id = 0; id < es_bpe_vocab_size(bpe) && id < 1000; id++) {
        size_t len;
        promise(es_bpe_bytes(bpe, id, &len));
    }
    es_tokens_free(&tokens);
    es_str_free(&back);
    es_bpe_free(bpe);
}

int fuzz_merges(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("vocabulary", MFD_CLOEXEC);
    promise(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    es_error err = ES_ERROR_NONE;
    es_bpe *(*const opens[])(const char *, es_error *) = {es_bpe_from_merges, es_bpe_from_tables};
    for (int i = 0; i < 2; i++) {
        es_bpe *bpe = opens[i](path, &err);
        promise(bpe || err.code == ES_ERR_FORMAT);
        if (bpe)
            use(bpe);
        es_error_free(&err);
    }
    close(fd);
    return 0;
}

ES_FUZZ_TARGET(fuzz_merges)
