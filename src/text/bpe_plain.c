// SPDX-License-Identifier: GPL-3.0-or-later
/* The merge loop as the definition has it, word by word: the judge of the fast encoder, and what :merges
 * replays. */
#include <stdlib.h>

#include "base/mem.h"
#include "text/bpe_tables.h"

enum { NO_RANK = -1, STEP_BYTES = 1 << 14 };

/* The merge of two neighbours, or NO_RANK. */
static int32_t rank_of(const es_bpe *bpe, uint32_t left, uint32_t right)
{
    uint32_t made = es_bpe_merged(bpe, left, right);
    return made ? (int32_t)made - ES_N_BYTES : NO_RANK;
}

/* ---- merging one word ----
 * The word is a list of parts, at first its bytes; a heap holds every pair of neighbours that some
 * merge joins, lowest rank first and leftmost among equals.  A merge changes two pairs; entries of
 * the heap that no longer tell the truth are skipped when they come up. */

typedef struct part {
    uint32_t id;
    uint32_t next, prev; /* byte offsets of the neighbours; next == length at the end */
    int32_t rank;        /* of the merge with the next part, or NO_RANK */
} part;

typedef struct merger {
    part *part;     /* by the byte a part begins at */
    uint64_t *heap; /* rank << 32 | offset */
    size_t n_heap, cap;
} merger;

static void merger_free(merger *m)
{
    free(m->part);
    free(m->heap);
}

static bool merger_reserve(merger *m, size_t len, es_error *err)
{
    if (len <= m->cap)
        return true;
    size_t cap = len < 64 ? 64 : len;
    merger_free(m);
    *m = (merger){0};
    m->part = es_try_alloc(cap, sizeof *m->part, "the parts of a word", err);
    /* A merge takes one entry off and adds at most two; fewer than len merges, len pairs to start. */
    m->heap = m->part ? es_try_alloc(2 * cap, sizeof *m->heap, "the pairs of a word", err) : NULL;
    if (!m->heap)
        return false;
    m->cap = cap;
    return true;
}

static void sift_down(uint64_t *heap, size_t n, size_t i)
{
    uint64_t moving = heap[i];
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= moving)
            break;
        heap[i] = heap[child];
    }
    heap[i] = moving;
}

