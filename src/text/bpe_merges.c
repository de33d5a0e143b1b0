// SPDX-License-Identifier: GPL-3.0-or-later
/* From a merge list to tables. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "text/bpe_tables.h"

enum { MAX_MERGES = ES_MAX_ID - ES_N_BYTES - 1, NOT_A_BYTE = -1 };

/* Tokens in the making, and a hash table to find one by its bytes. */
typedef struct builder {
    uint32_t byte_id[ES_N_BYTES];
    int16_t byte_of_char[512]; /* GPT-2's printable alphabet, backwards */
    uint32_t *pair;
    uint32_t n_merges, cap;
    uint32_t *begin; /* n_merges + 257 offsets */
    es_str text;
    uint32_t *known; /* 1 + id, by hash of the token's bytes; 0 empty */
    uint32_t n_known;
} builder;

static uint32_t n_tokens(const builder *b)
{
    return ES_N_BYTES + b->n_merges;
}

static uint32_t hash_bytes(const char *s, size_t n)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

/* The place in `known` of the token with these bytes, or the empty place where it would go. */
static uint32_t *place_of(const builder *b, const char *s, size_t n)
{
    uint32_t i = hash_bytes(s, n) & (b->n_known - 1);
    for (; b->known[i]; i = (i + 1) & (b->n_known - 1)) {
        uint32_t id = b->known[i] - 1, begin = b->begin[id];
        if (b->begin[id + 1] - begin == n && !memcmp(b->text.s + begin, s, n))
            break;
    }
    return &b->known[i];
}

static void rehash(builder *b)
{
    free(b->known);
    b->n_known *= 2;
    b->known = es_alloc_array(b->n_known, sizeof *b->known);
    for (uint32_t id = 0; id < n_tokens(b); id++)
        *place_of(b, b->text.s + b->begin[id], b->begin[id + 1] - b->begin[id]) = id + 1;
}

/* GPT-2's order (encoder.py, bytes_to_unicode): the 188 bytes that Latin-1 prints come first and
 * stand for themselves, the others follow as U+0100, U+0101, … */
static void start_with_bytes(builder *b)
{
    memset(b->byte_of_char, 0xFF, sizeof b->byte_of_char);
    uint32_t id = 0;
    for (int printable = 1; printable >= 0; printable--)
        for (int byte = 0, others = 0; byte < ES_N_BYTES; byte++) {
            bool prints = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
            int symbol = prints ? byte : 256 + others++;
            if (prints != (bool)printable)
                continue;
            b->byte_id[byte] = id;
            b->byte_of_char[symbol] = (int16_t)byte;
            b->begin[id++] = (uint32_t)b->text.len;
            es_str_char(&b->text, (char)byte);
        }
    b->begin[id] = (uint32_t)b->text.len;
    b->n_known = 512;
    rehash(b);
}

/* One side of a merge: characters of the printable alphabet to bytes, and the token they are. */
static bool read_side(const builder *b, es_str *bytes, const char *s, size_t n, uint32_t *id)
{
    bytes->len = 0;
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        int len = es_utf8_next(s + i, n - i, &cp);
        if (!len || cp >= 512 || b->byte_of_char[cp] == NOT_A_BYTE)
            return false;
        es_str_char(bytes, (char)b->byte_of_char[cp]);
        i += (size_t)len;
    }
    uint32_t found = bytes->len ? *place_of(b, bytes->s, bytes->len) : 0;
    *id = found - 1;
    return found != 0;
}

static void add_merge(builder *b, uint32_t left, uint32_t right, const es_str *made,
                      uint32_t *place)
{
    if (b->n_merges == b->cap) {
        b->cap *= 2;
        b->pair = es_realloc(b->pair, 2 * (size_t)b->cap * sizeof *b->pair);
        b->begin = es_realloc(b->begin, ((size_t)b->cap + ES_N_BYTES + 2) * sizeof *b->begin);
    }
    b->pair[2 * b->n_merges] = left;
    b->pair[2 * b->n_merges + 1] = right;
    *place = n_tokens(b) + 1;
    es_str_bytes(&b->text, made->s, made->len);
    b->n_merges++;
    b->begin[n_tokens(b)] = (uint32_t)b->text.len;
    if (2 * n_tokens(b) > b->n_known)
        rehash(b);
}

static bool bad_line(es_error *err, const char *path, size_t line, const char *why)
{
    es_str name = {0};
    es_show_prose(&name, path, strlen(path));
    es_fail(err, ES_ERR_FORMAT, "%s, line %zu: %s", es_str_text(&name), line, es_translate(why));
    es_str_free(&name);
    return es_hint(err,
                   "a merge list has a line \"left right\" for each merge, as GPT-2's vocab.bpe");
}

/* "left right": two tokens made before, joined to one that is new. */
static bool read_merge(builder *b, const char *s, size_t n, const char *path, size_t line,
                       es_error *err)
{
    es_str left = {0}, right = {0};
    uint32_t left_id, right_id;
    const char *space = memchr(s, ' ', n), *why = NULL;
    size_t at = space ? (size_t)(space - s) : n;
    if (!space || !read_side(b, &left, s, at, &left_id) ||
        !read_side(b, &right, space + 1, n - at - 1, &right_id))
        why = "not two tokens that earlier lines have made";
    if (!why) {
        es_str_bytes(&left, right.s, right.len);
        uint32_t *place = place_of(b, left.s, left.len);
        if (*place)
            why = "an earlier line has made this token";
        else if (b->n_merges == MAX_MERGES || b->text.len + left.len > INT32_MAX)
            why = "more merges than any vocabulary has";
        else
            add_merge(b, left_id, right_id, &left, place);
    }
    es_str_free(&left);
    es_str_free(&right);
    return !why || bad_line(err, path, line, why);
}

static bool read_merges(builder *b, const char *s, size_t n, const char *path, es_error *err)
{
    for (size_t line = 1; n; line++) {
        const char *newline = memchr(s, '\n', n);
        size_t whole = newline ? (size_t)(newline - s) + 1 : n, len = newline ? whole - 1 : n;
        if (len && s[len - 1] == '\r')
            len--;
        bool comment = line == 1 && len >= 8 && !memcmp(s, "#version", 8);
        if (len && !comment && !read_merge(b, s, len, path, line, err))
            return false;
        s += whole;
        n -= whole;
    }
    return b->n_merges || bad_line(err, path, 1, "the file has no line with a merge");
}

es_bpe *es_bpe_from_merges(const char *path, es_error *err)
{
    es_file list;
    if (!es_file_open(&list, path, err))
        return NULL;

    builder b = {.cap = 1024};
    b.pair = es_alloc_array(2 * (size_t)b.cap, sizeof *b.pair);
    b.begin = es_alloc_array((size_t)b.cap + ES_N_BYTES + 2, sizeof *b.begin);
    start_with_bytes(&b);
    es_bpe *bpe = NULL;
    if (read_merges(&b, (const char *)list.data, list.size, path, err))
        bpe = es_bpe_adopt(es_bpe_lay_out(b.byte_id, b.pair, b.n_merges, b.begin, b.text.s), path,
                           err);

    free(b.pair);
    free(b.begin);
    free(b.known);
    es_str_free(&b.text);
    es_file_close(&list);
    return bpe;
}
