// SPDX-License-Identifier: GPL-3.0-or-later
/* What Tab could mean at a place in a line. */
#ifndef ES_SESSION_COMPLETE_H
#define ES_SESSION_COMPLETE_H

#include "session/session.h"

typedef struct es_completion {
    char **word; /* n candidates for line[begin, point), sorted */
    size_t n;
    size_t begin;
    bool quoted; /* they stand in quotes that are open, as quotes have them */
    bool open;   /* what comes next is no space: the rest of a path, or nothing */
    bool tight;  /* the quote ends behind it, and no space comes next */
    bool call;   /* the one candidate is a function: a parenthesis comes next */
} es_completion;

/* Candidates for the word that ends at `point`: command names, and what their arguments can be (choices,
 * settings, file names, tokens once a quote is open), in statements names and members.  In a text there are none:
 * a text is the reader's own.
 * Free with es_completion_free. */
es_completion es_complete(es_session *s, const char *line, size_t point);
void es_completion_free(es_completion *c);

#endif
