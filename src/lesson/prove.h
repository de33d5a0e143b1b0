// SPDX-License-Identifier: GPL-3.0-or-later
/* Proves that a lesson does what it says: lessons/README.md lists what is proved. */
#ifndef ES_LESSON_PROVE_H
#define ES_LESSON_PROVE_H

#include "lesson/course.h"
#include "session/session.h"

enum { ES_PROOF_SEEDS = 50 };

typedef struct es_proof {
    int faults, steps, answers; /* answers: right and wrong ones that were tried */
    es_str report;              /* a line a fault: "05-guard.md:31: …" */
} es_proof;

/* Lesson i of c, on `seeds` draws (two where nothing is drawn), in a session like `like`; commands that only `like` has, those of
 * pictures, run there, where variables and the last text are lost.  False: interrupted, or no session; faults are no failure. */
bool es_prove(es_proof *p, const es_course *c, size_t i, es_session *like, int seeds,
              const es_sink *sink, es_error *err);
void es_proof_free(es_proof *p);

#endif
