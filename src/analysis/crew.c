// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/gemm.h"

enum { LINE = 64 }; /* bytes of a cache line */

/* What a thread works with: room that grows. */
typedef struct room {
    void *at;
    size_t bytes;
} room;

typedef struct member {
    es_crew *crew;
    pthread_t thread;
    room room;
} member;

struct es_crew {
    pthread_mutex_t lock; /* for what comes next */
    pthread_cond_t called, finished;
    const es_chunks *chunks; /* to join in; NULL: there is nothing to do */
    void *of;
    uint64_t calls; /* so far */
    int at_work;    /* others that have joined in */
    bool leave;

    _Atomic int64_t next; /* chunk */
    atomic_bool stop;     /* leave the rest */
    room room;            /* of the thread that calls */
    int n_others;
    member other[];
};

static bool make_room(room *r, size_t bytes)
{
    if (bytes <= r->bytes)
        return true;
    free(r->at);
    bytes = (bytes / LINE + 1) * LINE;
    r->at = aligned_alloc(LINE, bytes);
    r->bytes = r->at ? bytes : 0;
    return r->at != NULL;
}

/* ---- the others ---- */

static void join_in(es_crew *c, const es_chunks *chunks, void *of, room *r)
{
    if (!make_room(r, chunks->room))
        return;
    for (int64_t i; !c->stop && (i = atomic_fetch_add(&c->next, 1)) < chunks->n;)
        chunks->work(of, i, r->at);
}

static void *be_there(void *of)
{
    member *m = of;
    es_crew *c = m->crew;
    uint64_t calls = 0;
    pthread_mutex_lock(&c->lock);
    while (!c->leave) {
        if (!c->chunks || c->calls == calls) {
            pthread_cond_wait(&c->called, &c->lock);
            continue;
        }
        const es_chunks *chunks = c->chunks;
        void *what = c->of;
        calls = c->calls;
        c->at_work++;
        pthread_mutex_unlock(&c->lock);
        join_in(c, chunks, what, &m->room);
        pthread_mutex_lock(&c->lock);
        if (--c->at_work == 0)
            pthread_cond_signal(&c->finished);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Signals are for those who wait for them, so these threads take none. */
es_crew *es_crew_new(void)
{
    int others = es_gemm_threads() - 1;
    sigset_t all, before;
    es_crew *c = es_alloc(sizeof *c + (size_t)(others > 0 ? others : 0) * sizeof *c->other);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->called, NULL);
    pthread_cond_init(&c->finished, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < others; i++) {
        member *m = &c->other[c->n_others];
        m->crew = c;
        c->n_others += !pthread_create(&m->thread, NULL, be_there, m);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return c;
}

void es_crew_free(es_crew *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->leave = true;
    pthread_cond_broadcast(&c->called);
    pthread_mutex_unlock(&c->lock);
    for (int i = 0; i < c->n_others; i++) {
        pthread_join(c->other[i].thread, NULL);
        free(c->other[i].room.at);
    }
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->called);
    pthread_cond_destroy(&c->finished);
    free(c->room.at);
    free(c);
}

/* ---- the one who calls ---- */

static void call(es_crew *c, const es_chunks *chunks, void *of)
{
    pthread_mutex_lock(&c->lock);
    c->chunks = chunks;
    c->of = of;
    c->calls++;
    pthread_cond_broadcast(&c->called);
    pthread_mutex_unlock(&c->lock);
}

/* Who has not joined in by now does not; who has finishes a chunk. */
static void finish(es_crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->chunks = NULL;
    while (c->at_work > 0)
        pthread_cond_wait(&c->finished, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

bool es_crew_work(es_crew *c, const es_chunks *chunks, void *of, es_watch *watch, es_error *err)
{
    bool shared = c->n_others > 0 && chunks->n > 1 && !chunks->alone;
    if (!es_watch_look(watch, err))
        return false;
    if (!make_room(&c->room, chunks->room))
        return es_no_room(err, "what a thread works with", (double)chunks->room);
    c->next = 0;
    c->stop = false;
    if (shared)
        call(c, chunks, of);
    for (int64_t i; !c->stop && (i = atomic_fetch_add(&c->next, 1)) < chunks->n;) {
        chunks->work(of, i, c->room.at);
        if (!es_watch_look(watch, err))
            c->stop = true;
    }
    if (shared)
        finish(c);
    return !c->stop;
}

bool es_crew_once(const es_chunks *chunks, void *of, es_watch *watch, es_error *err)
{
    es_crew *crew = es_crew_new();
    bool ok = es_crew_work(crew, chunks, of, watch, err);
    es_crew_free(crew);
    return ok;
}
