// SPDX-License-Identifier: GPL-3.0-or-later
/* The checksum that says whether a file is the one that was released. */
#ifndef ES_BASE_SHA256_H
#define ES_BASE_SHA256_H

#include <stddef.h>

enum { ES_SHA256_DIGITS = 64 };

/* out = SHA-256 of n bytes in hexadecimal, lower case, and a NUL.  Source: FIPS 180-4, 5.1.1, 6.2. */
void es_sha256(char out[ES_SHA256_DIGITS + 1], const void *data, size_t n);

#endif
