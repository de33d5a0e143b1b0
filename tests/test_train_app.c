// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope train from outside: what it says, and what is left of it when it is ended. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/bar.h"
#include "base/utf8.h"
#include "support.h"
#include "terminal.h"
#include "texts.h"
#include "train/checkpoint.h"

Suite *train_app_suite(void);

enum { MOST_ARGS = 60, BYTES = 50000, MERGES = 300 };

static run_result r;

/* Several slices of stage 1, 200 steps of stage 2; two seconds of work. */
#define SIZES                                                                                      \
    "--vocab", "vocab", "--n-embd=128", "--n-ctx=32", "--context=16", "--batch=2",                 \
        "--negatives=20", "--warmup=10", "--epochs=3", "--steps=200"

static void setup(void)
{
    calm_environment();
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    write_text("text", BYTES);
    write_small_vocab("vocab", MERGES);
}

static void teardown(void)
{
    run_result_free(&r);
    terminal_close();
}

static void run_with(const char *const *args)
{
    const char *argv[MOST_ARGS + 3] = {program(), "train"};
    for (int i = 0; args[i]; i++)
        argv[i + 2] = args[i];
    run_result_free(&r);
    run_program(&r, argv, "", 0);
}

#define TRAIN(...) run_with((const char *const[]){__VA_ARGS__, NULL})

static void says(int status, const char *err)
{
    ck_assert_msg(r.status == status, "status %d, not %d: %s", r.status, status,
                  es_str_text(&r.err));
    ck_assert_msg(strstr(es_str_text(&r.err), err), "%s", es_str_text(&r.err));
}

static void same_bytes(const char *a, const char *b)
{
    es_file f, g;
    ck_assert(es_file_open(&f, a, NULL) && es_file_open(&g, b, NULL));
    ck_assert(f.size == g.size && !memcmp(f.data, g.data, f.size));
    es_file_close(&f);
    es_file_close(&g);
}

/* ---- ended ---- */

/* A run in the background that writes a checkpoint after each slice. */
static pid_t start_run(const char *out)
{
    const char *const argv[] = {program(), "train",        "text", "-o", out,
                                SIZES,     "--checkpoint", "0",    NULL};
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        freopen("said", "w", stderr);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    return pid;
}

/* Wait for a checkpoint of that stage. */
static void wait_for_stage(const char *path, int stage)
{
    for (double end = now() + PATIENCE / 1000; now() < end; usleep(2000)) {
        es_checkpoint c;
        if (!es_checkpoint_open(&c, path, NULL))
            continue;
        bool there = c.head.stage == stage;
        es_checkpoint_close(&c);
        if (there)
            return;
    }
    ck_abort_msg("no checkpoint of stage %d came", stage);
}

static int status_of(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void whole_run(void)
{
    TRAIN("text", "-o", "whole", SIZES);
    says(0, "stage 2 of 2");
    ck_assert_int_ne(access("whole.checkpoint", F_OK), 0);
}

/* By kill -9, and by Ctrl-C. */
START_TEST(a_run_that_is_ended_goes_on_to_the_same_bytes)
{
    whole_run();
    for (int stage = 1; stage <= 2; stage++) {
        pid_t pid = start_run("killed");
        wait_for_stage("killed.checkpoint", stage);
        usleep(stage == 2 ? 300000 : 0);
        kill(pid, _i ? SIGINT : SIGKILL);
        ck_assert_int_eq(status_of(pid), _i ? 130 : 128 + SIGKILL);
        ck_assert_int_ne(access("killed", F_OK), 0);
        TRAIN("--resume", "text", "-o", "killed", "--vocab", "vocab");
        says(0, stage == 1 ? "stage 1 of 2" : "stage 2 of 2");
        same_bytes("whole", "killed");
        unlink("killed");
    }
}
END_TEST

/* The run in the background has said so. */
static void said(const char *what)
{
    es_file f;
    ck_assert(es_file_open(&f, "said", NULL));
    ck_assert_msg(memmem(f.data, f.size, what, strlen(what)) != NULL, "%.*s", (int)f.size,
                  (const char *)f.data);
    es_file_close(&f);
}

START_TEST(a_signal_leaves_a_checkpoint_within_a_second)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    double fastest = PATIENCE; /* a busy machine may be late, but not each time */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        pid_t pid = start_run("stopped");
        wait_for_stage("stopped.checkpoint", 2);
        double begin = now();
        kill(pid, signals[i]);
        ck_assert_int_eq(status_of(pid), 130);
        fastest = fmin(fastest, now() - begin);
        said("stopped in stage 2 of 2 at step ");
        said("; to go on:\n  embedscope train --resume --vocab vocab text -o stopped\n");
        ck_assert_int_eq(unlink("stopped.checkpoint"), 0);
    }
    ck_assert_double_lt(fastest, thoroughness(1, 20));
}
END_TEST

