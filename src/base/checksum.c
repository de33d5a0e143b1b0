// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/checksum.h"

#include <string.h>

enum { LANES = 8 };

static inline void add_words(uint64_t sum[LANES], const uint64_t word[LANES])
{
    for (int i = 0; i < LANES; i++) {
        sum[i] = (sum[i] ^ word[i]) * 0x9E3779B97F4A7C15u;
        sum[i] ^= sum[i] >> 32;
    }
}

/* Running sums of 64-bit words, so many that the multiplications overlap. */
uint64_t es_checksum(const void *data, size_t n)
{
    uint64_t sum[LANES] = {n, 1, 2, 3, 4, 5, 6, 7}, word[LANES], all = 0;
    const char *p = data;
    for (size_t left = n; left >= sizeof word; left -= sizeof word, p += sizeof word) {
        memcpy(word, p, sizeof word);
        add_words(sum, word);
    }
    memset(word, 0, sizeof word);
    memcpy(word, p, n % sizeof word);
    add_words(sum, word);
    for (int i = 0; i < LANES; i++)
        all ^= sum[i] * (2 * (uint64_t)i + 1);
    return all;
}
