// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/mem.h"
#include "core/eigen.h"
#include "layer/cosine.h"
#include "layer/near.h"
#include "model/model.h"
#include "model/safetensors.h"

static const char lists_path[] = "tests/data/neighbour_lists.tsv";

enum { LIST_WORDS = 32, VARIANTS = 16 };

/* ---- counts ---- */

/* V counts as the file has them; NULL: it has none. */
static int32_t *read_counts(const char *path, int64_t V, es_error *err)
{
    int32_t *counts = NULL;
    es_safetensors *f = es_safetensors_open(path, err);
    if (!f)
        return NULL;
    const es_stored *t = es_safetensors_find(f, "token_count");
    if (t && !strcmp(t->type->name, "I32") && t->rank == 1 && t->dim[0] == V) {
        counts = es_alloc_array((size_t)V, sizeof *counts);
        memcpy(counts, f->data + t->begin, (size_t)V * sizeof *counts);
    } else
        es_fail(err, ES_ERR_FORMAT, "%s has no token_count of V=%lld int32", path, (long long)V);
    es_safetensors_unref(f);
    return counts;
}

/* ---- neighbours ---- */

/* The rows that are judged: those of tokens seen often enough, about their mean. */
typedef struct judged {
    const es_bpe *bpe;
    es_near *near;
    int64_t n;
    int32_t *id_of;  /* n: the token of a judged row */
    int32_t *row_of; /* V: the judged row of a token, or -1 */
} judged;

static void judged_free(judged *j)
{
    es_near_free(j->near);
    free(j->id_of);
    free(j->row_of);
}

static void centre(float *rows, int64_t n, int64_t C)
{
    for (int64_t c = 0; c < C; c++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += rows[i * C + c];
        for (int64_t i = 0; i < n; i++)
            rows[i * C + c] -= (float)(sum / (double)n);
    }
}

static void choose(judged *j, const int32_t *counts, int64_t V)
{
    j->id_of = es_alloc_array((size_t)V, sizeof *j->id_of);
    j->row_of = es_alloc_array((size_t)V, sizeof *j->row_of);
    for (int32_t id = 0; id < V; id++) {
        bool often = counts[id] >= FIGURES_SEEN;
        j->row_of[id] = often ? (int32_t)j->n : -1;
        if (often)
            j->id_of[j->n++] = id;
    }
}

static bool judged_open(judged *j, const es_model *m, const int32_t *counts, es_backend *be,
                        es_error *err)
{
    int64_t C = m->config.n_embd;
    choose(j, counts, m->config.vocab_size);
    if (j->n == 0)
        return es_fail(err, ES_ERR_VALUE, "no token was seen %d times", FIGURES_SEEN);
    float *rows = es_alloc_array((size_t)(j->n * C), sizeof *rows);
    bool ok = true;
    for (int64_t i = 0; ok && i < j->n; i++)
        ok = es_table_row(m->wte, j->id_of[i], rows + i * C, err);
    centre(rows, j->n, C);
    es_table *table = es_table_mapped(rows, ES_STORE_F32, j->n, C, rows, free);
    ok = ok && (j->near = es_near_new(table, be, err));
    es_table_unref(table);
    return ok;
}

/* The judged row of the token " word", or -1. */
static int32_t row_of_word(const judged *j, const char *word, size_t n)
{
    es_str spaced = {0};
    es_str_char(&spaced, ' ');
    es_str_bytes(&spaced, word, n);
    int32_t id = es_bpe_find(j->bpe, spaced.s, spaced.len);
    es_str_free(&spaced);
    return id < 0 ? -1 : j->row_of[id];
}

/* A judged row's token without its leading space. */
static const char *letters(const judged *j, int64_t row, size_t *n)
{
    const char *s = es_bpe_bytes(j->bpe, j->id_of[row], n);
    bool space = *n && *s == ' ';
    *n -= space;
    return s + space;
}

/* The row itself and those of the same letters, whatever their case, with and without a space. */
static size_t find_variants(const judged *j, int32_t *out, int32_t row)
{
    size_t len, n = 0, other_len;
    const char *word = letters(j, row, &len);
    for (int64_t i = 0; i < j->n && n < VARIANTS; i++) {
        const char *other = letters(j, i, &other_len);
        if (other_len == len && !strncasecmp(word, other, len))
            out[n++] = (int32_t)i;
    }
    return n;
}

static bool is_among(const int32_t *rows, int n, int64_t row)
{
    for (int i = 0; i < n; i++)
        if (rows[i] == row)
            return true;
    return false;
}

/* Of the n - 1 rows nearest to rows[i], how many are in the list; is the first? */
static bool judge_word(const judged *j, const int32_t *rows, int n, int i, int *inside, int *firsts,
                       es_error *err)
{
    int64_t C = es_table_width(es_near_table(j->near)), found;
    int32_t variants[VARIANTS];
    es_neighbour best[LIST_WORDS];
    float *row = es_alloc_array((size_t)C, sizeof *row);
    double *q = es_alloc_array((size_t)C, sizeof *q);
    bool ok = es_table_row(es_near_table(j->near), rows[i], row, err);
    for (int64_t c = 0; c < C; c++)
        q[c] = row[c];
    es_near_query query = {q, ES_BY_COSINE, variants, find_variants(j, variants, rows[i])};
    ok = ok && es_near_search(j->near, best, n - 1, &found, &query, NULL, err);
    for (int64_t k = 0; ok && k < found; k++) {
        bool in = is_among(rows, n, best[k].id);
        *inside += in;
        *firsts += in && k == 0;
    }
    free(row);
    free(q);
    return ok;
}