START_TEST(a_model_that_is_there_is_replaced_at_the_end)
{
    ck_assert(es_file_replace("stopped", "old", 3, NULL));
    pid_t pid = start_run("stopped");
    wait_for_stage("stopped.checkpoint", 1);
    kill(pid, SIGINT);
    ck_assert_int_eq(status_of(pid), 130);
    es_file f;
    ck_assert(es_file_open(&f, "stopped", NULL));
    ck_assert(f.size == 3 && !memcmp(f.data, "old", 3));
    es_file_close(&f);
}
END_TEST

START_TEST(nothing_is_done_to_a_checkpoint_unasked)
{
    pid_t pid = start_run("m");
    wait_for_stage("m.checkpoint", 1);
    kill(pid, SIGKILL);
    status_of(pid);
    TRAIN("text", "-o", "m", SIZES);
    says(2, "error[usage]: there is a checkpoint of an earlier run, m.checkpoint\n  --resume "
            "goes on from it; --restart begins anew, and replaces it\n");
    TRAIN("--resume", "text", "-o", "m", SIZES, "--lr", "1e-4");
    says(2, "error[value]: cannot go on from m.checkpoint: it was begun with lr=0.003, not "
            "lr=0.0001\n  try: --lr=0.003, or --restart to begin anew\n");
    write_text("text", BYTES + 100);
    TRAIN("--resume", "text", "-o", "m", "--vocab", "vocab");
    says(2, "error[value]: cannot go on from m.checkpoint: it was begun on another text\n");
    ck_assert_int_eq(truncate("m.checkpoint", 1000), 0);
    TRAIN("--resume", "text", "-o", "m");
    says(3, "error[format]: cannot go on from m.checkpoint: it is cut off: 1000 of its ");
    TRAIN("--restart", "text", "-o", "m", SIZES, "--steps", "2", "--epochs", "0");
    says(0, "step 2 of 2");
    ck_assert_int_ne(access("m.checkpoint", F_OK), 0);
    TRAIN("--resume", "text", "-o", "m");
    says(2, "error[usage]: there is no checkpoint to go on from: m.checkpoint\n  without "
            "--resume a run begins\n");
}
END_TEST

/* ---- said ---- */

START_TEST(a_pipe_gets_plain_lines)
{
    TRAIN("text", "-o", "m", SIZES, "--steps", "20");
    says(0, "text: ");
    ck_assert_ptr_null(strchr(r.err.s, '\x1b'));
    ck_assert_ptr_null(strchr(r.err.s, '\r'));
    ck_assert_ptr_nonnull(strstr(r.err.s, "stage 1 of 2  100 %  token "));
    ck_assert_ptr_nonnull(strstr(r.err.s, "stage 2 of 2  100 %  step 20 of 20  loss "));
    ck_assert_ptr_nonnull(strstr(r.err.s, " tokens/s\n"));
    ck_assert_ptr_nonnull(strstr(r.out.s, "m: V=557, C=128, n_ctx=32, 1 block, F16; loss "));
}
END_TEST

START_TEST(a_terminal_gets_a_bar_that_fits_and_is_left_as_it_was)
{
    START(60, "train", "text", "-o", "m", "--vocab", "vocab", "--n-ctx=32", "--context=16",
          "--batch=2", "--epochs=0", "--steps=100000");
    expect("stage 2 of 2  ");
    expect(" % ");
    type("\x03");
    expect("to go on:\r\n  embedscope train --resume --vocab vocab text -o m\r\n");
    ck_assert_int_eq(wait_end(), 130);
    ck_assert(is_sane());
}
END_TEST

