// SPDX-License-Identifier: GPL-3.0-or-later
/* How a text becomes tokens without merging most of it:
 *
 *   1. The text is cut into words (pretoken), and words beyond ASCII where two bytes meet that stand
 *      together in no token: no merge ever crosses there, so the parts are merged as if each stood alone.
 *   2. A part of at most 15 bytes is a key of 16.  Most words are tokens: one look into a hash table,
 *      whose line was asked for while the words before it were being cut.
 *   3. What is no token, or longer, is encoded from the left (bpe_part.c).  What came of a short part is
 *      kept in a small table for when it comes again. */
#include "text/bpe_fast.h"

#include <stdlib.h>

#include "base/mem.h"

#define NOT_BYTES SIZE_MAX

enum {
    WORDS = 32,           /* cut at once */
    PARTS = 64,           /* waiting for their lines of the hash table */
    MADE_TOKENS = 8,      /* at most, of a part that is kept */
    N_MADE = 8192,        /* such parts */
    MADE_FROM = 1 << 14,  /* bytes of a text from which keeping them pays */
    STEP_BYTES = 1 << 14, /* between two looks at the watch */
};

/* What came of a part. */
typedef struct made {
    es_bpe_key key;
    int32_t id[MADE_TOKENS];
    unsigned char end[MADE_TOKENS];
    uint32_t n; /* 0: free */
    uint32_t unused;
} made;

typedef enum part_kind {
    WORD, /* a short one, whole */
    CUT,  /* a short part of one */
    LONG,
    BYTES /* each byte is a token */
} part_kind;

typedef struct part {
    es_bpe_key key;
    uint64_t hash;
    uint32_t begin, end;
    part_kind kind;
} part;

typedef struct encoder {
    const es_bpe *bpe;
    const char *text;
    size_t begin, end;
    es_tokens *out;
    es_watch *watch;
    made *made; /* [N_MADE], or NULL for a short text */
    part part[PARTS];
    size_t n_parts;
    size_t bytes_end; /* where the last part ends, if it is of BYTES; else NOT_BYTES */
    uint64_t *dead;   /* a bit a place of a long part */
    size_t dead_words;
} encoder;

/* ---- bytes ---- */

static bool encode_bytes(encoder *e, const part *p, es_error *err)
{
    es_tokens *out = e->out;
    size_t n = p->end - p->begin;
    const unsigned char *s = (const unsigned char *)e->text + p->begin;
    if (!es_tokens_room(out, n, err))
        return false;
    int32_t *id = out->id + out->n;
    for (size_t i = 0; i < n; i++)
        id[i] = (int32_t)e->bpe->byte_id[s[i]];
    for (size_t i = 0; i < n && !out->ids_only; i++)
        out->begin[out->n + i + 1] = p->begin + (uint32_t)i + 1;
    out->n += n;
    return n < STEP_BYTES || es_watch_step(e->watch, p->end, err);
}

/* ---- long parts ---- */

static bool reserve_dead(encoder *e, size_t n, es_error *err)
{
    size_t words = n / 64 + 1;
    if (words > e->dead_words) {
        free(e->dead);
        e->dead_words = 0;
        e->dead = es_try_alloc(words, sizeof *e->dead, "the places of a word", err);
        if (!e->dead)
            return false;
        e->dead_words = words;
    }
    memset(e->dead, 0, words * sizeof *e->dead);
    return true;
}

static bool encode_long(encoder *e, const part *p, es_error *err)
{
    return reserve_dead(e, p->end - p->begin, err) &&
           es_bpe_encode_part(e->bpe, e->out, e->text, p->begin, p->end, e->dead, e->watch, err);
}

/* ---- short parts ---- */

static inline made *made_of(const encoder *e, uint64_t hash)
{
    return e->made ? &e->made[hash % N_MADE] : NULL;
}

static void keep(const encoder *e, made *m, es_bpe_key key, const int32_t *id, size_t n)
{
    if (!m || n > MADE_TOKENS)
        return;
    m->key = key;
    m->n = (uint32_t)n;
    for (uint32_t i = 0, end = 0; i < n; i++) {
        m->id[i] = id[i];
        end += e->bpe->token[id[i]].length;
        m->end[i] = (unsigned char)end;
    }
}

