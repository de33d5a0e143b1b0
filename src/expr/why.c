// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/why_fill.h"
#include "expr/why_match.h"
#include "expr/why_near.h"
#include "expr/why_table.h"
#include "expr/why_trace.h"

enum { COLUMNS = 400 }; /* of what is quoted of a text */

static const es_why_topic *const tables[] = {
    es_why_broadcast, es_why_products, es_why_joins,     es_why_views,   es_why_axes,
    es_why_ids,       es_why_indexing, es_why_dtypes,    es_why_devices, es_why_python,
    es_why_numpy,     es_why_layers,   es_why_gradients, es_why_limits,  es_why_calls};

static const es_why_topic *topic_at(size_t i)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const es_why_topic *topic = tables[t]; topic->operation; topic++, i--)
            if (i == 0)
                return topic;
    return NULL;
}

bool es_why_known(size_t i, const char **operation, const char **try)
{
    const es_why_topic *topic = topic_at(i);
    if (!topic)
        return false;
    *operation = topic->operation;
    *try = topic->try;
    return true;
}

/* ---- which texts are in it ---- */

typedef struct hit {
    const es_why_topic *topic;
    es_match match;
} hit;

typedef struct hits {
    const es_why_topic **topics; /* by id */
    hit *of;                     /* [n_topics] by id, topic NULL: not found */
    size_t n_topics;
} hits;

/* Of several places the most specific counts, of equal ones the last: it is what ended the program. */
static void found(void *user, size_t id, const es_match *m)
{
    hits *h = user;
    hit *known = &h->of[id];
    if (known->topic && known->match.weight > m->weight)
        return;
    known->topic = h->topics[id];
    known->match = *m;
}

static int by_specificity(const void *a, const void *b)
{
    const hit *x = a, *y = b;
    if (!x->topic || !y->topic)
        return (x->topic == NULL) - (y->topic == NULL);
    if (x->topic->vague != y->topic->vague)
        return x->topic->vague - y->topic->vague;
    if (x->match.weight != y->match.weight)
        return x->match.weight > y->match.weight ? -1 : 1;
    return x->match.begin > y->match.begin ? -1 : x->match.begin < y->match.begin;
}

/* Part of a more specific match: the same words, read twice. */
static bool is_inside(const hit *h, const hit *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (h->match.begin < of[i].match.end && h->match.end > of[i].match.begin)
            return true;
    return false;
}

static size_t keep_best(hit *of, size_t n)
{
    size_t kept = 0;
    qsort(of, n, sizeof *of, by_specificity);
    for (size_t i = 0; i < n && of[i].topic && kept < ES_WHY_MOST; i++)
        if (!is_inside(&of[i], of, kept))
            of[kept++] = of[i];
    return kept;
}

/* ---- the answer ---- */

/* As it stands in the text, white space and line breaks as single spaces, cut if it is long. */
static const char *quote(es_arena *arena, const es_squeezed *q, size_t begin, size_t end)
{
    es_str bytes = {0}, shown = {0}, fitted = {0};
    size_t from = q->at[begin], to = q->at[end - 1] + 1;
    for (size_t i = from; i < to && bytes.len < 4 * COLUMNS; i++) {
        bool blank = strchr(" \t\r\n", q->from[i]) && q->from[i];
        if (!blank)
            es_str_char(&bytes, q->from[i]);
        else if (bytes.len && bytes.s[bytes.len - 1] != ' ')
            es_str_char(&bytes, ' ');
    }
    es_show_prose(&shown, es_str_text(&bytes), bytes.len);
    es_show_fit(&fitted, es_str_text(&shown), shown.len, COLUMNS);
    const char *kept = es_arena_copy(arena, es_str_text(&fitted), fitted.len);
    es_str_free(&bytes);
    es_str_free(&shown);
    es_str_free(&fitted);
    return kept;
}

static const char *fill(es_arena *arena, const char *template, const es_fill *f)
{
    es_str text = {0};
    const char *kept = NULL;
    if (template && es_fill_in(&text, template, f))
        kept = es_arena_copy(arena, es_str_text(&text), text.len);
    es_str_free(&text);
    return kept;
}

