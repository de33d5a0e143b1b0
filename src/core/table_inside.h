// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_table, for the two files it is in. */
#ifndef ES_CORE_TABLE_INSIDE_H
#define ES_CORE_TABLE_INSIDE_H

#include <pthread.h>

#include "core/table.h"

/* A source is how a kind of table reads rows. */
typedef struct es_table_source_kind {
    bool (*rows)(const es_table *t, int64_t begin, int64_t n, float *out, es_error *err);
    void (*forget)(es_table *t);
} es_table_source_kind;

/* The whole of a table on one device: it stays where it is as long as the table lives, or until es_table_leave. */
typedef struct es_table_copy {
    es_tensor whole;
    _Atomic(struct es_table_copy *) next;
} es_table_copy;

struct es_table {
    const es_table_source_kind *source;
    int64_t rows, C;
    atomic_int refs;
    char about[24];

    es_row_fn fn; /* generated */
    void *context;

    const unsigned char *data; /* mapped */
    es_store store;
    void *owner;
    void (*release)(void *owner);

    es_tensor tensor; /* in memory */

    pthread_mutex_t lock;            /* for who makes or drops a copy; they are read without it */
    _Atomic(es_table_copy *) copies; /* one a device at most */
};

/* With the last reference. */
void es_table_forget_copies(es_table *t);

#endif
