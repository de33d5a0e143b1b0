// SPDX-License-Identifier: GPL-3.0-or-later
/* Work that can be left in the middle and taken up again: a thread with a stack of its own, of which only one at a
 * time runs, it or whoever resumes it.  So they share everything without a lock. */
#ifndef ES_SESSION_COROUTINE_H
#define ES_SESSION_COROUTINE_H

#include <stdbool.h>

#include "base/error.h"

typedef struct es_coroutine es_coroutine;

/* fn(user) waits for its first es_coroutine_resume.  ES_ERR_BACKEND when the system gives no thread.  End with
 * es_coroutine_free. */
es_coroutine *es_coroutine_new(void (*fn)(void *user), void *user, es_error *err);

/* Go on until it yields (true) or ends (false). */
bool es_coroutine_resume(es_coroutine *c);

/* From within: let whoever resumed it go on. */
void es_coroutine_yield(es_coroutine *c);

/* It has ended. */
void es_coroutine_free(es_coroutine *c);

#endif
