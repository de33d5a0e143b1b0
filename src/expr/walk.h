// SPDX-License-Identifier: GPL-3.0-or-later
/* Running under somebody's eyes: what happens as statements run, told to one who listens, and what can be seen from
 * where they stand.  The listener may take as long as it likes; meanwhile es_interp_run and es_interp_type work
 * in the place that is told of, its variables seen and changed, and are not listened to. */
#ifndef ES_EXPR_WALK_H
#define ES_EXPR_WALK_H

#include "expr/interp.h"

typedef enum es_moment_kind {
    ES_MOMENT_ENTER, /* a function begins, its arguments are bound; node: its DEF or LAMBDA */
    ES_MOMENT_LINE, /* a statement is about to run; of one with a suite the header, in a loop each time */
    ES_MOMENT_DONE, /* it has run.  value: of an expression or a return; truth: of a condition, or whether
                       the loop goes on */
    ES_MOMENT_COMPARED, /* in the condition of an if, while or assert: node, a COMPARAND, has been reached; args:
                           what stands left and right of it */
    ES_MOMENT_MODULE, /* one of nn's own modules, or a table of rows, has turned args into value */
    ES_MOMENT_LEAVE, /* the function is over, and told of where it was called; value: what it gives back */
    ES_MOMENT_RAISED, /* the statement has failed, and an except around it will take that; by: which one, if it is in this function */
    ES_MOMENT_FAILED /* the statement has failed, once a run: the error is the listener's to take */
} es_moment_kind;

typedef struct es_moment {
    es_moment_kind kind;
    const es_node *node;
    const char *function;   /* of LEAVE: the one that is over */
    int depth;              /* functions within functions; 0: at the top */
    const es_value *value;  /* NULL: none; of RAISED: the exception */
    int truth;              /* 1, 0, or -1: none */
    const es_value *module; /* of MODULE */
    const es_value *args;
    int64_t n_args;
    const es_node *by; /* of RAISED; NULL: it is in a function that called this one */
} es_moment;

typedef struct es_listener {
    void *user;
    /* False stops the run with the error it sets. */
    bool (*tell)(void *user, const es_moment *m, es_error *err);
    bool over; /* nothing more is told: it has failed, or was stopped */
} es_listener;

/* es_interp_run, listened to. */
bool es_interp_walk(es_interp *in, es_unit *unit, es_listener *l, es_error *err);

/* A function on its way, or the statements at the top. */
typedef struct es_spot {
    const es_unit *unit;
    const es_node *at;    /* the statement it has come to; of a lambda its expression */
    const es_node *def;   /* DEF or LAMBDA; NULL: at the top */
    const char *function; /* "M.forward", "<lambda>"; NULL: at the top */
    int depth;
    int64_t before; /* lines of its file before the unit's first; 0: it was typed */
} es_spot;

/* Where the run stands (up 0), who called that (up 1), and so on; false: there is nobody. */
bool es_interp_spot(const es_interp *in, int up, es_spot *out);

/* At FAILED: what the error would learn while the functions it happened in are left. */
void es_interp_trace(es_interp *in, es_error *err);

/* A name or a chain of attributes, m.weight.shape, as far as its value can be had without running anything: up to
 * the first tensor, or to what has no such attribute of its own.  Returns the part of the chain that out (the caller's) is the value of; NULL: there is
 * nothing to see, or only a function or a module of Python's. */
const es_node *es_interp_peek(es_interp *in, const es_node *chain, es_value *out);

/* ---- mentions.c: what stands in a statement ---- */

enum { ES_MOST_MENTIONS = 12 };

/* Names and chains of attributes in order, each once; of a statement with a suite those of its header. */
typedef struct es_mentions {
    const es_node *of[ES_MOST_MENTIONS];
    bool mark[ES_MOST_MENTIONS]; /* read: it is called; bound: something in it is written */
    int n;
} es_mentions;

void es_mentions_read(es_mentions *out, const es_node *statement);
void es_mentions_bound(es_mentions *out, const es_node *statement);

/* The suite that a statement's header leads to, or NULL. */
const es_node *es_suite_of(const es_node *statement);
/* Append a statement, or its header, on one line and without comments. */
void es_statement_text(es_str *out, const es_unit *unit, const es_node *statement);

#endif
