// SPDX-License-Identifier: GPL-3.0-or-later
/* Every gradient of a step against differences of the loss: the loss is the definition's, in float64, so that a
 * difference is good to nine digits and what is left is float32's error in the gradient.  And the judge is judged:
 * a tensor's gradient with its sign flipped must not pass. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plain_gpt.h"
#include "support.h"

Suite *gradients_suite(void);

/* Of a tensor's largest number.  float32 has 6e-8, and sums of some hundred terms, one layer after another, lose
 * two digits of that. */
static const double tolerance = 3e-5;
static const double h = 1e-4; /* the difference's own error is of order h^2 and 1e-15 / h */

enum { V = 23, MOST_TENSORS = 64 };

static es_error err;
static uint64_t state;

/* One of the tensors: float32 numbers and gradient of the program, float64 numbers of the definition. */
typedef struct tensor {
    char name[48];
    float *now, *gradient;
    double *wide;
    int64_t n;
} tensor;

/* A GPT, its double, and a batch. */
typedef struct pair {
    es_recipe recipe;
    int64_t counts[V];
    es_gpt *gpt;
    plain_gpt plain;
    double *wide; /* the definition's parameters */
    tensor tensor[MOST_TENSORS];
    int n;
    es_gpt_batch batch;
    int32_t *windows, *negatives;
    int64_t *first;
} pair;

static void setup(void)
{
    err = ES_ERROR_NONE;
    state = 11;
}

static float around(double middle, double width)
{
    return (float)(middle + width * (next_random(&state) / 2147483648.0 - 1));
}

static void add_tensor(pair *p, const char *name, float *now, float *gradient, int64_t n)
{
    demand(p->n < MOST_TENSORS, "more tensors than expected");
    tensor *t = &p->tensor[p->n++];
    *t = (tensor){.now = now, .gradient = gradient, .n = n};
    snprintf(t->name, sizeof t->name, "%s", name);
}

static void list_tensors(pair *p)
{
    const es_recipe *r = &p->recipe;
    es_block_sizes s = {r->n_layer, r->n_head, r->n_embd};
    es_gpt_params now = es_gpt_now(p->gpt), d;
    double loss;
    ck_assert_works(es_gpt_gradients(p->gpt, &p->batch, &d, &loss, &err), err);
    add_tensor(p, "wte", now.wte, d.wte, V * r->n_embd);
    add_tensor(p, "wpe", now.wpe, d.wpe, r->n_ctx * r->n_embd);
    for (int i = 0; i < es_block_n_parts(&s); i++) {
        es_block_part at = es_block_part_at(&s, i);
        add_tensor(p, at.name, now.blocks + at.offset, d.blocks + at.offset,
                   (at.rows ? at.rows : 1) * at.cols);
    }
    if (now.head)
        add_tensor(p, "head", now.head, d.head, V * r->n_embd);
}

/* Numbers of a size that makes attention and GELU bend; no two tensors alike, none at its start. */
static void stir(pair *p)
{
    for (int i = 0; i < p->n; i++) {
        tensor *t = &p->tensor[i];
        bool ln = strstr(t->name, "ln_") && strstr(t->name, "weight");
        for (int64_t j = 0; j < t->n; j++)
            t->now[j] = around(ln, ln ? 0.3 : 0.6);
    }
}

static void widen(pair *p)
{
    double *at = p->wide;
    for (int i = 0; i < p->n; i++) {
        tensor *t = &p->tensor[i];
        t->wide = at;
        for (int64_t j = 0; j < t->n; j++)
            *at++ = t->now[j];
    }
    int last = p->n - 1;
    p->plain = (plain_gpt){&p->recipe,
                           V,
                           p->counts,
                           p->tensor[0].wide,
                           p->tensor[1].wide,
                           p->tensor[2].wide,
                           p->tensor[p->recipe.tied ? 0 : last].wide};
}

/* Few different tokens and negatives, so that each comes several times: rows are looked up twice, negatives are
 * drawn twice, and hit targets. */
