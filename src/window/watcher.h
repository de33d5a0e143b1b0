// SPDX-License-Identifier: GPL-3.0-or-later
/* A thread that waits for descriptors while the main thread waits for the window's events, and wakes it. */
#ifndef ES_WINDOW_WATCHER_H
#define ES_WINDOW_WATCHER_H

#include "base/error.h"

enum { ES_MOST_WATCHED = 8 };

typedef struct es_watcher es_watcher;

/* `wake` is called on the watcher's thread, once each time es_watcher_watch has been called.  It lives as long as the
 * program.  ES_ERR_BACKEND: the system gives no thread. */
es_watcher *es_watcher_new(void (*wake)(void), es_error *err);

/* Wake when one of n descriptors (up to ES_MOST_WATCHED) can be read.  Cheap where that is being done already. */
void es_watcher_watch(es_watcher *w, const int *fd, int n);

/* Which of n descriptors can be read now, or are at their end, as bits. */
unsigned es_watcher_ready(const int *fd, int n, int milliseconds);

#endif
