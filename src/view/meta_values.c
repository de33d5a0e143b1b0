// SPDX-License-Identifier: GPL-3.0-or-later
/* What the values of a table's columns are, and as colours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/numbers.h"
#include "view/meta_inside.h"

enum {
    LOOK = 4096,
    DIGITS = 64,
    LABEL = 24
}; /* tokens a look; longest number; columns of a word */

/* ---- numbers ---- */

/* "nan", "NA", "-inf": a number's place without one. */
static bool is_no_number(const char *s, size_t n)
{
    static const char *const words[] = {"nan", "-nan", "na", "n/a", "inf", "-inf", "+inf"};
    char lower[8] = "";
    for (size_t i = 0; n < sizeof lower && i < n; i++)
        lower[i] = (char)(s[i] >= 'A' && s[i] <= 'Z' ? s[i] - 'A' + 'a' : s[i]);
    for (size_t i = 0; *lower && i < sizeof words / sizeof *words; i++)
        if (!strcmp(lower, words[i]))
            return true;
    return n == 0;
}

/* False: it is a word.  *x is NaN where it is no finite number. */
static bool read_number(const char *s, size_t n, double *x)
{
    char text[DIGITS];
    char *end;
    *x = NAN;
    if (is_no_number(s, n))
        return true;
    if (n >= sizeof text)
        return false;
    memcpy(text, s, n);
    text[n] = '\0';
    if (strlen(text) != n || text[strspn(text, "+-.0123456789eE")])
        return false;
    double value = strtod(text, &end);
    *x = isfinite(value) ? value : NAN;
    return end == text + n;
}

/* Fill c->number; false with *word set where a value is a word. */
static bool take_numbers(es_meta *m, int k, bool *word, es_watch *watch, es_error *err)
{
    es_meta_column *c = &m->column[k];
    *word = false;
    for (int64_t id = 0; id < m->V; id++) {
        const char *s = "";
        size_t n = es_meta_value(m, k, (int32_t)id, &s);
        if (id % LOOK == 0 && !es_watch_step(watch, m->bytes.len, err))
            return false;
        *word = !read_number(s, n, &c->number[id]);
        if (*word)
            return true;
        c->n += !isnan(c->number[id]);
    }
    *word = c->n == 0; /* a column of nothing has no scale */
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A few values far from all others would leave these one colour. */
static bool find_ends(es_meta *m, es_meta_column *c, es_error *err)
{
    double *sorted = es_try_alloc((size_t)c->n, sizeof *sorted, "the values", err);
    int64_t n = 0;
    if (!sorted)
        return false;
    for (int64_t id = 0; id < m->V; id++)
        if (!isnan(c->number[id]))
            sorted[n++] = c->number[id];
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    c->low = sorted[n / 100];
    c->high = sorted[n - 1 - n / 100];
    if (c->low == c->high) {
        c->low = sorted[0];
        c->high = sorted[n - 1];
    }
    c->below = sorted[0] < c->low;
    c->above = sorted[n - 1] > c->high;
    free(sorted);
    return true;
}

/* ---- words ---- */

/* Every word of a column once, by its bytes; 2^bits places, at most half of them taken. */
typedef struct words {
    es_meta_word *of; /* n 0: a free place */
    int32_t *first;   /* (places) the token that has it first */
    size_t mask;
} words;

/* FNV-1a, its bits mixed. */
static size_t hash(const char *s, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32);
}

static size_t place_of(const words *w, const char *file, uint32_t begin, uint32_t len)
{
    size_t at = hash(file + begin, len) & w->mask;
    while (w->of[at].n &&
           (w->of[at].len != len || memcmp(file + w->of[at].begin, file + begin, len) != 0))
        at = (at + 1) & w->mask;
    return at;
}

static void close_words(words *w)
{
    free(w->of);
    free(w->first);
}

static bool open_words(words *w, int64_t most, es_error *err)
{
    size_t places = 16;
    while (places < 2 * (size_t)most)
        places *= 2;
    w->mask = places - 1;
    w->of = es_try_alloc(places, sizeof *w->of, "the words", err);
    w->first = w->of ? es_try_alloc(places, sizeof *w->first, "the words", err) : NULL;
    if (!w->first) {
        close_words(w);
        return false;
    }
    for (size_t i = 0; i < places; i++)
        w->of[i].n = 0;
    return true;
}

static bool count_words(words *w, es_meta *m, int k, es_watch *watch, es_error *err)
{
    es_meta_column *c = &m->column[k];
    c->n = c->different = 0;
    for (int64_t id = 0; id < m->V; id++) {
        const char *s = "";
        uint32_t n = (uint32_t)es_meta_value(m, k, (int32_t)id, &s);
        if (id % LOOK == 0 && !es_watch_step(watch, m->bytes.len, err))
            return false;
        if (!n)
            continue;
        uint32_t begin = (uint32_t)(s - m->bytes.s);
        size_t at = place_of(w, m->bytes.s, begin, n);
        if (!w->of[at].n) {
            w->of[at] = (es_meta_word){.begin = begin, .len = n};
            w->first[at] = (int32_t)id;
            c->different++;
        }
        w->of[at].n++;
        c->n++;
    }
    return true;
}