static void make_batch(pair *p)
{
    const es_recipe *r = &p->recipe;
    int64_t n = r->batch * (r->context + 1);
    p->windows = es_alloc_array((size_t)n, sizeof *p->windows);
    p->first = es_alloc_array((size_t)r->batch, sizeof *p->first);
    p->negatives = es_alloc_array((size_t)r->negatives + 1, sizeof *p->negatives);
    for (int64_t i = 0; i < n; i++)
        p->windows[i] = (int32_t)random_below(&state, V * 2 / 3);
    for (int64_t i = 0; i < r->negatives; i++)
        p->negatives[i] = (int32_t)random_below(&state, V);
    if (r->negatives > 2) {
        p->negatives[1] = p->negatives[0] = p->windows[1]; /* a target, twice */
        p->negatives[2] = V - 1;                           /* no target */
    }
    for (int64_t b = 0; b < r->batch; b++)
        p->first[b] = (int64_t)random_below(&state, (uint32_t)(r->n_ctx - r->context + 1));
    p->batch = (es_gpt_batch){p->windows, p->first, p->negatives};
}

static pair *new_pair(const es_recipe *r)
{
    pair *p = es_alloc(sizeof *p);
    p->recipe = *r;
    for (int i = 0; i < V; i++)
        p->counts[i] = i * i % 50;
    p->gpt = es_gpt_new(&p->recipe, V, p->counts, &err);
    ck_assert_works(p->gpt, err);
    make_batch(p);
    list_tensors(p);
    int64_t all = 0;
    for (int i = 0; i < p->n; i++)
        all += p->tensor[i].n;
    p->wide = es_alloc_array((size_t)all, sizeof *p->wide);
    stir(p);
    widen(p);
    es_gpt_params d;
    double loss, want = plain_loss(&p->plain, &p->batch);
    ck_assert_works(es_gpt_gradients(p->gpt, &p->batch, &d, &loss, &err), err);
    demand(fabs(loss - want) < 2e-6 * want, "loss %.9g, not %.9g", loss, want);
    return p;
}

static void free_pair(pair *p)
{
    es_gpt_free(p->gpt);
    free(p->wide);
    free(p->windows);
    free(p->first);
    free(p->negatives);
    free(p);
}

/* ---- differences ---- */

/* (loss(w + h d) - loss(w - h d)) / 2h; d NULL: along element i. */
static double slope(pair *p, const tensor *t, const double *d, int64_t i)
{
    double loss[2], *was = es_alloc_array((size_t)t->n, sizeof *was);
    memcpy(was, t->wide, (size_t)t->n * sizeof *was);
    for (int side = 0; side < 2; side++) {
        double step = side ? h : -h;
        for (int64_t j = d ? 0 : i; j < (d ? t->n : i + 1); j++)
            t->wide[j] = was[j] + step * (d ? d[j] : 1);
        loss[side] = plain_loss(&p->plain, &p->batch);
    }
    memcpy(t->wide, was, (size_t)t->n * sizeof *was);
    free(was);
    return (loss[1] - loss[0]) / (2 * h);
}

/* The definition's gradient, element by element.  Freed by the caller. */
static double *slopes(pair *p, const tensor *t)
{
    double *d = es_alloc_array((size_t)t->n, sizeof *d);
    for (int64_t i = 0; i < t->n; i++)
        d[i] = slope(p, t, NULL, i);
    return d;
}

/* The largest difference of two gradients, as a share of the largest number of the right one. */
static double error_of(const float *gradient, const double *right, int64_t n)
{
    double most = 0, error = 0;
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(right[i]));
        error = fmax(error, fabs(gradient[i] - right[i]));
    }
    return error / most; /* NaN where there is nothing to judge, which is no pass */
}

static bool passes(const float *gradient, const double *right, int64_t n)
{
    return error_of(gradient, right, n) < tolerance;
}

/* The same for gradient + factor * part. */
static bool passes_with(const float *gradient, double factor, const float *part,
                        const double *right, int64_t n)
{
    float *sum = es_alloc_array((size_t)n, sizeof *sum);
    for (int64_t i = 0; i < n; i++)
        sum[i] = (float)(gradient[i] + factor * part[i]);
    bool ok = passes(sum, right, n);
    free(sum);
    return ok;
}

static void judge(const tensor *t, const double *right)
{
    demand(passes(t->gradient, right, t->n), "%s: off by %g", t->name,
           error_of(t->gradient, right, t->n));
    demand(!passes_with(t->gradient, -2, t->gradient, right, t->n), "%s: the flipped sign passes",
           t->name);
}

/* ---- recipes ---- */

static es_recipe small(void)
{
    es_recipe r = es_recipe_default();
    r.n_embd = 6;
    r.n_head = 2;
    r.n_layer = 2;
    r.n_ctx = 7;
    r.batch = 2;
    r.context = 5;
    r.negatives = 9;
    return r;
}

