// SPDX-License-Identifier: GPL-3.0-or-later
/* Golden sessions: tests/golden/NAME.session holds shell commands, a line each after "$ ", and under each of them what it prints,
 * standard error included, then "[status N]" unless N is 0.  Lines before the first command are remarks.  $DATA is tests/data. */
#ifndef ES_TESTS_GOLDEN_H
#define ES_TESTS_GOLDEN_H

#include <stddef.h>

#include "base/str.h"

size_t golden_count(void); /* for the suite; tests of it know the paths */
const char *golden_path(size_t i);

/* The session of n bytes as it should be written now, appended.  Its commands run in a fresh folder and a calm environment, with the
 * program by its name and `more`, if not NULL, behind its arguments. */
void golden_replay(es_str *now, const char *text, size_t n, const char *more);

#endif
