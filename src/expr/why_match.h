// SPDX-License-Identifier: GPL-3.0-or-later
/* Finds known wordings inside a text, with the numbers, shapes and names that stand in them.  White space, line
 * breaks, quotes of any form, colours and letter case do not count, on either side.
 *
 * A wording is the text itself with placeholders, each into a slot 0-7:
 *   {n0} a whole number   {f0} a number with decimals   {s0} a shape: [2, 5], (2, 5), 2x5, torch.Size([2, 5])
 *   {w0} a name or a few words, up to the text that follows; a wording may begin with one   {} the same, not kept
 * Behind ~ the wording goes on as far as the text does: a text may have been cut off there. */
#ifndef ES_EXPR_WHY_MATCH_H
#define ES_EXPR_WHY_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ES_WHY_SLOTS = 8,
    ES_WHY_DIMS = 16,
    ES_WHY_KEY = 4 /* bytes of a wording by which its places are found */
};

/* A text without what does not count. */
typedef struct es_squeezed {
    const char *from; /* borrowed */
    char *s;          /* [n], and room for a key more */
    uint32_t *at;     /* [n] where each byte stands in `from` */
    bool *apart;      /* [n] something was left out before it */
    size_t n;
} es_squeezed;

/* why_squeeze.c */
void es_squeeze(es_squeezed *q, const char *text, size_t len);
void es_squeezed_free(es_squeezed *q);

typedef enum es_capture_kind {
    ES_CAPTURE_NONE,
    ES_CAPTURE_NUMBER,
    ES_CAPTURE_SHAPE,
    ES_CAPTURE_TEXT
} es_capture_kind;

typedef struct es_capture {
    es_capture_kind kind;
    size_t begin, end;         /* in the squeezed text */
    int64_t number;            /* NUMBER; */
    int64_t dims[ES_WHY_DIMS]; /* SHAPE; -1 where it says newaxis */
    int n_dims;
} es_capture;

typedef struct es_match {
    size_t begin, end; /* in the squeezed text */
    size_t weight;     /* letters of the wording itself that were found: how specific it is */
    es_capture slot[ES_WHY_SLOTS];
} es_match;

typedef struct es_wordings es_wordings;

es_wordings *es_wordings_new(void);
void es_wordings_add(es_wordings *w, const char *wording, size_t id);
void es_wordings_free(es_wordings *w);

/* Calls found(user, id, match) for every place where a wording of that id stands.  Linear in q->n. */
void es_wordings_search(es_wordings *w, const es_squeezed *q,
                        void (*found)(void *user, size_t id, const es_match *m), void *user);

#endif
