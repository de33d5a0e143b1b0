// SPDX-License-Identifier: GPL-3.0-or-later
/* The one way to name a token: "text" (must be one token), #3797 an id, @2 a place in the last text,
 * @1,2 a place in text 1 of a batch. */
#ifndef ES_SESSION_TOKEN_NAME_H
#define ES_SESSION_TOKEN_NAME_H

#include "session/session.h"

typedef struct es_token_name {
    int32_t id;
    int64_t b, pos; /* its text and place; pos is -1 where it was named otherwise */
} es_token_name;

/* The token an argument names; a bare word is taken as if it stood in quotes.  ES_ERR_VALUE shows the
 * pieces of a text of several tokens; ES_ERR_INDEX_RANGE, also for a place that wpe has no row for;
 * placed. */
bool es_token_named(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err);

/* Has wte a row for this id?  ES_ERR_INDEX_RANGE, placed at the argument it comes from (NULL: nowhere). */
bool es_token_has_row(const es_model *m, int64_t id, const es_arg *arg, es_error *err);

/* ES_ERR_VALUE: there is no last text.  Returns false. */
bool es_no_text_yet(es_error *err);

#endif
