// SPDX-License-Identifier: GPL-3.0-or-later
/* The program in a pseudo-terminal: keys in, screen out.  One at a time. */
#ifndef ES_TESTS_TERMINAL_H
#define ES_TESTS_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/str.h"

enum { PATIENCE = 20000, ROWS = 30 }; /* milliseconds for an answer, before a test gives up */

extern int screen;  /* the terminal's other end */
extern pid_t child; /* who runs in it */
extern es_str seen; /* everything since the last expect(), escape sequences included */

/* Run the program under test in a fresh terminal. */
void start(const char *const *args, int columns);
#define START(columns, ...) start((const char *const[]){__VA_ARGS__, NULL}, columns)

/* The same with a line for the shell. */
void start_command(const char *command, int columns);

void type(const char *keys);

/* Wait until text has come; forget everything up to its end. */
void expect(const char *text);

/* Nothing more comes for a while: what came must not hold text. */
void expect_quiet_without(const char *text);

/* More of what is on the screen; false when nothing comes for so long. */
bool read_more(int milliseconds);

/* The exit status as a shell has it, once the program has ended. */
int wait_end(void);

/* Is the terminal as a shell wants it: lines, echo, Enter is a line break? */
bool is_sane(void);

void resize(int rows, int columns);
double now(void); /* seconds */

/* Ends what runs; for a fixture's teardown. */
void terminal_close(void);

#endif
