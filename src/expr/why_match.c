// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/why_match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    BUCKETS = 1 << 12,
    WORD = 96,       /* bytes a {w} may have */
    TRIES_A_BYTE = 8 /* steps per byte of text that all wordings together may take */
};

/* ---- wordings ---- */

/* A piece of a wording: its own letters, or a placeholder. */
typedef struct piece {
    char kind; /* 'l' letters, n f s w as in the wording, 'g' for {} */
    bool kept; /* before the ~ */
    int slot;
    char *s;
    size_t n;
} piece;

typedef struct wording {
    size_t id, anchor; /* the piece by which it is found */
    piece *of;
    size_t n;
    int next; /* in the bucket */
} wording;

struct es_wordings {
    wording *of;
    size_t n, cap;
    int bucket[BUCKETS]; /* 1 + the first wording, 0: none */
};

static unsigned key_of(const char *s)
{
    uint64_t key = 0;
    memcpy(&key, s, ES_WHY_KEY);
    return (unsigned)(key * 0x9E3779B97F4A7C15u >> 52);
}

es_wordings *es_wordings_new(void)
{
    return es_alloc(sizeof(es_wordings));
}

static piece *add_piece(wording *w, char kind, int slot, bool kept)
{
    w->of = es_realloc(w->of, (w->n + 1) * sizeof *w->of);
    w->of[w->n] = (piece){.kind = kind, .slot = slot, .kept = kept};
    return &w->of[w->n++];
}

static void add_letters(wording *w, const char *s, size_t n, bool kept)
{
    es_squeezed q;
    es_squeeze(&q, s, n);
    if (q.n) {
        piece *p = add_piece(w, 'l', -1, kept);
        p->s = es_copy_bytes(q.s, q.n);
        p->n = q.n;
    }
    es_squeezed_free(&q);
}

static void read_wording(wording *w, const char *s)
{
    bool kept = true;
    while (*s) {
        size_t n = strcspn(s, "{~");
        add_letters(w, s, n, kept);
        s += n;
        if (*s == '~') {
            kept = false;
            s++;
        } else if (*s) {
            bool gap = s[1] == '}';
            add_piece(w, gap ? 'g' : s[1], gap ? -1 : s[2] - '0', kept);
            s += gap ? 2 : 4;
        }
    }
}

void es_wordings_add(es_wordings *all, const char *text, size_t id)
{
    if (all->n == all->cap) {
        all->cap = all->cap ? 2 * all->cap : 256;
        all->of = es_realloc(all->of, all->cap * sizeof *all->of);
    }
    wording *w = &all->of[all->n++];
    *w = (wording){.id = id};
    read_wording(w, text);
    assert(w->n > 0);
    w->anchor = w->of[0].kind != 'l';
    const piece *anchor = &w->of[w->anchor];
    assert(anchor->kind == 'l' && anchor->n >= ES_WHY_KEY);
    unsigned key = key_of(anchor->s);
    w->next = all->bucket[key];
    all->bucket[key] = (int)all->n;
}

void es_wordings_free(es_wordings *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->n; i++) {
        for (size_t k = 0; k < all->of[i].n; k++)
            free(all->of[i].of[k].s);
        free(all->of[i].of);
    }
    free(all->of);
    free(all);
}

/* ---- numbers and shapes ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number at i; `decimals`: 2.00 too.  A gap ends it, for 5 and 8 in a row are not 58. */
static size_t read_number(const es_squeezed *q, size_t i, bool decimals, int64_t *value)
{
    bool minus = i < q->n && q->s[i] == '-';
    size_t begin = i + minus;
    *value = 0;
    for (i = begin; i < q->n && (i == begin || !q->apart[i]); i++) {
        if (decimals && q->s[i] == '.' && i > begin && i + 1 < q->n && is_digit(q->s[i + 1]))
            continue;
        if (!is_digit(q->s[i]))
            break;
        *value = *value < INT64_MAX / 100 ? *value * 10 + (q->s[i] - '0') : *value;
    }
    *value = minus ? -*value : *value;
    return i > begin ? i : 0;
}

static bool at_word(const es_squeezed *q, size_t i, const char *word)
{
    size_t n = strlen(word);
    return i + n <= q->n && !memcmp(q->s + i, word, n);
}

/* Sizes with one of the separators between them, from i on. */
static size_t read_sizes(const es_squeezed *q, size_t i, const char *separators, es_capture *c)
{
    while (i < q->n) {
        int64_t size = -1;
        size_t end = at_word(q, i, "newaxis") ? i + 7 : read_number(q, i, false, &size);
        if (!end)
            return i;
        if (c->n_dims < ES_WHY_DIMS)
            c->dims[c->n_dims++] = size;
        if (end >= q->n || !strchr(separators, q->s[end]))
            return end;
        i = end + 1;
    }
    return i;
}

