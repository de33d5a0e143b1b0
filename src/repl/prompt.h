// SPDX-License-Identifier: GPL-3.0-or-later
/* The prompt: one line of editing at a time, driven by a loop that polls.  There is at most one,
 * because Readline keeps its state in globals. */
#ifndef ES_REPL_PROMPT_H
#define ES_REPL_PROMPT_H

#include <stdatomic.h>

#include "session/session.h"

typedef struct es_prompt es_prompt;

/* A line was entered (NULL: the end of input).  The terminal is in its usual state meanwhile.  False:
 * no further prompt is wanted. */
typedef bool (*es_line_fn)(void *user, const char *line, size_t len);

/* Shows the prompt; reads the history, and tells the sink if none can be kept.  While called is true
 * the prompt waits for no key: a signal handler sets it, and the loop acts on the signal.  Free with
 * es_prompt_free, which leaves the terminal as it was found. */
es_prompt *es_prompt_new(es_session *s, const es_sink *sink, es_line_fn on_line, void *user,
                         const atomic_bool *called);
void es_prompt_free(es_prompt *p);

/* While on_line runs: a prompt within it, whose lines go to on_line too, until that wants no further one. */
void es_prompt_within(es_prompt *p);

void es_prompt_read(es_prompt *p);      /* a key is there to be read */
void es_prompt_interrupt(es_prompt *p); /* Ctrl-C: drop the line, show a fresh prompt */
void es_prompt_resize(es_prompt *p);    /* the terminal has another size */
void es_prompt_stop(es_prompt *p);      /* Ctrl-Z: give the terminal back */
void es_prompt_continue(es_prompt *p);  /* fg: take it again, with the half-typed line */

/* For the handler of a signal that ends the program: take back what Readline told the terminal. */
void es_prompt_rescue(void);

/* The line as it stands, borrowed. */
const char *es_prompt_line(const es_prompt *p, size_t *len);

size_t es_prompt_cursor(const es_prompt *p); /* bytes of it before the cursor */

/* Keys that were pressed elsewhere, as a terminal would send them. */
void es_prompt_type(es_prompt *p, const char *keys, size_t len);

/* Put bytes into the half-typed line, at the cursor. */
void es_prompt_insert(es_prompt *p, const char *bytes, size_t len);

/* Show a line as if it had been typed, and run it, above the half-typed one, which stays. */
void es_prompt_run(es_prompt *p, const char *bytes, size_t len);

/* What the prompt says has changed: show it anew, and the half-typed line behind it. */
void es_prompt_refresh(es_prompt *p);

/* Call say(user), which may print, above the half-typed line, which stays. */
void es_prompt_above(es_prompt *p, void (*say)(void *user), void *user);

/* Lines typed here and in earlier sessions, oldest first. */
size_t es_history_count(void);
const char *es_history_line(size_t i);  /* borrowed */
void es_history_add(const char *lines); /* as if typed; nothing without a prompt */

/* How many lines the history file holds, without a prompt; its path or why there is none. */
size_t es_history_saved(es_str *path);

const char *es_prompt_library(void);

#endif
