// SPDX-License-Identifier: GPL-3.0-or-later
/* Is what the program says on a device what it says on the CPU?
 *
 * Names of devices: where the CPU's answer says cpu, this one says the device ("gpu"; in PyTorch's texts "cuda:0"), and where the
 * CPU's has no device= at a tensor's end, this one has.
 * Numbers with a fraction or an exponent: within ALIKE_TOLERANCE of the largest of the line's, within ALIKE_LEAST, or one in the last digit that is shown.
 * Blanks: columns may be wider or narrower, for a number may have a digit more.
 * All else is the same byte for byte. */
#ifndef ES_TESTS_ALIKE_H
#define ES_TESTS_ALIKE_H

#include <stdbool.h>

#include "base/str.h"

#define ALIKE_TOLERANCE 1e-5
#define ALIKE_LEAST     1e-8 /* what float32 leaves of vectors about 0.1 long */

/* An answer with the names of `device` changed to cpu, and cpu itself, which should not be there, to "the host's"; appended. */
void alike_mapped(es_str *out, const char *answer, const char *device);

/* Two lines, ended by \n or NUL, the second mapped already. */
bool alike_line(const char *want, const char *got);
/* The same; where they are not alike, *w and *g are where that begins. */
bool alike_from(const char *want, const char *got, const char **w, const char **g);

/* How much of a line a message holds, for printf's %.*s. */
int alike_shown(const char *line);

#endif
