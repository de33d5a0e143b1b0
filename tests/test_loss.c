// SPDX-License-Identifier: GPL-3.0-or-later
/* Losses against their definition, and the estimate of the sum against the sum.  Their gradients are the suite
 * `gradients`'. */
#include "train/loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/vector.h"
#include "plain_gpt.h"
#include "support.h"

Suite *loss_suite(void);

enum { V = 101, C = 11, N = ES_LOSS_ROWS + 3, MOST = 300 };

static es_error err;
static uint64_t state;
static float hidden[N * C], out[V * C], rows[MOST * C], work[ES_LOSS_ROWS * MOST];
static int32_t targets[N], ids[MOST];
static float log_q[MOST], log_q_of[V];
static double plain_log_q[V];
static es_loss_places places;

static float any(double size)
{
    return (float)(size * (next_random(&state) / 2147483648.0 - 1));
}

static void setup(void)
{
    err = ES_ERROR_NONE;
    state = 9;
    for (int i = 0; i < N * C; i++)
        hidden[i] = any(2);
    for (int i = 0; i < V * C; i++)
        out[i] = any(1);
    for (int i = 0; i < N; i++)
        targets[i] = (int32_t)random_below(&state, V);
    places = (es_loss_places){N, C, V, hidden, out, targets};
}

/* What n draws give, each token once, from a chance that differs from token to token. */
static es_negatives draw(const es_sampler *s, es_draw *d, int64_t n)
{
    bool taken[V] = {false};
    es_negatives set = {0, ids, log_q, log_q_of, rows};
    for (int i = 0; i < V; i++) {
        plain_log_q[i] = n ? log(1 - pow(1 - exp((double)s->log_q[i]), (double)n)) : 0;
        log_q_of[i] = (float)plain_log_q[i];
    }
    for (int64_t i = 0; i < n; i++) {
        int32_t id = (int32_t)es_sampler_draw(s, d);
        if (taken[id])
            continue;
        taken[id] = true;
        ids[set.n] = id;
        log_q[set.n] = log_q_of[id];
        memcpy(rows + set.n++ * C, out + id * C, C * sizeof *rows);
    }
    return set;
}

static es_sampler uneven(void)
{
    int64_t counts[V];
    for (int i = 0; i < V; i++)
        counts[i] = 1000 / (1 + i);
    return es_sampler_new(counts, V, 1, 0.75);
}

static const double *logits_of(int64_t place)
{
    static double logits[V];
    for (int64_t v = 0; v < V; v++) {
        logits[v] = 0;
        for (int c = 0; c < C; c++)
            logits[v] += (double)hidden[place * C + c] * out[v * C + c];
    }
    return logits;
}

static double plain_whole_sum(void)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += plain_whole(logits_of(i), V, targets[i]);
    return sum;
}

START_TEST(sampled_is_its_definition_for_any_number_of_negatives)
{
    static const int64_t numbers[] = {0, 1, 7, 8, 9, 64, 295};
    es_sampler s = uneven();
    es_draw d = es_draw_from(3, 1);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        int64_t n = numbers[k];
        es_negatives neg = draw(&s, &d, n);
        double want = 0;
        for (int i = 0; i < N; i++)
            want += plain_sampled(logits_of(i), plain_log_q, ids, neg.n, targets[i]);
        double got = es_loss_sampled(&(es_loss_gradients){0}, &places, &neg, 1, work);
        demand(fabs(got - want) <= 2e-6 * N, "n=%d: %.9g, not %.9g", (int)n, got, want);
    }
    es_sampler_free(&s);
}
END_TEST

START_TEST(gradients_are_the_same_whether_asked_for_alone_or_together)
{
    static float all[3][MOST * C], one[MOST * C];
    es_sampler s = uneven();
    es_draw d = es_draw_from(3, 1);
    es_negatives neg = draw(&s, &d, 60);
    es_loss_gradients together = {.hidden = all[0], .target = all[1], .negative = all[2]};
    memset(all, 0xFF, sizeof all); /* set, not added to */
    es_loss_sampled(&together, &places, &neg, 0.5f, work);
    const es_loss_gradients alone[] = {{.hidden = one}, {.target = one}, {.negative = one}};
    for (int i = 0; i < 3; i++) {
        es_loss_sampled(&alone[i], &places, &neg, 0.5f, work);
        ck_assert_mem_eq(one, all[i], (size_t)(i < 2 ? N : neg.n) * C * sizeof *one);
    }
    es_sampler_free(&s);
}
END_TEST

START_TEST(without_negatives_there_is_nothing_to_learn)
{
    static float d_hidden[N * C], d_target[N * C];
    es_negatives none = {0, ids, log_q, log_q_of, rows};
    es_loss_gradients g = {.hidden = d_hidden, .target = d_target, .negative = rows};
    ck_assert_double_eq(es_loss_sampled(&g, &places, &none, 1, work), 0);
    for (int i = 0; i < N * C; i++)
        demand(d_hidden[i] == 0 && d_target[i] == 0, "%d", i);
}
END_TEST

