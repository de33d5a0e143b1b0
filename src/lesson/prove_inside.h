// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the prover share. */
#ifndef ES_LESSON_PROVE_INSIDE_H
#define ES_LESSON_PROVE_INSIDE_H

#include "lesson/desk_inside.h"
#include "lesson/judge_inside.h"
#include "lesson/prove.h"

enum { ES_SOME_SEEDS = 10 }; /* for answers that take long to work out */
enum { ES_FEW_SEEDS = 2 };   /* where nothing is drawn, and for lines that only look */

/* A lesson being proved, on one draw after another. */
typedef struct es_prover {
    es_proof *proof;
    const es_course *course;
    const es_course_entry *entry;
    const es_lesson *l;
    es_session *s;    /* where it is proved */
    es_session *like; /* for pictures, if it has any */
    es_drawn d;
    int seed;       /* from 0 */
    es_str where;   /* " with B=2, T=5", or nothing */
    es_str stopped; /* by Ctrl-C, and where: "05-guard.md:31: …" */
    es_desk before; /* variables before the step */
    es_value right; /* what the step asks for; ES_V_KINDS: not worked out */
    double *spent;  /* seconds on answers of each step */
    bool *passed;   /* of each line of the file: has the solution there passed on a draw? */
    struct es_fault_told {
        int line;
        const char *fmt;
        char *text;
        bool of_size; /* said more of, where the solution passes on another draw */
    } * told;         /* each fault of a line is told once */
    size_t n_told;
} es_prover;

/* A line of the report, unless this fault of this line is told already: then false. */
bool es_fault(es_prover *p, int line, const char *fmt, ...) ES_PRINTF(3, 4);

/* An error that says where by itself: a line of the lesson has failed while a step was made ready. */
void es_fault_of(es_prover *p, const es_error *err);

/* Code for a message: on one line, short. */
const char *es_code_said(es_str *out, const char *code);

/* The session as it was before step i.  False: it cannot be. */
bool es_prove_again(es_prover *p, size_t i, const char *after);

/* ---- prove_same.c ---- */

/* Is this code (expressions, commands that only look) the same on every draw, so that two draws tell all? */
bool es_prove_is_same(es_prover *p, const char *code);
/* The same of an answer, a word, what is printed. */
bool es_prove_is_same_word(es_prover *p, const char *word);
/* On this draw, can what is the same on every one be passed over? */
static inline bool es_prove_is_seen(const es_prover *p)
{
    return p->seed >= ES_FEW_SEEDS;
}

/* ---- prove_answers.c, prove_task.c, prove_bounds.c ---- */

void es_prove_answers(es_prover *p, size_t i);
/* False: what comes after it cannot be proved. */
bool es_prove_task(es_prover *p, size_t i);
/* What needs no session: prose, names, needs. */
void es_prove_bounds(es_prover *p);

#endif