START_TEST(a_line_says_what_fits)
{
    static const es_bar_state s = {.what = "stage 2 of 2",
                                   .unit = "step",
                                   .done = 615,
                                   .total = 1500,
                                   .loss = 5.6312,
                                   .speed = 31234,
                                   .left = 250};
    static const struct {
        int width;
        const char *line;
    } cases[] = {
        {0, "stage 2 of 2   41 %  step 615 of 1,500  loss 5.631  31,234 tokens/s  4 min 10 s left"},
        {100, "stage 2 of 2  █████▋········   41 %  step 615 of 1,500  loss 5.631  31,234 "
              "tokens/s  4 min 10 s left"},
        {79, "stage 2 of 2  ████▉·······   41 %  loss 5.631  31,234 tokens/s  4 min 10 s left"},
        {60, "stage 2 of 2  ████······   41 %  loss 5.631  4 min 10 s left"},
        {40, "stage 2 of 2   41 %  4 min 10 s left"},
        {20, "stage 2 of 2   41 %"},
        {8, "stage 2\u2026"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_str line = {0};
        es_bar_line(&line, &s, cases[i].width);
        ck_assert_str_eq(line.s, cases[i].line);
        es_str_free(&line);
    }
    for (int width = 3; width < 150; width++) {
        es_str line = {0};
        es_bar_line(&line, &s, width);
        demand(es_columns(line.s, line.len) <= width, "%d: %s", width, line.s);
        es_str_free(&line);
    }
}
END_TEST

START_TEST(eval_says_the_loss_of_each_text_and_of_all)
{
    write_text("more", 2 * BYTES);
    TRAIN("text", "-o", "m", SIZES, "--steps", "20");
    TRAIN("--eval", "m", "text", "more", "--vocab", "vocab");
    says(0, "windows of 16 tokens, every token but a file's first is predicted\n");
    char head[40], name[3][40];
    double loss[3], perplexity[3];
    int tokens[3];
    ck_assert_int_eq(sscanf(r.out.s,
                            "%*s loss %39s %d %lf %lf %39s %d %lf %lf %39s %d %lf %lf %39s", head,
                            &tokens[0], &loss[0], &perplexity[0], name[0], &tokens[1], &loss[1],
                            &perplexity[1], name[1], &tokens[2], &loss[2], &perplexity[2], name[2]),
                     13);
    ck_assert_str_eq(name[0], "text");
    ck_assert_str_eq(name[1], "more");
    ck_assert_str_eq(name[2], "all");
    ck_assert_int_eq(tokens[0] + tokens[1], tokens[2]);
    ck_assert_double_eq_tol(loss[0] * tokens[0] + loss[1] * tokens[1], loss[2] * tokens[2],
                            1e-3 * tokens[2]);
    ck_assert(loss[0] > 2 && loss[0] < 7);
    TRAIN("--eval", "m", "text", "--vocab", "vocab", "--context", "4");
    says(0, "windows of 4 tokens");
    TRAIN("--eval", "m", "text", "--vocab", "vocab", "--context", "33");
    says(3, "error[context_overflow]: a context of 33 tokens: the model's wpe has 32 rows");
}
END_TEST

START_TEST(a_loss_that_is_no_number_is_an_error)
{
    TRAIN("text", "-o", "m", SIZES, "--epochs=0", "--steps=0", "--store=f32");
    FILE *f = fopen("m", "r+b");
    ck_assert(f && fseek(f, -4, SEEK_END) == 0 && fwrite("\xFF\xFF\xFF\xFF", 4, 1, f) == 1);
    fclose(f);
    TRAIN("--eval", "m", "text", "--vocab", "vocab");
    says(1, "error[value]: the loss on text is no number\n");
    ck_assert_str_eq(es_str_text(&r.out), "");
}
END_TEST

/* ---- wrong ---- */

START_TEST(wrong_usage_is_said_before_anything_is_done)
{
    static const struct {
        const char *args[8], *err;
    } cases[] = {
        {{"-o", "m"},
         "error[usage]: no text was named: the form is embedscope train CORPUS\u2026 -o FILE\n  "
         "try: "
         "embedscope train --help\n"},
        {{"text"}, "error[usage]: -o says where the model is to be written\n"},
        {{"text", "-o", "text"},
         "error[usage]: the model cannot be written onto the text it is learned from\n"},
        {{"text", "-o", ""}, "error[usage]: -o says where the model is to be written\n"},
        {{"text", "-o", "vocab", "--vocab", "vocab"},
         "error[usage]: the model cannot be written onto the merge list of its tokens\n"},
        {{"m.checkpoint", "-o", "m", "--restart"},
         "error[usage]: the checkpoint cannot be written onto the text it is learned from\n"},
        {{"text", "-o", "m", "--lr", "fast"},
         "error[usage]: --lr is a number from 0 to 10, not \"fast\"\n"},
        {{"text", "-o", "m", "--n-head=3"},
         "error[usage]: n-embd 64 cannot be shared by 3 heads of one size\n"},
        {{"text", "-o", "m", "--stepz=3"},
         "error[usage]: there is no option --stepz=3\n  try: embedscope train --help\n  did you "
         "mean --steps ?\n"},
        {{"text", "-o", "m", "--store", "f8"}, "error[usage]: --store is f16 or f32, not \"f8\"\n"},
        {{"text", "-o", "m", "--checkpoint", "often"},
         "error[usage]: --checkpoint is a number of seconds, not \"often\"\n"},
        {{"text", "-o", "m", "--resume", "--restart"},
         "error[usage]: --resume goes on, --restart begins anew: one of the two\n"},
        {{"text", "--eval", "m", "-o", "m"},
         "error[usage]: --eval learns nothing: it goes without -o, --resume, --restart and "
         "--from\n"},
    };
    write_text("m.checkpoint", 100);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_with(cases[i].args);
        says(2, cases[i].err);
        ck_assert_str_eq(es_str_text(&r.out), "");
    }
}
END_TEST

