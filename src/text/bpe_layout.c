// SPDX-License-Identifier: GPL-3.0-or-later
/* The arrays that encoding needs, from a vocabulary's merges: pairs and short tokens by hash, the trie. */
#include <assert.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/mem.h"
#include "text/bpe_tables.h"

static const char endoftext[] = "<|endoftext|>";

static uint32_t power_of_two_from(uint32_t n)
{
    uint32_t p = 64; /* the sieve is whole words */
    while (p < n)
        p *= 2;
    return p;
}

/* ---- the trie, while it is made: a first child, and a next sibling in the order of bytes ---- */

typedef struct building {
    uint32_t child, sibling, token; /* 0: none; token: 1 + id */
    unsigned char byte;
} building;

typedef struct trie {
    building *node;
    uint32_t n, cap;
} trie;

static uint32_t child_of(trie *t, uint32_t parent, unsigned char byte)
{
    uint32_t before = 0, at = t->node[parent].child;
    while (at && t->node[at].byte < byte) {
        before = at;
        at = t->node[at].sibling;
    }
    if (at && t->node[at].byte == byte)
        return at;
    if (t->n == t->cap) {
        t->cap *= 2;
        t->node = es_realloc(t->node, t->cap * sizeof *t->node);
    }
    t->node[t->n] = (building){.sibling = at, .byte = byte};
    *(before ? &t->node[before].sibling : &t->node[parent].child) = t->n;
    return t->n++;
}

static void add_token(trie *t, const char *bytes, size_t n, uint32_t id)
{
    uint32_t at = 0;
    for (size_t i = 0; i < n; i++)
        at = child_of(t, at, (unsigned char)bytes[i]);
    t->node[at].token = id + 1;
}

/* ---- filling the arrays; they are const for everybody else ---- */

#define FILL(array) ((void *)(array))

static void fill_slots(es_bpe *bpe)
{
    uint64_t *slot = FILL(bpe->slot), *sieve = FILL(bpe->sieve);
    for (uint32_t i = 0; i < bpe->header->n_merges; i++) {
        uint64_t pair = es_bpe_pair_of(bpe->pair[2 * i], bpe->pair[2 * i + 1]);
        uint64_t hash = es_bpe_pair_hash(pair);
        uint32_t s = (uint32_t)(hash >> bpe->slot_shift),
                 bit = es_bpe_sieve_of(hash, bpe->slot_shift);
        sieve[bit / 64] |= (uint64_t)1 << bit % 64;
        while (slot[s])
            s = (s + 1) & (bpe->header->n_slots - 1);
        slot[s] = pair | (ES_N_BYTES + i);
    }
}

/* Halves come before what they make, so that theirs are known. */
static void fill_edges(es_bpe *bpe)
{
    es_bpe_token *token = FILL(bpe->token);
    es_bpe_two *two = FILL(bpe->two);
    for (uint32_t i = 0; i < ES_N_BYTE_PAIRS; i++)
        two[i].open = ES_MAX_ID;
    for (uint32_t id = 0; id < ES_N_BYTES; id++) {
        token[id].left_merge = token[id].right_merge = ES_MAX_ID;
        token[id].left.parts = token[id].right.parts = es_bpe_bit(id);
    }
    for (uint32_t i = 0; i < bpe->header->n_merges; i++) {
        uint32_t id = ES_N_BYTES + i, left = bpe->pair[2 * i], right = bpe->pair[2 * i + 1];
        es_bpe_token *t = &token[id], *l = &token[left], *r = &token[right];
        unsigned a = (unsigned char)bpe->text[bpe->begin[left]],
                 b = (unsigned char)bpe->text[bpe->begin[right]];
        t->left_merge = left < ES_N_BYTES ? id : l->left_merge;
        t->right_merge = right < ES_N_BYTES ? id : r->right_merge;
        if (left < ES_N_BYTES && right < ES_N_BYTES)
            two[a << 8 | b].token = id;
        if (left < ES_N_BYTES && two[a << 8 | b].open == ES_MAX_ID)
            two[a << 8 | b].open = id;

        /* Of equal merges the left one goes first: see es_bpe_stay_apart. */
        t->right.parts = es_bpe_bit(id) | r->right.parts;
        t->right.within = r->right.joins | r->right.within;
        if (left >= ES_N_BYTES || right >= ES_N_BYTES) { /* two bytes are asked for in `two` */
            l->right.joins |= es_bpe_bit(right);
            r->left.joins |= es_bpe_bit(left);
        }
        t->left.parts = es_bpe_bit(id) | l->left.parts;
        t->left.within = l->left.joins | l->left.within;
    }
}

