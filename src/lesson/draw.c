// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "lesson/lesson_inside.h"

/* FNV-1a (Fowler, Noll, Vo), 64 bits: a stream of random numbers for each name. */
static uint64_t hash(const char *name)
{
    uint64_t h = 0xCBF29CE484222325u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001B3u;
    return h;
}

/* 0 to n - 1; n is so small beside 2^32 that none is favoured by more than a thousandth. */
static uint64_t below(uint64_t n, uint64_t seed, const char *name)
{
    uint64_t stream = hash(name);
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {0, 0, (uint32_t)stream, (uint32_t)(stream >> 32)};
    uint32_t bits[4];
    es_philox(bits, counter, key);
    return bits[0] * n >> 32;
}

static char *draw_one(const es_drawable *d, uint64_t seed)
{
    uint64_t n = d->n ? d->n : (uint64_t)(d->high - d->low) + 1;
    uint64_t i = below(n, seed, d->name);
    if (d->words)
        return es_copy_string(d->word[i]);
    es_str text = {0};
    es_str_add(&text, "%" PRId64, d->n ? d->number[i] : d->low + (int64_t)i);
    return es_str_take(&text);
}

es_drawn es_draw(const es_lesson *l, uint64_t seed)
{
    es_drawn d = {l, seed, es_alloc_array(l->n_draws + 1, sizeof *d.text)};
    for (size_t i = 0; i < l->n_draws; i++)
        d.text[i] = draw_one(&l->draw[i], seed);
    return d;
}

void es_drawn_free(es_drawn *d)
{
    for (size_t i = 0; d->text && i < d->lesson->n_draws; i++)
        free(d->text[i]);
    free(d->text);
    *d = (es_drawn){0};
}

/* ---- names in braces ---- */

static bool begins_name(char c)
{
    return es_lesson_is_letter(c) || c == '_';
}

/* The length of the name in s = "{NAME}…"; 0: it is none. */
static size_t braced(const char *s)
{
    size_t n = 0;
    if (*s != '{' || !begins_name(s[1]))
        return 0;
    while (begins_name(s[n + 1]) || es_lesson_is_digit(s[n + 1]))
        n++;
    return s[n + 1] == '}' ? n : 0;
}

/* Which of the drawn names it is; n_draws: none. */
static size_t find(const es_lesson *l, const char *name, size_t n)
{
    size_t i = 0;
    while (i < l->n_draws && (strlen(l->draw[i].name) != n || memcmp(l->draw[i].name, name, n)))
        i++;
    return i;
}

void es_drawn_fill(es_str *out, const es_drawn *d, const char *s)
{
    while (*s) {
        size_t plain = strcspn(s, "{");
        es_str_bytes(out, s, plain);
        s += plain;
        size_t n = braced(s), i = n ? find(d->lesson, s + 1, n) : d->lesson->n_draws;
        if (i < d->lesson->n_draws) {
            es_str_cat(out, d->text[i]);
            s += n + 2;
        } else if (*s)
            es_str_char(out, *s++);
    }
}

bool es_drawn_stranger(const es_lesson *l, const char *s, es_str *name)
{
    for (; (s = strchr(s, '{')); s++) {
        size_t n = braced(s);
        if (n && find(l, s + 1, n) == l->n_draws) {
            es_str_bytes(name, s + 1, n);
            return true;
        }
    }
    return false;
}

/* ---- variables ---- */

static void add_string(es_str *out, const char *s)
{
    es_str_char(out, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            es_str_char(out, '\\');
        if (c < 0x20 || c == 0x7F)
            es_str_add(out, "\\x%02x", c);
        else
            es_str_char(out, *s);
    }
    es_str_char(out, '"');
}

void es_drawn_statements(es_str *out, const es_drawn *d)
{
    for (size_t i = 0; i < d->lesson->n_draws; i++) {
        es_str_add(out, "%s%s = ", i ? "\n" : "", d->lesson->draw[i].name);
        if (d->lesson->draw[i].words)
            add_string(out, d->text[i]);
        else
            es_str_cat(out, d->text[i]);
    }
}
