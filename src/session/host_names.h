// SPDX-License-Identifier: GPL-3.0-or-later
/* What the names of the last text, the model and their sizes mean in a statement. */
#ifndef ES_SESSION_HOST_NAMES_H
#define ES_SESSION_HOST_NAMES_H

#include "expr/value.h"
#include "session/session.h"

enum { ES_NAMED_TENSORS = 5, ES_NAMED_TABLES = 2, ES_NAMED_PICTURES = 2 };

/* Values that are made once and kept, so that what a statement writes into them is there for the next. */
typedef struct es_host_names {
    es_session *session;
    es_text *text;                     /* whose tensors are kept; one reference; NULL: none */
    es_value tensor[ES_NAMED_TENSORS]; /* NONE: not asked for yet */
    es_value table[ES_NAMED_TABLES];
    es_value picture[ES_NAMED_PICTURES]; /* sel, axes */
} es_host_names;

/* As es_interp_host has it. */
int es_host_name(es_host_names *n, const char *name, size_t len, es_value *out, es_error *err);
const char *es_host_name_at(size_t i);

/* Is it a name of the last text, one that the next text changes? */
bool es_host_name_of_text(const char *name);

/* The value kept under the i-th name, or NULL when none is. */
const es_value *es_host_name_kept(const es_host_names *names, size_t i);

/* Those of a session that has run a statement. */
const es_host_names *es_mode_names(const es_session *s);

void es_host_names_forget_text(es_host_names *names); /* what is kept of the text, */
void es_host_names_forget(es_host_names *names);      /* or of the model too */
void es_host_names_forget_picture(es_host_names *names, const char *name); /* "sel", "axes" */

#endif
