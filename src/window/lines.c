// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { N_BUCKETS = 4096, MOST_LINES = 8192, MOST_BYTES = 32 << 20, BORROWED = 256 };

typedef struct line {
    struct line *next;          /* in its bucket */
    struct line *newer, *older; /* by when it was used last */
    uint64_t hash, used;
    size_t n, bytes;
    int quarters, style;
    es_glyphs glyphs;
    char text[];
} line;

struct es_glyph_lines {
    line *bucket[N_BUCKETS];
    line *newest, *oldest;
    size_t n, bytes;
    uint64_t clock; /* calls of es_glyph_lines_find */
};

es_glyph_lines *es_glyph_lines_new(void)
{
    return es_alloc(sizeof(es_glyph_lines));
}

/* FNV-1a, over what makes a line. */
static uint64_t hash_of(const es_line_key *key)
{
    uint64_t hash = 0xCBF29CE484222325u ^ ((uint64_t)key->quarters << 8 | (uint64_t)key->style);
    for (size_t i = 0; i < key->n; i++)
        hash = (hash ^ (unsigned char)key->text[i]) * 0x100000001B3u;
    return hash ^ hash >> 32;
}

static void unlink_use(es_glyph_lines *l, line *x)
{
    *(x->newer ? &x->newer->older : &l->newest) = x->older;
    *(x->older ? &x->older->newer : &l->oldest) = x->newer;
}

static void link_newest(es_glyph_lines *l, line *x)
{
    x->newer = NULL;
    x->older = l->newest;
    *(l->newest ? &l->newest->newer : &l->oldest) = x;
    l->newest = x;
    x->used = l->clock;
}

static void drop(es_glyph_lines *l, line *x)
{
    line **at = &l->bucket[x->hash % N_BUCKETS];
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    unlink_use(l, x);
    l->n--;
    l->bytes -= x->bytes;
    free((void *)x->glyphs.cover);
    free((void *)x->glyphs.colour);
    free(x);
}

void es_glyph_lines_free(es_glyph_lines *l)
{
    while (l && l->oldest)
        drop(l, l->oldest);
    free(l);
}

static bool is(const line *x, uint64_t hash, const es_line_key *key)
{
    return x->hash == hash && x->n == key->n && x->quarters == key->quarters &&
           x->style == key->style && !memcmp(x->text, key->text, key->n);
}

const es_glyphs *es_glyph_lines_find(es_glyph_lines *l, const es_line_key *key)
{
    uint64_t hash = hash_of(key);
    l->clock++;
    for (line *x = l->bucket[hash % N_BUCKETS]; x; x = x->next)
        if (is(x, hash, key)) {
            unlink_use(l, x);
            link_newest(l, x);
            return &x->glyphs;
        }
    return NULL;
}

void es_glyph_lines_keep(es_glyph_lines *l, const es_line_key *key, const es_glyphs *glyphs)
{
    size_t pixels = (size_t)glyphs->w * (size_t)glyphs->h;
    line *x = es_alloc(sizeof *x + key->n);
    x->hash = hash_of(key);
    x->n = key->n;
    x->quarters = key->quarters;
    x->style = key->style;
    x->glyphs = *glyphs;
    x->bytes = sizeof *x + key->n + pixels * (glyphs->colour ? 5 : 1);
    memcpy(x->text, key->text, key->n);
    x->next = l->bucket[x->hash % N_BUCKETS];
    l->bucket[x->hash % N_BUCKETS] = x;
    link_newest(l, x);
    l->n++;
    l->bytes += x->bytes;
    while ((l->n > MOST_LINES || l->bytes > MOST_BYTES) && /* then there is an oldest one */
           l->oldest->used + BORROWED < l->clock)          /* NOLINT(clang-analyzer-*) */
        drop(l, l->oldest);
}
