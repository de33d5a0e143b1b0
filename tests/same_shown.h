// SPDX-License-Identifier: GPL-3.0-or-later
/* What is shown on two devices, compared. */
#ifndef TESTS_SAME_SHOWN_H
#define TESTS_SAME_SHOWN_H

#include <stdbool.h>

/* Do both say the same?  Numbers may differ by `within` of their size, or by that of 1; spaces and the names of devices do
 * not matter. */
bool same_but_for_device(const char *a, const char *b, double within);

#define AS_PRINTED                                                                                 \
    1.01e-4 /* of numbers with four digits behind the point, the last may be another */

#endif
