// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_bpe, for the three files that make, read and use it: one block of memory, laid out
 * as it is stored, so that a built vocabulary and a mapped one are the same thing. */
#ifndef ES_TEXT_BPE_TABLES_H
#define ES_TEXT_BPE_TABLES_H

#include "base/file.h"
#include "text/bpe.h"
#include "text/pretoken.h"

enum { ES_N_BYTES = 256 };

/* The block: this header, then the arrays in the order of es_bpe's pointers. */
typedef struct es_bpe_header {
    char magic[8];       /* "ESBPE01\n" */
    uint32_t byte_order; /* 0x01020304 as this machine writes it */
    uint32_t n_merges;
    uint32_t n_slots;      /* a power of two */
    uint32_t n_text_bytes; /* of all tokens together */
    uint64_t checksum;     /* of everything after the header */
} es_bpe_header;

struct es_bpe {
    es_file block; /* owned */
    const es_bpe_header *header;
    const uint32_t *byte_id; /* [256]: the id of a single byte */
    const uint32_t *pair;    /* [2 * n_merges]: left and right of merge i, which makes 256 + i */
    const uint32_t *slot;    /* [n_slots]: hash of a pair -> 1 + its merge, 0 empty */
    const uint32_t *begin;   /* [vocab_size + 1]: token i is text[begin[i] .. begin[i + 1]) */
    const char *text;        /* [n_text_bytes] */
    es_pretoken_fn pretoken;
};

static inline uint32_t es_bpe_slot_of(uint32_t left, uint32_t right, uint32_t n_slots)
{
    uint64_t key = ((uint64_t)left << 32 | right) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(key >> 40) & (n_slots - 1);
}

/* Take over a block (closed on failure): find the arrays and check every number in them. */
es_bpe *es_bpe_adopt(es_file block, const char *path, es_error *err);

uint64_t es_bpe_checksum(const void *data, size_t n);

#endif
