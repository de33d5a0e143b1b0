// SPDX-License-Identifier: GPL-3.0-or-later
/* All rows of a table, a block at a time, by several threads. */
#ifndef ES_ANALYSIS_SWEEP_H
#define ES_ANALYSIS_SWEEP_H

#include "base/watch.h"
#include "core/table.h"

typedef struct es_sweep {
    int64_t block; /* rows of one; the last may have fewer */
    size_t room;   /* bytes that a thread has to itself while it works on a block; may be 0 */

    /* rows (n, C), from row `first` of the table on, as float32; they may be written to.  Several at a time. */
    void (*work)(void *of, int64_t first, int64_t n, float *rows, void *room);

    /* What came of a block into what all come to: one at a time, in the order of the rows, so that the sum is the same
     * for any number of threads.  NULL: nothing. */
    void (*fold)(void *of, const void *room);

    /* In place of work, where it can fail. */
    bool (*attempt)(void *of, int64_t first, int64_t n, float *rows, void *room, es_error *err);
} es_sweep;

/* How many rows have about so many numbers: at least 1. */
int64_t es_sweep_rows(int64_t numbers, int64_t C);

/* Has the table a last row?  ES_ERR_VALUE. */
bool es_sweep_ends(const es_table *t, es_error *err);

/* The watch (may be NULL) is looked at after each block and counts rows.  ES_ERR_VALUE: the table has no last row;
 * ES_ERR_NOMEM, ES_ERR_INTERRUPTED, ES_ERR_BACKEND, and errors of attempt. */
bool es_sweep_table(const es_sweep *s, void *of, const es_table *t, es_watch *watch, es_error *err);

#endif
