// SPDX-License-Identifier: GPL-3.0-or-later
/* A session whose answers are remembered: a sink for results, errors, notes and progress apart. */
#ifndef ES_TESTS_LISTENER_H
#define ES_TESTS_LISTENER_H

#include <jansson.h>

#include "session/session.h"

typedef struct listener listener;
struct listener {
    es_session *session;
    es_sink sink; /* for calls that take one */

    /* ---- what was said since the last line was run ---- */
    es_str json;   /* results and errors, a line each */
    es_str shown;  /* results, and what is known beside an error, as a reader sees them */
    es_str errors; /* as a reader sees them */
    es_str hint;   /* of errors */
    es_str notes;  /* a line each, "(person) " before one that only people get */
    int n_results, n_errors, n_progress;

    /* ---- how it listens; listener_open: at 80 columns, without vectors in JSON ---- */
    es_style style;
    bool values;
    bool
        lenient; /* a result that cannot be shown is an error, as in the program; else the test fails */
    void (*on_progress)(listener *l, uint64_t done, uint64_t total); /* NULL: it is counted */
};

/* End with listener_close. */
void listener_open(listener *l, const es_session_options *o);
void listener_close(listener *l); /* nothing where none is open */

/* Run a line of the prompt; what was said before it is forgotten. */
es_outcome listener_run(listener *l, const char *line);
es_outcome listener_run_bytes(listener *l, const char *line, size_t n);
void listener_forget(listener *l);

/* The one object of JSON that was said, on a line of its own; the caller frees it. */
json_t *listener_answer(const listener *l);

/* Fails unless the line is refused once, with this code and, word for word, this message. */
void listener_refused(listener *l, const char *line, const char *code, const char *message);

#endif