static void push(merger *m, uint64_t entry)
{
    size_t i = m->n_heap++;
    for (; i && m->heap[(i - 1) / 2] > entry; i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = entry;
}

static uint64_t pop(merger *m)
{
    uint64_t top = m->heap[0];
    m->heap[0] = m->heap[--m->n_heap];
    if (m->n_heap)
        sift_down(m->heap, m->n_heap, 0);
    return top;
}

static uint64_t entry_of(int32_t rank, uint32_t at)
{
    return (uint64_t)(uint32_t)rank << 32 | at;
}

/* Called once a byte or merge: looks at the watch now and then.  The words before this one have told
 * how far the text is. */
static bool still_wanted(es_watch *watch, uint64_t n, es_error *err)
{
    return !watch || n % STEP_BYTES || es_watch_step(watch, watch->done, err);
}

static uint32_t byte_id(const es_bpe *bpe, char byte)
{
    return bpe->byte_id[(unsigned char)byte];
}

/* Bytes to parts, and a heap of their pairs. */
static bool start_word(merger *m, const es_bpe *bpe, const char *word, uint32_t len,
                       es_watch *watch, es_error *err)
{
    m->n_heap = 0;
    for (uint32_t i = 0; i < len; i++) {
        if (!still_wanted(watch, i, err))
            return false;
        part *p = &m->part[i];
        *p = (part){.id = byte_id(bpe, word[i]), .next = i + 1, .prev = i - 1, .rank = NO_RANK};
        if (i + 1 < len)
            p->rank = rank_of(bpe, p->id, byte_id(bpe, word[i + 1]));
        if (p->rank != NO_RANK)
            m->heap[m->n_heap++] = entry_of(p->rank, i);
    }
    for (size_t i = m->n_heap / 2; i-- > 0;) {
        if (!still_wanted(watch, i, err))
            return false;
        sift_down(m->heap, m->n_heap, i);
    }
    return true;
}

/* The pair at `at` has changed: find its merge and, if there is one, queue it. */
static void requeue(merger *m, const es_bpe *bpe, uint32_t at, uint32_t len)
{
    part *p = &m->part[at];
    p->rank = p->next < len ? rank_of(bpe, p->id, m->part[p->next].id) : NO_RANK;
    if (p->rank != NO_RANK)
        push(m, entry_of(p->rank, at));
}

/* Join the part at `at` with the one after it. */
static void join(merger *m, const es_bpe *bpe, uint32_t at, uint32_t len)
{
    part *left = &m->part[at], *right = &m->part[left->next];
    left->id = ES_N_BYTES + (uint32_t)left->rank;
    left->next = right->next;
    right->rank = NO_RANK;
    if (left->next < len)
        m->part[left->next].prev = at;
    requeue(m, bpe, at, len);
    if (at > 0)
        requeue(m, bpe, left->prev, len);
}

static bool merge_word(merger *m, const es_bpe *bpe, const char *word, uint32_t len,
                       es_merge_fn on_merge, void *user, es_watch *watch, es_error *err)
{
    if (!start_word(m, bpe, word, len, watch, err))
        return false;
    for (uint64_t n = 1; m->n_heap; n++) {
        uint64_t best = pop(m);
        uint32_t at = (uint32_t)best;
        part *left = &m->part[at];
        if (left->rank != (int32_t)(best >> 32))
            continue;
        if (on_merge)
            on_merge(user, at, (int32_t)left->id, (int32_t)m->part[left->next].id,
                     ES_N_BYTES + left->rank);
        join(m, bpe, at, len);
        if (!still_wanted(watch, n, err))
            return false;
    }
    return true;
}

bool es_bpe_trace(const es_bpe *bpe, const char *word, size_t len, es_merge_fn on_merge, void *user,
                  es_watch *watch, es_error *err)
{
    merger m = {0};
    bool ok = merger_reserve(&m, len, err) &&
              merge_word(&m, bpe, word, (uint32_t)len, on_merge, user, watch, err);
    merger_free(&m);
    return ok;
}

static bool encode_word(merger *m, const es_bpe *bpe, es_tokens *out, const char *text,
                        size_t begin, size_t len, es_watch *watch, es_error *err)
{
    if (!merger_reserve(m, len, err) ||
        !merge_word(m, bpe, text + begin, (uint32_t)len, NULL, NULL, watch, err))
        return false;
    for (size_t i = 0; i < len; i = m->part[i].next)
        if (!es_tokens_add(out, (int32_t)m->part[i].id, (uint32_t)(begin + m->part[i].next), err))
            return false;
    return true;
}

bool es_bpe_encode_plain(const es_bpe *bpe, es_tokens *out, const char *text, size_t len,
                         es_error *err)
{
    merger m = {0};
    bool ok = true;
    uint32_t end;
    out->n = 0;
    for (size_t at = 0; ok && at < len; at += end) {
        bpe->pretoken(text + at, len - at, &end, 1);
        ok = encode_word(&m, bpe, out, text, at, end, NULL, err);
    }
    merger_free(&m);
    return ok;
}

int32_t es_bpe_find(const es_bpe *bpe, const char *bytes, size_t len)
{
    size_t n;
    const char *special = es_bpe_bytes(bpe, es_bpe_endoftext(bpe), &n);
    if (len == n && !memcmp(bytes, special, len))
        return es_bpe_endoftext(bpe);
    if (len == 0 || len >= UINT32_MAX)
        return -1;
    merger m = {0};
    int32_t id = -1;
    if (merger_reserve(&m, len, NULL) &&
        merge_word(&m, bpe, bytes, (uint32_t)len, NULL, NULL, NULL, NULL) && m.part[0].next == len)
        id = (int32_t)m.part[0].id;
    merger_free(&m);
    return id;
}
