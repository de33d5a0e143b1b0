// SPDX-License-Identifier: GPL-3.0-or-later
/* A small world to run statements in: two tables, a text of two sentences, and what was shown. */
#ifndef ES_TESTS_LANGUAGE_H
#define ES_TESTS_LANGUAGE_H

#include "expr/interp.h"

typedef struct language {
    es_interp *in;
    es_backend *be;       /* where tensors are made */
    es_backend *other[4]; /* opened when a statement asks for them, or by language_has_far */
    es_table *wte, *wpe;  /* V=50 and P=16 rows of C=8 */
    es_value table[2];    /* what statements have of them */
    es_str shown;         /* values, a line each; an int or tensor with its names: "(T) 5" */
    es_str printed, noted;
    es_watch watch;
    es_error err; /* of the last run */
} language;

void language_begin(language *l);                    /* on the cpu */
void language_begin_on(language *l, es_backend *be); /* takes it over */
/* From here on there is a device "gpu" (tests/far.h). */
void language_has_far(language *l);
void language_end(language *l);

/* Parse and run; false: l->err says why. */
bool language_run(language *l, const char *source);

/* What is shown for the source, or "error[code]: message". */
const char *language_says(language *l, const char *source);

/* The part of the source that the last error points at; "" for none. */
const char *language_place(language *l, const char *source);

#endif