/* Those of the n templates whose numbers the text has. */
static const char *const *fill_all(es_arena *arena, const char *const *templates, size_t most,
                                   const es_fill *f, size_t *n)
{
    const char **of = es_arena_alloc(arena, most * sizeof *of);
    *n = 0;
    for (size_t i = 0; i < most && templates[i]; i++) {
        const char *text = fill(arena, templates[i], f);
        if (text)
            of[(*n)++] = text;
    }
    return of;
}

static void fill_numbers(es_arena *arena, es_why *w, const es_why_topic *t, const es_fill *f)
{
    enum { MOST = sizeof t->numbers / sizeof *t->numbers };
    es_why_number *of = es_arena_alloc(arena, MOST * sizeof *of);
    for (size_t i = 0; i < MOST && t->numbers[i].value; i++) {
        es_why_number number = {.value = fill(arena, t->numbers[i].value, f)};
        es_str means = {0};
        if (!number.value || !es_fill_in(&means, t->numbers[i].means, f)) {
            es_str_free(&means);
            continue;
        }
        number.whole = es_fill_whole(number.value, &number.i);
        es_fill_remark(&means, &number, t->numbers[i].role, f);
        number.means = es_arena_copy(arena, means.s, means.len);
        es_str_free(&means);
        of[w->n_numbers++] = number;
    }
    w->numbers = of;
}

static const char *fill_says(es_arena *arena, const es_why_topic *t, const es_fill *f)
{
    es_str text = {0}, more = {0};
    es_str_cat(&text, t->says);
    if (t->more && es_fill_in(&more, t->more, f))
        es_str_add(&text, " %s", more.s);
    const char *kept = es_arena_copy(arena, text.s, text.len);
    es_str_free(&text);
    es_str_free(&more);
    return kept;
}

static void explain(es_arena *arena, es_why *w, const hit *h, es_fill *f)
{
    const es_why_topic *t = h->topic;
    f->match = &h->match;
    w->operation = t->operation;
    w->matched = quote(arena, f->text, h->match.begin, h->match.end);
    w->says = fill_says(arena, t, f);
    fill_numbers(arena, w, t, f);
    w->causes = fill_all(arena, t->causes, sizeof t->causes / sizeof *t->causes, f, &w->n_causes);
    w->look = fill_all(arena, t->look, sizeof t->look / sizeof *t->look, f, &w->n_look);
    f->small = true;
    w->try = fill(arena, t->try_with, f);
    w->try = w->try ? w->
    try : t
        ->try;
    f->small = false;
}

/* ---- all of it ---- */

static size_t search(const es_squeezed *q, hits *h)
{
    es_wordings *all = es_wordings_new();
    while (topic_at(h->n_topics))
        h->n_topics++;
    h->topics = es_alloc_array(h->n_topics, sizeof *h->topics);
    h->of = es_alloc_array(h->n_topics, sizeof *h->of);
    for (size_t i = 0; i < h->n_topics; i++) {
        h->topics[i] = topic_at(i);
        for (const char *const *wording = h->topics[i]->wordings; *wording; wording++)
            es_wordings_add(all, *wording, i);
    }
    es_wordings_search(all, q, found, h);
    es_wordings_free(all);
    return keep_best(h->of, h->n_topics);
}

void es_why_find(es_why_answer *out, const char *text, size_t len, const es_why_size *sizes,
                 size_t n_sizes)
{
    size_t skipped = len > ES_WHY_READS ? len - ES_WHY_READS : 0;
    es_squeezed q;
    hits h = {0};
    *out = (es_why_answer){.arena = es_arena_new()};
    text += skipped;
    len -= skipped;
    es_squeeze(&q, text, len);
    out->n = search(&q, &h);
    out->of = es_arena_alloc(out->arena, ES_WHY_MOST * sizeof *out->of);
    es_fill f = {.text = &q, .sizes = sizes, .n_sizes = n_sizes};
    for (size_t i = 0; i < out->n; i++)
        explain(out->arena, &out->of[i], &h.of[i], &f);
    if (out->n == 0)
        out->nearest = es_why_nearest(out->arena, text, len, h.topics, h.n_topics);
    else
        es_why_trace(out, text, len);
    free(h.topics);
    free(h.of);
    es_squeezed_free(&q);
}

void es_why_free(es_why_answer *a)
{
    es_arena_free(a->arena);
    *a = (es_why_answer){0};
}