static void every_element(const es_recipe *r)
{
    pair *p = new_pair(r);
    for (int i = 0; i < p->n; i++) {
        double *right = slopes(p, &p->tensor[i]);
        judge(&p->tensor[i], right);
        free(right);
    }
    free_pair(p);
}

START_TEST(every_element_by_negatives_tied)
{
    es_recipe r = small();
    every_element(&r);
}
END_TEST

START_TEST(every_element_by_negatives_untied)
{
    es_recipe r = small();
    r.tied = false;
    r.threads = 2;
    every_element(&r);
}
END_TEST

START_TEST(every_element_over_the_whole_vocabulary_tied)
{
    es_recipe r = small();
    r.negatives = 0;
    r.threads = 2;
    every_element(&r);
}
END_TEST

START_TEST(every_element_over_the_whole_vocabulary_untied)
{
    es_recipe r = small();
    r.negatives = 0;
    r.tied = false;
    r.n_head = 3;
    r.n_layer = 1;
    every_element(&r);
}
END_TEST

/* Without blocks, with one token a window, and with one channel a head. */
START_TEST(every_element_at_the_edges)
{
    es_recipe r = small();
    r.n_layer = 0;
    every_element(&r);
    r = small();
    r.n_head = 6;
    r.n_layer = 1;
    r.negatives = 1;
    every_element(&r);
}
END_TEST

/* One number a tensor, along a direction of random signs: for sizes where elements are too many.  The gradient
 * itself is the other direction: along it the slope is its squared length. */
static void directions(const es_recipe *r)
{
    pair *p = new_pair(r);
    for (int i = 0; i < p->n; i++) {
        const tensor *t = &p->tensor[i];
        double *d = es_alloc_array((size_t)t->n, sizeof *d), square = 0;
        for (int64_t j = 0; j < t->n; j++)
            square += (double)t->gradient[j] * t->gradient[j];
        for (int way = 0; way < 3; way++) {
            double along = 0;
            for (int64_t j = 0; j < t->n; j++) {
                d[j] = way ? (next_random(&state) & 1 ? 1 : -1) / sqrt((double)t->n)
                           : t->gradient[j] / sqrt(square);
                along += d[j] * t->gradient[j];
            }
            double right = slope(p, t, d, 0);
            demand(fabs(along - right) < tolerance * sqrt(square), "%s: %g, not %g", t->name, along,
                   right);
            demand(way || fabs(-along - right) > sqrt(square), "%s: the flipped sign passes",
                   t->name);
        }
        free(d);
    }
    free_pair(p);
}

START_TEST(directions_over_several_strips_of_queries)
{
    es_recipe r = small();
    r.n_embd = 10;
    r.n_layer = 1;
    r.context = 130;
    r.n_ctx = 133;
    directions(&r);
    r.context = 67;
    r.n_layer = 3;
    r.batch = 3;
    r.threads = 2;
    directions(&r);
}
END_TEST

/* More than ES_LOSS_ROWS places a thread, and tails of every kind. */
START_TEST(directions_of_many_places)
{
    es_recipe r = small();
    r.n_embd = 21;
    r.n_head = 3;
    r.n_layer = 1;
    r.batch = 29;
    r.context = 9;
    r.n_ctx = 9;
    r.negatives = 21;
    directions(&r);
    r.negatives = 0;
    directions(&r);
}
END_TEST

/* ---- the two ways to a tied wte, and to x ---- */

/* Tied, wte's gradient is what comes to it as input and as output together.  The two are known apart from an untied
 * GPT with the same numbers; without either, or with either turned, the sum is wrong. */
static void both_ways(int64_t negatives)
{
    es_recipe r = small();
    r.negatives = negatives;
    r.tied = false;
    pair *apart = new_pair(&r);
    tensor wte = apart->tensor[0], head = apart->tensor[apart->n - 1];
    memcpy(head.now, wte.now, (size_t)wte.n * sizeof *wte.now);
    widen(apart);
    es_gpt_params d;
    double loss;
    ck_assert_works(es_gpt_gradients(apart->gpt, &apart->batch, &d, &loss, &err), err);
    apart->plain.out = apart->plain.wte;
    double *right = slopes(apart, &apart->tensor[0]);
    float *sum = es_alloc_array((size_t)wte.n, sizeof *sum);
    for (int64_t i = 0; i < wte.n; i++)
        sum[i] = wte.gradient[i] + head.gradient[i];
    ck_assert(passes(sum, right, wte.n));
    for (int factor = 1; factor < 3; factor++) {
        ck_assert(!passes_with(sum, -factor, wte.gradient, right, wte.n));
        ck_assert(!passes_with(sum, -factor, head.gradient, right, wte.n));
    }
    free(sum);
    free(right);
    free_pair(apart);
}

