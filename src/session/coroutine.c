// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/coroutine.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/mem.h"

enum { STACK = 64 << 20 }; /* of functions within functions; only what is used takes memory */

struct es_coroutine {
    pthread_t thread;
    void (*fn)(void *user);
    void *user;
    pthread_mutex_t lock; /* guards the two below */
    pthread_cond_t turned;
    bool its_turn, ended;
};

/* Give the turn to the other side, and wait until it comes back. */
static void turn_over(es_coroutine *c, bool to_it)
{
    c->its_turn = to_it;
    pthread_cond_broadcast(&c->turned);
    while (c->its_turn == to_it && !c->ended)
        pthread_cond_wait(&c->turned, &c->lock);
}

static void *run(void *p)
{
    es_coroutine *c = p;
    pthread_mutex_lock(&c->lock);
    while (!c->its_turn)
        pthread_cond_wait(&c->turned, &c->lock);
    pthread_mutex_unlock(&c->lock);
    c->fn(c->user);
    pthread_mutex_lock(&c->lock);
    c->ended = true;
    c->its_turn = false;
    pthread_cond_broadcast(&c->turned);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Signals are the main thread's: it starts with all of them blocked. */
static bool start(es_coroutine *c)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&c->thread, &attributes, run, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return !failed;
}

es_coroutine *es_coroutine_new(void (*fn)(void *user), void *user, es_error *err)
{
    es_coroutine *c = es_alloc(sizeof *c);
    c->fn = fn;
    c->user = user;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->turned, NULL);
    if (start(c))
        return c;
    es_fail(err, ES_ERR_BACKEND, "the system gives no thread to step in");
    pthread_cond_destroy(&c->turned);
    pthread_mutex_destroy(&c->lock);
    free(c);
    return NULL;
}

bool es_coroutine_resume(es_coroutine *c)
{
    pthread_mutex_lock(&c->lock);
    turn_over(c, true);
    bool ended = c->ended;
    pthread_mutex_unlock(&c->lock);
    return !ended;
}

void es_coroutine_yield(es_coroutine *c)
{
    pthread_mutex_lock(&c->lock);
    turn_over(c, false);
    pthread_mutex_unlock(&c->lock);
}

void es_coroutine_free(es_coroutine *c)
{
    pthread_join(c->thread, NULL);
    pthread_cond_destroy(&c->turned);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