/* The commonest, of equals the one that comes first: all of them where there are hues enough. */
static void choose_common(const words *w, es_meta_column *c)
{
    int32_t first[ES_META_COMMON] = {0};
    int most = c->different > ES_META_COMMON ? ES_META_COMMON - 1 : ES_META_COMMON, n = 0;
    for (size_t at = 0; at <= w->mask; at++) {
        const es_meta_word *word = &w->of[at];
        if (!word->n)
            continue;
        int k = n;
        while (k && (word->n > c->common[k - 1].n ||
                     (word->n == c->common[k - 1].n && w->first[at] < first[k - 1])))
            k--;
        if (k == most)
            continue;
        n += n < most;
        memmove(c->common + k + 1, c->common + k, (size_t)(n - 1 - k) * sizeof *c->common);
        memmove(first + k + 1, first + k, (size_t)(n - 1 - k) * sizeof *first);
        c->common[k] = *word;
        first[k] = w->first[at];
    }
    c->n_common = n;
}

static uint8_t group_of(const es_meta *m, const es_meta_column *c, const char *s, size_t n)
{
    int k = 0;
    while (k < c->n_common &&
           (c->common[k].len != n || memcmp(m->bytes.s + c->common[k].begin, s, n) != 0))
        k++;
    return (uint8_t)k;
}

static bool take_words(es_meta *m, int k, es_watch *watch, es_error *err)
{
    es_meta_column *c = &m->column[k];
    words w;
    c->word = es_try_alloc((size_t)m->V, 1, "the words", err);
    if (!c->word || !open_words(&w, m->tokens, err))
        return false;
    bool ok = count_words(&w, m, k, watch, err);
    if (ok)
        choose_common(&w, c);
    close_words(&w);
    for (int64_t id = 0; ok && id < m->V; id++) {
        const char *s = "";
        size_t n = es_meta_value(m, k, (int32_t)id, &s);
        if (id % LOOK == 0 && !es_watch_step(watch, m->bytes.len, err))
            return false;
        c->word[id] = n ? group_of(m, c, s, n) : ES_META_NONE;
    }
    return ok;
}

/* ---- a column ---- */

static bool take_column(es_meta *m, int k, es_watch *watch, es_error *err)
{
    es_meta_column *c = &m->column[k];
    bool word;
    c->number = es_try_alloc((size_t)m->V, sizeof *c->number, "the values", err);
    if (!c->number || !take_numbers(m, k, &word, watch, err))
        return false;
    c->numbers = !word;
    if (c->numbers)
        return find_ends(m, c, err);
    free(c->number);
    c->number = NULL;
    return take_words(m, k, watch, err);
}

bool es_meta_find_values(es_meta *m, es_watch *watch, es_error *err)
{
    for (int k = 0; k < m->n; k++)
        if (!take_column(m, k, watch, err))
            return false;
    return true;
}

/* ---- colours ---- */

/* Seen through: tokens with a value stand out however few they are. */
static es_argb none_colour(const es_palette *p)
{
    return es_fade(p->faint, 0.3f);
}

/* Others stand back behind the common words. */
static es_argb word_colour(const es_meta_column *c, const es_palette *p, int word)
{
    return word < c->n_common ? p->hue[word] : p->faint;
}

static es_argb number_colour(const es_meta_column *c, const es_palette *p, double x)
{
    double part = c->high > c->low ? (x - c->low) / (c->high - c->low) : 0.5;
    return es_sequential(p, (float)part);
}

bool es_meta_has(const es_meta *m, int column, int32_t id)
{
    const es_meta_column *c = &m->column[column];
    if (id < 0 || id >= m->V)
        return false;
    return c->numbers ? !isnan(c->number[id]) : c->word[id] != ES_META_NONE;
}

es_argb es_meta_colour(const es_meta *m, int column, const es_palette *p, int32_t id)
{
    const es_meta_column *c = &m->column[column];
    if (!es_meta_has(m, column, id))
        return none_colour(p);
    if (c->numbers)
        return number_colour(c, p, c->number[id]);
    return word_colour(c, p, c->word[id]);
}

static void show_value(double x, es_str *label)
{
    if (x == floor(x) && fabs(x) < 1e9)
        es_show_count(label, (int64_t)x);
    else
        es_str_add(label, "%.4g", x);
}

/* The ends of the scale; one where all values are the same. */
static int number_entries(const es_meta_column *c)
{
    return c->high > c->low ? 2 : 1;
}

static void number_entry(const es_meta_column *c, const es_palette *p, int i, es_argb *colour,
                         es_str *label)
{
    double x = i ? c->high : c->low;
    *colour = number_colour(c, p, x);
    es_str_cat(label, i == 0 && c->below ? "≤ " : i == 1 && c->above ? "≥ " : "");
    show_value(x, label);
}

static int word_entries(const es_meta_column *c)
{
    return c->n_common + (c->different > c->n_common);
}

static void word_entry(const es_meta *m, const es_meta_column *c, const es_palette *p, int i,
                       es_argb *colour, es_str *label)
{
    *colour = word_colour(c, p, i);
    if (i < c->n_common) {
        es_str shown = {0};
        es_show_name(&shown, m->bytes.s + c->common[i].begin, c->common[i].len);
        es_show_fit(label, shown.s, shown.len, LABEL);
        es_str_free(&shown);
    } else {
        es_show_count(label, c->different - c->n_common);
        es_str_cat(label, " others");
    }
}

bool es_meta_legend(const es_meta *m, int column, const es_palette *p, int i, es_argb *colour,
                    es_str *label)
{
    const es_meta_column *c = &m->column[column];
    int n = c->numbers ? number_entries(c) : word_entries(c);
    if (i < n && c->numbers) {
        number_entry(c, p, i, colour, label);
    } else if (i < n) {
        word_entry(m, c, p, i, colour, label);
    } else if (i == n && c->n < m->V) {
        *colour = none_colour(p);
        es_str_cat(label, "no value");
    } else {
        return false;
    }
    return true;
}
