// SPDX-License-Identifier: GPL-3.0-or-later
/* What an encoder makes of a text: ids, and where each token lies in the text's bytes. */
#ifndef ES_TEXT_TOKENS_H
#define ES_TEXT_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct es_tokens {
    int32_t *id;     /* n ids */
    uint32_t *begin; /* n + 1 byte offsets: token i is text[begin[i] .. begin[i + 1]) */
    size_t n, cap;
    bool ids_only; /* set before there are any: begin stays NULL */
} es_tokens;

/* Room for `more` tokens beyond the n there are.  ES_ERR_NOMEM. */
bool es_tokens_room(es_tokens *t, size_t more, es_error *err);

/* Add one that there is room for. */
static inline void es_tokens_put(es_tokens *t, int32_t id, uint32_t end)
{
    t->id[t->n++] = id;
    if (!t->ids_only)
        t->begin[t->n] = end;
}

/* Give back most of the room that is not used. */
void es_tokens_trim(es_tokens *t);

/* Add a token that ends at byte `end`; the first begins at byte 0.  ES_ERR_NOMEM. */
bool es_tokens_add(es_tokens *t, int32_t id, uint32_t end, es_error *err);
void es_tokens_free(es_tokens *t); /* t becomes empty */

#endif