/* A token of the softmax of a place's logits. */
static int32_t token_of(const double *logits)
{
    double sum = 0, at;
    for (int v = 0; v < V; v++)
        sum += exp(logits[v]);
    at = sum * next_random(&state) / 4294967296.0;
    for (int32_t v = 0; v < V - 1; v++)
        if ((at -= exp(logits[v])) < 0)
            return v;
    return V - 1;
}

/* Where the softmax of the whole vocabulary is the truth, nothing is to be learned from few draws either: over many
 * of them and of targets the gradient is 0 beside the length of one. */
START_TEST(few_draws_lead_to_the_softmax_of_the_whole)
{
    enum { DRAWS = 40000, n = 20 };
    float d_hidden[C];
    es_sampler s = uneven();
    es_draw d = es_draw_from(4, 1);
    for (int64_t place = 0; place < 4; place++) {
        double mean[C] = {0}, length = 0, of_mean = 0;
        int draws = thoroughness(DRAWS, DRAWS / 4);
        const double *logits = logits_of(place);
        for (int i = 0; i < draws; i++) {
            int32_t target = token_of(logits);
            es_loss_places one = {1, C, V, hidden + place * C, out, &target};
            es_negatives neg = draw(&s, &d, n);
            es_loss_sampled(&(es_loss_gradients){.hidden = d_hidden}, &one, &neg, 1, work);
            length += sqrt((double)es_dot(d_hidden, d_hidden, C)) / draws;
            for (int c = 0; c < C; c++)
                mean[c] += d_hidden[c] / draws;
        }
        for (int c = 0; c < C; c++)
            of_mean += mean[c] * mean[c];
        demand(sqrt(of_mean) < 0.05 * length, "place %d: %g beside %g", (int)place, sqrt(of_mean),
               length);
    }
    es_sampler_free(&s);
}
END_TEST

START_TEST(where_all_are_drawn_it_is_the_whole_loss)
{
    es_sampler s = uneven();
    es_draw d = es_draw_from(5, 1);
    es_negatives all = draw(&s, &d, 20000);
    double want = plain_whole_sum() / N;
    double got = es_loss_sampled(&(es_loss_gradients){0}, &places, &all, 1, work) / N;
    ck_assert_int_eq(all.n, V);
    ck_assert_msg(fabs(got - want) < 1e-5 * want, "%g, not %g", got, want);
    es_sampler_free(&s);
}
END_TEST

START_TEST(whole_is_its_definition)
{
    static float d_whole[V * C], d_hidden[N * C], watched[N * C];
    double loss, want = plain_whole_sum();
    es_watch watch = {.done = 3};
    es_loss_gradients g = {.hidden = d_hidden, .whole = d_whole};
    ck_assert_works(es_loss_whole(&loss, &g, &places, 1, work, NULL, &err), err);
    ck_assert_msg(fabs(loss - want) <= 2e-6 * N, "%.9g, not %.9g", loss, want);
    g = (es_loss_gradients){.hidden = watched};
    ck_assert_works(es_loss_whole(&loss, &g, &places, 1, work, &watch, &err), err);
    ck_assert_mem_eq(d_hidden, watched, sizeof watched);
    ck_assert_uint_eq(watch.done, 3); /* which is the caller's */
    double sum = 0;
    for (int i = 0; i < V * C; i++)
        sum += fabs((double)d_whole[i]);
    ck_assert_works(
        es_loss_whole(&loss, &(es_loss_gradients){.whole = d_whole}, &places, 1, work, NULL, &err),
        err);
    for (int i = 0; i < V * C; i++)
        sum -= fabs((double)d_whole[i]) / 2; /* added to: twice as much */
    ck_assert_double_eq_tol(sum, 0, 1e-3);
}
END_TEST

/* So wide that a stretch is 256 tokens. */
enum { WIDE = 3072, WORDS = 600 };

typedef struct wide_case {
    float hidden[ES_LOSS_ROWS * WIDE], out[WORDS * WIDE], work[ES_LOSS_ROWS * WORDS];
    float d_hidden[ES_LOSS_ROWS * WIDE], d_whole[WORDS * WIDE];
    double share[ES_LOSS_ROWS][WORDS]; /* of softmax, less 1 for the target */
    int32_t targets[ES_LOSS_ROWS];
} wide_case;

