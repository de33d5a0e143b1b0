// SPDX-License-Identifier: GPL-3.0-or-later
/* Which pairs there are, and what their differences have in common. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "view/pairs.h"

enum { LEAST_LETTERS = 3, MOST_KNOWN = 400 };

/* What is needed while pairs are measured. */
typedef struct measuring {
    es_pairs *p;
    const es_atlas *a;
    float *row[3];             /* (C) without, with, with of another */
    double *mean;              /* (C) the differences' */
    double *length, *along;    /* (n) of a difference, and its product with the mean */
    double *lot_length, *with; /* (n) likewise by lot; products of rows with a space */
    int64_t *other;            /* (n) whose partner each has by lot */
} measuring;

/* ---- which pairs ---- */

static bool all_finite(const float *row, int64_t C)
{
    int64_t c = 0;
    while (c < C && isfinite(row[c]))
        c++;
    return c == C;
}

int32_t es_pairs_partner(const es_bpe *bpe, int32_t id)
{
    size_t n = 0;
    const char *bytes = es_bpe_bytes(bpe, id, &n);
    bool with = bytes && n && *bytes == ' ';
    if (!bytes || n <= with || bytes[with] == ' ' || !es_utf8_valid(bytes, n))
        return -1;
    es_str other = {0};
    es_str_cat(&other, with ? "" : " ");
    es_str_bytes(&other, bytes + with, n - with);
    int32_t partner = es_bpe_find(bpe, other.s, other.len);
    es_str_free(&other);
    return partner;
}

/* Does it begin with a space? */
static bool spaced(const es_bpe *bpe, int32_t id)
{
    size_t n = 0;
    const char *bytes = es_bpe_bytes(bpe, id, &n);
    return bytes && n && *bytes == ' ';
}

static bool collect(measuring *m, es_error *err)
{
    es_pairs *p = m->p;
    const es_context *c = m->a->context;
    int64_t V = c->model->config.vocab_size;
    int32_t all = es_bpe_vocab_size(c->bpe);
    p->without = es_alloc_array((size_t)all + 1, sizeof *p->without);
    p->with = es_alloc_array((size_t)all + 1, sizeof *p->with);
    for (int32_t id = 0; id < all; id++) {
        int32_t with = spaced(c->bpe, id) ? -1 : es_pairs_partner(c->bpe, id);
        p->found += with >= 0;
        if (with < 0)
            continue;
        if (id >= V || with >= V) {
            p->no_row++;
            continue;
        }
        if (!es_table_row(c->model->wte, id, m->row[0], err) ||
            !es_table_row(c->model->wte, with, m->row[1], err))
            return false;
        if (!all_finite(m->row[0], p->C) || !all_finite(m->row[1], p->C)) {
            p->not_finite++;
            continue;
        }
        p->without[p->n] = id;
        p->with[p->n++] = with;
    }
    return true;
}

/* ---- what differences have in common ---- */

/* Another's partner for each, nobody's own: one cycle through all of them (Sattolo 1986). */
static void exchange(const measuring *m)
{
    const uint64_t seed = m->p->seed;
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int64_t i = 0; i < m->p->n; i++)
        m->other[i] = i;
    for (int64_t i = m->p->n - 1; i > 0; i--) {
        uint32_t bits[4];
        es_philox(bits, (const uint32_t[]){(uint32_t)i, 0, 0x9a125, 0}, key);
        int64_t j = (int64_t)(((uint64_t)bits[0] * (uint64_t)i) >> 32), t = m->other[i];
        m->other[i] = m->other[j];
        m->other[j] = t;
    }
}

static double far(const float *a, const float *b, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++) {
        double d = (double)b[c] - (double)a[c];
        sum += d * d;
    }
    return sqrt(sum);
}

static double along(const float *row, const double *mean, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        sum += (double)row[c] * mean[c];
    return sum;
}

