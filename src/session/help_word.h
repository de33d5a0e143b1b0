// SPDX-License-Identifier: GPL-3.0-or-later
/* Help on words that are no names of values: Python's own, class, def, for and their like, self, and devices. */
#ifndef ES_SESSION_HELP_WORD_H
#define ES_SESSION_HELP_WORD_H

#include "session/result.h"

typedef struct es_help_word {
    const char *name, *also; /* also: others that are explained with it, with a space between */
    const char *summary, *help, *example;
} es_help_word;

const es_help_word *es_help_word_find(const char *name, size_t n); /* NULL: it is none of those */
const es_help_word *es_help_word_at(size_t i);                     /* NULL: there are no more */
es_result es_help_of_word(const es_help_word *w);

#endif
