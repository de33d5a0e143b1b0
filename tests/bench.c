// SPDX-License-Identifier: GPL-3.0-or-later
/* How fast the core is.  A row is two ways of doing the same thing, run by turns in the same minute: the
 * machine's load is then in both, and their ratio means something where a time alone does not.  Linked
 * without Readline.
 *
 * usage: bench [TEXT FILE …]    without files, texts are made
 *        bench --passes WARM FILE…    for bench_peers.sh: "ours FILE BYTES SECONDS" a file, after WARM */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/place.h"
#include "expr/parse.h"
#include "layer/embedding.h"
#include "layer/near.h"
#include "model/model.h"
#include "text/vocab.h"

enum { ROUNDS = 11, MB = 1000000 };

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

/* ---- two ways, by turns ---- */

typedef void (*way)(void *context);

typedef struct duel {
    double ours, other, ratio, least, most; /* seconds, medians; other / ours */
} duel;

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, by_value);
    return values[ROUNDS / 2];
}

static double once(way work, void *context)
{
    double start = now();
    work(context);
    return now() - start;
}

static duel by_turns(way ours, way other, void *context)
{
    double a[ROUNDS], b[ROUNDS], ratio[ROUNDS];
    ours(context); /* pages and caches */
    other(context);
    for (int i = 0; i < ROUNDS; i++) {
        a[i] = once(ours, context);
        b[i] = once(other, context);
        ratio[i] = b[i] / a[i];
    }
    duel d = {.ours = median(a), .other = median(b), .ratio = median(ratio)};
    d.least = ratio[0];
    d.most = ratio[ROUNDS - 1];
    return d;
}

static void print_duel(const char *what, duel d, double bytes)
{
    printf("%-42s %9.3f ms %9.1f MB/s %9.3f ms %8.2f  %.2f-%.2f\n", what, 1e3 * d.ours,
           bytes / d.ours / 1e6, 1e3 * d.other, d.ratio, d.least, d.most);
}

static void heading(const char *what, const char *other)
{
    printf("\n%-42s %12s %14s %12s %8s  %s\n", what, "time", "", other, "ratio", "least-most");
}

/* ---- encoding ---- */

typedef struct encoding {
    const es_bpe *bpe;
    const char *text;
    size_t n;
    int threads;
    es_tokens ours, other;
} encoding;

static void encode_with(encoding *e, es_tokens *out, int threads)
{
    if (!es_bpe_encode(e->bpe, out, e->text, e->n, &(es_encoding){.threads = threads}, NULL, NULL))
        abort();
}

static void encode(void *context)
{
    encoding *e = context;
    encode_with(e, &e->ours, 1);
}

static void encode_by_threads(void *context)
{
    encoding *e = context;
    encode_with(e, &e->ours, e->threads);
}

static void encode_by_one(void *context)
{
    encoding *e = context;
    encode_with(e, &e->other, 1);
}

static bool same_tokens(const es_tokens *a, const es_tokens *b)
{
    return a->n == b->n && !memcmp(a->id, b->id, a->n * sizeof *a->id) &&
           !memcmp(a->begin, b->begin, (a->n + 1) * sizeof *a->begin);
}