/* As it came out before; false if it did not, lately.  Room for 64 tokens was made. */
static inline bool put_made(es_tokens *out, const made *m, const part *p)
{
    if (!m || m->key.low != p->key.low || m->key.high != p->key.high)
        return false;
    memcpy(out->id + out->n, m->id, sizeof m->id); /* n of them count */
    for (uint32_t i = 0; i < m->n && !out->ids_only; i++)
        out->begin[out->n + i + 1] = p->begin + m->end[i];
    out->n += m->n;
    return true;
}

static bool encode_anew(encoder *e, const part *p, es_error *err)
{
    uint64_t dead = 0;
    size_t first = e->out->n;
    if (!es_bpe_encode_part(e->bpe, e->out, e->text, p->begin, p->end, &dead, e->watch, err))
        return false;
    keep(e, made_of(e, p->hash), p->key, e->out->id + first, e->out->n - first);
    return true;
}

/* Most words are tokens. */
static inline bool encode_word(encoder *e, const part *p, es_error *err)
{
    int32_t id = es_bpe_token_of(e->bpe, p->key, p->hash);
    if (id < 0)
        return put_made(e->out, made_of(e, p->hash), p) || encode_anew(e, p, err);
    es_tokens_put(e->out, id, p->end);
    return true;
}

/* Parts of words come again and again, token or not: all of them are kept. */
static inline bool encode_cut(encoder *e, const part *p, es_error *err)
{
    made *m = made_of(e, p->hash);
    if (put_made(e->out, m, p))
        return true;
    int32_t id = es_bpe_token_of(e->bpe, p->key, p->hash);
    if (id >= 0) {
        es_tokens_put(e->out, id, p->end);
        keep(e, m, p->key, &id, 1);
        return true;
    }
    return p->end - p->begin == 2 ? encode_bytes(e, p, err) : encode_anew(e, p, err);
}

/* ---- a whole text ---- */

/* Encode the parts that wait. */
static bool flush(encoder *e, es_error *err)
{
    bool ok = true;
    for (const part *p = e->part; ok && p < e->part + e->n_parts; p++) {
        if (e->out->cap - e->out->n < 64 && !es_tokens_room(e->out, 64, err))
            return false;
        switch (p->kind) {
        case WORD: ok = encode_word(e, p, err); break;
        case CUT: ok = encode_cut(e, p, err); break;
        case LONG: ok = encode_long(e, p, err); break;
        case BYTES: ok = encode_bytes(e, p, err); break;
        }
    }
    e->n_parts = 0;
    e->bytes_end = NOT_BYTES;
    return ok;
}

static inline part *add_part(encoder *e, part_kind kind, size_t begin, size_t end, es_error *err)
{
    if (e->n_parts == PARTS && !flush(e, err))
        return NULL;
    part *p = &e->part[e->n_parts++];
    p->kind = kind;
    p->begin = (uint32_t)begin;
    p->end = (uint32_t)end;
    e->bytes_end = NOT_BYTES;
    return p;
}

/* Bytes are gathered from one word to the next. */
static inline bool add_bytes(encoder *e, size_t begin, size_t end, es_error *err)
{
    if (e->bytes_end == begin)
        e->part[e->n_parts - 1].end = (uint32_t)end;
    else if (!add_part(e, BYTES, begin, end, err))
        return false;
    e->bytes_end = end;
    return true;
}

static inline bool add_whole(encoder *e, es_bpe_key key, size_t begin, size_t end, es_error *err)
{
    part *p = add_part(e, WORD, begin, end, err);
    if (!p)
        return false;
    p->key = key;
    p->hash = es_bpe_hash(key);
    __builtin_prefetch(&e->bpe->line[p->hash >> e->bpe->line_shift]);
    return true;
}

static bool add_cut(encoder *e, size_t begin, size_t end, es_error *err)
{
    if (end - begin > ES_PIECE_BYTES)
        return add_part(e, LONG, begin, end, err);
    part *p = add_part(e, CUT, begin, end, err);
    if (!p)
        return false;
    p->key = es_bpe_key_of(e->text + begin, end - begin, e->end - begin);
    p->hash = es_bpe_hash(p->key);
    if (e->made)
        __builtin_prefetch(&e->made[p->hash % N_MADE]);
    return true;
}