static bool find_mean(measuring *m, es_error *err)
{
    const es_pairs *p = m->p;
    const es_table *wte = m->a->context->model->wte;
    for (int64_t i = 0; i < p->n; i++) {
        if (!es_table_row(wte, p->without[i], m->row[0], err) ||
            !es_table_row(wte, p->with[i], m->row[1], err) ||
            !es_table_row(wte, p->with[m->other[i]], m->row[2], err))
            return false;
        m->length[i] = far(m->row[0], m->row[1], p->C);
        m->lot_length[i] = far(m->row[0], m->row[2], p->C);
        for (int64_t c = 0; c < p->C; c++)
            m->mean[c] += ((double)m->row[1][c] - (double)m->row[0][c]) / (double)p->n;
    }
    return true;
}

static bool find_cosines(measuring *m, es_error *err)
{
    es_pairs *p = m->p;
    const es_table *wte = m->a->context->model->wte;
    double square = 0;
    for (int64_t c = 0; c < p->C; c++)
        square += m->mean[c] * m->mean[c];
    p->length = sqrt(square);
    for (int64_t i = 0; i < p->n; i++) {
        if (!es_table_row(wte, p->without[i], m->row[0], err) ||
            !es_table_row(wte, p->with[i], m->row[1], err))
            return false;
        m->along[i] = along(m->row[0], m->mean, p->C);
        m->with[i] = along(m->row[1], m->mean, p->C);
    }
    for (int64_t i = 0; i < p->n; i++) {
        double own = (m->with[i] - m->along[i]) / (m->length[i] * p->length);
        double lot = (m->with[m->other[i]] - m->along[i]) / (m->lot_length[i] * p->length);
        p->cosine[i] = isfinite(own) ? (float)fmax(fmin(own, 1), -1) : NAN;
        p->lot[i] = isfinite(lot) ? (float)fmax(fmin(lot, 1), -1) : NAN;
    }
    return true;
}

/* ---- sums over all of them ---- */

int es_pairs_bin(float cosine)
{
    int bin = (int)floorf((cosine + 1) / 2 * ES_PAIR_BINS);
    return bin < 0 ? 0 : bin < ES_PAIR_BINS ? bin : ES_PAIR_BINS - 1;
}

/* Mean cosine; counts per bin. */
static double sum_cosines(const float *cosine, int64_t n, int64_t *bin)
{
    double sum = 0;
    int64_t there = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(cosine[i]))
            continue;
        sum += (double)cosine[i];
        there++;
        bin[es_pairs_bin(cosine[i])]++;
    }
    return there ? sum / (double)there : NAN;
}

/* The mean length; of the squared length, how much is in the mean difference: all of it is that and what differs from
 * it, added up. */
static double sum_lengths(const es_pairs *p, const double *length, double *share)
{
    double sum = 0, square = 0, n = (double)p->n;
    for (int64_t i = 0; i < p->n; i++) {
        sum += length[i] / n;
        square += length[i] * length[i] / n;
    }
    *share = square > 0 ? fmin(p->length * p->length / square, 1) : NAN;
    return sum;
}

/* The map's components, and behind them the mean difference. */
static void take_axes(measuring *m)
{
    es_pairs *p = m->p;
    const es_mapped *t = &m->a->tokens;
    double square = 0;
    p->K = t->K < 3 ? t->K : 3;
    p->axes = es_alloc_array((size_t)(p->K + 1) * (size_t)p->C, sizeof *p->axes);
    memcpy(p->axes, t->pca.axes, (size_t)(p->K * p->C) * sizeof *p->axes);
    for (int64_t c = 0; c < p->C; c++)
        p->axes[p->K * p->C + c] = p->length > 0 ? (float)(m->mean[c] / p->length) : 0;
    for (int64_t i = 0; i < p->n; i++) {
        square += m->length[i] * m->length[i];
        for (int k = 0; k < p->K; k++) {
            double d = (double)t->at[(int64_t)p->with[i] * t->K + k] -
                       (double)t->at[(int64_t)p->without[i] * t->K + k];
            p->seen[k] += d * d;
        }
    }
    for (int k = 0; k < p->K; k++)
        p->seen[k] = square > 0 ? p->seen[k] / square : 0;
}

/* ---- which have their names drawn ---- */

/* How well a pair is known: by the rarer of its tokens, as often as it was seen, or where that is not known by its id,
 * low ones being learned first. */
typedef struct known {
    int64_t pair, well;
} known;

