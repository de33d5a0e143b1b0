// SPDX-License-Identifier: GPL-3.0-or-later
/* Where a lesson's lines run: the learner's session, or another one where answers are tried.  Variables can be put aside and
 * back, so that a lesson's names hide nobody's own, and so that each try begins from the same state. */
#ifndef ES_LESSON_DESK_H
#define ES_LESSON_DESK_H

#include "expr/value.h"
#include "lesson/draw.h"
#include "lesson/ear.h"

/* Variables of a session, set aside: references to their values, where its random numbers stand, and where tensors are made. */
typedef struct es_desk {
    struct es_desk_item {
        char *name;
        es_value value;
    } * of;
    size_t n;
    uint64_t seed, drawn;
    es_backend *be;
} es_desk;

/* All variables as they are; the session keeps them.  Values are shared, not copied: a statement that writes into one writes into both. */
es_desk es_desk_take(es_session *s);
/* The session has these variables and no others; the desk stays. */
void es_desk_put(es_session *s, const es_desk *d);
void es_desk_free(es_desk *d); /* before its session */

/* Run lines (line breaks between them) quietly, {NAME} of commands and texts filled in (d NULL: as they stand), in the step's mode;
 * stops at the first that fails: false, and the ear has the error.  Nothing may be half-way in s. */
bool es_desk_run(es_session *s, const es_drawn *d, const char *lines, bool text_mode, es_ear *ear);

/* Make s ready for a step (0: the first): no variables, no last text, settings that change numbers as at the start, tensors made where the model lives, the drawn ones, torch.manual_seed, the lesson's model and learned
 * positions, setup, and of each step before it the show's line (but for commands that only look, or that s does not have), or the task's
 * first solution.  ES_ERR_*: a line of the lesson fails; the message begins with file:line. */
bool es_desk_ready(es_session *s, const es_lesson *l, const es_drawn *d, size_t step,
                   es_error *err);

/* A session of its own for tries: as `like`, no transcript, nobody at a terminal.  Free with es_session_free. */
es_session *es_desk_new(const es_session *like, es_error *err);

/* The value of an expression; no variable is another then, nor `_`, and random numbers go on as if nothing was.  Errors as the
 * language's.  Unref out. */
bool es_desk_value(es_session *s, const char *expression, es_value *out, es_error *err);
/* Its shape, computed from shapes alone where that can be. */
bool es_desk_shape(es_session *s, const char *expression, int64_t *dims, int *rank, es_error *err);
/* Is it true, all of it?  An error, and anything that is not a truth value, is false with err filled. */
bool es_desk_true(es_session *s, const char *expression, es_error *err);

#endif
