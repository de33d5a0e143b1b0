// SPDX-License-Identifier: GPL-3.0-or-later
/* What Tab could mean at a place in a line. */
#ifndef ES_SESSION_COMPLETE_H
#define ES_SESSION_COMPLETE_H

#include "session/session.h"

typedef struct es_completion {
    char **word; /* n candidates for line[begin, point), sorted */
    size_t n;
    size_t begin;
    bool files; /* file names are wanted, after the candidates */
} es_completion;

/* Candidates for the word that ends at `point`: command names, their arguments.  In a text there are
 * none: a text is the reader's own.  Free with es_completion_free. */
es_completion es_complete(es_session *s, const char *line, size_t point);
void es_completion_free(es_completion *c);

#endif
