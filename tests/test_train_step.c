// SPDX-License-Identifier: GPL-3.0-or-later
/* Three steps of stage 2 against those that PyTorch took with the same numbers (tests/data/train_step.py): losses,
 * gradients, and how far every parameter moved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/safetensors.h"
#include "support.h"
#include "train/gpt.h"

Suite *train_step_suite(void);

enum { B = 3, T = 12, V = 101, K = 37, STEPS = 3 };

/* Of the length of a tensor's gradient, or of its move. */
static const double tolerance = 1e-4;
static es_error err;
static es_safetensors *file;
static es_recipe recipe;
static es_gpt *gpt;
static int64_t counts[V];

static void setup(void)
{
    err = ES_ERROR_NONE;
    file = es_safetensors_open("tests/data/train_step.safetensors", &err);
    ck_assert_works(file, err);
}

static void teardown(void)
{
    es_gpt_free(gpt);
    gpt = NULL;
    es_safetensors_unref(file);
}

/* A tensor's numbers, which lie in the file at multiples of 4 bytes. */
static const void *stored(const char *run, const char *name)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%s%s", run, name);
    const es_stored *t = es_safetensors_find(file, whole);
    ck_assert_msg(t != NULL, "the file has no %s", whole);
    return file->data + t->begin;
}

static void new_gpt(bool tied, int64_t threads)
{
    recipe = es_recipe_default();
    recipe.n_embd = 16;
    recipe.n_head = 4;
    recipe.n_layer = 2;
    recipe.n_ctx = 20;
    recipe.threads = threads;
    recipe.tied = tied;
    recipe.batch = B;
    recipe.context = T;
    recipe.negatives = tied ? K : 0;
    recipe.steps = STEPS;
    recipe.warmup = 2;
    recipe.lr = 0.01;
    recipe.floor = 0.5;
    recipe.wte_lr = 0.5;
    recipe.wpe_lr = 2;
    recipe.clip = 1;
    const int32_t *seen = stored("", "counts");
    for (int i = 0; i < V; i++)
        counts[i] = seen[i];
    gpt = es_gpt_new(&recipe, V, counts, &err);
    ck_assert_works(gpt, err);
}

/* ---- all parameters, in the file's order ---- */

typedef struct tensor {
    char name[48];
    int64_t n;
    float *at;
} tensor;

enum { MOST_TENSORS = 32 };

static int list_tensors(tensor *list, es_gpt_params p)
{
    int64_t C = recipe.n_embd;
    es_block_sizes s = {recipe.n_layer, recipe.n_head, C};
    int n = 0;
    list[n++] = (tensor){"wte", V * C, p.wte};
    list[n++] = (tensor){"wpe", recipe.n_ctx * C, p.wpe};
    for (int i = 0; i < es_block_n_parts(&s); i++) {
        es_block_part part = es_block_part_at(&s, i);
        list[n] =
            (tensor){.n = (part.rows ? part.rows : 1) * part.cols, .at = p.blocks + part.offset};
        snprintf(list[n++].name, sizeof list->name, "%s", part.name);
    }
    if (p.head)
        list[n++] = (tensor){"head", V * C, p.head};
    return n;
}

static void begin_as_the_file_does(void)
{
    tensor list[MOST_TENSORS];
    int n = list_tensors(list, es_gpt_now(gpt));
    const float *start = stored("", "start");
    for (int i = 0; i < n; start += list[i++].n)
        memcpy(list[i].at, start, (size_t)list[i].n * sizeof *start);
}

/* The keys' biases change no score beside another: their gradient is nothing, and Adam, which moves a number by its
 * gradient over the gradient's size, moves them by float32's dust. */
static bool is_dust(const tensor *t, int64_t i)
{
    return strstr(t->name, "c_attn.bias") && i / recipe.n_embd == 1;
}

/* How far the parameters p are from `right`: of all tensors the largest share that the difference's length has of
 * right's.  Of moves, from `from` (else NULL), those of the keys' biases are not judged. */
static double error_of(es_gpt_params p, const float *right, const float *from)
{
    tensor list[MOST_TENSORS];
    int n = list_tensors(list, p);
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double size = 0, error = 0;
        for (int64_t j = 0; j < list[i].n; j++, right++, from += !!from) {
            double off = (double)list[i].at[j] - *right, want = *right - (from ? *from : 0);
            bool judged = !from || !is_dust(&list[i], j);
            error += judged ? off * off : 0;
            size += judged ? want * want : 0;
        }
        error = sqrt(error / size);
        demand(error < tolerance, "%s is off by %g", list[i].name, error);
        worst = fmax(worst, error);
    }
    return worst;
}

static void judge(const char *run, const char *name, es_gpt_params p, bool moved)
{
    const float *start = moved ? stored("", "start") : NULL;
    double error = error_of(p, stored(run, name), start);
    if (getenv("ES_TEST_FIGURES"))
        printf("%s%s: off by at most %.1e\n", run, name, error);
}

static es_gpt_batch batch_of(int step)
{
    static int64_t first[B];
    const int32_t *windows = stored("", "windows"), *at = stored("", "first");
    const int32_t *negatives = stored("", "negatives");
    for (int b = 0; b < B; b++)
        first[b] = at[step * B + b];
    return (es_gpt_batch){windows + step * B * (T + 1), first, negatives + step * K};
}

static void near(double got, double want)
{
    demand(fabs(got - want) < 1e-5 * want, "%.8g, not %.8g", got, want);
}

