// SPDX-License-Identifier: GPL-3.0-or-later
/* How many tokens a second both stages learn from, with the default recipe on made-up ids: as many of each as words
 * have, the i-th by count in proportion to 1 / i.
 *
 * usage: bench_train                          a table
 *        bench_train STAGE THREADS SECONDS    for bench_train_torch.py: "TOKENS SECONDS" of 1, 2 or whole */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "train/gpt.h"
#include "train/skipgram.h"

enum { V = 50257, IDS = 1000000, STRETCH = 20000, WHOLE_BATCH = 4 };

typedef struct speed {
    int64_t tokens;
    double seconds;
} speed;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static es_corpus made_up(void)
{
    es_corpus c = es_corpus_new(V);
    int64_t *chance = es_alloc_array(V, sizeof *chance);
    for (int64_t i = 0; i < V; i++)
        chance[i] = 1000000000 / (i + 3);
    es_sampler s = es_sampler_new(chance, V, 0, 1);
    es_draw d = es_draw_from(1, 1);
    c.train.ids = es_alloc_array(IDS, sizeof *c.train.ids);
    for (c.train.n = 0; c.train.n < IDS; c.train.n++) {
        int32_t id = (int32_t)es_sampler_draw(&s, &d);
        c.train.ids[c.train.n] = id;
        c.counts[id]++;
    }
    es_sampler_free(&s);
    free(chance);
    return c;
}

static void stop(const es_error *err)
{
    fprintf(stderr, "bench_train: %s\n", err->message);
    exit(EXIT_FAILURE);
}

static speed stage_1(const es_recipe *r, const es_corpus *c, double seconds)
{
    es_skipgram s;
    es_error err = ES_ERROR_NONE;
    if (!es_skipgram_new(&s, r, c, &err))
        stop(&err);
    es_skipgram_run(&s, STRETCH); /* pages and caches */
    int64_t before = s.done;
    double start = now(), spent = 0;
    for (; spent < seconds; spent = now() - start)
        es_skipgram_run(&s, STRETCH);
    speed found = {s.done - before, spent};
    es_skipgram_free(&s);
    return found;
}

static speed stage_2(const es_recipe *r, const es_corpus *c, double seconds)
{
    es_error err = ES_ERROR_NONE;
    es_gpt *g = es_gpt_new(r, V, c->counts, &err);
    es_gpt_report report;
    if (!g || !es_gpt_step(g, c->train.ids, IDS, &report, NULL, &err))
        stop(&err);
    speed found = {0};
    for (double start = now(); found.seconds < seconds; found.seconds = now() - start) {
        if (!es_gpt_step(g, c->train.ids, IDS, &report, NULL, &err))
            stop(&err);
        found.tokens += report.tokens;
    }
    es_gpt_free(g);
    return found;
}

static speed measure(const es_corpus *c, const char *stage, int threads, double seconds)
{
    es_recipe r = es_recipe_default();
    r.threads = threads;
    r.epochs = 1000; /* more than there is time for */
    if (!strcmp(stage, "1"))
        return stage_1(&r, c, seconds);
    if (!strcmp(stage, "whole")) {
        r.negatives = 0;
        r.batch = WHOLE_BATCH; /* PyTorch has all its logits in memory */
    }
    return stage_2(&r, c, seconds);
}

int main(int argc, char **argv)
{
    static const char *const stages[] = {"1", "2", "whole"};
    if (argc != 1 && argc != 4) {
        fprintf(stderr, "usage: bench_train [1|2|whole THREADS SECONDS]\n");
        return 2;
    }
    es_corpus c = made_up();
    if (argc == 4) {
        speed s = measure(&c, argv[1], atoi(argv[2]), atof(argv[3]));
        printf("%" PRId64 " %.6f\n", s.tokens, s.seconds);
    } else {
        printf("%-8s %8s %14s\n", "stage", "threads", "tokens/s");
        for (int i = 0; i < 6; i++) {
            speed s = measure(&c, stages[i / 2], 1 + i % 2, 3);
            printf("%-8s %8d %14.0f\n", stages[i / 2], 1 + i % 2, (double)s.tokens / s.seconds);
        }
    }
    es_corpus_free(&c);
}
