// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/why_near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

enum {
    READS = 1 << 12,   /* bytes of the text's end: a longer one holds every word somewhere */
    BITS = 1 << 16,    /* of the set of its words */
    SHORTEST = 3,      /* letters of a word that counts */
    LEAST = 4,         /* words that are shared, */
    LEAST_PERCENT = 60 /* of those of the wording */
};

static bool is_letter(char c)
{
    return isascii((unsigned char)c) && (isalnum((unsigned char)c) || c == '_');
}

/* The next word from *s on: its hash and length; 0: none is left. */
static size_t next_word(const char **s, const char *end, uint32_t *hash)
{
    size_t n = 0;
    while (*s < end && !is_letter(**s))
        *s += 1;
    for (*hash = 2166136261u; *s < end && is_letter(**s); n++, *s += 1)
        *hash = (*hash ^ (uint32_t)tolower((unsigned char)**s)) * 16777619u;
    *hash = (*hash ^ *hash >> 16) % BITS;
    return n;
}

/* Percent of the wording's words that the set has; 0 when they are too few. */
static int shared(const char *wording, const uint8_t *set)
{
    const char *end = wording + strlen(wording);
    int words = 0, both = 0;
    uint32_t hash;
    for (size_t n; (n = next_word(&wording, end, &hash));) {
        bool placeholder = n <= 2; /* n0 of {n0}, and is of no weight otherwise */
        words += n >= SHORTEST;
        both += n >= SHORTEST && !placeholder && set[hash / 8] >> hash % 8 & 1;
    }
    return both < LEAST ? 0 : 100 * both / words;
}

/* The wording with … for what differs from case to case. */
static const char *readable(es_arena *arena, const char *wording)
{
    es_str text = {0};
    for (; *wording; wording++) {
        if (*wording == '{') {
            es_str_cat(&text, "…");
            wording = strchr(wording, '}');
        } else if (*wording != '~') {
            es_str_char(&text, *wording);
        }
    }
    const char *kept = es_arena_copy(arena, es_str_text(&text), text.len);
    es_str_free(&text);
    return kept;
}

const char *es_why_nearest(es_arena *arena, const char *text, size_t len,
                           const es_why_topic *const *topics, size_t n)
{
    uint8_t *set = es_alloc(BITS / 8);
    const char *s = len > READS ? text + len - READS : text, *end = text + len, *best = NULL;
    int most = LEAST_PERCENT - 1;
    uint32_t hash;
    while (next_word(&s, end, &hash))
        set[hash / 8] |= (uint8_t)(1 << hash % 8);
    for (size_t i = 0; i < n; i++)
        for (const char *const *wording = topics[i]->wordings; *wording; wording++) {
            int percent = shared(*wording, set);
            if (percent > most) {
                most = percent;
                best = *wording;
            }
        }
    free(set);
    return best ? readable(arena, best) : NULL;
}
