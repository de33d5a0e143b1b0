// SPDX-License-Identifier: GPL-3.0-or-later
/* What a walk through statements is shown by: a line of source, what it read and what it bound.  All is put into
 * words when it happens, so that nothing is kept alive or changes until it is shown. */
#ifndef ES_SESSION_STEPS_H
#define ES_SESSION_STEPS_H

#include "expr/walk.h"
#include "session/result.h"

/* Named values in a few words: each for a reader, all as the inside of a JSON object. */
typedef struct es_facts {
    es_str *text;
    size_t n;
    es_str json;
} es_facts;

typedef enum es_step_kind {
    ES_STEP_LINE,
    ES_STEP_CALL,   /* a function begins: its signature, and what its parameters are bound to */
    ES_STEP_RETURN, /* it is over */
    ES_STEP_MODULE  /* one of nn's own was called: all of it in one step */
} es_step_kind;

/* Two that were compared, in a few words; empty: not worth showing. */
typedef struct es_compared {
    const es_node *comparand;
    es_str side[2];
} es_compared;

typedef struct es_step {
    es_step_kind kind;
    int depth, line;
    es_str function; /* empty: at the top */
    es_str source;   /* on one line; anybody's bytes */
    es_facts reads, binds;
    int truth; /* of a condition, or does the loop go on; -1: neither */
    bool loop;
    es_str condition;  /* with its numbers: "5 > 1024"; or empty */
    es_str value;      /* of an expression or return; or empty */
    es_str value_json; /* its object; or empty */
    bool returns;      /* it is a return's */
    es_str raises;     /* "ValueError, caught in line 7"; or empty */
    es_str exception;  /* its type: "ValueError"; or empty */
    bool done, failed;
    bool next;  /* it is about to run */
    bool shown; /* the answer before this one ended with it: a reader sees its source there */
    const es_node *node;                    /* its statement */
    es_value before[ES_MOST_MENTIONS];      /* until it is done: of what it will bind, */
    es_compared compared[ES_MOST_MENTIONS]; /* and what its condition has compared */
    int n_compared;
} es_step;

typedef struct es_steps {
    es_step *of;
    size_t n, cap;
} es_steps;

/* What a moment begins, or is in one: ENTER, LINE, MODULE, LEAVE, FAILED. */
es_step es_step_of(es_interp *in, const es_moment *m);
/* The line on which the run stands. */
es_step es_step_here(es_interp *in);
/* The moment DONE of the same line. */
void es_step_finish(es_step *s, es_interp *in, const es_moment *m);
/* The moments FAILED and RAISED of the same line; false: it is another line's. */
bool es_step_fail(es_step *s, es_interp *in, const es_moment *m);
bool es_step_raise(es_step *s, es_interp *in, const es_moment *m);
void es_step_free(es_step *s); /* empty again */

void es_steps_add(es_steps *list, es_step *s); /* takes it over */
void es_steps_free(es_steps *list);

/* ---- condition.c ---- */

/* The moment COMPARED in the condition of that line; false: of another's. */
bool es_step_compare(es_step *s, es_interp *in, const es_moment *m);
void es_step_condition(es_step *s, es_interp *in, const es_unit *unit, const es_node *condition);
void es_step_forget_compared(es_step *s);

/* ---- answers ---- */

typedef struct es_walked {
    es_interp *in;
    es_steps steps;  /* what was run since the last stop, or all of it */
    uint64_t hidden; /* so many more are not among them */
    bool whole;      /* a trace: from the top */
    bool complete;   /* and to its end, without an error */
    bool stopped;    /* at `at`, which is about to run, or has failed */
    es_step at;
    es_result value; /* of the whole, once it is over; or empty */
    es_str printed;  /* by what was run, where nobody took it as it came */
} es_walked;

void es_walked_free(es_walked *w);
/* Both take it over. */
es_result es_result_step(es_walked *w);
es_result es_result_trace(es_walked *w);

/* The values of what the line that ran has bound (NULL: none ran here), and of the names on the line to come. */
es_result es_result_values(es_interp *in, const es_node *ran);
/* Lines of the source around the one that runs, and the chain of calls that led there. */
es_result es_result_source(es_interp *in);
es_result es_result_where(es_interp *in);

#endif
