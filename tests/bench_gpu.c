// SPDX-License-Identifier: GPL-3.0-or-later
/* How fast a device is at what the program asks of it, beside the processor in the same minute; its answers are compared too.
 *
 * usage: bench_gpu [DEVICE [ROWS [WORK…]]]    DEVICE gpu, ROWS of the table 50257, WORK all of x, matmul, near, pca, knn
 *        bench_gpu --devices                  for bench_gpu.sh: of each GPU its name, what it is, and what its maker calls it */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "gpu_works.h"
#if ES_HAVE_OPENCL
#include "opencl/device.h"
#endif

enum { V = 50257 };

static void stop(const char *why)
{
    fprintf(stderr, "bench_gpu: %s\n", why);
    exit(EXIT_FAILURE);
}

/* ---- by turns ---- */

static void remark(const gpu_work *w, const char *label, const char *said)
{
    printf("%-34s %-14s %s\n", w->says, label, said);
}

static void compare(const gpu_work *w, const gpu_bench *cpu, const gpu_bench *b)
{
    double off = gpu_difference(cpu, b);
    if (off <= w->within) {
        remark(w, b->label,
               w->within > 0 ? "the cpu's within 1e-5 of the largest number"
                             : "the same as the cpu's");
        return;
    }
    fprintf(stderr, "bench_gpu: %s of %s is off by %g of the largest number\n", w->name, b->label,
            off);
    exit(EXIT_FAILURE);
}

/* Kernels ran there, and what of it did not is named. */
static void prove(const gpu_work *w, const gpu_bench *b)
{
    es_ran ran = es_backend_ran(b->be);
    if (!ran.launches) {
        fprintf(stderr, "bench_gpu: nothing of %s ran on %s\n", w->name, b->label);
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < ran.n_beside; i++) {
        char said[96];
        snprintf(said, sizeof said, "on the processor: %s", ran.beside[i].what);
        remark(w, b->label, said);
    }
}

static void run_on(const gpu_work *w, const gpu_bench *cpu, gpu_bench *b)
{
    if (w->here) {
        remark(w, b->label, "takes no device yet: left out");
        return;
    }
    es_backend_ran(b->be);
    w->run(b);
    prove(w, b);
    compare(w, cpu, b);
}

/* Is it in use?  One failure, and it is not asked again. */
static bool has_clblast(const es_backend *be)
{
#if ES_HAVE_OPENCL
    return es_cl_of(be)->clblast;
#else
    (void)be;
    return false;
#endif
}

/* Products by our kernels, or by CLBlast if it is used.  A device chooses when it is opened. */
static void product_by(const gpu_work *w, const gpu_bench *cpu, const gpu_bench *like,
                       const char *clblast)
{
    es_error err = ES_ERROR_NONE;
    gpu_bench b = *like;
    b.answer = NULL;
    b.label = *clblast == '1' ? "CLBlast" : "our kernels";
    setenv("EMBEDSCOPE_CLBLAST", clblast, true);
    b.be = es_backend_open(like->be->name, 0, &err);
    gpu_must(b.be != NULL, &err);
    bool ours = *clblast != '1';
    if (ours || has_clblast(b.be)) {
        run_on(w, cpu, &b);
        if (!ours && !has_clblast(b.be))
            remark(w, b.label, "failed: some of that was our kernels");
    } else {
        remark(w, b.label, "is not installed: left out");
    }
    es_backend_close(b.be);
    free(b.answer);
}

static bool is_emulated(const char *name)
{
    es_devices found;
    es_devices_list(&found);
    for (int i = 0; i < found.n; i++)
        if (!strcmp(found.of[i].name, name))
            return found.of[i].emulated;
    return false;
}

static void run_products(const gpu_work *w, const gpu_bench *cpu, const gpu_bench *like)
{
    const char *wish = getenv("EMBEDSCOPE_CLBLAST");
    bool wanted = wish ? !strcmp(wish, "1") : !is_emulated(like->be->name);
    product_by(w, cpu, like, "0");
    if (wanted)
        product_by(w, cpu, like, "1");
    else
        remark(w, "CLBlast", "left out: EMBEDSCOPE_CLBLAST=1 asks for it");
}

/* ---- what it is about ---- */

