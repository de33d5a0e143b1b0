// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/bpe_tables.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/checksum.h"
#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"

static bool bad(es_error *err, const char *path, const char *why)
{
    es_str name = {0};
    es_show_prose(&name, path, strlen(path));
    es_fail(err, ES_ERR_FORMAT, "%s is no vocabulary of this program: %s", es_str_text(&name),
            es_translate(why));
    es_str_free(&name);
    return false;
}

static bool is_power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

/* Do the hash tables end a search: is there an empty slot, a line that is not full? */
static bool searches_end(const es_bpe *bpe)
{
    const es_bpe_header *h = bpe->header;
    uint32_t used = 0, full = 0, V = h->n_merges + ES_N_BYTES + 1;
    bool ok = true;
    for (uint32_t i = 0; i < h->n_slots; i++) {
        uint32_t id = (uint32_t)(bpe->slot[i] & (((uint64_t)1 << (64 - 2 * ES_ID_BITS)) - 1));
        used += bpe->slot[i] != 0;
        ok = ok && (!bpe->slot[i] || (id >= ES_N_BYTES && id < V - 1));
    }
    for (uint32_t i = 0; i < h->n_lines; i++) {
        full += bpe->line[i].full != 0;
        for (int k = 0; k < 3; k++)
            ok = ok && bpe->line[i].token[k] < V;
    }
    return ok && used < h->n_slots && full < h->n_lines;
}

/* Does the trie lead downwards, and is each token that another begins with shorter than that? */
static bool trie_holds(const es_bpe *bpe)
{
    const es_bpe_header *h = bpe->header;
    uint32_t V = h->n_merges + ES_N_BYTES + 1;
    bool ok = bpe->node[0].first == 1 && bpe->node[h->n_nodes].first == h->n_nodes;
    for (uint32_t i = 0; i < h->n_nodes; i++)
        ok = ok && bpe->node[i].first > i && bpe->node[i].first <= bpe->node[i + 1].first &&
             bpe->node[i].token < V;
    for (const es_bpe_two *two = bpe->two; two < bpe->two + ES_N_BYTE_PAIRS; two++)
        ok = ok && two->first <= two->last && two->last <= h->n_nodes && two->token < V;
    for (const es_bpe_token *t = bpe->token; ok && t < bpe->token + V; t++)
        ok = t->shorter < V && (!t->shorter || bpe->token[t->shorter - 1].length < t->length);
    return ok;
}

/* Could any number in the tables lead outside them, or a search never end?  Asked when they are made: a
 * mapped block has the checksum of one that was. */
static bool numbers_hold(const es_bpe *bpe)
{
    const es_bpe_header *h = bpe->header;
    uint32_t V = h->n_merges + ES_N_BYTES + 1;
    for (uint32_t i = 0; i < ES_N_BYTES; i++)
        if (bpe->byte_id[i] >= ES_N_BYTES)
            return false;
    for (uint32_t i = 0; i < h->n_merges; i++)
        if (bpe->pair[2 * i] >= ES_N_BYTES + i || bpe->pair[2 * i + 1] >= ES_N_BYTES + i)
            return false;
    for (uint32_t i = 0; i < V; i++)
        if (bpe->begin[i] >= bpe->begin[i + 1] ||
            bpe->token[i].length != bpe->begin[i + 1] - bpe->begin[i])
            return false;
    return bpe->begin[0] == 0 && bpe->begin[V] == h->n_text_bytes && searches_end(bpe) &&
           trie_holds(bpe);
}

static bool examine(es_bpe *bpe, const char *path, es_error *err)
{
    const es_bpe_header *h = bpe->header;
    static const uint64_t zeros[sizeof h->reserved / sizeof(uint64_t)];
    if (bpe->block.size < sizeof *h || memcmp(h->magic, "ESBPE08\n", sizeof h->magic) ||
        memcmp(h->reserved, zeros, sizeof zeros))
        return bad(err, path, "it does not begin as one");
    if (h->byte_order != 0x01020304)
        return bad(err, path, "it was made on another kind of machine");
    if (h->n_merges > ES_MAX_ID - ES_N_BYTES - 1 || !is_power_of_two(h->n_slots) ||
        h->n_slots < 64 || !is_power_of_two(h->n_lines) || !es_bpe_find_arrays(bpe))
        return bad(err, path, "its size is not what its header says");
    if (h->checksum != es_checksum(h + 1, bpe->block.size - sizeof *h))
        return bad(err, path, "it is damaged");
    if (!bpe->block.mapped && !numbers_hold(bpe))
        return bad(err, path, "its tables contradict each other");
    return true;
}

es_bpe *es_bpe_adopt(es_file block, const char *path, es_error *err)
{
    es_bpe *bpe = es_alloc(sizeof *bpe);
    bpe->block = block;
    bpe->header = (const void *)block.data;
    bpe->pretoken = es_pretoken_gpt2;
    bpe->parts = es_pretoken_gpt2_parts;
    if (examine(bpe, path, err))
        return bpe;
    es_bpe_free(bpe);
    return NULL;
}

es_bpe *es_bpe_from_tables(const char *path, es_error *err)
{
    es_file block;
    if (!es_file_open(&block, path, err))
        return NULL;
#ifdef MADV_POPULATE_READ
    if (block.mapped) /* all of it is read at once, to be checked */
        madvise((void *)block.data, block.size, MADV_POPULATE_READ);
#endif
    return es_bpe_adopt(block, path, err);
}

bool es_bpe_save(const es_bpe *bpe, const char *path, es_error *err)
{
    return es_file_replace(path, bpe->block.data, bpe->block.size, err);
}

void es_bpe_free(es_bpe *bpe)
{
    if (!bpe)
        return;
    es_file_close(&bpe->block);
    free(bpe);
}