static int by_known(const void *a, const void *b)
{
    const known *p = a, *q = b;
    if (p->well != q->well)
        return p->well > q->well ? -1 : 1;
    return (p->pair > q->pair) - (p->pair < q->pair);
}

static int64_t how_well(const es_model *m, int32_t a, int32_t b)
{
    int64_t first = es_model_count(m, a), second = es_model_count(m, b);
    if (first < 0 || second < 0)
        return -(int64_t)(a > b ? a : b);
    return first < second ? first : second;
}

static void rank_known(measuring *m)
{
    es_pairs *p = m->p;
    const es_context *c = m->a->context;
    known *of = es_alloc_array((size_t)p->n + 1, sizeof *of);
    for (int64_t i = 0; i < p->n; i++) {
        size_t n = 0;
        const char *bytes = es_bpe_bytes(c->bpe, p->without[i], &n);
        es_token_kind kind = es_token_kind_of(bytes, n);
        if (n >= LEAST_LETTERS && kind.letter_case && kind.script != ES_SCRIPT_NONE)
            of[p->n_known++] = (known){i, how_well(c->model, p->without[i], p->with[i])};
    }
    qsort(of, (size_t)p->n_known, sizeof *of, by_known);
    p->n_known = p->n_known < MOST_KNOWN ? p->n_known : MOST_KNOWN;
    p->known = es_alloc_array((size_t)p->n_known + 1, sizeof *p->known);
    for (int64_t i = 0; i < p->n_known; i++)
        p->known[i] = of[i].pair;
    free(of);
}

/* ---- all of it ---- */

static bool measure(measuring *m, es_error *err)
{
    es_pairs *p = m->p;
    exchange(m);
    if (!find_mean(m, err) || !find_cosines(m, err))
        return false;
    p->mean = sum_cosines(p->cosine, p->n, p->bin);
    p->lot_mean = sum_cosines(p->lot, p->n, p->lot_bin);
    p->typical = sum_lengths(p, m->length, &p->share);
    p->lot_typical = sum_lengths(p, m->lot_length, &p->lot_share);
    take_axes(m);
    rank_known(m);
    return true;
}

static bool make_room(measuring *m)
{
    es_pairs *p = m->p;
    size_t n = (size_t)p->n + 1;
    p->cosine = es_alloc_array(n, sizeof *p->cosine);
    p->lot = es_alloc_array(n, sizeof *p->lot);
    m->length = es_alloc_array(n, sizeof *m->length);
    m->along = es_alloc_array(n, sizeof *m->along);
    m->lot_length = es_alloc_array(n, sizeof *m->lot_length);
    m->with = es_alloc_array(n, sizeof *m->with);
    m->other = es_alloc_array(n, sizeof *m->other);
    return p->n > 0;
}

bool es_pairs_make(es_pairs *out, const es_atlas *a, uint64_t seed, es_error *err)
{
    size_t C = (size_t)a->context->model->config.n_embd;
    *out = (es_pairs){.C = (int64_t)C, .seed = seed, .mean = NAN, .lot_mean = NAN};
    measuring m = {.p = out, .a = a};
    m.mean = es_alloc_array(C, sizeof *m.mean);
    for (int k = 0; k < 3; k++)
        m.row[k] = es_alloc_array(C, sizeof *m.row[k]);
    bool ok = collect(&m, err);
    if (ok && make_room(&m))
        ok = measure(&m, err);
    for (int k = 0; k < 3; k++)
        free(m.row[k]);
    free(m.mean);
    free(m.length);
    free(m.along);
    free(m.lot_length);
    free(m.with);
    free(m.other);
    if (!ok)
        es_pairs_free(out);
    return ok;
}

void es_pairs_free(es_pairs *p)
{
    free(p->without);
    free(p->with);
    free(p->cosine);
    free(p->lot);
    free(p->axes);
    free(p->known);
    *p = (es_pairs){0};
}

int64_t es_pairs_of_token(const es_pairs *p, int32_t id)
{
    for (int64_t i = 0; i < p->n; i++)
        if (p->with[i] == id || p->without[i] == id)
            return i;
    return -1;
}
