// SPDX-License-Identifier: GPL-3.0-or-later
/* A program of the person's own that has the terminal for a while: a pager, an editor. */
#ifndef ES_REPL_CHILD_H
#define ES_REPL_CHILD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct es_child {
    const char *command; /* words; what only a shell understands goes to sh -c */
    const char *file;    /* one more word at its end, or NULL */
    const char *input;   /* n bytes for its standard input, or NULL: the terminal */
    size_t n;
} es_child;

/* How it ended. */
typedef struct es_child_end {
    int reason; /* not started: why, an errno; 0: it ran */
    int status; /* as waitpid gives it */
} es_child_end;

/* Run it and wait for its end.  Ctrl-C and Ctrl-Z are its own meanwhile; SIGTERM and SIGHUP end it, then
 * us.  Afterwards the terminal's modes are what they were. */
es_child_end es_child_run(const es_child *c);

/* For the handler of a signal that ends the program: end what is running, too. */
void es_child_rescue(void);

/* "ended with status 3", "was ended by signal 9 (Killed)"; NULL if it ended well.  Borrowed until the
 * next call. */
const char *es_child_complaint(const es_child_end *end);

#endif
