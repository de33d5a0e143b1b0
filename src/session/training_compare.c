// SPDX-License-Identifier: GPL-3.0-or-later
/* What a run changed: neighbours, words that moved together, rows that moved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/training.h"

/* ---- neighbours ---- */

static bool all_finite(const double *q, int64_t C)
{
    for (int64_t c = 0; c < C; c++)
        if (!isfinite(q[c]))
            return false;
    return true;
}

/* The nearest rows to row id of (V, C) numbers; none where the row has no direction. */
static bool nearest(es_neighbour *best, int64_t *found, es_near *near, const float *wte, int32_t id,
                    es_watch *watch, es_error *err)
{
    int64_t C = es_table_width(es_near_table(near));
    double *q = es_alloc_array((size_t)C, sizeof *q);
    double length = 0;
    for (int64_t c = 0; c < C; c++) {
        q[c] = (double)wte[id * C + c];
        length += q[c] * q[c];
    }
    const es_near_query query = {q, ES_BY_COSINE, &id, 1};
    es_watch own = {.stop = &watch->cancel}; /* progress is that of the steps */
    *found = 0;
    bool ok = !all_finite(q, C) || length == 0 ||
              es_near_search(near, best, ES_TRAIN_NEIGHBOURS, found, &query, &own, err);
    free(q);
    return ok;
}

static es_near *near_in(const es_training *t, const float *wte, es_error *err)
{
    const es_config *sizes = &t->context->model->config;
    es_table *table =
        es_table_mapped(wte, ES_STORE_F32, sizes->vocab_size, sizes->n_embd, NULL, NULL);
    es_near *near = es_near_new(table, t->context->layer.be, err);
    es_table_unref(table);
    return near;
}

static bool compare_neighbours(es_training *t, es_watch *watch, es_error *err)
{
    const float *after = es_gpt_now(t->gpt).wte;
    es_near *was = near_in(t, t->before, err), *is = was ? near_in(t, after, err) : NULL;
    bool ok = is != NULL;
    for (size_t i = 0; ok && i < t->n_watched; i++) {
        es_train_near *n = &t->report.near[i];
        n->id = t->watched[i];
        ok = nearest(n->before, &n->n_before, was, t->before, n->id, watch, err) &&
             nearest(n->after, &n->n_after, is, after, n->id, watch, err);
    }
    t->report.n_near = ok ? t->n_watched : 0;
    es_near_free(was);
    es_near_free(is);
    return ok;
}

/* ---- words that moved together ---- */

typedef struct word {
    int32_t id;
    int64_t times;
} word;

static int by_times(const void *a, const void *b)
{
    const word *x = a, *y = b;
    return x->times != y->times ? (x->times < y->times ? 1 : -1) : x->id < y->id ? -1 : 1;
}

/* A space and letters: a word, not a piece of one. */
static bool is_word(const es_context *c, int32_t id)
{
    size_t n;
    const char *s = es_bpe_bytes(c->bpe, id, &n);
    if (!s || n < 2 || s[0] != ' ')
        return false;
    for (size_t i = 1; i < n; i++)
        if ((s[i] | 0x20) < 'a' || (s[i] | 0x20) > 'z')
            return false;
    return true;
}

/* The most frequent words that were looked up; returns how many. */
static size_t frequent_words(word *out, const es_training *t)
{
    enum { OFTEN = 5 };
    int64_t V = t->context->model->config.vocab_size;
    size_t n = 0;
    word *all = es_alloc_array((size_t)V, sizeof *all);
    for (int32_t id = 0; id < V; id++)
        if (t->looked_up[id] >= OFTEN && is_word(t->context, id))
            all[n++] = (word){id, t->looked_up[id]};
    qsort(all, n, sizeof *all, by_times);
    n = n < ES_TRAIN_WORDS ? n : ES_TRAIN_WORDS;
    memcpy(out, all, n * sizeof *out);
    free(all);
    return n;
}

/* Rows of the words, less their mean, each of length 1: what all of them did alike is no news of two. */
static double *directions(const word *words, size_t n, const float *wte, int64_t C)
{
    double *d = es_alloc_array(n * (size_t)C, sizeof *d);
    for (int64_t c = 0; c < C; c++) {
        double mean = 0;
        for (size_t i = 0; i < n; i++)
            mean += (double)wte[words[i].id * C + c] / (double)n;
        for (size_t i = 0; i < n; i++)
            d[(int64_t)i * C + c] = (double)wte[words[i].id * C + c] - mean;
    }
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (int64_t c = 0; c < C; c++)
            squares += d[(int64_t)i * C + c] * d[(int64_t)i * C + c];
        for (int64_t c = 0; squares > 0 && c < C; c++)
            d[(int64_t)i * C + c] /= sqrt(squares);
    }
    return d;
}

static double dot(const double *a, const double *b, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        sum += a[c] * b[c];
    return sum;
}

/* A smaller rise is not to be seen in two digits. */
static const double SEEN = 0.02;

