// SPDX-License-Identifier: GPL-3.0-or-later
/* Whole training runs in this process: the same twice, through checkpoints, and that something is learned. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/tensor.h"
#include "model/blocks.h"
#include "model/write.h"
#include "support.h"
#include "text/vocab.h"
#include "texts.h"
#include "train/eval.h"
#include "train/reader.h"
#include "train/trainer.h"

Suite *train_suite(void);

enum { SMALL = 50000, MERGES = 300, ALL = 320000 };

static es_error err;
static es_bpe *bpe;
static es_corpus corpus;

static void setup(void)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    err = ES_ERROR_NONE;
}

static void teardown(void)
{
    es_corpus_free(&corpus);
    es_bpe_free(bpe);
    es_error_free(&err);
}

static void read_corpus(const char *vocab, size_t bytes)
{
    es_reader r;
    write_text("text", bytes);
    write_small_vocab("vocab", MERGES);
    bpe = es_vocab_open(vocab, &err);
    ck_assert_works(bpe != NULL, err);
    corpus = es_corpus_new(es_bpe_vocab_size(bpe));
    ck_assert_works(es_reader_open(&r, "text", NULL, &err), err);
    ck_assert_works(es_corpus_add(&corpus, bpe, r.text, r.size, 1, NULL, &err), err);
    es_reader_close(&r);
}

/* Several slices of stage 1, a few steps of stage 2; a second of work. */
static es_recipe small_recipe(void)
{
    es_recipe r = es_recipe_default();
    r.n_embd = 128;
    r.n_ctx = 32;
    r.epochs = 3;
    r.steps = 12;
    r.batch = 2;
    r.context = 16;
    r.negatives = 20;
    r.warmup = 4;
    return r;
}

static es_trainer *begin(const es_recipe *r)
{
    es_trainer *t = es_trainer_new(r, &corpus, &err);
    ck_assert_works(t != NULL, err);
    return t;
}

/* At most `slices` of them; how many it were. */
static int go_on(es_trainer *t, int slices)
{
    int n = 0;
    for (; n < slices && es_trainer_now(t).stage < 3; n++)
        demand(es_trainer_advance(t, NULL, &err), "%s", err.message);
    return n;
}

static void finish(es_trainer *t, const char *path)
{
    go_on(t, INT32_MAX);
    ck_assert_works(es_trainer_write(t, path, ES_STORE_F32, "a text", &err), err);
    es_trainer_free(t);
}

static void same_bytes(const char *a, const char *b)
{
    es_file f, g;
    ck_assert(es_file_open(&f, a, NULL) && es_file_open(&g, b, NULL));
    demand(f.size == g.size && !memcmp(f.data, g.data, f.size), "%s and %s differ", a, b);
    es_file_close(&f);
    es_file_close(&g);
}

START_TEST(the_same_seed_gives_the_same_bytes_another_does_not)
{
    read_corpus("vocab", SMALL);
    es_recipe r = small_recipe();
    finish(begin(&r), "one");
    finish(begin(&r), "two");
    same_bytes("one", "two");
    r.seed = 2;
    finish(begin(&r), "three");
    es_file f, g;
    ck_assert(es_file_open(&f, "one", NULL) && es_file_open(&g, "three", NULL));
    ck_assert(f.size == g.size && memcmp(f.data, g.data, f.size));
    es_file_close(&f);
    es_file_close(&g);
}
END_TEST

START_TEST(a_run_saved_after_any_slice_goes_on_to_the_same_bytes)
{
    read_corpus("vocab", SMALL);
    es_recipe r = small_recipe();
    es_trainer *t = begin(&r);
    int stage_1 = 0, slices = 0;
    for (; es_trainer_now(t).stage < 3; slices++) {
        char path[20];
        snprintf(path, sizeof path, "%d.check", slices);
        ck_assert_works(es_trainer_save(t, path, &err), err);
        stage_1 += es_trainer_now(t).stage == 1;
        go_on(t, 1);
    }
    ck_assert_works(es_trainer_save(t, "end.check", &err), err);
    finish(t, "whole");
    ck_assert_int_ge(stage_1, 3);
    ck_assert_int_eq(slices, stage_1 + 12);
    const char *const saved[] = {"1.check", "2.check", "5.check", "10.check", "end.check"};
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) {
        es_checkpoint c;
        ck_assert_works(es_checkpoint_open(&c, saved[i], &err), err);
        t = es_trainer_resume(&c, &r, &corpus, &err);
        ck_assert_works(t != NULL, err);
        es_checkpoint_close(&c);
        finish(t, "resumed");
        same_bytes("whole", "resumed");
    }
}
END_TEST

