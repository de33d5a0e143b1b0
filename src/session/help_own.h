// SPDX-License-Identifier: GPL-3.0-or-later
/* Help on functions, classes and modules of the reader's own: how they are called, their docstring, where they
 * were written. */
#ifndef ES_SESSION_HELP_OWN_H
#define ES_SESSION_HELP_OWN_H

#include "expr/interp.h"

typedef struct es_own_help {
    es_str call;    /* "forward(self, input_ids: torch.Tensor)" */
    es_str members; /* of a class, a line each */
    es_str doc;     /* lines of the docstring, their common indentation gone; "" none */
    es_str place;   /* "net.py:13-30", "lines 10-27 of what was typed" */
} es_own_help;

/* False: it is none of these. */
bool es_own_help_of(es_own_help *out, es_interp *in, const es_value *v);
void es_own_help_free(es_own_help *h);

#endif