/* One pass each over a text not seen before: the merge loop is slow, and a second pass knows the words. */
static void bench_text(const es_bpe *bpe, const char *name, const char *text, size_t n)
{
    encoding e = {.bpe = bpe, .text = text, .n = n};
    if (!es_tokens_room(&e.ours, n + 1024, NULL) || !es_tokens_room(&e.other, n + 1024, NULL))
        abort();
    memset(e.ours.id, 0,
           n * sizeof *e.ours.id); /* the machine's first touch of pages is not ours */
    memset(e.ours.begin, 0, n * sizeof *e.ours.begin);
    double ours = once(encode, &e), start = now();
    if (!es_bpe_encode_plain(bpe, &e.other, text, n, NULL))
        abort();
    double plain = now() - start;
    if (!same_tokens(&e.ours, &e.other)) {
        printf("%s: the two encoders differ\n", name);
        exit(EXIT_FAILURE);
    }
    printf("%-42s %9.3f ms %9.1f MB/s %9.3f ms %8.2f  %zu tokens\n", name, 1e3 * ours,
           (double)n / ours / 1e6, 1e3 * plain, plain / ours, e.ours.n);
    es_tokens_free(&e.ours);
    es_tokens_free(&e.other);
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Tokens in random order, the low ids, which are the frequent ones, more often. */
static char *made_text(const es_bpe *bpe, size_t n, uint64_t state)
{
    char *text = es_alloc(n);
    for (size_t at = 0; at < n;) {
        uint32_t V = (uint32_t)es_bpe_vocab_size(bpe) - 1, limit = 1 + next_random(&state) % V;
        size_t len;
        const char *token = es_bpe_bytes(bpe, (int32_t)(next_random(&state) % limit), &len);
        len = len < n - at ? len : n - at;
        memcpy(text + at, token, len);
        at += len;
    }
    return text;
}

static void bench_texts(const es_bpe *bpe, char **path, int n_paths)
{
    heading("encoding, one thread, first pass", "merging");
    for (int i = 0; i < n_paths; i++) {
        es_file f;
        if (!es_file_open(&f, path[i], NULL)) {
            printf("%s: cannot be read\n", path[i]);
            continue;
        }
        const char *slash = strrchr(path[i], '/');
        bench_text(bpe, slash ? slash + 1 : path[i], (const char *)f.data, f.size);
        es_file_close(&f);
    }
    if (n_paths)
        return;
    char *text = made_text(bpe, 10 * MB, 1);
    bench_text(bpe, "tokens in random order, 10 MB", text, 10 * MB);
    free(text);
}

static void bench_pathological(const es_bpe *bpe)
{
    static const struct {
        const char *name, *unit;
    } runs[] = {{"one letter, 1 MB", "a"},       {"spaces, 1 MB", " "},
                {"a repeated pair, 1 MB", "ab"}, {"=, 1 MB", "="},
                {"kana, 1 MB", "\u3042\u3044"},  {"U+200D, 1 MB", "\u200d"}};
    uint64_t state = 2;
    char *text = es_alloc(MB);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        for (size_t k = 0; k < MB; k++)
            text[k] = runs[i].unit[k % strlen(runs[i].unit)];
        bench_text(bpe, runs[i].name, text, MB);
    }
    memset(text, ' ', MB - 1);
    text[MB - 1] = 'x';
    bench_text(bpe, "spaces and x, 1 MB", text, MB);
    for (size_t k = 0; k < MB; k++)
        text[k] = (char)('a' + next_random(&state) % 26);
    bench_text(bpe, "random letters, 1 MB", text, MB);
    for (size_t k = 0; k < MB; k++)
        text[k] = (char)('0' + next_random(&state) % 10);
    bench_text(bpe, "random digits, 1 MB", text, MB);
    for (size_t k = 0; k < MB; k++)
        text[k] = (char)next_random(&state);
    bench_text(bpe, "random bytes, 1 MB", text, MB);
    free(text);
}

static void bench_threads(const es_bpe *bpe, int threads)
{
    encoding e = {.bpe = bpe, .n = 10 * MB, .threads = threads};
    char name[64], *text = made_text(bpe, e.n, 3);
    e.text = text;
    heading("encoding by threads, ids kept in memory", "one thread");
    snprintf(name, sizeof name, "tokens in random order, 10 MB, %d threads", threads);
    print_duel(name, by_turns(encode_by_threads, encode_by_one, &e), (double)e.n);
    if (!same_tokens(&e.ours, &e.other))
        exit(EXIT_FAILURE);
    es_tokens_free(&e.ours);
    es_tokens_free(&e.other);
    free(text);
}

/* ---- the layer ---- */

enum { B = 8, T = 1024, C = 768, V = 50257 };

typedef struct layer {
    es_embedding e;
    int32_t *ids;
    const float *table;
    float *out;
} layer;

static void forward(void *context)
{
    layer *l = context;
    es_embedded x;
    if (!es_embedding_forward(&x, &l->e, l->ids, B, T, 0, NULL))
        abort();
    es_embedded_free(&x);
}

static void x_alone(void *context)
{
    layer *l = context;
    if (!es_embedding_x(l->out, &l->e, l->ids, B, T, 0, NULL))
        abort();
}

/* The same rows to the same place, one after the other. */
static void copy_rows(void *context)
{
    layer *l = context;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(l->e.be->threads)
#endif
    for (int i = 0; i < B * T; i++)
        memcpy(l->out + (size_t)i * C, l->table + (size_t)l->ids[i] * C, C * sizeof *l->out);
    __asm__ volatile("" : : "r"(l->out) : "memory");
}

/* Ids as they come in text: the k-th most frequent about 1/k as often as the first. */
static void fill_ids(int32_t *ids, bool zipf)
{
    uint64_t state = 4;
    for (int i = 0; i < B * T; i++) {
        uint32_t limit = zipf ? 1 + next_random(&state) % V : V;
        limit = zipf ? 1 + next_random(&state) % limit : V;
        ids[i] = (int32_t)(next_random(&state) % limit * 7919u % V);
    }
}

