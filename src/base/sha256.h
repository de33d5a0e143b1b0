// SPDX-License-Identifier: GPL-3.0-or-later
/* The checksum that says whether a file is the one that was released. */
#ifndef ES_BASE_SHA256_H
#define ES_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { ES_SHA256_DIGITS = 64 };

/* out = SHA-256 of n bytes in hexadecimal, lower case, and a NUL.  Source: FIPS 180-4, 5.1.1, 6.2. */
void es_sha256(char out[ES_SHA256_DIGITS + 1], const void *data, size_t n);

/* The same of bytes that come one piece after the other: es_sha256_begin, each piece added, es_sha256_end. */
typedef struct es_sha256_sum {
    uint32_t hash[8];
    uint64_t n;             /* bytes so far */
    unsigned char rest[64]; /* those of an unfinished block */
} es_sha256_sum;

void es_sha256_begin(es_sha256_sum *s);
void es_sha256_add(es_sha256_sum *s, const void *data, size_t n);
void es_sha256_end(char out[ES_SHA256_DIGITS + 1], const es_sha256_sum *s);

#endif
