// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of anybody's text for a reader: made visible, Ctrl-C looked at (es_str_braked) where they are long. */
#ifndef ES_SESSION_SHOW_LINES_H
#define ES_SESSION_SHOW_LINES_H

#include "session/style.h"

/* As long as they are; tabs to the next eighth column. */
void es_show_lines(es_str *out, const char *bytes, size_t n);

/* The same, broken where the screen ends, with a line break at the end. */
void es_show_folded(es_str *out, const char *bytes, size_t n, const es_style *style);

/* Lines of prose, each broken at its spaces and going on behind its indent. */
void es_show_wrapped(es_str *out, const char *bytes, size_t n, const es_style *style);

#endif
