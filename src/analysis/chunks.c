// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/chunks.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/gemm.h"

enum { LINE = 64 }; /* bytes of a cache line */

typedef struct shared {
    const es_chunks *how;
    void *of;
    es_watch *watch;
    atomic_bool stop;
    es_error err; /* the first failure's */
} shared;

static size_t whole_lines(size_t bytes)
{
    return (bytes / LINE + 1) * LINE;
}

static void fail(shared *s, es_error *err)
{
#ifdef _OPENMP
#pragma omp critical(es_chunks_fail)
#endif
    {
        if (s->err.code == ES_OK)
            s->err = *err;
        else
            es_error_free(err);
    }
    s->stop = true;
}

static void share(shared *s)
{
    es_error err = ES_ERROR_NONE;
    size_t bytes = whole_lines(s->how->room);
    void *room = aligned_alloc(LINE, bytes);
    if (!room) {
        es_no_room(&err, "what a thread works with", (double)bytes);
        fail(s, &err);
    }
#ifdef _OPENMP
#pragma omp for schedule(dynamic)
#endif
    for (int64_t i = 0; i < s->how->n; i++) {
        if (s->stop)
            continue;
        s->how->work(s->of, i, room);
        if (!es_watch_look(s->watch, &err))
            fail(s, &err);
    }
    free(room);
}

bool es_chunks_run(const es_chunks *c, void *of, es_watch *watch, es_error *err)
{
    shared s = {.how = c, .of = of, .watch = watch, .err = ES_ERROR_NONE};
    if (!es_watch_look(watch, err))
        return false;
#ifdef _OPENMP
    int threads = es_gemm_threads(); /* NOLINT(clang-analyzer-deadcode.DeadStores): read below */
#pragma omp parallel num_threads(threads) if (c->n > 1 && !c->alone)
#endif
    share(&s);
    if (s.stop && err)
        *err = s.err;
    else
        es_error_free(&s.err);
    return !s.stop;
}