START_TEST(a_tied_table_learns_both_ways)
{
    both_ways(9);
    both_ways(0);
}
END_TEST

/* The loss is a sum of hidden with random weights: its gradient by x, element by element. */
START_TEST(x_of_the_blocks)
{
    es_block_sizes s = {2, 3, 9};
    enum { B = 2, T = 4, C = 9, N = B * T * C };
    int64_t n = es_block_n_params(&s);
    float *params = es_alloc_array((size_t)n, sizeof *params), x[N], w[N], hidden[N], d_x[N];
    float *d_params = es_alloc_array((size_t)n, sizeof *params);
    double *wide = es_alloc_array((size_t)n, sizeof *wide), wide_x[N], out[N], right[N];
    for (int64_t i = 0; i < n; i++)
        wide[i] = params[i] = around(0, 0.6);
    for (int i = 0; i < N; i++) {
        wide_x[i] = x[i] = around(0, 2);
        w[i] = around(0, 1);
        d_x[i] = NAN; /* set, not added to */
    }
    es_block_run *r = es_block_run_new(&s, B, T, true, &err);
    ck_assert_works(r, err);
    ck_assert_works(es_block_forward(hidden, r, params, x, B, T, NULL, &err), err);
    es_block_backward(d_x, d_params, r, params, w);
    for (int i = 0; i < N; i++) {
        double loss[2] = {0}, was = wide_x[i];
        for (int side = 0; side < 2; side++) {
            wide_x[i] = was + (side ? h : -h);
            plain_blocks(out, &s, wide, wide_x, B, T);
            for (int j = 0; j < N; j++)
                loss[side] += w[j] * out[j];
        }
        wide_x[i] = was;
        right[i] = (loss[1] - loss[0]) / (2 * h);
    }
    ck_assert_msg(passes(d_x, right, N), "off by %g", error_of(d_x, right, N));
    ck_assert(!passes_with(d_x, -2, d_x, right, N));
    float once = d_params[0];
    es_block_backward(d_x, d_params, r, params, w);
    ck_assert_float_eq_tol(d_params[0], 2 * once, 1e-6f * fabsf(once)); /* added to */
    es_block_run_free(r);
    free(params);
    free(d_params);
    free(wide);
}
END_TEST

START_TEST(asking_for_gradients_changes_nothing)
{
    es_recipe r = small();
    pair *p = new_pair(&r);
    es_gpt_params d;
    double loss, again;
    tensor wte = p->tensor[0];
    float *was = es_alloc_array((size_t)wte.n, sizeof *was);
    ck_assert_works(es_gpt_gradients(p->gpt, &p->batch, &d, &loss, &err), err);
    memcpy(was, d.wte, (size_t)wte.n * sizeof *was);
    ck_assert_works(es_gpt_gradients(p->gpt, &p->batch, &d, &again, &err), err);
    ck_assert_mem_eq(was, d.wte, (size_t)wte.n * sizeof *was);
    ck_assert_double_eq(loss, again);
    free(was);
    free_pair(p);
}
END_TEST

Suite *gradients_suite(void)
{
    Suite *s = suite_create("gradients");
    TCase *t = tcase_create("gradients");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, every_element_by_negatives_tied);
    tcase_add_test(t, every_element_by_negatives_untied);
    tcase_add_test(t, every_element_over_the_whole_vocabulary_tied);
    tcase_add_test(t, every_element_over_the_whole_vocabulary_untied);
    tcase_add_test(t, every_element_at_the_edges);
    tcase_add_test(t, directions_over_several_strips_of_queries);
    tcase_add_test(t, directions_of_many_places);
    tcase_add_test(t, a_tied_table_learns_both_ways);
    tcase_add_test(t, x_of_the_blocks);
    tcase_add_test(t, asking_for_gradients_changes_nothing);
    suite_add_tcase(s, t);
    return s;
}
