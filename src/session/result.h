// SPDX-License-Identifier: GPL-3.0-or-later
/* What a line answers.  A command fills a result once; two printers show it, one for people and one
 * as JSON, and whoever else wants to know (a window's card, a lesson's check) reads the same data.
 * A sink takes results, errors, notes and progress apart. */
#ifndef ES_SESSION_RESULT_H
#define ES_SESSION_RESULT_H

#include "base/json.h"
#include "session/style.h"

/* A kind of result: its name in JSON, and what can be done with its data. */
typedef struct es_kind {
    const char *name;
    /* Append the answer for a reader, style->plain included.  May fail where a device can. */
    bool (*show)(es_str *out, void *data, const es_style *style, es_error *err);
    /* Append the fields after "kind"; `values`: the vectors too. */
    bool (*json)(es_json *j, void *data, bool values, es_error *err);
    void (*forget)(void *data); /* NULL: the data is another's */
} es_kind;

typedef struct es_result {
    const es_kind *kind;
    void *data; /* owned where its kind can forget it */
} es_result;

void es_result_free(es_result *r); /* safe on an empty one */

/* Where a session's answers go.  Calls come from the thread that runs the line. */
typedef struct es_sink {
    void *user;
    /* Takes the result over. */
    void (*result)(void *user, es_result *r);
    /* line: what was typed, for the caret.  partial (may be empty): what is known all the same. */
    void (*error)(void *user, const es_error *err, const char *line, size_t len,
                  es_result *partial);
    /* A remark beside the answer.  `person`: only where somebody sits at a terminal. */
    void (*note)(void *user, const char *text, bool person);
    /* How far long work is; total 0: not known; done == total: over, take the display away. */
    void (*progress)(void *user, const char *what, uint64_t done, uint64_t total);
    /* What a statement prints while it runs, anybody's bytes; NULL: the result brings it along. */
    void (*print)(void *user, const char *bytes, size_t n);
} es_sink;

extern const es_sink es_sink_silent; /* drops all it is given */

#endif
