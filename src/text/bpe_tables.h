// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_bpe, for the files that make, read and use it: one block of memory, laid out as it is
 * stored, so that a built vocabulary and a mapped one are the same thing. */
#ifndef ES_TEXT_BPE_TABLES_H
#define ES_TEXT_BPE_TABLES_H

#include <string.h>

#include "base/file.h"
#include "text/bpe.h"
#include "text/pretoken.h"

enum {
    ES_N_BYTES = 256,
    ES_N_BYTE_PAIRS = 65536,
    ES_TRIE_PAD = 16,    /* children are compared so many at once */
    ES_PIECE_BYTES = 15, /* the longest piece that has a key */
    ES_ID_BITS = 21,     /* ids fit a pair's slot: left, right, and a bit more for the merge */
    ES_MAX_ID = (1 << ES_ID_BITS) - 1
};

/* The bytes of a short piece, zeros behind them, and their number in the sixteenth byte. */
typedef struct es_bpe_key {
    uint64_t low, high;
} es_bpe_key;

/* Three tokens of at most 15 bytes whose keys hash to one line of the cache. */
typedef struct es_bpe_line {
    es_bpe_key key[3];
    uint32_t token[3]; /* 1 + id; 0: free */
    uint32_t full;     /* others that belong here stand in the lines behind */
} es_bpe_line;

/* A node of the trie of all tokens; node 0 is the root. */
typedef struct es_bpe_node {
    uint32_t first; /* its children are the nodes from here to the next node's first */
    uint32_t token; /* 1 + the token that ends here; 0 none */
} es_bpe_node;

/* What two bytes a, b begin. */
typedef struct es_bpe_two {
    uint32_t first, last; /* the nodes of the trie below theirs: [first, last) */
    uint32_t token;       /* what they merge to, or 0 */
    uint32_t open;        /* the first merge of a alone with what begins with b; ES_MAX_ID: none */
} es_bpe_two;

/* One side of a token: its parts there are the token, its half on that side, that half's, down to a byte.
 * Sets of tokens are es_bpe_bit's of their ids: what is in a set has its bit in it, others may. */
typedef struct es_bpe_edge {
    uint64_t parts;
    uint64_t joins;  /* what merges join the token with on that side */
    uint64_t within; /* and its other parts, by merges before the one that made each a part */
} es_bpe_edge;

/* What encoding asks of a token: a line of the cache. */
typedef struct es_bpe_token {
    es_bpe_edge left, right;
    uint32_t left_merge, right_merge; /* the first that its outermost byte is in; ES_MAX_ID: none */
    uint32_t shorter;                 /* 1 + the longest other token that it begins with; 0 none */
    uint32_t length;                  /* bytes */
} es_bpe_token;

/* The block: this header, then the arrays in the order of es_bpe's pointers. */
typedef struct es_bpe_header {
    char magic[8];       /* "ESBPE08\n" */
    uint32_t byte_order; /* 0x01020304 as this machine writes it */
    uint32_t n_merges;
    uint32_t n_lines, n_slots; /* powers of two */
    uint32_t n_nodes;
    uint32_t n_text_bytes; /* of all tokens together */
    uint64_t checksum;     /* of everything after the header */
    uint64_t reserved[3];  /* the arrays begin at a line of the cache */
} es_bpe_header;

struct es_bpe {
    es_file block; /* owned */
    const es_bpe_header *header;
    const es_bpe_line *line;   /* [n_lines] */
    const es_bpe_token *token; /* [vocab_size] */
    const es_bpe_two *two;     /* [65536] */
    const uint64_t *slot;      /* [n_slots]: a pair of neighbours and its merge, by hash; 0 empty */
    const uint64_t *sieve;     /* [n_slots / 8]: a bit for a pair's hash; not set, no such pair */
    const uint64_t *joined;    /* [65536 / 64]: a bit for two bytes that meet in some token */
    const uint32_t *byte_id;   /* [256]: the id of a single byte */
    const uint32_t *pair;      /* [2 * n_merges]: left and right of merge i, which makes 256 + i */
    const uint32_t *begin;     /* [vocab_size + 1]: token i is text[begin[i] .. begin[i + 1]) */
    const es_bpe_node *node;   /* [n_nodes + 1] */

    const unsigned char *byte_of; /* [n_nodes + ES_TRIE_PAD]: the byte that leads to a node */
    const char *text;             /* [n_text_bytes] */

