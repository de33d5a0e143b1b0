// SPDX-License-Identifier: GPL-3.0-or-later
/* Someone impatient, who presses Ctrl-C again and again while a layout is on its way. */
#ifndef ES_TESTS_NUISANCE_H
#define ES_TESTS_NUISANCE_H

#include "base/watch.h"

/* One step of `of`, with a watch that may be cancelled at any moment; NULL: by itself. */
typedef bool (*step_fn)(void *of, es_watch *watch, es_error *err);

/* Take n steps, each of them as often as it is stopped.  Fails where a step fails otherwise, where none is ever stopped, or
 * where steps have touched the counts of the watch. */
void step_through_nuisance(step_fn step, void *of, int n);

#endif