START_TEST(a_run_goes_on_with_its_own_text_and_recipe_only)
{
    read_corpus("vocab", SMALL);
    es_recipe r = small_recipe();
    es_trainer *t = begin(&r);
    es_checkpoint c;
    ck_assert_works(es_trainer_save(t, "check", &err), err);
    es_trainer_free(t);
    ck_assert_works(es_checkpoint_open(&c, "check", &err), err);
    corpus.digest ^= 1;
    ck_assert_fails(es_trainer_resume(&c, &r, &corpus, &err), err, ES_ERR_VALUE,
                    "cannot go on from check: it was begun on another text");
    corpus.digest ^= 1;
    r.n_embd = 64;
    ck_assert_fails(es_trainer_resume(&c, &r, &corpus, &err), err, ES_ERR_VALUE,
                    "cannot go on from check: it was begun with n-embd=128, not n-embd=64");
    es_checkpoint_close(&c);
}
END_TEST

static uint64_t digest_of(const char *const *file, int n)
{
    es_corpus_free(&corpus);
    corpus = es_corpus_new(es_bpe_vocab_size(bpe));
    for (int i = 0; i < n; i++)
        ck_assert_works(es_corpus_add(&corpus, bpe, file[i], strlen(file[i]), 1, NULL, &err), err);
    return corpus.digest;
}

/* The same tokens, but others of them are held out. */
START_TEST(documents_parted_another_way_are_another_text)
{
    read_corpus("vocab", SMALL);
    uint64_t whole = digest_of((const char *const[]){"one\ntwo"}, 1);
    uint64_t parted = digest_of((const char *const[]){"one\n\ntwo"}, 1);
    uint64_t apart = digest_of((const char *const[]){"one\n", "two"}, 2);
    ck_assert(whole != parted && parted != apart && apart != whole);
    ck_assert(whole == digest_of((const char *const[]){"\n\none\ntwo"}, 1));
}
END_TEST