    int line_shift, slot_shift; /* a hash's upper bits number a line, a slot */
    es_pretoken_fn pretoken;
    int (*parts)(const char *text, size_t n, size_t at); /* see es_pretoken_gpt2_parts */
};

/* One of 64 bits for an id. */
static inline uint64_t es_bpe_bit(uint32_t id)
{
    return (uint64_t)1 << (id * 0x9E3779B1u >> 26);
}

/* ---- pairs of neighbours ---- */

static inline uint64_t es_bpe_pair_of(uint32_t left, uint32_t right)
{
    return ((uint64_t)left << ES_ID_BITS | right) << (64 - 2 * ES_ID_BITS);
}

static inline uint64_t es_bpe_pair_hash(uint64_t pair)
{
    return pair * 0x9E3779B97F4A7C15u;
}

/* Eight bits a slot, an eighth of the slots' memory: where most searches end. */
static inline uint32_t es_bpe_sieve_of(uint64_t hash, int slot_shift)
{
    return (uint32_t)(hash >> (slot_shift - 3));
}

/* The merge of two neighbours: the id it makes, or 0 (which is a byte, so no merge makes it). */
static inline uint32_t es_bpe_merged(const es_bpe *bpe, uint32_t left, uint32_t right)
{
    uint64_t pair = es_bpe_pair_of(left, right), mask = ((uint64_t)1 << (64 - 2 * ES_ID_BITS)) - 1;
    uint64_t hash = es_bpe_pair_hash(pair);
    uint32_t bit = es_bpe_sieve_of(hash, bpe->slot_shift);
    if (!(bpe->sieve[bit / 64] >> bit % 64 & 1))
        return 0;
    uint32_t i = (uint32_t)(hash >> bpe->slot_shift);
    for (; bpe->slot[i]; i = (i + 1) & (bpe->header->n_slots - 1))
        if ((bpe->slot[i] & ~mask) == pair)
            return (uint32_t)(bpe->slot[i] & mask);
    return 0;
}

/* ---- short pieces ---- */

/* The key of n bytes at s, of which `room` may be read; 0 < n <= ES_PIECE_BYTES. */
static inline es_bpe_key es_bpe_key_of(const char *s, size_t n, size_t room)
{
    static const unsigned char keep[2 * sizeof(es_bpe_key)] = {
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    es_bpe_key key = {0, 0}, mask;
    memcpy(&mask, keep + sizeof key - n, sizeof mask);
    if (room >= sizeof key)
        memcpy(&key, s, sizeof key);
    else
        memcpy(&key, s, n);
    key.low &= mask.low;
    key.high &= mask.high;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    key.high |= n;
#else
    key.high |= (uint64_t)n << 56;
#endif
    return key;
}

static inline uint64_t es_bpe_hash(es_bpe_key key)
{
    uint64_t h = (key.low ^ key.high * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u;
    return (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
}

/* The token with this key, or -1; hash is es_bpe_hash(key). */
static inline int32_t es_bpe_token_of(const es_bpe *bpe, es_bpe_key key, uint64_t hash)
{
    for (uint32_t i = (uint32_t)(hash >> bpe->line_shift);;
         i = (i + 1) & (bpe->header->n_lines - 1)) {
        const es_bpe_line *l = &bpe->line[i];
        for (int k = 0; k < 3; k++)
            if (l->key[k].low == key.low && l->key[k].high == key.high)
                return (int32_t)l->token[k] - 1;
        if (!l->full)
            return -1;
    }
}

/* ---- making and checking ---- */

/* The arrays of a vocabulary, from its merges: n_merges pairs, and the tokens' bytes.  Owned by the
 * caller, who closes it or has it adopted. */
es_file es_bpe_lay_out(const uint32_t byte_id[ES_N_BYTES], const uint32_t *pair, uint32_t n_merges,
                       const uint32_t *begin, const char *text);

/* Point at the arrays behind the header; false if the block is not exactly as long as they are. */
bool es_bpe_find_arrays(es_bpe *bpe);

/* Take over a block (closed on failure): find the arrays and check every number in them. */
es_bpe *es_bpe_adopt(es_file block, const char *path, es_error *err);

/* Do two neighbouring tokens, each made of its bytes alone, stay apart when their bytes are merged as
 * one?  below: only merges that make an id under it are looked at.  Asks bpe->two and bpe->token for
 * merges alone, not for the trie.  See bpe_part.c. */
bool es_bpe_stay_apart(const es_bpe *bpe, uint32_t left, uint32_t right, uint32_t below);

#endif
