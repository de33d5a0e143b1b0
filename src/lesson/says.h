// SPDX-License-Identifier: GPL-3.0-or-later
/* What a lesson says, as a result: {"kind":"lesson","event":…}.  Parts, shown in order. */
#ifndef ES_LESSON_SAYS_H
#define ES_LESSON_SAYS_H

#include "lesson/draw.h"
#include "session/results.h"

typedef enum es_says_form {
    ES_SAYS_TITLE,   /* on a rule, with the step */
    ES_SAYS_PROSE,   /* Markdown */
    ES_SAYS_OPTIONS, /* lines of - **a** Markdown */
    ES_SAYS_CODE,    /* as typed behind the prompt */
    ES_SAYS_FOOT     /* what can be typed now; ready to print but for its width */
} es_says_form;

typedef struct es_says es_says;

/* event: "step", "right", …; lesson, step (from 1) and steps are 0 where it is about none. */
es_says *es_says_new(const char *event, int lesson, int step, int steps);

/* An empty line stands before it, for a reader. */
void es_says_apart(es_says *s);

/* A part: its key in JSON; lead: words before it for a reader ("Not quite. "), or NULL.  text with {NAME} filled in
 * (d may be NULL); nothing happens where it is NULL or empty, unless there is a lead. */
void es_says_part(es_says *s, const char *key, es_says_form form, const char *lead,
                  const char *text, const es_drawn *d);
/* One that only JSON has. */
void es_says_number(es_says *s, const char *key, int value);

/* Rows behind the parts; takes the cells over.  Parts of the form FOOT come behind them. */
void es_says_list(es_says *s, const es_list *list);

/* Takes it over. */
es_result es_says_result(es_says *s);

#endif