static size_t read_shape(const es_squeezed *q, size_t i, es_capture *c)
{
    bool named = at_word(q, i, "torch.size(");
    i += named ? 11 : 0;
    bool bracket = i < q->n && (q->s[i] == '[' || q->s[i] == '(');
    size_t end = read_sizes(q, i + bracket, bracket ? ",x" : "x", c);
    if (!bracket)
        return c->n_dims > 1 ? end : 0;
    if (end >= q->n || (q->s[end] != ']' && q->s[end] != ')'))
        return 0;
    end++;
    return end + (named && end < q->n && q->s[end] == ')');
}

/* ---- matching ---- */

/* The last words of a wording end with the text's word. */
static size_t end_of_word(const es_squeezed *q, size_t i)
{
    size_t begin = i;
    while (i < q->n && i - begin < WORD && (i == begin || !q->apart[i]) &&
           !strchr(",;!()", q->s[i]))
        i++;
    while (i > begin && (q->s[i - 1] == '.' || q->s[i - 1] == ':'))
        i--;
    return i;
}

/* The beginning of the word that ends before i. */
static size_t begin_of_word(const es_squeezed *q, size_t i)
{
    size_t end = i;
    if (i && !strchr(",;!()", q->s[i - 1]))
        i--;
    while (i && i < end && end - i < WORD && !q->apart[i] && !strchr(",;!()=", q->s[i - 1]))
        i--;
    return i;
}

/* Where the letters of p are found next, at most WORD bytes on; q->n + 1: nowhere. */
static size_t next_letters(const es_squeezed *q, size_t i, const piece *p)
{
    size_t room = q->n - i < WORD + p->n ? q->n - i : WORD + p->n;
    const char *at = memmem(q->s + i, room, p->s, p->n);
    return at ? (size_t)(at - q->s) : q->n + 1;
}

/* Where piece p, standing at i, ends; 0: it does not stand there. */
static size_t take(const es_squeezed *q, const piece *p, const piece *next, size_t i, es_capture *c)
{
    size_t end = 0;
    *c = (es_capture){.begin = i};
    if (p->kind == 'l') {
        return i + p->n <= q->n && !memcmp(q->s + i, p->s, p->n) ? i + p->n : 0;
    } else if (p->kind == 'n' || p->kind == 'f') {
        c->kind = p->kind == 'n' ? ES_CAPTURE_NUMBER : ES_CAPTURE_TEXT;
        end = read_number(q, i, p->kind == 'f', &c->number);
    } else if (p->kind == 's') {
        c->kind = ES_CAPTURE_SHAPE;
        end = read_shape(q, i, c);
    } else {
        c->kind = ES_CAPTURE_TEXT;
        end = next ? next_letters(q, i, next) : q->n + 1;
        if (end > q->n && (!next || !p->kept)) /* the text ends here, or is cut off behind it */
            end = end_of_word(q, i);
        end = end > q->n || (p->kind == 'w' && end == i) ? 0 : end;
    }
    c->end = end;
    return end;
}

static bool match(const es_squeezed *q, const wording *w, size_t at, es_match *m)
{
    *m = (es_match){.begin = at, .end = at};
    if (w->anchor) {
        m->begin = begin_of_word(q, at);
        if (m->begin == at)
            return false;
        if (w->of[0].slot >= 0)
            m->slot[w->of[0].slot] =
                (es_capture){.kind = ES_CAPTURE_TEXT, .begin = m->begin, .end = at};
    }
    for (size_t k = w->anchor; k < w->n; k++) {
        es_capture c;
        const piece *p = &w->of[k];
        size_t end = take(q, p, k + 1 < w->n ? &w->of[k + 1] : NULL, m->end, &c);
        if (!end)
            return !p->kept;
        if (p->slot >= 0)
            m->slot[p->slot] = c;
        m->weight += p->n;
        m->end = end;
    }
    return true;
}

void es_wordings_search(es_wordings *all, const es_squeezed *q,
                        void (*found)(void *user, size_t id, const es_match *m), void *user)
{
    size_t budget = TRIES_A_BYTE * (q->n + BUCKETS);
    for (size_t i = 0; i + ES_WHY_KEY <= q->n; i++)
        for (int k = all->bucket[key_of(q->s + i)]; k; k = all->of[k - 1].next) {
            es_match m;
            const wording *w = &all->of[k - 1];
            const piece *anchor = &w->of[w->anchor];
            if (i + anchor->n > q->n || memcmp(q->s + i, anchor->s, anchor->n))
                continue;
            if (budget < WORD)
                return;
            budget -= WORD;
            if (match(q, w, i, &m))
                found(user, w->id, &m);
        }
}
