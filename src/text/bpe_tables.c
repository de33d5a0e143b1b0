// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/bpe_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"

/* Four running sums of 64-bit words, so that the multiplications overlap. */
uint64_t es_bpe_checksum(const void *data, size_t n)
{
    uint64_t sum[4] = {n, 1, 2, 3}, word[4];
    const char *p = data, *end = p + n;
    for (; p < end; p += sizeof word) {
        size_t left = (size_t)(end - p);
        memset(word, 0, sizeof word);
        memcpy(word, p, left < sizeof word ? left : sizeof word);
        for (int i = 0; i < 4; i++) {
            sum[i] = (sum[i] ^ word[i]) * 0x9E3779B97F4A7C15u;
            sum[i] ^= sum[i] >> 32;
        }
    }
    return sum[0] ^ sum[1] * 3 ^ sum[2] * 5 ^ sum[3] * 7;
}

static bool bad(es_error *err, const char *path, const char *why)
{
    es_str name = {0};
    es_show_prose(&name, path, strlen(path));
    es_fail(err, ES_ERR_FORMAT, "%s is no vocabulary of this program: %s", es_str_text(&name), why);
    es_str_free(&name);
    return false;
}

/* Point at the arrays behind the header; false if the block is not exactly as long as they are. */
static bool find_arrays(es_bpe *bpe)
{
    const es_bpe_header *h = bpe->header;
    size_t V = (size_t)h->n_merges + ES_N_BYTES + 1;
    size_t words = ES_N_BYTES + 2 * (size_t)h->n_merges + h->n_slots + V + 1;
    if (bpe->block.size != sizeof *h + words * sizeof(uint32_t) + h->n_text_bytes)
        return false;
    bpe->byte_id = (const uint32_t *)(h + 1);
    bpe->pair = bpe->byte_id + ES_N_BYTES;
    bpe->slot = bpe->pair + 2 * (size_t)h->n_merges;
    bpe->begin = bpe->slot + h->n_slots;
    bpe->text = (const char *)(bpe->begin + V + 1);
    return true;
}

/* Could any number in the tables lead outside them? */
static bool numbers_hold(const es_bpe *bpe)
{
    const es_bpe_header *h = bpe->header;
    uint32_t used = 0, V = h->n_merges + ES_N_BYTES + 1;
    for (uint32_t i = 0; i < ES_N_BYTES; i++)
        if (bpe->byte_id[i] >= ES_N_BYTES)
            return false;
    for (uint32_t i = 0; i < h->n_merges; i++)
        if (bpe->pair[2 * i] >= ES_N_BYTES + i || bpe->pair[2 * i + 1] >= ES_N_BYTES + i)
            return false;
    for (uint32_t i = 0; i < h->n_slots; i++) {
        used += bpe->slot[i] != 0;
        if (bpe->slot[i] > h->n_merges)
            return false;
    }
    for (uint32_t i = 0; i < V; i++)
        if (bpe->begin[i] > bpe->begin[i + 1])
            return false;
    return used < h->n_slots && bpe->begin[0] == 0 && bpe->begin[V] == h->n_text_bytes;
}

static bool examine(es_bpe *bpe, const char *path, es_error *err)
{
    const es_bpe_header *h = bpe->header;
    if (bpe->block.size < sizeof *h || memcmp(h->magic, "ESBPE01\n", sizeof h->magic))
        return bad(err, path, "it does not begin as one");
    if (h->byte_order != 0x01020304)
        return bad(err, path, "it was made on another kind of machine");
    if (h->n_merges > INT32_MAX / 4 || !h->n_slots || (h->n_slots & (h->n_slots - 1)) ||
        !find_arrays(bpe))
        return bad(err, path, "its size is not what its header says");
    if (h->checksum != es_bpe_checksum(h + 1, bpe->block.size - sizeof *h) || !numbers_hold(bpe))
        return bad(err, path, "it is damaged");
    return true;
}

es_bpe *es_bpe_adopt(es_file block, const char *path, es_error *err)
{
    es_bpe *bpe = es_alloc(sizeof *bpe);
    bpe->block = block;
    bpe->header = (const void *)block.data;
    bpe->pretoken = es_pretoken_gpt2;
    if (examine(bpe, path, err))
        return bpe;
    es_bpe_free(bpe);
    return NULL;
}

es_bpe *es_bpe_from_tables(const char *path, es_error *err)
{
    es_file block;
    return es_file_open(&block, path, err) ? es_bpe_adopt(block, path, err) : NULL;
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