START_TEST(what_cannot_be_held_or_named_is_said_before_anything_is_learned)
{
    char name[256] = "";
    memset(name, 'm', 245);
    TRAIN("text", "-o", name);
    says(1, ": File name too long\n");
    TRAIN("text", "-o", "m", "--vocab", "vocab", "--n-embd=65536", "--n-layer=1000");
    says(1, "error[nomem]: a run of these sizes takes ");
    ck_assert(!strstr(es_str_text(&r.err), "stage 1"));
    TRAIN("text", "-o", "m", "--vocab", "vocab", "--batch=1000000", "--threads=256");
    says(1, "error[nomem]: a run of these sizes takes ");
}
END_TEST

/* As where a disk is full: the run ends with an error, and with nothing half written. */
START_TEST(a_file_that_may_not_grow_is_an_error)
{
    char shell[600];
    snprintf(
        shell, sizeof shell,
        "ulimit -f 1; exec '%s' train text -o m --vocab vocab --epochs=0 --steps=0 --n-embd=64",
        program());
    const char *const argv[] = {"/bin/sh", "-c", shell, NULL};
    run_result_free(&r);
    run_program(&r, argv, "", 0);
    says(1, "error[io]: cannot write m: File too large\n");
    ck_assert_int_eq(system("test -z \"$(ls m* 2>/dev/null)\""), 0);
}
END_TEST

/* One signal is enough, also where nobody writes. */
START_TEST(a_pipe_that_nobody_writes_to_is_given_up)
{
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    const char *const argv[] = {program(), "train", "pipe", "-o", "m", NULL};
    pid_t pid = fork();
    if (pid == 0) {
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    sleep(1);
    ck_assert_int_eq(kill(pid, SIGTERM), 0);
    int status = 0, tries = 0;
    while (waitpid(pid, &status, WNOHANG) == 0 && tries++ < 100)
        usleep(50000);
    if (tries >= 100)
        kill(pid, SIGKILL);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 130);
}
END_TEST

START_TEST(texts_that_cannot_be_learned_from_are_named)
{
    ck_assert(es_file_replace("empty", "", 0, NULL) && es_file_replace("short", "hi", 2, NULL));
    TRAIN("none", "-o", "m");
    says(3, "error[io]: cannot open none: No such file or directory\n");
    TRAIN("empty", "-o", "m");
    says(1, "error[value]: there is no text to train on\n");
    TRAIN("short", "-o", "m");
    says(1, "error[value]: the text is too short: 2 tokens to train on, and a window takes 129\n");
    says(1, "note: no file has 100 documents, so that none is kept apart for --eval\n");
    TRAIN("text", "-o", "no/m");
    says(1, "error[io]: cannot write no/m: No such file or directory\n");
    TRAIN("text", "-o", ".");
    says(1, "error[io]: cannot write .: Is a directory\n");
    TRAIN("--eval", "none", "text");
    says(3, "error[");
    TRAIN("short", "-o", "m", "--context=1", "--epochs=0", "--steps=1", "--batch=1");
    says(0, "step 1 of 1");
    TRAIN("--eval", "m", "short");
    says(1, "error[value]: there is nothing to predict: no file has 100 documents\n");
}
END_TEST

Suite *train_app_suite(void)
{
    Suite *s = suite_create("train_app");
    TCase *tc = tcase_create("program");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 240);
    tcase_add_loop_test(tc, a_run_that_is_ended_goes_on_to_the_same_bytes, 0, 2);
    tcase_add_test(tc, a_signal_leaves_a_checkpoint_within_a_second);
    tcase_add_test(tc, a_model_that_is_there_is_replaced_at_the_end);
    tcase_add_test(tc, nothing_is_done_to_a_checkpoint_unasked);
    tcase_add_test(tc, a_pipe_gets_plain_lines);
    tcase_add_test(tc, a_terminal_gets_a_bar_that_fits_and_is_left_as_it_was);
    tcase_add_test(tc, a_line_says_what_fits);
    tcase_add_test(tc, eval_says_the_loss_of_each_text_and_of_all);
    tcase_add_test(tc, a_loss_that_is_no_number_is_an_error);
    tcase_add_test(tc, wrong_usage_is_said_before_anything_is_done);
    tcase_add_test(tc, what_cannot_be_held_or_named_is_said_before_anything_is_learned);
    tcase_add_test(tc, a_file_that_may_not_grow_is_an_error);
    tcase_add_test(tc, a_pipe_that_nobody_writes_to_is_given_up);
    tcase_add_test(tc, texts_that_cannot_be_learned_from_are_named);
    suite_add_tcase(s, tc);
    return s;
}
