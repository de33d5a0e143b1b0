// SPDX-License-Identifier: GPL-3.0-or-later
/* A line of text cut into runs of one face, one script and one direction, from left to right as they are seen. */
#ifndef ES_WINDOW_RUNS_H
#define ES_WINDOW_RUNS_H

#include "window/faces.h"

typedef struct es_run {
    size_t at, n; /* of the line's bytes */
    int face;
    bool rtl;
    const char *script; /* ISO 15924: "Arab" */
} es_run;

typedef struct es_runs {
    es_str
        text; /* bytes that are no text, and what no face has, as their code: <E6 9C>, <U+12345> */
    es_run *run;
    size_t n;
} es_runs;

/* No more than `most` letters are taken of n bytes.  Free with es_runs_free. */
void es_runs_cut(es_runs *out, es_faces *f, int style, const char *text, size_t n, size_t most);
void es_runs_free(es_runs *r);

#endif
