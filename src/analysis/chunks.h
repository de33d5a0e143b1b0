// SPDX-License-Identifier: GPL-3.0-or-later
/* Work in chunks that threads share: which chunks there are is not for the number of threads to say, so that what comes
 * of them is the same for any. */
#ifndef ES_ANALYSIS_CHUNKS_H
#define ES_ANALYSIS_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/watch.h"

typedef struct es_chunks {
    int64_t n;
    size_t room; /* bytes that a thread has to itself, on a multiple of 64; may be 0 */

    /* Chunk i, a millisecond or so, into places that are its own.  Several at a time, in any order. */
    void (*work)(void *of, int64_t i, void *room);
    bool alone; /* all of it is too little to wake other threads for */
} es_chunks;

/* The watch (may be NULL) is looked at after each chunk, and its counts left alone.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED:
 * some chunks were not worked on. */
bool es_chunks_run(const es_chunks *c, void *of, es_watch *watch, es_error *err);

#endif
