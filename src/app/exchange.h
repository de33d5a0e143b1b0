// SPDX-License-Identifier: GPL-3.0-or-later
/* What the prompt and the window say to each other: lines and keys one way, the half-typed line the other. */
#ifndef ES_APP_EXCHANGE_H
#define ES_APP_EXCHANGE_H

#include "repl/prompt.h"
#include "view/module.h"

typedef struct es_exchange {
    es_session *session;
    es_viewer *viewer; /* NULL: the session has no pictures */
    es_prompt *prompt;
    const es_sink *given; /* where answers go */
    es_sink sink;         /* the same, but the window is drawn while long work is shown */
    es_str
        held; /* lines of gestures, each with its line break, until an open statement has ended */
    void (*interrupt)(void *user); /* Ctrl-C was pressed in the window */
    void *user;
} es_exchange;

void es_exchange_open(es_exchange *x, es_session *s, const es_sink *sink,
                      void (*interrupt)(void *user), void *user);
void es_exchange_close(es_exchange *x);

/* Act on what the window has said, and tell it how the line stands; `done` ends it early. */
void es_exchange_turn(es_exchange *x, const bool *done);

/* Is a window open, whose events have to be waited for? */
bool es_exchange_window(const es_exchange *x);

/* Wait as poll(2) does, for the window too: bit i of what it returns is set when fd[i] can be read. */
unsigned es_exchange_wait(es_exchange *x, const int *fd, int n, int milliseconds);

#endif
