// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the judge share with each other and with the prover. */
#ifndef ES_LESSON_JUDGE_INSIDE_H
#define ES_LESSON_JUDGE_INSIDE_H

#include "core/shape.h"
#include "expr/walk.h"
#include "lesson/judge.h"

/* ---- read_shape.c, read_value.c: what was typed ---- */

typedef struct es_typed_shape {
    int64_t dim[ES_MAX_DIMS];
    int rank;
} es_typed_shape;

/* In any of the notations of es_judge_answer.  An error says which part is no size. */
bool es_read_shape(es_typed_shape *out, es_session *s, const char *typed, es_error *err);

/* As a value of the kind that `like` is: words for a bool, a bare word for a string.  `other` (ES_V_KINDS: there is none) is what it may mean as
 * well, "50,257" and "0,98" being numbers to some.  Unref both. */
bool es_read_value(es_value *out, es_value *other, es_session *s, const char *typed,
                   const es_value *like, es_error *err);

/* Typed bytes without white space around them, the line breaks of a paste as spaces; free it. */
char *es_typed_text(const char *answer, size_t n);

/* ---- names.c: what checks are about ---- */

/* Names, and behind them calls of those names as the checks have them: "embed(ids)". */
typedef struct es_asked {
    char **of;
    size_t n, names; /* all, and how many of them are names */
} es_asked;

/* What the checks of a task ask for: names that `ready` does not know (fresh), or variables that it does.  Free with es_asked_free. */
es_asked es_asked_by(es_session *ready, const es_lesson_step *step, bool fresh);
void es_asked_free(es_asked *a);
bool es_has_name(es_session *s, const char *name);

/* Is the name mentioned by that expression? */
bool es_mentions_name(const char *expression, const char *name);

/* Their values, ES_V_KINDS where one has none; free with es_values_free. */
es_value *es_values_of(es_session *s, const es_asked *a);
void es_values_free(es_value *of, size_t n);
/* Are they all the same?  Functions and the like are what calls of them give. */
bool es_same_values(const es_value *x, const es_value *y, size_t n);

/* Does the code write into values that are there, so that variables set aside change with it? */
bool es_writes_in_place(const char *code);

/* es_judge_answer, for who knows the value that is right (NULL: it is worked out). */
bool es_judge_with(es_judgement *j, es_session *s, const es_lesson_step *step, const es_drawn *d,
                   const char *answer, size_t n, const es_value *known, es_error *err);

/* Does it say one of the options: by its word, its letter, or words of its text? */
bool es_is_option(const es_lesson_step *step, const es_drawn *d, const char *line, size_t len);

/* The parts of es_judge_answer that its files share. */
bool es_judge_choice(es_judgement *j, const es_lesson_step *step, const es_drawn *d,
                     const char *typed, es_error *err);
bool es_no_answer(es_judgement *j);
bool es_is_else(const es_lesson_note *wrong);

/* The note with code "" (wrong else), or NULL. */
const es_lesson_note *es_wrong_else(const es_lesson_step *step);

/* "h is [2, 5, 64]": how a name stands, in a few words. */
void es_say_value(es_str *out, es_session *s, const char *name);

#endif
