// SPDX-License-Identifier: GPL-3.0-or-later
/* A part of a text from left to right, without merging it.
 *
 * A sequence of tokens is what merging gives if and only if any two neighbours stay apart when merged.
 * So the longest token is tried that stays apart from the one before it, then shorter ones, then the one
 * before is taken back; a place where nothing goes on is marked, and never tried again, because only one
 * sequence of tokens leads to it.  Hence linear time. */
#include "text/bpe_fast.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { STEP_TOKENS = 1 << 14 }; /* between two looks at the watch */

/* ---- do two tokens stay apart? ----
 * Merging is undone step by step, last merge first, only at the edge where the two meet: left's last
 * part and right's first.  While both of these were there, their own merge was open; it was done if it
 * came before the next merge at the edge, whose place in the order of merges is `below`.  Of equal
 * merges the left one goes first: so one on the left side leaves the edge only those before it, and one
 * on the right side also its equal. */
bool es_bpe_stay_apart(const es_bpe *bpe, uint32_t left, uint32_t right, uint32_t below)
{
    /* Where all begins, two bytes: most of those that do not stay apart are found out here. */
    uint32_t l = bpe->edges[left].right, r = bpe->edges[right].left;
    uint32_t joined = bpe->two[(l & 255) << 8 | (r & 255)];
    if (joined && joined < below && joined < l >> 8 && joined <= r >> 8)
        return false;
    for (;;) {
        uint32_t on_left = left > right, last = on_left ? left : right;
        if (last < ES_N_BYTES)
            return true;
        if (last + 1 < below) { /* a merge comes after those that made its halves */
            joined = es_bpe_merged(bpe, left, right);
            if (joined && joined < below)
                return false;
        }
        uint32_t half = bpe->pair[2 * (last - ES_N_BYTES) + on_left];
        below = last + !on_left;
        left = on_left ? half : left; /* without branches: nobody could predict them */
        right = on_left ? right : half;
    }
}

/* ---- the longest token, then shorter ones ---- */

/* The child of a node that a byte leads to; 0: none. */
static inline uint32_t child_of(const es_bpe *bpe, uint32_t node, unsigned char byte)
{
    uint32_t child = bpe->node[node].first, last = bpe->node[node + 1].first;
#ifdef __SSE2__
    for (; child < last; child += ES_TRIE_PAD) {
        __m128i bytes = _mm_loadu_si128((const void *)(bpe->byte_of + child));
        unsigned equal =
            (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)byte)));
        if (equal) {
            child += (uint32_t)__builtin_ctz(equal);
            return child < last ? child : 0;
        }
    }
    return 0;
#else
    while (child < last && bpe->byte_of[child] != byte)
        child++;
    return child < last ? child : 0;
#endif
}

/* The longest token that text[at, end) begins with. */
static uint32_t longest_token(const es_bpe *bpe, const char *text, size_t at, size_t end)
{
    const unsigned char *s = (const unsigned char *)text;
    uint32_t best = bpe->byte_id[s[at]] + 1;
    uint32_t node = at + 1 < end ? bpe->by_bytes[s[at] << 8 | s[at + 1]] : 0;
    for (size_t i = at + 2; node; i++) {
        if (bpe->node[node].token)
            best = bpe->node[node].token;
        node = i < end ? child_of(bpe, node, s[i]) : 0;
    }
    return best - 1;
}

bool es_bpe_encode_part(const es_bpe *bpe, es_tokens *out, const char *text, size_t begin,
                        size_t end, uint64_t *dead, es_watch *watch, es_error *err)
{
    size_t first = out->n, at = begin;
    for (uint32_t token = longest_token(bpe, text, at, end);;) {
        size_t next = at + es_bpe_length(bpe, token), place = next - begin;
        bool fits = !(dead[place / 64] >> place % 64 & 1) &&
                    (out->n == first ||
                     es_bpe_stay_apart(bpe, (uint32_t)out->id[out->n - 1], token, UINT32_MAX));
        if (fits) {
            if (out->n + 1 >= out->cap && !es_tokens_room(out, out->n / 2 + 64, err))
                return false;
            es_tokens_put(out, (int32_t)token, (uint32_t)next);
            at = next;
            if (at >= end)
                return true;
            token = longest_token(bpe, text, at, end);
            if (out->n % STEP_TOKENS == 0 && !es_watch_step(watch, at, err))
                return false;
        } else if (bpe->shorter[token]) {
            token = bpe->shorter[token] - 1;
        } else if (out->n > first) { /* nothing goes on from here: take the token before back */
            place = at - begin;
            dead[place / 64] |= (uint64_t)1 << place % 64;
            token = (uint32_t)out->id[--out->n];
            at -= es_bpe_length(bpe, token);
        } else {
            return es_fail(err, ES_ERR_FORMAT,
                           "the tables of the vocabulary contradict themselves");
        }
    }
}