static wide_case *new_wide(double *loss)
{
    wide_case *w = es_alloc(sizeof *w);
    for (int i = 0; i < ES_LOSS_ROWS * WIDE; i++)
        w->hidden[i] = any(0.2);
    for (int i = 0; i < WORDS * WIDE; i++)
        w->out[i] = any(0.2);
    *loss = 0;
    for (int i = 0; i < ES_LOSS_ROWS; i++) {
        double sum = 0;
        w->targets[i] = (int32_t)random_below(&state, WORDS);
        for (int v = 0; v < WORDS; v++) {
            double logit = 0;
            for (int c = 0; c < WIDE; c++)
                logit += (double)w->hidden[i * WIDE + c] * w->out[v * WIDE + c];
            sum += w->share[i][v] = exp(logit);
        }
        *loss -= log(w->share[i][w->targets[i]] / sum);
        for (int v = 0; v < WORDS; v++)
            w->share[i][v] = w->share[i][v] / sum - (v == w->targets[i]);
    }
    return w;
}

START_TEST(whole_is_right_where_a_stretch_of_the_vocabulary_ends)
{
    static const int at[] = {0, 255, 256, 511, 512, WORDS - 1};
    double want, loss;
    wide_case *w = new_wide(&want);
    places = (es_loss_places){ES_LOSS_ROWS, WIDE, WORDS, w->hidden, w->out, w->targets};
    es_loss_gradients g = {.hidden = w->d_hidden, .whole = w->d_whole};
    ck_assert_works(es_loss_whole(&loss, &g, &places, 1, w->work, NULL, &err), err);
    ck_assert_msg(fabs(loss - want) < 1e-6 * want, "%.9g, not %.9g", loss, want);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        for (int c = 0; c < WIDE; c++) {
            double hidden_want = 0, whole_want = 0;
            int place = at[k] % ES_LOSS_ROWS;
            for (int v = 0; v < WORDS; v++)
                hidden_want += w->share[place][v] * w->out[v * WIDE + c];
            for (int i = 0; i < ES_LOSS_ROWS; i++)
                whole_want += w->share[i][at[k]] * w->hidden[i * WIDE + c];
            demand(fabs(w->d_hidden[place * WIDE + c] - hidden_want) < 1e-5, "place %d", place);
            demand(fabs(w->d_whole[at[k] * WIDE + c] - whole_want) < 1e-5, "token %d", at[k]);
        }
    free(w);
}
END_TEST

START_TEST(the_watch_stops_it)
{
    double loss;
    es_watch watch = {.cancel = true};
    ck_assert_fails(es_loss_whole(&loss, &(es_loss_gradients){0}, &places, 1, work, &watch, &err),
                    err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
}
END_TEST

static bool all_finite(const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* Logits of every size that float32 has, among them some that are -infinity. */
START_TEST(large_logits_stay_finite)
{
    static float d_hidden[N * C], d_target[N * C], d_negative[MOST * C], d_whole[V * C];
    static const float sizes[] = {1e-30f, 100, 1e4f, 1e18f, 3e38f};
    es_sampler s = uneven();
    es_draw d = es_draw_from(6, 1);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int i = 0; i < N * C; i++)
            hidden[i] = i % C ? 0 : any(0.1) + 1;
        for (int v = 0; v < V; v++)
            out[v * C] = (v % 3 ? -2 : 0.3f) * (sizes[k] / 2.5f);
        for (int i = 0; i < N; i++)
            targets[i] = 3 * (int32_t)random_below(&state, V / 3);
        es_negatives neg = draw(&s, &d, 100);
        es_loss_gradients g = {d_hidden, d_target, d_negative, NULL};
        double loss = es_loss_sampled(&g, &places, &neg, 1e-3f, work);
        demand(isfinite(loss) && all_finite(d_negative, 100 * C) && all_finite(d_target, N * C) &&
                   all_finite(d_hidden, N * C),
               "%g: loss %g", sizes[k], loss);
        g = (es_loss_gradients){.hidden = d_hidden, .whole = d_whole};
        demand(es_loss_whole(&loss, &g, &places, 1e-3f, work, NULL, &err), "%s", err.message);
        demand(isfinite(loss) && all_finite(d_whole, V * C) && all_finite(d_hidden, N * C),
               "%g: whole loss %g", sizes[k], loss);
    }
    es_sampler_free(&s);
}
END_TEST

Suite *loss_suite(void)
{
    Suite *s = suite_create("loss");
    TCase *t = tcase_create("loss");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_set_timeout(t, 30);
    tcase_add_test(t, sampled_is_its_definition_for_any_number_of_negatives);
    tcase_add_test(t, gradients_are_the_same_whether_asked_for_alone_or_together);
    tcase_add_test(t, without_negatives_there_is_nothing_to_learn);
    tcase_add_test(t, few_draws_lead_to_the_softmax_of_the_whole);
    tcase_add_test(t, where_all_are_drawn_it_is_the_whole_loss);
    tcase_add_test(t, whole_is_its_definition);
    tcase_add_test(t, whole_is_right_where_a_stretch_of_the_vocabulary_ends);
    tcase_add_test(t, the_watch_stops_it);
    tcase_add_test(t, large_logits_stay_finite);
    suite_add_tcase(s, t);
    return s;
}