static void fill_line(es_bpe *bpe, const char *bytes, size_t n, uint32_t id)
{
    es_bpe_line *line = FILL(bpe->line);
    es_bpe_key key = es_bpe_key_of(bytes, n, n);
    uint32_t i = (uint32_t)(es_bpe_hash(key) >> bpe->line_shift);
    for (;; i = (i + 1) & (bpe->header->n_lines - 1)) {
        for (int k = 0; k < 3; k++)
            if (!line[i].token[k]) {
                line[i].key[k] = key;
                line[i].token[k] = id + 1;
                return;
            }
        line[i].full = 1;
    }
}

static void fill_joined(es_bpe *bpe, const char *bytes, size_t n)
{
    uint64_t *joined = FILL(bpe->joined);
    for (size_t i = 0; i + 1 < n; i++) {
        unsigned pair = (unsigned)(unsigned char)bytes[i] << 8 | (unsigned char)bytes[i + 1];
        joined[pair / 64] |= (uint64_t)1 << pair % 64;
    }
}

/* Number the nodes level by level, so that siblings are neighbours.  longest: of the tokens on the way to
 * a node, not counting the node's own. */
static void fill_trie(es_bpe *bpe, const trie *t)
{
    es_bpe_node *node = FILL(bpe->node);
    es_bpe_token *token = FILL(bpe->token);
    es_bpe_two *two = FILL(bpe->two);
    unsigned char *byte_of = FILL(bpe->byte_of);
    uint32_t *old = es_alloc_array(t->n, sizeof *old),
             *longest = es_alloc_array(t->n, sizeof *longest);
    uint32_t n = 1;
    for (uint32_t i = 0; i < t->n; i++) { /* old[0] is the root */
        const building *from = &t->node[old[i]];
        node[i] = (es_bpe_node){.first = n, .token = from->token};
        byte_of[i] = from->byte;
        if (from->token)
            token[from->token - 1].shorter = longest[i];
        for (uint32_t c = from->child; c; c = t->node[c].sibling) {
            longest[n] = from->token ? from->token : longest[i];
            old[n++] = c;
        }
    }
    node[t->n].first = n;
    for (uint32_t a = node[0].first; a < node[1].first; a++)
        for (uint32_t b = node[a].first; b < node[a + 1].first; b++) {
            two[byte_of[a] << 8 | byte_of[b]].first = node[b].first;
            two[byte_of[a] << 8 | byte_of[b]].last = node[b + 1].first;
        }
    free(old);
    free(longest);
}

/* Tokens that the merges make of their own bytes alone: only these can come out of encoding. */
static unsigned char *find_reachable(const es_bpe *bpe)
{
    uint32_t n_tokens = ES_N_BYTES + bpe->header->n_merges;
    unsigned char *reachable = es_alloc(n_tokens);
    memset(reachable, 1, ES_N_BYTES);
    for (uint32_t id = ES_N_BYTES; id < n_tokens; id++) {
        const uint32_t *half = &bpe->pair[2 * (id - ES_N_BYTES)];
        reachable[id] = reachable[half[0]] && reachable[half[1]] &&
                        es_bpe_stay_apart(bpe, half[0], half[1], id);
    }
    return reachable;
}

static size_t block_size(const es_bpe_header *h)
{
    size_t V = (size_t)h->n_merges + ES_N_BYTES + 1;
    size_t words = ES_N_BYTES + 2 * (size_t)h->n_merges + V + 1;
    return sizeof *h + h->n_lines * sizeof(es_bpe_line) + V * sizeof(es_bpe_token) +
           ES_N_BYTE_PAIRS * sizeof(es_bpe_two) +
           (h->n_slots + h->n_slots / 8 + ES_N_BYTE_PAIRS / 64) * sizeof(uint64_t) +
           words * sizeof(uint32_t) + (h->n_nodes + 1) * sizeof(es_bpe_node) + h->n_nodes +
           ES_TRIE_PAD + h->n_text_bytes;
}

static int shift_of(uint32_t power_of_two)
{
    int shift = 64;
    while (power_of_two >>= 1)
        shift--;
    return shift;
}

