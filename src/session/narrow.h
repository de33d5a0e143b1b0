// SPDX-License-Identifier: GPL-3.0-or-later
/* Drawings of errors that are wider than the screen: their first column, of names, gives way. */
#ifndef ES_SESSION_NARROW_H
#define ES_SESSION_NARROW_H

#include "session/style.h"

/* The drawing (as es_error has it) with names so short that the rest fits into `columns`; as it is where that
 * would leave too little of them. */
void es_narrow_drawing(es_str *out, const char *drawing, int columns, const es_style *style);

#endif
