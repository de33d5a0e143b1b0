// SPDX-License-Identifier: GPL-3.0-or-later
/* Somebody who takes a lesson, for tests: the lesson read from a text, a session ready for a step, and another for tries. */
#ifndef ES_TESTS_LEARNER_H
#define ES_TESTS_LEARNER_H

#include "lesson/judge.h"

typedef struct learner {
    es_lesson lesson;
    es_session *session, *tries;
    es_drawn drawn;
    size_t step;
    es_str lines; /* typed since the step began */
    es_judgement told;
    es_error err; /* of an answer that was none */
} learner;

/* A lesson: "@lesson test  title=… minutes=1" and this.  End with learner_close. */
void learner_open(learner *k, const char *text);
void learner_close(learner *k);

/* How many lessons the course has, to loop over them; 1 where it cannot be read, so that one test can say why. */
int course_size(void);

/* Go to a step on that draw. */
void learner_at(learner *k, size_t step, uint64_t seed);

/* Type an answer, or a line of a task: the verdict, with what is told in k->told. */
es_verdict learner_answers(learner *k, const char *answer);
es_verdict learner_types(learner *k, const char *line);

/* What k->told says beside the verdict; "" if nothing. */
const char *learner_why(const learner *k);

#endif
