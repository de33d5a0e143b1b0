// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether an answer is right, and which misconception a wrong one shows.  Values and shapes are compared, never what was typed. */
#ifndef ES_LESSON_JUDGE_H
#define ES_LESSON_JUDGE_H

#include "lesson/desk.h"

typedef enum es_verdict {
    ES_VERDICT_RIGHT,
    ES_VERDICT_WRONG,
    ES_VERDICT_NO_ANSWER, /* it cannot be read as an answer of this kind: err of the call says why */
    ES_VERDICT_UNFINISHED, /* task: names that the checks ask for are not there yet */
    ES_VERDICT_ONE_SIZE    /* task: right here, and wrong on other draws of the sizes */
} es_verdict;

typedef struct es_judgement {
    es_verdict verdict;
    const es_lesson_note *
        why; /* of the step: the `wrong` that matches, the check that is false and has a message, or `wrong else`; NULL: none */
    es_str
        detail; /* ONE_SIZE: "with T=7 in place of T=5, h is [2, 5, 64], not …", UNFINISHED: the names; WRONG: what differs in one
                           line, where that can be said */
} es_judgement;
void es_judgement_free(es_judgement *j);

/* A typed answer to a predict or error step in session s, which es_desk_ready has made ready for it (and where, for an
 * error, the line has failed).
 * Shapes: [B, T, C], (2, 5, 64), torch.Size([…]), B, T, C, "2 5 64", 2x5x64, B=2 T=5; items are expressions.  Values: any
 * expression, yes/no/true/false for a bool, a word in place of a string in quotes.  Choices: the option's word, its letter, or words of its text alone, in any case.
 * Right is what equals the shape or value of step->code (of the first `answer` where there is no code). */
bool es_judge_answer(es_judgement *j, es_session *s, const es_lesson_step *step, const es_drawn *d,
                     const char *answer, size_t n, es_error *err);

/* The names that the checks of a task ask for: mentioned in them and not there before it.  Separated by ", ". */
void es_judge_names(es_str *out, es_session *ready, const es_lesson_step *step);

/* A task, after the learner's lines (since the step began, line breaks between them) have run in s.  `tries` (es_desk_new) is where they
 * are run again: for `wrong` lines, whose names' values are compared with the learner's, and on other draws.
 * False: err says what went wrong with the lesson itself. */
bool es_judge_task(es_judgement *j, es_session *s, es_session *tries, const es_lesson *l,
                   size_t step, const es_drawn *d, const char *lines, es_error *err);

/* Equal values: of tensors shapes, dtype's kind and device, numbers to rounding (within: 0, or how far off), lists as tuples, a tensor of one element as
 * its number, strings as bytes. */
bool es_same_value(const es_value *a, const es_value *b, double within);

#endif
