// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/classes.h"

/* Made from assets/unicode/classes-16.0.txt by src/gen/classes.c: block_of[cp / 256] numbers the
 * 256-entry block of class_in that cp's class stands in. */
#include "classes.inc"

es_class es_class_of(uint32_t cp)
{
    return (es_class)class_in[block_of[cp >> 8]][cp & 255];
}
