// SPDX-License-Identifier: GPL-3.0-or-later
/* Explains an error text that PyTorch, NumPy or a model's own guard has printed: which operation says it, what
 * its numbers are, what usually leads to it in an embedding layer.  Knows texts, not tensors. */
#ifndef ES_EXPR_WHY_H
#define ES_EXPR_WHY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* A size the reader has here, "C" of 8: where a number of the text equals it, that is mentioned. */
typedef struct es_why_size {
    const char *name;
    int64_t value;
} es_why_size;

typedef struct es_why_number {
    const char *value; /* as it stands in the text: "5", "Long", "[2, 5]" */
    bool whole;        /* it is a whole number, */
    int64_t i;         /* this one */
    const char *means;
} es_why_number;

typedef struct es_why {
    const char *operation; /* who says this: "torch.cat" and in words what it does */
    const char *matched;   /* the part of the text that is meant */
    const char *says;      /* the same in plain words */
    const es_why_number *numbers;
    const char *const *causes, *const *look; /* likeliest first; what to print */
    size_t n_numbers, n_causes, n_look;
    const char *try; /* a line of tensor mode that fails the same way, or NULL */
} es_why;

/* All of it is ready to print: visible characters only. */
typedef struct es_why_answer {
    es_arena *arena;
    es_why *of;          /* the most specific first */
    size_t n;            /* 0: no known text is in it */
    const char *nearest; /* then perhaps a known text that shares most of its words, else NULL */
    const char *file, *code; /* of a traceback: the last line of the reader's own, or NULL */
    int64_t line;
} es_why_answer;

enum { ES_WHY_MOST = 4, ES_WHY_READS = 1 << 20 };

/* Of a long text its last ES_WHY_READS bytes are read: errors stand at the end.  Linear in its length.
 * Free with es_why_free. */
void es_why_find(es_why_answer *out, const char *text, size_t len, const es_why_size *sizes,
                 size_t n_sizes);
void es_why_free(es_why_answer *a); /* safe on an empty one */

/* The i-th known operation and the line that shows it (NULL: none); false behind the last. */
bool es_why_known(size_t i, const char **operation, const char **try);

#endif
