// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

/* The first 32 bits behind the point of the cube roots of the first 64 primes. */
static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

/* What the rounds take in: the block's 16 words, and 48 made of them. */
static void schedule(uint32_t w[ROUNDS], const unsigned char *block)
{
    for (int i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               block[3];
    for (int i = 16; i < ROUNDS; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

static void take_block(uint32_t hash[WORDS], const unsigned char *block)
{
    uint32_t w[ROUNDS];
    uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3];
    uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];
    schedule(w, block);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t choice = (e & f) ^ (~e & g);
        uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        uint32_t one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + K[i] + w[i];
        uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    const uint32_t more[WORDS] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < WORDS; i++)
        hash[i] += more[i];
}

/* The rest, a bit 1, zeros, and how many bits there were. */
static void take_end(uint32_t hash[WORDS], const unsigned char *rest, size_t n, uint64_t bits)
{
    unsigned char last[2 * BLOCK] = {0};
    size_t size = n < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    memcpy(last, rest, n);
    last[n] = 0x80;
    for (int i = 0; i < 8; i++)
        last[size - 1 - (size_t)i] = (unsigned char)(bits >> 8 * i);
    take_block(hash, last);
    if (size > BLOCK)
        take_block(hash, last + BLOCK);
}

void es_sha256_begin(es_sha256_sum *s)
{
    /* of the square roots of the first 8 primes */
    *s = (es_sha256_sum){.hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void es_sha256_add(es_sha256_sum *s, const void *data, size_t n)
{
    const unsigned char *at = data;
    size_t held = s->n % BLOCK;
    s->n += n;
    if (held && held + n >= BLOCK) {
        memcpy(s->rest + held, at, BLOCK - held);
        take_block(s->hash, s->rest);
        at += BLOCK - held;
        n -= BLOCK - held;
        held = 0;
    }
    for (; n >= BLOCK; n -= BLOCK, at += BLOCK)
        take_block(s->hash, at);
    if (n)
        memcpy(s->rest + held, at, n);
}

void es_sha256_end(char out[ES_SHA256_DIGITS + 1], const es_sha256_sum *s)
{
    uint32_t hash[WORDS];
    memcpy(hash, s->hash, sizeof hash);
    take_end(hash, s->rest, s->n % BLOCK, s->n * 8);
    for (int i = 0; i < WORDS; i++)
        snprintf(out + 8 * i, 9, "%08x", (unsigned)hash[i]);
}

void es_sha256(char out[ES_SHA256_DIGITS + 1], const void *data, size_t n)
{
    es_sha256_sum s;
    es_sha256_begin(&s);
    es_sha256_add(&s, data, n);
    es_sha256_end(out, &s);
}
