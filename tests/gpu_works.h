// SPDX-License-Identifier: GPL-3.0-or-later
/* What bench_gpu times on a device: x, products, nearest rows, analyses. */
#ifndef ES_TESTS_GPU_WORKS_H
#define ES_TESTS_GPU_WORKS_H

#include "core/table.h"

enum { GPU_B = 64, GPU_T = 1024, GPU_C = 768, GPU_QUERIES = 1000, N_GPU_WORKS = 5 };

typedef struct gpu_bench {
    es_backend *be;
    const char *label; /* "gpu", "CLBlast" */
    es_table *wte, *wpe;
    int32_t *ids;   /* (B, T) */
    double *answer; /* of the last work */
    int64_t n_answer;
} gpu_bench;

typedef struct gpu_work {
    const char *name, *says;
    void (*run)(gpu_bench *b); /* prints a row of the report, and leaves an answer */
    double within;             /* of the processor's answer, as a part of its largest number */
    bool here;                 /* on the host alone */
    bool product;              /* CLBlast may do it */
} gpu_work;

extern const gpu_work gpu_works[N_GPU_WORKS];

/* A benchmark that cannot go on ends here. */
void gpu_must(bool ok, const es_error *err);

/* How far the answer of b is off the processor's, as a part of the largest number. */
double gpu_difference(const gpu_bench *cpu, const gpu_bench *b);

#endif