static void three_steps(const char *run, int64_t threads)
{
    new_gpt(!strcmp(run, "tied"), threads);
    begin_as_the_file_does();
    const float *loss = stored(run, ".loss"), *length = stored(run, ".length");
    es_gpt_batch batch = batch_of(0);
    es_gpt_params d;
    double first;
    ck_assert_works(es_gpt_gradients(gpt, &batch, &d, &first, &err), err);
    near(first, loss[0]);
    judge(run, ".gradient", d, false);
    for (int i = 0; i < STEPS; i++) {
        es_gpt_report report;
        batch = batch_of(i);
        ck_assert_works(es_gpt_step_on(gpt, &batch, &report, NULL, &err), err);
        near(report.loss, loss[i]);
        near(report.gradient, length[i]);
        ck_assert_int_eq(report.step, i + 1);
        ck_assert_int_eq(report.tokens, B * T);
        if (i == 0)
            judge(run, ".after_1", es_gpt_now(gpt), true);
    }
    judge(run, ".after_3", es_gpt_now(gpt), true);
}

START_TEST(tied_steps_by_negatives_are_pytorchs)
{
    three_steps("tied", 1);
}
END_TEST

START_TEST(threads_change_nothing_but_roundings)
{
    three_steps("tied", 2);
}
END_TEST

START_TEST(untied_steps_over_the_whole_vocabulary_are_pytorchs)
{
    three_steps("untied", 1);
}
END_TEST

/* ---- steps by chance ---- */

enum { N_IDS = 500 };

static const int32_t *some_ids(void)
{
    static int32_t ids[N_IDS];
    uint64_t state = 3;
    for (int i = 0; i < N_IDS; i++)
        ids[i] = (int32_t)random_below(&state, V);
    return ids;
}

/* All that changes, in one piece. */
static es_str state_of(es_gpt *g)
{
    es_gpt_piece piece[ES_GPT_MAX_PIECES];
    es_str s = {0};
    int n = es_gpt_state(g, piece);
    for (int i = 0; i < n; i++)
        es_str_bytes(&s, piece[i].data, piece[i].bytes);
    return s;
}

static void same_state(es_gpt *g, const es_str *want)
{
    es_str is = state_of(g);
    ck_assert_uint_eq(is.len, want->len);
    ck_assert(!memcmp(is.s, want->s, is.len));
    es_str_free(&is);
}

START_TEST(a_stopped_step_has_changed_nothing)
{
    for (int tied = 0; tied < 2; tied++) {
        es_gpt_report report;
        new_gpt(tied, 2);
        ck_assert_works(es_gpt_step(gpt, some_ids(), N_IDS, &report, NULL, &err), err);
        es_str before = state_of(gpt);
        es_watch watch = {.cancel = true};
        ck_assert_fails(es_gpt_step(gpt, some_ids(), N_IDS, &report, &watch, &err), err,
                        ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
        same_state(gpt, &before);
        ck_assert_works(es_gpt_step(gpt, some_ids(), N_IDS, &report, NULL, &err), err);
        es_str two = state_of(gpt);
        es_gpt_free(gpt);
        new_gpt(tied, 2);
        for (int i = 0; i < 2; i++)
            ck_assert_works(es_gpt_step(gpt, some_ids(), N_IDS, &report, NULL, &err), err);
        same_state(gpt, &two); /* as if it had never been stopped */
        es_str_free(&before);
        es_str_free(&two);
        es_gpt_free(gpt);
        gpt = NULL;
    }
}
END_TEST

START_TEST(learning_goes_on_from_its_state)
{
    es_gpt_report report;
    new_gpt(true, 1);
    ck_assert_works(es_gpt_step(gpt, some_ids(), N_IDS, &report, NULL, &err), err);
    es_str one = state_of(gpt);
    ck_assert_works(es_gpt_step(gpt, some_ids(), N_IDS, &report, NULL, &err), err);
    es_str two = state_of(gpt);
    es_gpt_piece piece[ES_GPT_MAX_PIECES];
    es_gpt_free(gpt);
    new_gpt(true, 1);
    int n = es_gpt_state(gpt, piece);
    const char *from = one.s;
    for (int i = 0; i < n; from += piece[i++].bytes)
        memcpy(piece[i].data, from, piece[i].bytes);
    ck_assert_works(es_gpt_step(gpt, some_ids(), N_IDS, &report, NULL, &err), err);
    ck_assert_int_eq(report.step, 2);
    same_state(gpt, &two);
    es_str_free(&one);
    es_str_free(&two);
}
END_TEST

START_TEST(a_gpt_beyond_all_memory_is_refused)
{
    new_gpt(true, 1);
    static const struct {
        int64_t batch, context, negatives, n_embd;
    } cases[] = {
        {1 << 20, 1 << 20, 10, 16}, {1, 12, 1 << 20, 65536 * 16}, {1 << 20, 1 << 20, 0, 65536}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_recipe huge = recipe;
        huge.batch = cases[i].batch;
        huge.n_ctx = huge.context = cases[i].context;
        huge.negatives = cases[i].negatives;
        huge.n_embd = cases[i].n_embd;
        demand(!es_gpt_new(&huge, V, counts, &err), "case %d", (int)i);
        demand(err.code == ES_ERR_NOMEM, "case %d: %s", (int)i, err.message);
        es_error_free(&err);
    }
}
END_TEST

Suite *train_step_suite(void)
{
    Suite *s = suite_create("train_step");
    TCase *t = tcase_create("train_step");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60); /* two threads wait for each other, and for a busy machine */
    tcase_add_test(t, tied_steps_by_negatives_are_pytorchs);
    tcase_add_test(t, threads_change_nothing_but_roundings);
    tcase_add_test(t, untied_steps_over_the_whole_vocabulary_are_pytorchs);
    tcase_add_test(t, a_stopped_step_has_changed_nothing);
    tcase_add_test(t, learning_goes_on_from_its_state);
    tcase_add_test(t, a_gpt_beyond_all_memory_is_refused);
    suite_add_tcase(s, t);
    return s;
}
