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

/* Where all began: joined is what the two bytes at the edge merge to, or 0.  Most of those that do not
 * stay apart are found out here. */
static inline bool bytes_stay_apart(const es_bpe *bpe, uint32_t joined, uint32_t left,
                                    uint32_t right, uint32_t below)
{
    return !joined || joined >= below || joined >= bpe->token[left].right_merge ||
           joined > bpe->token[right].left_merge;
}

static bool parts_stay_apart(const es_bpe *bpe, uint32_t left, uint32_t right, uint32_t below)
{
    for (;;) {
        uint32_t on_left = left > right, last = on_left ? left : right;
        if (last < ES_N_BYTES)
            return true;
        if (last + 1 < below) { /* a merge comes after those that made its halves */
            uint32_t joined = es_bpe_merged(bpe, left, right);
            if (joined && joined < below)
                return false;
        }
        uint32_t half = bpe->pair[2 * (last - ES_N_BYTES) + on_left];
        below = last + !on_left;
        left = on_left ? half : left; /* without branches: nobody could predict them */
        right = on_left ? right : half;
    }
}

bool es_bpe_stay_apart(const es_bpe *bpe, uint32_t left, uint32_t right, uint32_t below)
{
    unsigned char a = (unsigned char)bpe->text[bpe->begin[left + 1] - 1],
                  b = (unsigned char)bpe->text[bpe->begin[right]];
    return bytes_stay_apart(bpe, bpe->two[a << 8 | b].token, left, right, below) &&
           parts_stay_apart(bpe, left, right, below);
}

/* Could a part of left and one of right join?  Each must be in a set of the other; a token itself has
 * the set of all merges, its other parts one of a few. */
static inline bool parts_may_join(const es_bpe *bpe, uint32_t left, uint32_t right)
{
    const es_bpe_edge *l = &bpe->token[left].right, *r = &bpe->token[right].left;
    uint64_t left_bit = es_bpe_bit(left), right_bit = es_bpe_bit(right);
    return (((l->within & r->parts) != 0) & ((r->within & l->parts) != 0)) |
           (((l->joins & r->parts) != 0) & ((r->within & left_bit) != 0)) |
           (((l->within & right_bit) != 0) & ((r->joins & l->parts) != 0)) |
           (((l->joins & right_bit) != 0) & ((r->joins & left_bit) != 0));
}

/* ---- the longest token, then shorter ones ---- */

/* The node among [child, last) that a byte leads to; 0: none. */
static inline uint32_t child_of(const es_bpe *bpe, uint32_t child, uint32_t last,
                                unsigned char byte)
{
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

static inline const es_bpe_two *two_at(const es_bpe *bpe, const unsigned char *s)
{
    return &bpe->two[s[0] << 8 | s[1]];
}

/* A token that is tried, and where it ends. */
typedef struct step {
    uint32_t token;
    size_t end;
} step;

/* The longest token that s[at, end) begins with. */
static inline step longest_token(const es_bpe *bpe, const unsigned char *s, size_t at, size_t end)
{
    step best = {bpe->byte_id[s[at]], at + 1};
    if (best.end == end)
        return best;
    const es_bpe_two *two = two_at(bpe, s + at);
    if (two->token)
        best = (step){two->token, at + 2};
    uint32_t first = two->first, last = two->last, node;
    for (size_t i = at + 2; i < end && (node = child_of(bpe, first, last, s[i]));) {
        i++;
        if (bpe->node[node].token)
            best = (step){bpe->node[node].token - 1, i};
        first = bpe->node[node].first;
        last = bpe->node[node + 1].first;
    }
    return best;
}

/* Does the last byte merge with the one behind it before either can merge with another?  Then nothing
 * goes on from here. */
static inline bool leads_nowhere(const es_bpe *bpe, const unsigned char *s, step to, size_t end)
{
    if (to.end == end)
        return false;
    uint32_t joined = two_at(bpe, s + to.end - 1)->token;
    uint32_t open = to.end + 1 < end ? two_at(bpe, s + to.end)->open : ES_MAX_ID;
    return (joined != 0) & (joined < bpe->token[to.token].right_merge) & (joined <= open);
}

/* Does a token stay apart from the one before it, which ends at s[at]? */
static inline bool goes_on(const es_bpe *bpe, const unsigned char *s, size_t at, uint32_t before,
                           uint32_t token)
{
    uint32_t joined = two_at(bpe, s + at - 1)->token;
    return bytes_stay_apart(bpe, joined, before, token, UINT32_MAX) &&
           (!parts_may_join(bpe, before, token) ||
            parts_stay_apart(bpe, before, token, UINT32_MAX));
}

bool es_bpe_encode_part(const es_bpe *bpe, es_tokens *out, const char *text, size_t begin,
                        size_t end, uint64_t *dead, es_watch *watch, es_error *err)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t first = out->n, at = begin;
    for (step to = longest_token(bpe, s, at, end);;) {
        size_t place = to.end - begin;
        bool fits =
            !leads_nowhere(bpe, s, to, end) && !(dead[place / 64] >> place % 64 & 1) &&
            (out->n == first || goes_on(bpe, s, at, (uint32_t)out->id[out->n - 1], to.token));
        uint32_t shorter = bpe->token[to.token].shorter;
        if (fits) {
            if (out->n + 1 >= out->cap && !es_tokens_room(out, out->n / 2 + 64, err))
                return false;
            es_tokens_put(out, (int32_t)to.token, (uint32_t)to.end);
            at = to.end;
            if (at >= end)
                return true;
            to = longest_token(bpe, s, at, end);
            if (out->n % STEP_TOKENS == 0 && !es_watch_step(watch, at, err))
                return false;
        } else if (shorter) {
            to = (step){shorter - 1, at + bpe->token[shorter - 1].length};
        } else if (out->n > first) { /* nothing goes on from here: take the token before back */
            place = at - begin;
            dead[place / 64] |= (uint64_t)1 << place % 64;
            to = (step){(uint32_t)out->id[--out->n], at};
            at -= bpe->token[to.token].length;
        } else {
            return es_fail(err, ES_ERR_FORMAT,
                           "the tables of the vocabulary contradict themselves");
        }
    }
}