static es_table *made_up(int64_t rows, uint32_t stream)
{
    float *numbers = es_alloc_array((size_t)(rows * GPU_C), sizeof *numbers);
    for (int64_t i = 0; i < rows; i++)
        es_normal_row(numbers + i * GPU_C, GPU_C, 1, stream, (uint64_t)i, 0.02);
    return es_table_mapped(numbers, ES_STORE_F32, rows, GPU_C, numbers, free);
}

static int32_t *any_ids(int64_t rows)
{
    int32_t *ids = es_alloc_array((size_t)GPU_B * GPU_T, sizeof *ids);
    uint32_t draw[4];
    for (uint32_t i = 0; i < GPU_B * GPU_T; i++) {
        es_philox(draw, (uint32_t[]){i, 0, 0, 0}, (uint32_t[]){1, 2});
        ids[i] = (int32_t)(draw[0] % (uint64_t)rows);
    }
    return ids;
}

static bool is_wanted(const gpu_work *w, char **names, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], w->name))
            return true;
    return n == 0;
}

/* A name that is none of ours, or NULL. */
static const char *unknown(char **names, int n)
{
    for (int i = 0; i < n; i++) {
        bool known = false;
        for (int w = 0; w < N_GPU_WORKS; w++)
            known = known || is_wanted(&gpu_works[w], names + i, 1);
        if (!known)
            return names[i];
    }
    return NULL;
}

static void list(void)
{
    es_devices found;
    es_devices_list(&found);
    for (int i = 0; i < found.n; i++) {
        const es_device *d = &found.of[i];
        if (es_device_is_gpu(d->name))
            printf("%s %s %s%s%s\n", d->name,
                   *d->why       ? "unusable"
                   : d->emulated ? "emulated"
                                 : "real",
                   d->about, *d->why ? ": " : "", d->why);
    }
    if (*found.none)
        printf("- none %s\n", found.none);
}

static void run(gpu_bench *cpu, gpu_bench *gpu, char **names, int n)
{
    printf("%s: %s\ncpu: %s\n", gpu->be->name, gpu->be->about, cpu->be->about);
    printf("%" PRId64 " rows of %d untrained numbers\n\n%-34s %-14s %10s %10s\n",
           es_table_rows(cpu->wte), GPU_C, "", "on", "median ms", "best ms");
    for (int i = 0; i < N_GPU_WORKS; i++) {
        if (!is_wanted(&gpu_works[i], names, n))
            continue;
        gpu_works[i].run(cpu);
        if (gpu_works[i].product)
            run_products(&gpu_works[i], cpu, gpu);
        else
            run_on(&gpu_works[i], cpu, gpu);
    }
}

static void leave(gpu_bench *b)
{
    es_table_leave(b->wte, b->be);
    es_table_leave(b->wpe, b->be);
    es_backend_close(b->be);
    free(b->answer);
}

int main(int argc, char **argv)
{
    es_error err = ES_ERROR_NONE;
    if (argc == 2 && !strcmp(argv[1], "--devices")) {
        list();
        return 0;
    }
    int64_t rows = argc > 2 ? atoll(argv[2]) : V;
    int n_names = argc > 3 ? argc - 3 : 0;
    if (rows < GPU_QUERIES || rows > INT32_MAX || unknown(argv + 3, n_names))
        stop("usage: bench_gpu [DEVICE [ROWS [WORK…]]], ROWS 1000 or more, WORK x, matmul, near, "
             "pca or knn");
    gpu_bench cpu = {.label = "cpu", .be = es_backend_open("cpu", 0, &err)}, gpu = {.label = "gpu"};
    gpu.be = cpu.be ? es_backend_open(argc > 1 ? argv[1] : "gpu", 0, &err) : NULL;
    gpu_must(gpu.be != NULL, &err);
    if (!es_device_is_gpu(gpu.be->name))
        stop("the device is no GPU");
    gpu.label = gpu.be->name;
    gpu.wte = cpu.wte = made_up(rows, 0);
    gpu.wpe = cpu.wpe = made_up(GPU_T, 1);
    gpu.ids = cpu.ids = any_ids(rows);
    run(&cpu, &gpu, argv + 3, n_names);
    leave(&gpu);
    leave(&cpu);
    es_table_unref(cpu.wte);
    es_table_unref(cpu.wpe);
    free(cpu.ids);
}