static void bench_layer(int threads)
{
    es_backend *be = es_backend_open("cpu", threads, NULL);
    es_model *m = es_model_open("untrained:C=768", 0, NULL);
    layer l = {.e = {.be = be}};
    const es_tensor *wte = es_table_whole(m->wte, be, NULL),
                    *wpe = es_table_whole(m->wpe, be, NULL);
    if (!wte || !wpe)
        abort();
    l.e.wte = es_table_of_tensor(wte);
    l.e.wpe = es_table_of_tensor(wpe);
    l.table = wte->buf->mem;
    l.ids = es_alloc_array((size_t)B * T, sizeof *l.ids);
    l.out = aligned_alloc(64, (size_t)B * T * C * sizeof *l.out);
    for (int zipf = 0; zipf < 2; zipf++) {
        char name[64];
        fill_ids(l.ids, zipf);
        snprintf(name, sizeof name, "x alone, %s ids, %d thread%s", zipf ? "Zipf" : "uniform",
                 threads, threads == 1 ? "" : "s");
        print_duel(name, by_turns(x_alone, copy_rows, &l), 4.0 * B * T * C);
    }
    if (threads == 1)
        print_duel("tok_emb, pos_emb and x, each allocated", by_turns(forward, copy_rows, &l),
                   12.0 * B * T * C);
    es_table_unref(l.e.wte);
    es_table_unref(l.e.wpe);
    free(l.ids);
    free(l.out);
    es_model_unref(m);
    es_backend_close(be);
}

/* ---- the nearest rows ---- */

typedef struct nearest {
    es_near *near;
    es_table *table;
    es_backend *be;
    const float *rows;
    float *copy;
    double q[C];
} nearest;

static void search(void *context)
{
    nearest *n = context;
    es_neighbour best[10];
    int64_t found;
    const es_near_query query = {.q = n->q, .by = ES_BY_COSINE};
    if (!es_near_search(n->near, best, 10, &found, &query, NULL, NULL) || found != 10)
        abort();
}

/* As the first query of a table: lengths of rows, and what is kept, from nothing. */
static void search_first(void *context)
{
    nearest *n = context;
    es_near_free(n->near);
    n->near = es_near_new(n->table, n->be, NULL);
    search(n);
}

/* What a search cannot beat: the whole table read once, here as one sum a lane. */
static void read_table(void *context)
{
    nearest *n = context;
    double all = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(n->be->threads) reduction(+ : all)
#endif
    for (int64_t i = 0; i < V; i++) {
        float sum[32] = {0};
        for (int c = 0; c < C; c += 32)
            for (int k = 0; k < 32; k++)
                sum[k] += n->rows[i * C + c + k];
        all += (double)sum[0] + (double)sum[31];
    }
    volatile double keep = all;
    (void)keep;
}

/* The same bytes copied: half of them read, half written. */
static void copy_half(void *context)
{
    nearest *n = context;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(n->be->threads)
#endif
    for (int i = 0; i < V / 2; i++)
        memcpy(n->copy + (size_t)i * C, n->rows + (size_t)i * C, C * sizeof *n->copy);
    __asm__ volatile("" : : "r"(n->copy) : "memory");
}

static void bench_near(int threads)
{
    static const struct {
        const char *what;
        way ours, other;
    } rows[] = {{"first query, against reading the table", search_first, read_table},
                {"second query, against reading the table", search, read_table},
                {"second query, against copying half of it", search, copy_half}};
    es_backend *be = es_backend_open("cpu", threads, NULL);
    es_model *m = es_model_open("untrained:C=768", 0, NULL);
    const es_tensor *wte = es_table_whole(m->wte, be, NULL);
    nearest n = {.be = be, .table = wte ? es_table_of_tensor(wte) : NULL};
    n.copy = malloc((size_t)V / 2 * C * sizeof *n.copy);
    if (!n.table || !n.copy)
        abort();
    n.rows = wte->buf->mem;
    for (int c = 0; c < C; c++)
        n.q[c] = (double)n.rows[464 * C + c];
    search_first(&n);
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s, %d", rows[i].what, threads);
        print_duel(name, by_turns(rows[i].ours, rows[i].other, &n), 4.0 * V * C);
    }
    es_near_free(n.near);
    es_table_unref(n.table);
    free(n.copy);
    es_model_unref(m);
    es_backend_close(be);
}

/* ---- starting ---- */

static void open_vocabulary(void *context)
{
    (void)context;
    es_bpe_free(es_vocab_open("gpt2", NULL));
}

