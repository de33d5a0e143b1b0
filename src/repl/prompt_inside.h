// SPDX-License-Identifier: GPL-3.0-or-later
/* The inside of the prompt with Readline: the line (prompt.c), its keys (prompt_keys.c), what was typed before
 * (prompt_history.c). */
#ifndef ES_REPL_PROMPT_INSIDE_H
#define ES_REPL_PROMPT_INSIDE_H

#include <stdio.h>

#include "repl/prompt.h"

struct es_prompt {
    es_session *session;
    es_line_fn on_line;
    void *user;
    const atomic_bool *called;
    int excuses; /* since the last es_prompt_read: what es_prompt_get_key gave in place of keys */
    const char *bell; /* how Readline rings when it is not told to abort by us */
    es_str history;   /* the file's path; empty: none is kept */
    bool unsaved;     /* the last entry is not in the file yet */
    bool editing;     /* Readline has the terminal */
    es_str typed;     /* keys pressed elsewhere that it has not read yet: from `read` on */
    size_t read;
};

/* The one there is, as Readline's callbacks carry no argument; NULL: none. */
es_prompt *es_prompt_current(void);

/* ---- prompt_keys.c: what Readline calls ---- */

/* Take the terminal, and bind our keys where the reader has not bound them. */
void es_prompt_prepare_terminal(int meta);

/* The next key, or an excuse when the loop is called for; EOF: there are no more. */
int es_prompt_get_key(FILE *in);

/* The candidates for the word at bytes start to end of the line, for Readline to free; NULL: none. */
char **es_prompt_complete(const char *text, int start, int end);

/* ---- prompt_history.c ---- */

/* Read what earlier sessions have left; tells the sink, once, where nothing can be kept. */
void es_history_open(es_prompt *p, const es_sink *sink);

/* A line becomes the last entry, if it is not that already; or one more line of the statement that is it. */
void es_history_remember(es_prompt *p, const char *line);
void es_history_remember_too(es_prompt *p, const char *line);

/* The last entry goes to the file once it is whole. */
void es_history_save(es_prompt *p);

#endif