/* How many bytes stay together at s: those of a character, most of which come again and again. */
static inline size_t unit_at(const unsigned char *s, size_t n)
{
    static const unsigned char from_c0[4] = {2, 2, 3, 4};
    if (s[0] < 0xC0)
        return 1;
    size_t unit = from_c0[s[0] >> 4 & 3];
    for (size_t i = 1; i < unit; i++)
        if (i == n || (s[i] & 0xC0) != 0x80)
            return 1;
    return unit;
}

static inline bool joins(const es_bpe *bpe, unsigned char a, unsigned char b)
{
    unsigned pair = (unsigned)a << 8 | b;
    return bpe->joined[pair / 64] >> pair % 64 & 1;
}

/* Does a long word begin as one of letters, digits or signs of ASCII?  Those hardly come again in parts. */
static inline bool is_long_ascii(const unsigned char *s, size_t n)
{
    return n > ES_PIECE_BYTES && s[0] < 0x80 && s[1] > ' ' && s[1] < 0x80;
}

/* A word, cut between characters whose bytes no token joins; single bytes are gathered. */
static bool add_cuts(encoder *e, size_t begin, size_t end, es_error *err)
{
    const unsigned char *s = (const unsigned char *)e->text;
    if (is_long_ascii(s + begin, end - begin))
        return add_part(e, LONG, begin, end, err) != NULL;
    size_t bytes = begin; /* text[bytes, begin) are such */
    for (size_t i = begin; i < end;) {
        i += unit_at(s + i, end - i);
        if (i < end && joins(e->bpe, s[i - 1], s[i]))
            continue;
        if (i - begin > 1) {
            if ((bytes < begin && !add_bytes(e, bytes, begin, err)) || !add_cut(e, begin, i, err))
                return false;
            bytes = i;
        }
        begin = i;
    }
    return bytes == end || add_bytes(e, bytes, end, err);
}

/* Short words of ASCII are most often tokens, and not worth cutting. */
static inline bool is_ascii(es_bpe_key key)
{
    return !((key.low | key.high) & 0x8080808080808080u);
}

static inline bool add_word(encoder *e, size_t begin, size_t end, es_error *err)
{
    if (begin == e->bytes_end && end - begin == 1)
        return add_bytes(e, begin, end, err);
    es_bpe_key key = {0, ~(uint64_t)0};
    if (end - begin <= ES_PIECE_BYTES)
        key = es_bpe_key_of(e->text + begin, end - begin, e->end - begin);
    return is_ascii(key) ? add_whole(e, key, begin, end, err) : add_cuts(e, begin, end, err);
}

static bool encode_words(encoder *e, es_error *err)
{
    uint32_t word_end[WORDS];
    uint64_t next_step = e->begin + STEP_BYTES;
    for (size_t at = e->begin; at < e->end;) {
        size_t n = e->bpe->pretoken(e->text + at, e->end - at, word_end, WORDS), base = at;
        for (size_t i = 0; i < n; i++) {
            size_t end = base + word_end[i];
            if (!add_word(e, at, end, err))
                return false;
            at = end;
        }
        if (at >= next_step) {
            next_step = at + STEP_BYTES;
            if (!es_watch_step(e->watch, at, err))
                return false;
        }
    }
    return flush(e, err);
}

bool es_bpe_encode_span(const es_bpe *bpe, es_tokens *out, const char *text, size_t begin,
                        size_t end, es_watch *watch, es_error *err)
{
    encoder e = {.bpe = bpe,
                 .text = text,
                 .begin = begin,
                 .end = end,
                 .out = out,
                 .watch = watch,
                 .bytes_end = NOT_BYTES};
    if (end - begin >= MADE_FROM)
        e.made = calloc(N_MADE, sizeof *e.made); /* NULL: without it, only slower */
    bool ok = encode_words(&e, err);
    free(e.made);
    free(e.dead);
    return ok;
}
