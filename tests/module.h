// SPDX-License-Identifier: GPL-3.0-or-later
/* The module of pictures for tests; where it has not been built they say so and leave it at that. */
#ifndef ES_TESTS_MODULE_H
#define ES_TESTS_MODULE_H

#include "view/module.h"

/* NULL: it was left out, and the log has a line about it.  A module that is there but cannot be used fails the test. */
const es_module *picture_module(void);

/* For tests that open a window in their own process: at its end the leak checker itself can crash (its tracer, in the
 * memory of threads that libraries began), so leaks are not looked for there. */
void leave_leaks_alone(void);

#endif
