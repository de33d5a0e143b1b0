// SPDX-License-Identifier: GPL-3.0-or-later
/* Long texts by several threads: each takes a stretch that begins and ends between two pieces whatever
 * the text beyond, so that together they give what one would.  A text without such places, a million
 * spaces say, is left to one. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/mem.h"
#include "text/bpe_fast.h"

enum { STRETCH = 1 << 18, SEARCH = 1 << 16, SLACK = 256, MOST_THREADS = 64 };

typedef struct stretch {
    const es_bpe *bpe;
    const char *text;
    size_t begin, end;
    es_tokens out; /* borrowed from where all tokens will be: room for one a byte */
    es_watch watch;
    pthread_t thread;
    bool ok;
    es_error err;
} stretch;

/* The first place from `at` on where the text may be cut; end if none is near. */
static size_t find_cut(const es_bpe *bpe, const char *text, size_t at, size_t end)
{
    size_t last = end - at < SEARCH ? end : at + SEARCH;
    while (at < last && !bpe->parts(text, end, at))
        at++;
    return at < last ? at : end;
}

static int cut(stretch *s, int most, const es_bpe *bpe, const char *text, size_t begin, size_t end)
{
    int n = 0;
    size_t length = end - begin;
    for (size_t at = begin; at < end; n++) {
        size_t next = n + 1 == most ? end : begin + length / (size_t)most * (size_t)(n + 1);
        next = next < at ? at : next;
        next = next < end ? find_cut(bpe, text, next, end) : end;
        s[n] = (stretch){.bpe = bpe, .text = text, .begin = at, .end = next};
        at = next;
    }
    return n;
}

static void *run(void *p)
{
    stretch *s = p;
    s->ok = es_bpe_encode_span(s->bpe, &s->out, s->text, s->begin, s->end, &s->watch, &s->err);
    return NULL;
}

/* Signals are the main thread's. */
static bool start(stretch *s)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = pthread_create(&s->thread, NULL, run, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

/* A place in out for each stretch, far enough from the others; what a stretch asks for beyond its bytes
 * is less than SLACK. */
static bool lend(es_tokens *out, stretch *s, int n, es_error *err)
{
    size_t bytes = s[n - 1].end - s[0].begin, at = out->n;
    if (!es_tokens_room(out, bytes + (size_t)n * SLACK, err))
        return false;
    for (int i = 0; i < n; i++) {
        s[i].out = (es_tokens){.id = out->id + at, .ids_only = out->ids_only};
        s[i].out.begin = out->ids_only ? NULL : out->begin + at;
        s[i].out.cap = s[i].end - s[i].begin + SLACK;
        at += s[i].out.cap;
    }
    return true;
}

/* Move the tokens of a stretch behind those before it. */
static void close_up(es_tokens *out, const es_tokens *more)
{
    memmove(out->id + out->n, more->id, more->n * sizeof *more->id);
    if (!out->ids_only)
        memmove(out->begin + out->n + 1, more->begin + 1, more->n * sizeof *more->begin);
    out->n += more->n;
}

/* The caller's thread takes the first stretch, and the caller's watch sees its progress as that of all. */
static bool run_all(stretch *s, int n, es_watch *watch)
{
    bool started[MOST_THREADS] = {0}, ok = true;
    for (int i = 1; i < n; i++)
        if (!(started[i] = start(&s[i])))
            run(&s[i]);
    s[0].ok = es_bpe_encode_span(s->bpe, &s->out, s->text, s->begin, s->end, watch, &s->err);
    for (int i = 1; i < n; i++)
        if (started[i])
            pthread_join(s[i].thread, NULL);
    for (int i = 0; i < n; i++)
        ok = ok && s[i].ok;
    return ok;
}

bool es_bpe_encode_parallel(const es_bpe *bpe, es_tokens *out, const char *text, size_t begin,
                            size_t end, int threads, es_watch *watch, es_error *err)
{
    size_t most = (end - begin) / STRETCH;
    most = most < (size_t)threads ? most : (size_t)threads;
    if (threads < 2 || most < 2)
        return es_bpe_encode_span(bpe, out, text, begin, end, watch, err);
    stretch s[MOST_THREADS] = {0};
    int n = cut(s, most < MOST_THREADS ? (int)most : MOST_THREADS, bpe, text, begin, end);
    if (!lend(out, s, n, NULL)) /* one thread needs less memory */
        return es_bpe_encode_span(bpe, out, text, begin, end, watch, err);
    for (int i = 0; i < n; i++) {
        s[i].watch.stop = watch ? &watch->cancel : NULL;
        s[i].err = ES_ERROR_NONE;
    }
    bool ok = run_all(s, n, watch);
    es_error *failed = NULL;
    for (int i = 0; i < n; i++) {
        if (!s[i].ok && !failed)
            failed = &s[i].err;
        else
            es_error_free(&s[i].err);
        if (ok)
            close_up(out, &s[i].out);
    }
    if (failed && err)
        *err = *failed;
    else if (failed)
        es_error_free(failed);
    return ok;
}