/* Counted from 0: that two words stood against each other by chance makes their rise no larger. */
static double rise(const es_train_pair *p)
{
    return p->after - fmax(p->before, 0);
}

static int by_rise(const void *a, const void *b)
{
    const es_train_pair *x = a, *y = b;
    double more = rise(y) - rise(x);
    return more > 0       ? 1
           : more < 0     ? -1
           : x->a != y->a ? (x->a < y->a ? -1 : 1)
           : x->b < y->b  ? -1
                          : 1;
}

/* Keep the pairs that rose most; a word stands in two of them at most, for others are to be seen as well. */
static void keep_pairs(es_train_report *r, es_train_pair *all, size_t n)
{
    enum { EACH = 2 };
    qsort(all, n, sizeof *all, by_rise);
    for (size_t i = 0; i < n && r->n_pairs < ES_TRAIN_PAIRS; i++) {
        int used[2] = {0};
        for (size_t k = 0; k < r->n_pairs; k++) {
            used[0] += r->pair[k].a == all[i].a || r->pair[k].b == all[i].a;
            used[1] += r->pair[k].a == all[i].b || r->pair[k].b == all[i].b;
        }
        if (used[0] < EACH && used[1] < EACH)
            r->pair[r->n_pairs++] = all[i];
    }
}

static bool compare_words(es_training *t, es_watch *watch, es_error *err)
{
    int64_t C = t->context->model->config.n_embd;
    word words[ES_TRAIN_WORDS] = {0};
    size_t n = frequent_words(words, t), n_pairs = 0;
    double *was = directions(words, n, t->before, C);
    double *is = directions(words, n, es_gpt_now(t->gpt).wte, C);
    es_train_pair *pairs = es_alloc_array(n * n + 1, sizeof *pairs);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        ok = es_watch_step(watch, watch->done, err);
        for (size_t k = 0; ok && k < i; k++) {
            const double *a = was + (int64_t)k * C, *b = was + (int64_t)i * C;
            const double *x = is + (int64_t)k * C, *y = is + (int64_t)i * C;
            pairs[n_pairs] = (es_train_pair){words[k].id, words[i].id, dot(a, b, C), dot(x, y, C)};
            n_pairs += rise(&pairs[n_pairs]) >= SEEN;
        }
    }
    if (ok)
        keep_pairs(&t->report, pairs, n_pairs);
    free(pairs);
    free(was);
    free(is);
    return ok;
}

/* ---- rows that moved ---- */

static int by_look_ups(const void *a, const void *b)
{
    const es_train_row *x = a, *y = b;
    if (x->looked_up != y->looked_up)
        return x->looked_up < y->looked_up ? 1 : -1;
    if (!x->looked_up && x->by != y->by)
        return x->by < y->by ? 1 : -1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static double distance(const float *a, const float *b, int64_t C)
{
    double squares = 0;
    for (int64_t c = 0; c < C; c++)
        squares += ((double)a[c] - (double)b[c]) * ((double)a[c] - (double)b[c]);
    return sqrt(squares);
}

/* looked_up: for each row, how often. */
static bool find_moved(es_train_moves *m, const float *was, const float *is, int64_t C,
                       const int64_t *looked_up, es_watch *watch, es_error *err)
{
    m->of = es_try_alloc((size_t)m->rows, sizeof *m->of, "the rows that moved", err);
    if (!m->of)
        return false;
    for (int64_t i = 0; i < m->rows; i++) {
        if (i % 256 == 0 && !es_watch_step(watch, watch->done, err))
            return false;
        m->looked_up += looked_up[i] > 0;
        if (memcmp(was + i * C, is + i * C, (size_t)C * sizeof *was))
            m->of[m->n++] = (es_train_row){i, looked_up[i], distance(was + i * C, is + i * C, C)};
    }
    qsort(m->of, (size_t)m->n, sizeof *m->of, by_look_ups);
    return true;
}

static bool compare_rows(es_training *t, es_watch *watch, es_error *err)
{
    const es_config *sizes = &t->context->model->config;
    int64_t C = sizes->n_embd;
    es_gpt_params now = es_gpt_now(t->gpt);
    int64_t *places = es_alloc_array((size_t)sizes->n_ctx, sizeof *places);
    for (int64_t k = 0; k < t->recipe.context; k++)
        places[k] = t->step * t->recipe.batch;
    t->report.wte.rows = sizes->vocab_size;
    t->report.wpe.rows = sizes->n_ctx;
    bool ok = find_moved(&t->report.wte, t->before, now.wte, C, t->looked_up, watch, err) &&
              find_moved(&t->report.wpe, t->before + sizes->vocab_size * C, now.wpe, C, places,
                         watch, err);
    free(places);
    return ok;
}

bool es_training_compare(es_training *t, es_watch *watch, es_error *err)
{
    return compare_neighbours(t, watch, err) && compare_words(t, watch, err) &&
           compare_rows(t, watch, err);
}
