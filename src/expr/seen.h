// SPDX-License-Identifier: GPL-3.0-or-later
/* A map from objects, by their address, to what one wants to remember of them. */
#ifndef ES_EXPR_SEEN_H
#define ES_EXPR_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct es_seen_entry {
    void *object; /* NULL: free */
    void *copy;
    int64_t count;
} es_seen_entry;

/* Zeroed: empty. */
typedef struct es_seen {
    es_seen_entry *of; /* a hash table of n_slots, a power of two */
    size_t n_slots, n;
} es_seen;

es_seen_entry *es_seen_find(const es_seen *seen, const void *object); /* NULL: not there */
/* The same; a new entry is zeros.  Until the next one is added. */
es_seen_entry *es_seen_add(es_seen *seen, void *object);
void es_seen_free(es_seen *seen);

#endif
