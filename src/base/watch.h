// SPDX-License-Identifier: GPL-3.0-or-later
/* The window between a long computation and whoever waits for it: the one who waits may set
 * `cancel`, the one who works says how far it is.  All of it may be touched by two threads. */
#ifndef ES_BASE_WATCH_H
#define ES_BASE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct es_watch {
    atomic_bool cancel;
    const atomic_bool *stop;      /* a flag from elsewhere that cancels as well; may be NULL */
    _Atomic uint64_t done, total; /* in the work's own units; total 0: not known */
} es_watch;

/* For the one who works, before each piece of work that counts anew.  watch may be NULL. */
static inline void es_watch_begin(es_watch *watch, uint64_t total)
{
    if (!watch)
        return;
    watch->total = 0; /* whoever looks now is not told of more done than there is to do */
    watch->done = 0;
    watch->total = total;
}

/* For a part of a longer work, or one whose other threads count: false and ES_ERR_INTERRUPTED when
 * the work is no longer wanted; the counts are left alone.  watch may be NULL. */
static inline bool es_watch_look(es_watch *watch, es_error *err)
{
    if (!watch)
        return true;
    if (atomic_load_explicit(&watch->cancel, memory_order_relaxed) ||
        (watch->stop && atomic_load_explicit(watch->stop, memory_order_relaxed)))
        return es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    return true;
}

/* For the one who works, now and then (at most 5 ms apart): note progress, and look. */
static inline bool es_watch_step(es_watch *watch, uint64_t done, es_error *err)
{
    if (watch)
        atomic_store_explicit(&watch->done, done, memory_order_relaxed);
    return es_watch_look(watch, err);
}

/* For one of several who work: n more are done. */
static inline void es_watch_add(es_watch *watch, uint64_t n)
{
    if (watch)
        atomic_fetch_add_explicit(&watch->done, n, memory_order_relaxed);
}

#endif
