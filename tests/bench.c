// SPDX-License-Identifier: GPL-3.0-or-later
/* How long the core takes, each figure beside a copy of the same bytes in the same run.  Linked without
 * Readline.  usage: bench [TEXT FILE] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "layer/embedding.h"
#include "model/model.h"
#include "text/vocab.h"

enum { ROUNDS = 9 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Median and spread of ROUNDS runs of work(context), in seconds. */
typedef struct timing {
    double median, least, most;
} timing;

static timing measure(void (*work)(void *context), void *context)
{
    double seconds[ROUNDS];
    work(context); /* warm up: pages, caches */
    for (int i = 0; i < ROUNDS; i++) {
        double start = now();
        work(context);
        seconds[i] = now() - start;
    }
    qsort(seconds, ROUNDS, sizeof *seconds, by_value);
    return (timing){seconds[ROUNDS / 2], seconds[0], seconds[ROUNDS - 1]};
}

static void print_row(const char *what, timing t, double bytes, timing copy)
{
    printf("%-44s %9.3f ms  %9.3f-%-9.3f %8.0f MB/s  %6.3f of a copy\n", what, 1e3 * t.median,
           1e3 * t.least, 1e3 * t.most, bytes / t.median / 1e6, copy.median / t.median);
}

/* ---- encoding ---- */

typedef struct encoding {
    const es_bpe *bpe;
    const char *text;
    size_t n;
    es_tokens tokens;
    char *copy;
} encoding;

static void encode(void *context)
{
    encoding *e = context;
    if (!es_bpe_encode(e->bpe, &e->tokens, e->text, e->n, &(es_encoding){0}, NULL, NULL))
        abort();
}

static void copy_text(void *context)
{
    encoding *e = context;
    memcpy(e->copy, e->text, e->n);
    __asm__ volatile("" : : "r"(e->copy) : "memory");
}

static void bench_encoding(const char *name, const char *text, size_t n)
{
    encoding e = {.bpe = es_vocab_open("gpt2", NULL), .text = text, .n = n, .copy = es_alloc(n)};
    if (!e.bpe)
        abort();
    print_row(name, measure(encode, &e), (double)n, measure(copy_text, &e));
    es_tokens_free(&e.tokens);
    es_bpe_free((es_bpe *)e.bpe);
    free(e.copy);
}

/* ---- the layer ---- */

enum { B = 8, T = 1024, C = 768, V = 50257 };

typedef struct layer {
    es_embedding e;
    int32_t *ids;
    float *table, *out;
} layer;

static void forward(void *context)
{
    layer *l = context;
    es_embedded x;
    if (!es_embedding_forward(&x, &l->e, l->ids, B, T, 0, NULL))
        abort();
    es_embedded_free(&x);
}

/* The same rows, copied one by one: what reading and writing alone costs. */
static void copy_rows(void *context)
{
    layer *l = context;
    for (int i = 0; i < B * T; i++)
        memcpy(l->out + (size_t)i * C, l->table + (size_t)l->ids[i] * C, C * sizeof(float));
    __asm__ volatile("" : : "r"(l->out) : "memory");
}

static void bench_layer(es_backend *be)
{
    es_model *m = es_model_open("untrained:C=768", 0, NULL);
    layer l = {.e = {.be = be}};
    const es_tensor *wte = es_table_whole(m->wte, be, NULL),
                    *wpe = es_table_whole(m->wpe, be, NULL);
    if (!wte || !wpe)
        abort();
    l.e.wte = es_table_of_tensor(wte);
    l.e.wpe = es_table_of_tensor(wpe);
    l.table = wte->buf->mem;
    l.ids = es_alloc_array(B * T, sizeof *l.ids);
    l.out = es_alloc_array((size_t)B * T * C, sizeof *l.out);
    for (int i = 0; i < B * T; i++)
        l.ids[i] = (int32_t)((uint64_t)i * 7919 % V);
    print_row("tok_emb, pos_emb and x, (8, 1024), C=768", measure(forward, &l), 4.0 * B * T * C,
              measure(copy_rows, &l));
    es_table_unref(l.e.wte);
    es_table_unref(l.e.wpe);
    free(l.ids);
    free(l.out);
    es_model_unref(m);
}

static void make_table(void *context)
{
    es_model *m = es_model_open("untrained", 0, NULL);
    if (!es_table_whole(m->wte, context, NULL))
        abort();
    es_model_unref(m);
}

static void open_vocabulary(void *context)
{
    (void)context;
    es_bpe_free(es_vocab_open("gpt2", NULL));
}

int main(int argc, char **argv)
{
    struct utsname machine;
    es_backend *be = es_backend_open("cpu", 0, NULL);
    if (!be || uname(&machine))
        return EXIT_FAILURE;
    printf("%s %s, %s; median, least-most of %d runs\n", machine.sysname, machine.machine,
           be->about, ROUNDS);

    es_file f;
    const char *path = argc > 1 ? argv[1] : "LICENSE";
    if (es_file_open(&f, path, NULL)) {
        bench_encoding(path, (const char *)f.data, f.size);
        es_file_close(&f);
    }
    enum { N = 1000000 };
    char *same = es_alloc(N);
    memset(same, 'a', N);
    bench_encoding("encode one letter, 1 MB", same, N);
    memset(same, ' ', N);
    bench_encoding("encode spaces, 1 MB", same, N);
    free(same);
    bench_layer(be);

    timing t = measure(make_table, be);
    printf("%-44s %9.3f ms  %9.3f-%-9.3f\n", "all of untrained wte, (50257, 64)", 1e3 * t.median,
           1e3 * t.least, 1e3 * t.most);
    t = measure(open_vocabulary, NULL);
    printf("%-44s %9.3f ms  %9.3f-%-9.3f\n", "open the vocabulary", 1e3 * t.median, 1e3 * t.least,
           1e3 * t.most);
    es_backend_close(be);
    return EXIT_SUCCESS;
}