START_TEST(reading_is_stopped_in_blanks_and_within_a_document)
{
    static const char *const texts[] = {"\n\n\n", "one document"};
    read_corpus("vocab", SMALL);
    atomic_bool stop = true;
    es_watch watch = {.stop = &stop};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_fails(es_corpus_add(&corpus, bpe, texts[i], strlen(texts[i]), 1, &watch, &err),
                        err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
}
END_TEST

START_TEST(a_text_too_short_for_a_window_is_refused)
{
    es_recipe r = small_recipe();
    corpus = es_corpus_new(10);
    ck_assert_fails(es_trainer_new(&r, &corpus, &err), err, ES_ERR_VALUE,
                    "there is no text to train on");
    es_corpus_free(&corpus);
    read_corpus("vocab", 20);
    ck_assert_fails(es_trainer_new(&r, &corpus, &err), err, ES_ERR_VALUE,
                    "the text is too short: 12 tokens to train on, and a window takes 17");
    r.context = 100;
    ck_assert_fails(es_trainer_new(&r, &corpus, &err), err, ES_ERR_VALUE,
                    "a context of 100 tokens is longer than wpe, which has 32 rows");
}
END_TEST

START_TEST(either_stage_may_be_left_out)
{
    read_corpus("vocab", SMALL);
    es_recipe r = small_recipe();
    r.epochs = 0;
    es_trainer *t = begin(&r);
    ck_assert_int_eq(es_trainer_now(t).stage, 2);
    finish(t, "no stage 1");
    r.epochs = 1;
    r.steps = 0;
    r.tied = false;
    t = begin(&r);
    ck_assert_int_eq(es_trainer_now(t).stage, 1);
    finish(t, "no stage 2");
    es_model *m = es_model_open("no stage 2", 0, &err);
    ck_assert_works(m != NULL, err);
    const es_blocks *b = es_model_blocks(m, NULL, &err);
    ck_assert_works(b != NULL, err);
    ck_assert_ptr_null(b->head); /* byte for byte wte, which is how both begin */
    es_model_unref(m);
}
END_TEST

START_TEST(stage_2_may_begin_with_a_model)
{
    read_corpus("vocab", SMALL);
    es_recipe r = small_recipe();
    finish(begin(&r), "first");
    es_model *first = es_model_open("first", 0, &err);
    ck_assert_works(first != NULL, err);
    r.epochs = r.steps = 0;
    es_trainer *t = es_trainer_from(first, &r, &corpus, NULL, &err);
    ck_assert_works(t != NULL, err);
    finish(t, "same");
    es_model *same = es_model_open("same", 0, &err);
    ck_assert_works(same != NULL, err);
    float a[128], b[128];
    for (int64_t i = 0; i < first->config.vocab_size; i++)
        demand(es_table_row(first->wte, i, a, NULL) && es_table_row(same->wte, i, b, NULL) &&
                   !memcmp(a, b, (size_t)r.n_embd * sizeof *a),
               "row %d", (int)i);
    const es_blocks *of_first = es_model_blocks(first, NULL, &err);
    const es_blocks *of_same = es_model_blocks(same, NULL, &err);
    ck_assert_works(of_first && of_same, err);
    ck_assert_mem_eq(of_first->params, of_same->params,
                     (size_t)es_block_n_params(&of_first->sizes) * sizeof(float));
    r.n_ctx++;
    ck_assert(!es_trainer_from(first, &r, &corpus, NULL, &err));
    ck_assert_int_eq(err.code, ES_ERR_VALUE);
    ck_assert_msg(strstr(err.message, "n-ctx of the model first is"), "%s", err.message);
    es_error_free(&err);
    es_model_unref(first);
    es_model_unref(same);
}
END_TEST

START_TEST(a_stopped_slice_changes_nothing)
{
    read_corpus("vocab", SMALL);
    es_recipe r = small_recipe();
    r.epochs = 0;
    es_trainer *t = begin(&r);
    es_watch watch = {.cancel = true};
    go_on(t, 3);
    ck_assert_works(es_trainer_save(t, "before", &err), err);
    ck_assert_fails(es_trainer_advance(t, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    es_trainer *again = begin(&r);
    go_on(again, 3);
    finish(t, "stopped");
    finish(again, "not stopped");
    same_bytes("stopped", "not stopped");
}
END_TEST

/* ---- the loss of a model ---- */

/* -log p of each token but the first, by the definition, in float64. */
static double plain_loss(const es_model *m, const int32_t *ids, int64_t n, int64_t T)
{
    const es_blocks *b = es_model_blocks(m, NULL, &err);
    ck_assert_works(b != NULL, err);
    int64_t C = m->config.n_embd, V = m->config.vocab_size;
    es_block_run *run = es_block_run_new(&b->sizes, 1, T, false, &err);
    float *x = calloc((size_t)(3 * T * C), sizeof *x), *hidden = x + T * C, *row = hidden + T * C;
    double *logit = calloc((size_t)V, sizeof *logit), nats = 0;
    for (int64_t i = 0; i + 1 < n; i++) {
        int64_t from = 0;
        while (i - from >= T)
            from += T - T / 2;
        int64_t t = i - from;
        for (int64_t s = 0; s <= t; s++) {
            es_table_row(m->wte, ids[from + s], x + s * C, NULL);
            es_table_row(m->wpe, s, row, NULL);
            for (int64_t c = 0; c < C; c++)
                x[s * C + c] += row[c];
        }
        ck_assert_works(es_block_forward(hidden, run, b->params, x, 1, t + 1, NULL, &err), err);
        double sum = 0;
        for (int64_t v = 0; v < V; v++) {
            es_table_row(b->head ? b->head : m->wte, v, row, NULL);
            for (int64_t c = logit[v] = 0; c < C; c++)
                logit[v] += (double)row[c] * (double)hidden[t * C + c];
            sum += exp(logit[v]);
        }
        nats += log(sum) - logit[ids[i + 1]];
    }
    es_block_run_free(run);
    free(x);
    free(logit);
    return nats;
}

static double eval(const es_model *m, int64_t n, int64_t T, int threads)
{
    double nats;
    es_eval *e = es_eval_new(m, T, threads, NULL, &err);
    ck_assert_works(e != NULL, err);
    ck_assert_works(es_eval_text(&nats, e, corpus.train.ids, n, NULL, &err), err);
    es_eval_free(e);
    return nats;
}

START_TEST(the_loss_is_that_of_a_plain_loop)
{
    read_corpus("vocab", SMALL);
    es_recipe r = small_recipe();
    r.n_layer = 2;
    for (int tied = 0; tied < 2; tied++) {
        r.tied = tied;
        finish(begin(&r), "m.safetensors");
        es_model *m = es_model_open("m.safetensors", 0, &err);
        ck_assert_works(m != NULL, err);
        static const int64_t lengths[][2] = {{33, 16}, {32, 16}, {40, 16}, {60, 32},
                                             {2, 5},   {24, 7},  {5, 1},   {17, 16}};
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            int64_t n = lengths[i][0], T = lengths[i][1];
            double want = plain_loss(m, corpus.train.ids, n, T), got = eval(m, n, T, 1);
            demand(fabs(got - want) < 1e-4 * want, "%d tokens, T=%d: %.8g, not %.8g", (int)n,
                   (int)T, got, want);
            demand(got == eval(m, n, T, 2), "two threads give another sum");
        }
        ck_assert(eval(m, 1, 8, 1) == 0 && eval(m, 0, 8, 1) == 0);
        es_model_unref(m);
    }
}
END_TEST

START_TEST(what_cannot_be_asked_is_said)
{
    read_corpus("vocab", SMALL);
    es_recipe r = small_recipe();
    r.steps = 0;
    r.epochs = 0;
    finish(begin(&r), "m.safetensors");
    es_model *m = es_model_open("m.safetensors", 0, &err);
    ck_assert_fails(es_eval_new(m, 33, 1, NULL, &err), err, ES_ERR_CONTEXT_OVERFLOW,
                    "a context of 33 tokens: the model's wpe has 32 rows");
    es_eval *e = es_eval_new(m, 32, 2, NULL, &err);
    ck_assert_works(e != NULL, err);
    double nats;
    const int32_t ids[] = {1, 2, 557};
    ck_assert_fails(es_eval_text(&nats, e, ids, 3, NULL, &err), err, ES_ERR_INDEX_RANGE,
                    "token id 557 is outside wte (V=557)");
    es_watch watch = {.cancel = true};
    ck_assert_fails(es_eval_text(&nats, e, ids, 2, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    es_eval_free(e);
    es_model_unref(m);
    m = es_model_open("untrained:C=8", 0, &err);
    ck_assert(!es_eval_new(m, 8, 1, NULL, &err));
    ck_assert_int_eq(err.code, ES_ERR_VALUE);
    es_model_unref(m);
}
END_TEST

/* ---- something is learned ---- */

/* The mean loss of a unigram model of what was learned from, with a little for what was not seen. */
static double unigram_loss(void)
{
    const double little = 0.1;
    double nats = 0, all = (double)corpus.train.n + little * (double)corpus.vocab_size;
    for (int64_t i = 1; i < corpus.validation.n; i++)
        nats -= log(((double)corpus.counts[corpus.validation.ids[i]] + little) / all);
    return nats / (double)(corpus.validation.n - 1);
}

static double cosine(const float *a, const float *b, int64_t C)
{
    double ab = 0, aa = 0, bb = 0;
    for (int64_t c = 0; c < C; c++) {
        ab += (double)a[c] * (double)b[c];
        aa += (double)a[c] * (double)a[c];
        bb += (double)b[c] * (double)b[c];
    }
    return ab / sqrt(aa * bb);
}

/* Of the tokens seen often, the share that is nearer to a than b is: by chance a half. */
static double share_nearer(const float *rows, int64_t C, const char *a, const char *b)
{
    enum { OFTEN = 20 };
    int32_t i = es_bpe_find(bpe, a, strlen(a)), j = es_bpe_find(bpe, b, strlen(b));
    double near = cosine(rows + i * C, rows + j * C, C);
    int nearer = 0, n = 0;
    for (int32_t v = 0; v < corpus.vocab_size; v++) {
        if (v == i || corpus.counts[v] < OFTEN)
            continue;
        n++;
        nearer += cosine(rows + i * C, rows + v * C, C) > near;
    }
    return (double)nearer / n;
}

START_TEST(what_was_learned_predicts_and_neighbours_are_alike)
{
    read_corpus("gpt2", ALL);
    es_recipe r = es_recipe_default();
    r.n_embd = 32;
    r.n_head = 2;
    r.n_ctx = 64;
    r.epochs = 10;
    r.subsample = 1e-3;
    r.steps = 250;
    r.batch = 8;
    r.context = 64;
    r.negatives = 512;
    r.warmup = 20;
    finish(begin(&r), "m.safetensors");
    es_model *m = es_model_open("m.safetensors", 0, &err);
    ck_assert_works(m != NULL, err);
    double nats;
    es_eval *e = es_eval_new(m, 64, 1, NULL, &err);
    ck_assert_works(
        e && es_eval_text(&nats, e, corpus.validation.ids, corpus.validation.n, NULL, &err), err);
    double loss = nats / (double)(corpus.validation.n - 1);
    static const char *const pairs[][2] = {
        {" he", " she"},    {" his", " her"},   {" him", " them"},
        {" had", " was"},   {" two", " three"}, {" would", " could"},
        {" hand", " head"}, {" eyes", " face"}, {" in", " on"}};
    float *rows = calloc((size_t)(corpus.vocab_size * 32), sizeof *rows);
    for (int64_t v = 0; v < corpus.vocab_size; v++)
        es_table_row(m->wte, v, rows + v * 32, NULL);
    double mean = 0;
    enum { N = sizeof pairs / sizeof *pairs };
    for (int i = 0; i < N; i++)
        mean += share_nearer(rows, 32, pairs[i][0], pairs[i][1]) / N;
    ck_assert_double_lt(loss, unigram_loss() - 0.2);
    ck_assert_double_lt(mean, 0.1);
    free(rows);
    es_eval_free(e);
    es_model_unref(m);
}
END_TEST

Suite *train_suite(void)
{
    Suite *s = suite_create("train");
    TCase *tc = tcase_create("runs");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 240);
    tcase_add_test(tc, the_same_seed_gives_the_same_bytes_another_does_not);
    tcase_add_test(tc, a_run_saved_after_any_slice_goes_on_to_the_same_bytes);
    tcase_add_test(tc, a_run_goes_on_with_its_own_text_and_recipe_only);
    tcase_add_test(tc, documents_parted_another_way_are_another_text);
    tcase_add_test(tc, reading_is_stopped_in_blanks_and_within_a_document);
    tcase_add_test(tc, a_text_too_short_for_a_window_is_refused);
    tcase_add_test(tc, either_stage_may_be_left_out);
    tcase_add_test(tc, stage_2_may_begin_with_a_model);
    tcase_add_test(tc, a_stopped_slice_changes_nothing);
    tcase_add_test(tc, the_loss_is_that_of_a_plain_loop);
    tcase_add_test(tc, what_cannot_be_asked_is_said);
    tcase_add_test(tc, what_was_learned_predicts_and_neighbours_are_alike);
    suite_add_tcase(s, tc);
    return s;
}
