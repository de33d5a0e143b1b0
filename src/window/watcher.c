// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/watcher.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

struct es_watcher {
    void (*wake)(void);
    pthread_mutex_t lock;
    pthread_cond_t asked;
    bool watching; /* it is at it; else it rests until it is asked again */
    int fd[ES_MOST_WATCHED], n;
    int change[2]; /* a byte here: there are other descriptors to watch */
};

static int take(es_watcher *w, struct pollfd to[ES_MOST_WATCHED + 1])
{
    pthread_mutex_lock(&w->lock);
    while (!w->watching)
        pthread_cond_wait(&w->asked, &w->lock);
    to[0] = (struct pollfd){.fd = w->change[0], .events = POLLIN};
    for (int i = 0; i < w->n; i++)
        to[1 + i] = (struct pollfd){.fd = w->fd[i], .events = POLLIN};
    int n = 1 + w->n;
    pthread_mutex_unlock(&w->lock);
    return n;
}

static void rest(es_watcher *w)
{
    pthread_mutex_lock(&w->lock);
    w->watching = false;
    pthread_mutex_unlock(&w->lock);
}

static void *watch(void *arg)
{
    es_watcher *w = arg;
    for (;;) {
        struct pollfd fds[ES_MOST_WATCHED + 1];
        char bytes[16];
        if (poll(fds, (nfds_t)take(w, fds), -1) < 0)
            continue;
        if (fds[0].revents) {
            while (read(w->change[0], bytes, sizeof bytes) > 0)
                ;
            continue;
        }
        rest(w); /* first: who is woken may ask again at once */
        w->wake();
    }
    return NULL;
}

/* Signals are for the main thread. */
static int start_thread(es_watcher *w)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread, NULL, watch, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        pthread_detach(thread);
    return failed;
}

es_watcher *es_watcher_new(void (*wake)(void), es_error *err)
{
    es_watcher *w = es_alloc(sizeof *w);
    w->wake = wake;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->asked, NULL);
    bool piped = !pipe2(w->change, O_NONBLOCK | O_CLOEXEC);
    int failed = piped ? start_thread(w) : 1;
    if (!failed)
        return w;
    es_fail(err, ES_ERR_BACKEND, "the system gives no thread to wait for the prompt's keys");
    if (piped) {
        close(w->change[0]);
        close(w->change[1]);
    }
    free(w);
    return NULL;
}

void es_watcher_watch(es_watcher *w, const int *fd, int n)
{
    n = n < ES_MOST_WATCHED ? n : ES_MOST_WATCHED;
    pthread_mutex_lock(&w->lock);
    bool same = n == w->n && !memcmp(fd, w->fd, (size_t)n * sizeof *fd);
    memcpy(w->fd, fd, (size_t)n * sizeof *fd);
    w->n = n;
    if (w->watching && !same) {
        ssize_t n_written = write(w->change[1], "", 1);
        (void)n_written; /* where the pipe is full, it has enough to wake up by */
    }
    w->watching = true;
    pthread_cond_signal(&w->asked);
    pthread_mutex_unlock(&w->lock);
}

unsigned es_watcher_ready(const int *fd, int n, int milliseconds)
{
    struct pollfd fds[ES_MOST_WATCHED];
    unsigned ready = 0;
    n = n < ES_MOST_WATCHED ? n : ES_MOST_WATCHED;
    for (int i = 0; i < n; i++)
        fds[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
    if (poll(fds, (nfds_t)n, milliseconds) > 0)
        for (int i = 0; i < n; i++)
            ready |= fds[i].revents ? 1u << i : 0;
    return ready;
}
