// SPDX-License-Identifier: GPL-3.0-or-later
/* From step to step, and in and out of a lesson. */
#include <stdlib.h>

#include "lesson/player_inside.h"

bool es_player_asks(const es_lesson_step *step)
{
    return step->kind == ES_LESSON_TASK || step->answers != ES_ANSWER_NONE;
}

static void forget_step(es_player *p)
{
    p->finished = p->before = p->play = false;
    p->attempts = p->hints = 0;
    es_str_free(&p->lines);
    es_str_free(&p->pending);
    es_str_free(&p->told);
    es_str_free(&p->wanted);
}

/* Attempts are counted on; the ladder of hints is climbed anew. */
static void remember_step(es_player *p, const es_sink *sink)
{
    const es_progress_step *s =
        es_progress_of(es_player_progress(p, sink), es_player_lesson(p)->slug, (int)p->step + 1);
    if (!s)
        return;
    p->before = s->status != ES_PROGRESS_OPEN;
    p->attempts = s->attempts;
}

/* Where that fails, or is stopped, the step that is on stays on, with its variables. */
static bool make_ready(es_player *p, size_t step, es_going how, const es_sink *sink, es_error *err)
{
    bool ok = es_player_ready(p, step, how, sink, err);
    if (ok)
        p->step = step;
    es_session_set_tensor(p->session, !es_player_step(p)->text_mode);
    return ok;
}

bool es_player_go(es_player *p, size_t step, es_going how, const es_sink *sink, es_error *err)
{
    if (!make_ready(p, step, how, sink, err))
        return false;
    forget_step(p);
    const es_lesson_step *now = es_player_step(p);
    remember_step(p, sink);
    if (now->kind == ES_LESSON_TASK && !now->text_mode)
        es_judge_names(&p->wanted, p->session, now);
    es_player_say_step(p, sink);
    if (now->kind == ES_LESSON_SHOW || now->kind == ES_LESSON_ERROR)
        es_player_run(p, now->code, now->text_mode, sink);
    es_player_keep_own(p);
    es_player_say_question(p, sink);
    return true;
}

bool es_player_begin(es_player *p, const es_course_entry *e, size_t step, const es_sink *sink,
                     es_error *err)
{
    es_player_leave(p);
    es_session_abandon(p->session); /* a step would have variables of a function's */
    p->learners = es_desk_take(p->session);
    p->ground = es_session_ground(p->session);
    p->drawn = es_draw(&e->lesson, es_session_seed(p->session));
    p->on = e;
    if (es_player_go(p, step, ES_GOING_ANEW, sink, err))
        return true;
    es_player_leave(p);
    return false;
}

void es_player_leave(es_player *p)
{
    if (!p->on)
        return;
    es_session_abandon(p->session);
    forget_step(p);
    es_desk_put(p->session, &p->learners);
    es_session_put_ground(p->session, &p->ground);
    es_desk_free(&p->own);
    es_desk_free(&p->others);
    es_desk_free(&p->learners);
    es_ground_free(&p->ground);
    es_drawn_free(&p->drawn);
    es_session_free(p->tries);
    p->tries = NULL;
    p->on = NULL;
    p->step = 0;
    p->skipped = 0;
}

/* ---- on ---- */

/* The line that would have answered, run for all to see. */
static const char *line_of(const es_lesson_step *step)
{
    if (step->kind == ES_LESSON_TASK)
        return step->solution.n ? step->solution.of[0].code : "";
    return step->kind == ES_LESSON_PREDICT ? step->code : "";
}

static bool skip(es_player *p, const es_sink *sink, es_error *err)
{
    const es_lesson_step *step = es_player_step(p);
    const char *line = line_of(step);
    bool ready = !*line || make_ready(p, p->step, ES_GOING_TO, sink, err);
    p->skipped++;
    p->finished = true;
    es_player_record(p, ES_PROGRESS_SKIPPED, sink);
    if (!ready)
        return false;
    es_player_say_skipped(p, sink);
    if (es_player_answer_runs(p))
        es_player_run(p, step->answer.of[0].code, false, sink);
    if (*line)
        es_player_run(p, line, step->text_mode, sink);
    es_player_say_after(p, sink);
    return true;
}

static void end(es_player *p, const es_sink *sink)
{
    const es_course_entry *next = p->on + 1;
    es_player_say_end(p, next < p->course.of + p->course.n ? next : NULL, sink);
    es_player_leave(p);
}

bool es_player_next(es_player *p, const es_sink *sink, es_error *err)
{
    bool asks = es_player_asks(es_player_step(p));
    if (!asks && !p->finished)
        es_player_record(p, ES_PROGRESS_DONE, sink);
    else if (!p->finished && !p->before && !skip(p, sink, err))
        return false;
    if (p->step + 1 < es_player_lesson(p)->n_steps)
        return es_player_go(p, p->step + 1, ES_GOING_ON, sink, err);
    end(p, sink);
    return true;
}
