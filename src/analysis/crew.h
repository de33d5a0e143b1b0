// SPDX-License-Identifier: GPL-3.0-or-later
/* Threads that share work in chunks, many times a second.  Which chunks there are is not for the number of threads to
 * say, so that what comes of them is the same for any; and nobody waits for a thread that the machine has no time for:
 * where one is not there yet, the others do its share.  A table is read by a sweep (sweep.h)
 * and its graph made by knn.c: long work, which may fail and ends when the last thread does, for which the threads that
 * OpenMP has anyway will do. */
#ifndef ES_ANALYSIS_CREW_H
#define ES_ANALYSIS_CREW_H

#include <stddef.h>
#include <stdint.h>

#include "base/watch.h"

typedef struct es_crew es_crew;

/* The thread that calls, and as many more as products have (es_gemm_threads).  Free with es_crew_free. */
es_crew *es_crew_new(void);
void es_crew_free(es_crew *c); /* NULL is fine */

typedef struct es_chunks {
    int64_t n;
    size_t room; /* bytes that a thread has to itself, on a multiple of 64; may be 0 */

    /* Chunk i, a millisecond at most, into places that are its own.  Several at a time, in any order. */
    void (*work)(void *of, int64_t i, void *room);
    bool alone; /* all of it is too little to wake the others for */
} es_chunks;

/* Comes back when all is done.  The watch (may be NULL) is looked at after each chunk of the thread that calls, and its
 * counts left alone.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED: some chunks were not worked on. */
bool es_crew_work(es_crew *c, const es_chunks *chunks, void *of, es_watch *watch, es_error *err);

/* The same once, with a crew that is hired for it. */
bool es_crew_once(const es_chunks *chunks, void *of, es_watch *watch, es_error *err);

#endif
