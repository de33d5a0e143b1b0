// SPDX-License-Identifier: GPL-3.0-or-later
/* The inside of the player: player.c listens, player_course.c knows what there is and what is done, player_steps.c goes from
 * step to step, player_ground.c keeps variables in order, player_answer.c judges, player_says.c and player_asks.c speak, commands.c reads
 * commands. */
#ifndef ES_LESSON_PLAYER_INSIDE_H
#define ES_LESSON_PLAYER_INSIDE_H

#include "lesson/desk.h"
#include "lesson/judge.h"
#include "lesson/player.h"
#include "lesson/says.h"

struct es_player {
    es_session *session;
    es_teacher teacher;

    char *path; /* of a course of one's own; NULL: the program's */
    es_course course;
    bool read;
    es_progress progress;
    bool loaded, complained; /* complained: it cannot be kept, and that has been said */
    es_str complaint;        /* not said yet */

    /* ---- the lesson that is on ---- */
    const es_course_entry *on; /* NULL: none */
    es_drawn drawn;
    es_desk learners; /* what the learner had before it */
    es_ground ground;
    es_session *tries; /* made when it is first wanted */
    int skipped;       /* steps, since the lesson was begun */

    /* ---- its step ---- */
    size_t step;   /* from 0 */
    bool finished; /* Enter goes on */
    bool before;   /* it was done at another time: :next skips nothing */
    bool play;     /* lines run, and nobody looks */
    int attempts, hints;
    es_desk own;    /* variables as the lesson has them here, */
    es_desk others; /* and the learner's that came along */
    es_str lines;   /* that have run since it began, each with its line break */
    es_str pending; /* of a statement that is not whole yet */
    es_str wanted;  /* names that a task asks for: "E2", "W, b" */
    es_str told; /* what was said of the last attempt: not said again for a line that only looks */
    int busy;    /* lines that run now are ours */
};

static inline const es_lesson *es_player_lesson(const es_player *p)
{
    return &p->on->lesson;
}

static inline const es_lesson_step *es_player_step(const es_player *p)
{
    return &p->on->lesson.step[p->step];
}

/* ---- player_course.c ---- */

/* Read the course, if it has not been. */
bool es_player_course(es_player *p, es_error *err);
/* What was done, read when it is first wanted; what is wrong with it is said once. */
const es_progress *es_player_progress(es_player *p, const es_sink *sink);
/* The step that is on is so far now. */
void es_player_record(es_player *p, es_progress_status status, const es_sink *sink);
bool es_player_forget(es_player *p, const char *slug, es_error *err);
/* Done steps of a lesson, and the first that is not (0 from; n: none). */
int es_player_done(es_player *p, const es_course_entry *e, size_t *next, const es_sink *sink);
void es_player_list(es_call *call, es_player *p, const char *words);

/* ---- player_steps.c ---- */

bool es_player_begin(es_player *p, const es_course_entry *e, size_t step, const es_sink *sink,
                     es_error *err);
typedef enum es_going { ES_GOING_ON, ES_GOING_TO, ES_GOING_ANEW } es_going;
bool es_player_go(es_player *p, size_t step, es_going how, const es_sink *sink, es_error *err);
/* To the next step, or to the end of the lesson; what is asked and not answered is skipped. */
bool es_player_next(es_player *p, const es_sink *sink, es_error *err);
/* The lesson is over; the learner's variables are back. */
void es_player_leave(es_player *p);
/* Does the step ask something? */
bool es_player_asks(const es_lesson_step *step);

/* ---- player_ground.c ---- */

/* Variables as at the beginning of the step, or with ES_GOING_ANEW nothing else; a change of the learner's that is undone is
 * said. */
bool es_player_ready(es_player *p, size_t step, es_going how, const es_sink *sink, es_error *err);
/* Keep the variables as they are for the lesson's own. */
void es_player_keep_own(es_player *p);
/* Variables as the lesson has them, and the learner's others, until es_player_as_was. */
es_desk es_player_as_own(es_player *p);
void es_player_as_was(es_player *p, es_desk *was);
/* Run code of the lesson for all to see. */
bool es_player_run(es_player *p, const char *code, bool text_mode, const es_sink *sink);

/* ---- player_answer.c ---- */

/* Is this line an answer to the question of the step? */
bool es_player_is_answer(const es_player *p, const char *line, size_t len);
/* Do they name what a task asks for?  Then they may have changed it. */
bool es_player_touches(const es_player *p, const char *lines);
void es_player_answer(es_player *p, const char *line, size_t len, const es_sink *sink);
/* The lines of a task so far. */
void es_player_judge(es_player *p, bool looked, const es_sink *sink);

/* ---- player_says.c ---- */

es_says *es_player_says(const es_player *p, const char *event);
void es_player_say(const es_sink *sink, es_says *s);
void es_player_say_step(const es_player *p, const es_sink *sink);
void es_player_say_question(const es_player *p, const es_sink *sink);
void es_player_say_awaited(const es_player *p, const es_sink *sink);
void es_player_say_right(const es_player *p, const es_sink *sink);
void es_player_say_wrong(es_player *p, const es_judgement *j, const es_sink *sink);
void es_player_say_unclear(const es_player *p, const es_error *err, const es_sink *sink);
const es_drawn *es_player_fills(const es_player *p, const char *code, bool text_mode);
void es_player_add_question(const es_player *p, es_says *s); /* with its options */
void es_player_say_how(const es_player *p, es_str *out);     /* "Type the value." */
void es_player_say_help(const es_player *p, const es_sink *sink);
void es_player_say_hint(es_player *p, const es_sink *sink);
void es_player_say_solution(const es_player *p, const es_sink *sink);
/* Is the answer an expression, whose value is still to be shown? */
bool es_player_answer_runs(const es_player *p);
void es_player_say_skipped(const es_player *p, const es_sink *sink);
void es_player_say_after(const es_player *p, const es_sink *sink);
void es_player_say_end(const es_player *p, const es_course_entry *next, const es_sink *sink);
void es_player_say_short(const es_player *p, const char *event, const char *text,
                         const es_sink *sink);
void es_player_error(const es_sink *sink, es_error *err);

/* ---- commands.c ---- */

const es_command *es_player_commands(size_t *n);

#endif
