// SPDX-License-Identifier: GPL-3.0-or-later
/* Signals: the flag that Ctrl-C sets, and the pipe by which signals and other threads wake the loop. */
#ifndef ES_APP_SIGNALS_H
#define ES_APP_SIGNALS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Set by Ctrl-C, looked at by everything long. */
const atomic_bool *es_signals_interrupt(void);
void es_signals_forget_interrupt(void);

/* Let Ctrl-C set the flag instead of killing the program; a second one kills.  For lines that run
 * without the loop. */
void es_signals_catch_interrupt(void);

/* The same for SIGTERM and SIGHUP as well: for work that leaves behind what one can go on from. */
void es_signals_catch_termination(void);

/* ---- for the loop ---- */

/* Make the pipe, once.  False: there are no descriptors left. */
bool es_signals_open(void);
int es_signals_fd(void); /* to be read by es_signals_read when it has something */

/* Wakes the loop from any thread or signal handler: write one byte here.  -1 when it does not run. */
int es_signals_wake_fd(void);

/* What came, at most n: numbers of signals, and 0 of whoever else woke the loop.  0: nothing more. */
size_t es_signals_read(char *numbers, size_t n);

/* A signal waits for the loop, and takes the keys along. */
const atomic_bool *es_signals_called(void);

/* Signals go to the pipe from now on; those that end the program at once give the terminal back as it is now. */
void es_signals_watch(void);

/* While a line runs the terminal is its usual self, and signals may do what they usually do. */
void es_signals_let_act(bool act);

/* Stop as Ctrl-Z does; returns when the program goes on.  Die of a signal; 0: go on. */
void es_signals_stop(void);
void es_signals_die_of(int number);

/* Give the terminal back as it was found. */
void es_signals_rescue(void);

#endif