typedef struct stored {
    es_str path;
    size_t size;
} stored;

/* A byte of each line of the cache. */
static void read_vocabulary(void *context)
{
    stored *v = context;
    es_file f;
    volatile unsigned char sum = 0;
    if (!es_file_open(&f, v->path.s, NULL))
        abort();
    for (size_t i = 0; i < f.size; i += 64)
        sum = (unsigned char)(sum + f.data[i]);
    v->size = f.size;
    es_file_close(&f);
}

static void bench_starting(void)
{
    stored v = {0};
    if (!es_place_asset(&v.path, "bpe/gpt2.tables", NULL))
        abort();
    heading("starting", "reading it");
    duel d = by_turns(open_vocabulary, read_vocabulary, &v);
    print_duel("open the vocabulary", d, (double)v.size);
    es_str_free(&v.path);
}

/* ---- parsing ---- */

enum { STATEMENTS = 10000 };

typedef struct statements {
    const char *line[16];
    int n;
    size_t bytes;
} statements;

static void parse_lines(void *context)
{
    const statements *s = context;
    for (int i = 0; i < STATEMENTS; i++) {
        const char *line = s->line[i % s->n];
        es_unit *u = es_parse(line, strlen(line), NULL);
        if (!u)
            abort();
        es_unit_unref(u);
    }
}

static void read_words(void *context)
{
    const statements *s = context;
    for (int i = 0; i < STATEMENTS; i++) {
        es_lexer lex;
        const char *line = s->line[i % s->n];
        es_lex_begin(&lex, line, strlen(line));
        while (es_lex_next(&lex).kind != ES_T_END)
            ;
    }
}

static void bench_parsing(void)
{
    statements s = {.line = {"x = wte(ids) + wpe(positions)", "x.shape", "B, T = ids.shape",
                             "torch.arange(0, T).unsqueeze(0)", "x @ wte.weight.T", "x[:, -1]",
                             "y = torch.cat([tok_emb, pos_emb], dim=-1)",
                             "print(f\"{x.mean():.3f} {T=}\")",
                             "for i in range(T): print(i, ids[0, i])",
                             "F.one_hot(ids, V).float() @ wte.weight"},
                    .n = 10};
    for (int i = 0; i < STATEMENTS; i++)
        s.bytes += strlen(s.line[i % s.n]);
    heading("parsing 10,000 short lines", "the words");
    print_duel("ms / 10 are us a line", by_turns(parse_lines, read_words, &s), (double)s.bytes);
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One pass over each file, ids alone, after half a megabyte of the first. */
static int passes(const es_bpe *bpe, char **path, int n_paths)
{
    es_tokens ids = {.ids_only = true};
    for (int i = 0; i < n_paths; i++) {
        es_file f;
        volatile unsigned char sum = 0;
        if (!es_file_open(&f, path[i], NULL))
            return EXIT_FAILURE;
        encoding e = {.bpe = bpe, .text = (const char *)f.data, .n = f.size};
        if (i == 0 && e.n > MB / 2)
            e.n = MB / 2;
        for (size_t k = 0; k < e.n; k += 64) /* the file is in memory for the others, too */
            sum = (unsigned char)(sum + f.data[k]);
        double start = cpu_now();
        encode_with(&e, &ids, 1);
        double seconds = cpu_now() - start;
        const char *slash = strrchr(path[i], '/');
        if (i > 0)
            printf("ours %s %zu %.6f\n", slash ? slash + 1 : path[i], f.size, seconds);
        es_file_close(&f);
    }
    es_tokens_free(&ids);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct utsname machine;
    es_backend *be = es_backend_open("cpu", 0, NULL);
    es_bpe *bpe = es_vocab_open("gpt2", NULL);
    if (!be || !bpe || uname(&machine))
        return EXIT_FAILURE;
    if (argc > 2 && !strcmp(argv[1], "--passes"))
        return passes(bpe, argv + 2, argc - 2);
    printf("%s %s, %s; medians of %d rounds by turns\n", machine.sysname, machine.machine,
           be->about, ROUNDS);
    bench_texts(bpe, argv + 1, argc - 1);
    bench_pathological(bpe);
    bench_threads(bpe, 2);
    heading("looking up (8, 1024) ids, C=768", "memcpy");
    bench_layer(1);
    bench_layer(2);
    heading("10 nearest of (50257, 768), F32; threads", "other");
    bench_near(1);
    bench_near(2);
    bench_starting();
    bench_parsing();
    es_bpe_free(bpe);
    es_backend_close(be);
    return EXIT_SUCCESS;
}
