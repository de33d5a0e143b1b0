// SPDX-License-Identifier: GPL-3.0-or-later
/* Reads a Python traceback for the line of the reader's own program that led to the error. */
#ifndef ES_EXPR_WHY_TRACE_H
#define ES_EXPR_WHY_TRACE_H

#include "expr/why.h"

/* Fills file, line and code; they stay as they are where the text has no traceback. */
void es_why_trace(es_why_answer *out, const char *text, size_t len);

#endif