/* "name<TAB>word word …"; a word that stands there twice counts once. */
static bool judge_list(const judged *j, list_score *l, const char *line, size_t len, es_error *err)
{
    int32_t rows[LIST_WORDS];
    int inside = 0;
    const char *end = line + len, *tab = memchr(line, '\t', len);
    snprintf(l->name, sizeof l->name, "%.*s", (int)(tab - line), line);
    for (const char *s = tab + 1, *next; s < end; s = next + 1) {
        next = memchr(s, ' ', (size_t)(end - s));
        next = next ? next : end;
        int32_t row = row_of_word(j, s, (size_t)(next - s));
        if (row >= 0 && l->words < LIST_WORDS && !is_among(rows, l->words, row))
            rows[l->words++] = row;
    }
    if (l->words < 2)
        return true;
    for (int i = 0; i < l->words; i++)
        if (!judge_word(j, rows, l->words, i, &inside, &l->firsts, err))
            return false;
    l->share = (double)inside / (l->words * (l->words - 1));
    return true;
}

static bool judge_lists(figures *f, const judged *j, es_error *err)
{
    es_file lists;
    if (!es_file_open(&lists, lists_path, err))
        return false;
    int words = 0, firsts = 0;
    bool ok = true;
    const char *s = (const char *)lists.data, *end = s + lists.size;
    while (ok && s < end && f->n_lists < FIGURES_LISTS) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        size_t len = (size_t)((newline ? newline : end) - s);
        if (*s != '#' && memchr(s, '\t', len)) {
            list_score *l = &f->list[f->n_lists++];
            ok = judge_list(j, l, s, len, err);
            f->score += l->share;
            words += l->words;
            firsts += l->firsts;
        }
        s += len + 1;
    }
    f->score /= f->n_lists;
    f->first = words ? (double)firsts / words : 0;
    es_file_close(&lists);
    return ok;
}

static bool judge_neighbours(figures *f, const es_model *m, const char *path, const es_bpe *bpe,
                             es_error *err)
{
    int32_t *counts = read_counts(path, m->config.vocab_size, err);
    es_backend *be = counts ? es_backend_open("cpu", 0, err) : NULL;
    judged j = {.bpe = bpe};
    bool ok = be && judged_open(&j, m, counts, be, err) && judge_lists(f, &j, err);
    f->seen = j.n;
    judged_free(&j);
    es_backend_close(be);
    free(counts);
    return ok;
}

/* ---- positions ---- */

static double cosine_at_lag(const float *rows, int64_t P, int64_t C, int64_t lag)
{
    double sum = 0;
    for (int64_t i = 0; i + lag < P; i++)
        sum += es_cosine(rows + i * C, rows + (i + lag) * C, C);
    return sum / (double)(P - lag); /* no pairs: NaN */
}

/* a (C, C) = covariance of the rows, which are about their mean */
static void covariance(double *a, const float *rows, int64_t P, int64_t C)
{
    for (int64_t i = 0; i < P; i++)
        for (int64_t c = 0; c < C; c++)
            for (int64_t d = 0; d < C; d++)
                a[c * C + d] += (double)rows[i * C + c] * rows[i * C + d];
}

static bool shares_of_variance(double *share, float *rows, int64_t P, int64_t C, es_error *err)
{
    double *a = es_alloc_array((size_t)(C * C), sizeof *a);
    double *vectors = es_alloc_array((size_t)(C * C), sizeof *vectors);
    double *values = es_alloc_array((size_t)C, sizeof *values), all = 0;
    centre(rows, P, C);
    covariance(a, rows, P, C);
    bool ok = es_eigen(a, C, values, vectors, NULL, err);
    for (int64_t i = 0; i < C; i++)
        all += values[i];
    for (int64_t i = 0; i < FIGURES_SHARES && i < C; i++)
        share[i] = values[i] / all;
    free(a);
    free(vectors);
    free(values);
    return ok;
}

static bool judge_positions(figures *f, const es_model *m, es_error *err)
{
    int64_t P = m->config.n_ctx, C = m->config.n_embd;
    float *rows = es_alloc_array((size_t)(P * C), sizeof *rows);
    bool ok = true;
    for (int64_t i = 0; ok && i < P; i++)
        ok = es_table_row(m->wpe, i, rows + i * C, err);
    for (int i = 0; i < FIGURES_LAGS; i++)
        f->lag[i] = P > 1 << i ? cosine_at_lag(rows, P, C, 1 << i) : NAN;
    ok = ok && shares_of_variance(f->share, rows, P, C, err);
    free(rows);
    return ok;
}

/* ---- all of it ---- */

static bool file_size(figures *f, const char *path, es_error *err)
{
    es_file file;
    if (!es_file_open(&file, path, err))
        return false;
    f->bytes = (int64_t)file.size;
    es_file_close(&file);
    return true;
}

bool figures_read(figures *f, const char *path, const es_bpe *bpe, es_error *err)
{
    *f = (figures){0};
    es_model *m = es_model_open(path, 0, err);
    if (!m)
        return false;
    f->vocab_size = m->config.vocab_size;
    f->n_embd = m->config.n_embd;
    f->n_ctx = m->config.n_ctx;
    f->wte_type = m->wte_from.dtype;
    f->wpe_type = m->wpe_from.dtype;
    bool ok =
        es_model_needs_wte(m, err) && es_model_needs_wpe(m, err) &&
        (f->vocab_size == es_bpe_vocab_size(bpe) ||
         es_fail(err, ES_ERR_VALUE, "V=%lld is not the vocabulary's", (long long)f->vocab_size)) &&
        file_size(f, path, err) && judge_neighbours(f, m, path, bpe, err) &&
        judge_positions(f, m, err);
    es_model_unref(m);
    return ok;
}