bool es_bpe_find_arrays(es_bpe *bpe)
{
    const es_bpe_header *h = bpe->header;
    size_t V = (size_t)h->n_merges + ES_N_BYTES + 1;
    if (bpe->block.size != block_size(h))
        return false;
    bpe->line = (const void *)(h + 1);
    bpe->token = (const void *)(bpe->line + h->n_lines);
    bpe->two = (const void *)(bpe->token + V);
    bpe->slot = (const void *)(bpe->two + ES_N_BYTE_PAIRS);
    bpe->sieve = bpe->slot + h->n_slots;
    bpe->joined = bpe->sieve + h->n_slots / 8;
    bpe->byte_id = (const void *)(bpe->joined + ES_N_BYTE_PAIRS / 64);
    bpe->pair = bpe->byte_id + ES_N_BYTES;
    bpe->begin = bpe->pair + 2 * (size_t)h->n_merges;
    bpe->node = (const void *)(bpe->begin + V + 1);
    bpe->byte_of = (const void *)(bpe->node + h->n_nodes + 1);
    bpe->text = (const char *)(bpe->byte_of + h->n_nodes + ES_TRIE_PAD);
    bpe->line_shift = shift_of(h->n_lines);
    bpe->slot_shift = shift_of(h->n_slots);
    return true;
}

es_file es_bpe_lay_out(const uint32_t byte_id[ES_N_BYTES], const uint32_t *pair, uint32_t n_merges,
                       const uint32_t *begin, const char *text)
{
    uint32_t n_tokens = ES_N_BYTES + n_merges;
    trie t = {.n = 1, .cap = 1024};
    t.node = es_alloc_array(t.cap, sizeof *t.node);
    for (uint32_t id = 0; id < n_tokens; id++)
        add_token(&t, text + begin[id], begin[id + 1] - begin[id], id);

    es_bpe_header header = {.magic = "ESBPE08",
                            .byte_order = 0x01020304,
                            .n_merges = n_merges,
                            .n_lines = power_of_two_from(n_tokens / 2),
                            .n_slots = power_of_two_from(n_merges + n_merges / 4),
                            .n_nodes = t.n,
                            .n_text_bytes = begin[n_tokens] + (uint32_t)sizeof endoftext - 1};
    header.magic[7] = '\n';
    size_t size = block_size(&header);
    unsigned char *block = es_alloc(size);
    es_bpe bpe = {.block = {.data = block, .size = size}, .header = (const void *)block};
    memcpy(block, &header, sizeof header);
    bool found = es_bpe_find_arrays(&bpe);
    assert(found && bpe.byte_id && bpe.pair && bpe.begin && bpe.text && bpe.token);
    (void)found;
    memcpy(FILL(bpe.byte_id), byte_id, ES_N_BYTES * sizeof *byte_id);
    memcpy(FILL(bpe.pair), pair, 2 * (size_t)n_merges * sizeof *pair);
    memcpy(FILL(bpe.begin), begin, (n_tokens + 1) * sizeof *begin);
    ((uint32_t *)FILL(bpe.begin))[n_tokens + 1] = header.n_text_bytes;
    memcpy(FILL(bpe.text), text, begin[n_tokens]);
    memcpy((char *)FILL(bpe.text) + begin[n_tokens], endoftext, sizeof endoftext - 1);

    for (uint32_t id = 0; id <= n_tokens; id++)
        ((es_bpe_token *)FILL(bpe.token))[id].length = bpe.begin[id + 1] - bpe.begin[id];

    fill_slots(&bpe);
    fill_edges(&bpe);
    unsigned char *reachable = find_reachable(&bpe);
    for (uint32_t id = 0; id < n_tokens; id++) {
        const char *bytes = text + begin[id];
        size_t n = begin[id + 1] - begin[id];
        if (!reachable[id])
            continue;
        fill_joined(&bpe, bytes, n);
        if (n <= ES_PIECE_BYTES)
            fill_line(&bpe, bytes, n, id);
    }
    for (uint32_t i = 0; i < t.n; i++)
        if (t.node[i].token && !reachable[t.node[i].token - 1])
            t.node[i].token = 0;
    fill_trie(&bpe, &t);
    free(reachable);
    free(t.node);
    ((es_bpe_header *)block)->checksum = es_checksum(block + sizeof header, size - sizeof header);
    return bpe.block;
}
