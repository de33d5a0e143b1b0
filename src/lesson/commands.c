// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands that lessons are played with. */
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "lesson/player_inside.h"

static es_player *player_of(const es_call *call, es_error *err)
{
    es_player *p = es_player_of(call->session);
    if (p && !p->busy)
        return p;
    if (p)
        es_fail(err, ES_ERR_USAGE, "a lesson's own lines do not take lessons");
    else
        es_fail(err, ES_ERR_UNSUPPORTED, "no lessons are played here");
    return NULL;
}

/* The player, where a lesson is on. */
static es_player *playing(const es_call *call, es_error *err)
{
    es_player *p = player_of(call, err);
    if (!p || !es_arg_end(call, call->args, err))
        return NULL;
    if (p->on)
        return p;
    es_fail(err, ES_ERR_USAGE, "no lesson is on");
    es_hint(err, "try: :lesson for the list");
    return NULL;
}

/* ---- :lesson ---- */

/* "3", "3.4"; *step from 1, 0: none is said. */
static bool read_place(const char *word, int64_t *lesson, int64_t *step)
{
    char *end;
    *step = 0;
    if (*word < '0' || *word > '9' || strlen(word) > 8)
        return false;
    *lesson = strtol(word, &end, 10);
    if (!*end)
        return true;
    if (*end != '.' || end[1] < '0' || end[1] > '9')
        return false;
    *step = strtol(end + 1, &end, 10);
    return !*end;
}

static const es_course_entry *find_lesson(const es_call *call, const es_player *p, int64_t number,
                                          es_error *err)
{
    const es_course_entry *e = es_course_find(&p->course, (int)number);
    if (e)
        return e;
    es_fail(err, ES_ERR_NAME, "there is no lesson %d", (int)number);
    es_hint(err, ":lesson lists those there are");
    es_error_locate(err, call->args, call->len);
    return NULL;
}

static bool go_to(es_player *p, const es_course_entry *e, size_t step, const es_sink *sink,
                  es_error *err)
{
    return p->on == e ? es_player_go(p, step, ES_GOING_TO, sink, err)
                      : es_player_begin(p, e, step, sink, err);
}

/* At the first step that is not done, or at the beginning. */
static bool resume(es_call *call, es_player *p, const es_course_entry *e, es_error *err)
{
    size_t next = 0;
    es_player_done(p, e, &next, call->sink);
    return go_to(p, e, next < e->lesson.n_steps ? next : 0, call->sink, err);
}

static bool go_to_place(es_call *call, es_player *p, int64_t number, int64_t step, es_error *err)
{
    const es_course_entry *e = find_lesson(call, p, number, err);
    if (!e)
        return false;
    if (step == 0 && !memchr(call->line + call->args, '.', call->len - call->args))
        return resume(call, p, e, err);
    if (step >= 1 && step <= (int64_t)e->lesson.n_steps)
        return go_to(p, e, (size_t)step - 1, call->sink, err);
    es_fail(err, ES_ERR_RANGE, "lesson %d has steps %d.1 to %d.%zu", e->number, e->number,
            e->number, e->lesson.n_steps);
    return es_error_locate(err, call->args, call->len);
}

static bool leave(es_call *call, es_player *p, es_error *err)
{
    if (!p->on)
        return es_fail(err, ES_ERR_USAGE, "no lesson is on");
    es_str text = {0};
    es_str_add(&text, "Left at %d.%zu; :lesson %d goes on at the first step that is not done.",
               p->on->number, p->step + 1, p->on->number);
    es_says *s = es_player_says(p, "left");
    es_says_part(s, "text", ES_SAYS_FOOT, NULL, text.s, NULL);
    es_player_leave(p);
    es_call_answer(call, es_says_result(s));
    es_str_free(&text);
    return true;
}

static bool lesson_words(es_call *call, es_player *p, const char *words, es_error *err)
{
    int64_t number, step;
    const es_course_entry *named = es_course_named(&p->course, words);
    if (!strcmp(words, "off"))
        return leave(call, p, err);
    if (read_place(words, &number, &step))
        return go_to_place(call, p, number, step, err);
    if (named)
        return resume(call, p, named, err);
    es_player_list(call, p, words);
    return true;
}

static bool run_lesson(es_call *call, es_error *err)
{
    es_player *p = player_of(call, err);
    es_str words = {0};
    if (!p || !es_player_course(p, err))
        return false;
    if (es_arg_end(call, call->args, NULL)) {
        es_player_list(call, p, NULL);
        return true;
    }
    bool ok = es_arg_text(call, call->args, &words, err);
    while (ok && words.len && strchr(" \t\r", words.s[words.len - 1]))
        es_str_cut(&words, words.len - 1);
    ok = ok && lesson_words(call, p, es_str_text(&words), err);
    es_str_free(&words);
    return ok;
}

static void offer_lessons(const es_session *s, es_str *choices)
{
    es_player *p = es_player_of(s);
    if (!p || !es_player_course(p, NULL))
        return;
    for (size_t i = 0; i < p->course.n; i++)
        es_str_add(choices, "%s%d %s", i ? " " : "", p->course.of[i].number,
                   p->course.of[i].lesson.slug);
}

/* ---- the others ---- */

static bool run_next(es_call *call, es_error *err)
{
    es_player *p = playing(call, err);
    return p && es_player_next(p, call->sink, err);
}

static bool run_back(es_call *call, es_error *err)
{
    es_player *p = playing(call, err);
    if (!p)
        return false;
    if (p->step == 0)
        return es_fail(err, ES_ERR_RANGE, "this is the first step of the lesson");
    return es_player_go(p, p->step - 1, ES_GOING_TO, call->sink, err);
}

static bool run_restart(es_call *call, es_error *err)
{
    es_player *p = playing(call, err);
    return p && es_player_go(p, p->step, ES_GOING_ANEW, call->sink, err);
}

static bool run_hint(es_call *call, es_error *err)
{
    es_player *p = playing(call, err);
    if (!p)
        return false;
    es_player_say_hint(p, call->sink);
    if (es_player_asks(es_player_step(p)) && !p->finished)
        es_player_record(p, ES_PROGRESS_OPEN, call->sink);
    return true;
}

static bool run_solution(es_call *call, es_error *err)
{
    es_player *p = playing(call, err);
    if (p)
        es_player_say_solution(p, call->sink);
    return p != NULL;
}

static bool run_play(es_call *call, es_error *err)
{
    es_player *p = playing(call, err);
    if (!p)
        return false;
    if (p->play) {
        bool finished = p->finished, ok = es_player_go(p, p->step, ES_GOING_TO, call->sink, err);
        p->finished = finished;
        return ok;
    }
    p->play = true;
    es_str_free(&p->pending);
    es_player_say_short(p, "play",
                        "Lines run, and nobody looks at them; :play again goes back to the step.",
                        call->sink);
    return true;
}

static bool forget(es_call *call, es_player *p, const es_course_entry *e, es_error *err)
{
    es_str text = {0};
    if (e)
        es_str_add(&text, "Lesson %d is forgotten; :lesson %d begins it anew.", e->number,
                   e->number);
    else
        es_str_cat(&text, "All lessons are forgotten.");
    bool ok = es_player_forget(p, e ? e->lesson.slug : NULL, err);
    if (ok && p->on && (!e || p->on == e)) {
        p->before = false;
        p->attempts = p->hints = p->skipped = 0;
    }
    if (ok) {
        es_says *s = es_says_new("forgotten", e ? e->number : 0, 0, 0);
        es_says_part(s, "text", ES_SAYS_FOOT, NULL, text.s, NULL);
        es_call_answer(call, es_says_result(s));
    }
    es_str_free(&text);
    return ok;
}

static bool run_forget(es_call *call, es_error *err)
{
    es_player *p = player_of(call, err);
    es_str word = {0};
    int64_t number, step;
    if (!p || !es_player_course(p, err))
        return false;
    if (es_arg_end(call, call->args, NULL))
        return p->on ? forget(call, p, p->on, err) : es_call_usage(call, err);
    bool ok = es_arg_text(call, call->args, &word, err);
    const char *of = es_str_text(&word);
    const es_course_entry *e = ok ? es_course_named(&p->course, of) : NULL;
    if (ok && !e && strcmp(of, "all")) {
        ok = (read_place(of, &number, &step) && !step) || es_call_usage(call, err);
        e = ok ? find_lesson(call, p, number, err) : NULL;
        ok = e != NULL;
    }
    ok = ok && forget(call, p, e, err);
    es_str_free(&word);
    return ok;
}

static const es_command table[] = {
    {.group = "lessons",
     .name = "back",
     .args = "",
     .summary = "the step of the lesson before this one, again",
     .run = run_back},
    {.group = "lessons",
     .name = "forget",
     .args = "[LESSON|all]",
     .summary = "forget what has been done of this lesson, of another, or of all",
     .help = "What is done is kept in progress.txt in the folder for state "
             "($XDG_STATE_HOME/embedscope, else ~/.local/state/embedscope).",
     .want = ES_WANT_CHOICE,
     .choices = "all",
     .more = offer_lessons,
     .run = run_forget},
    {.group = "lessons",
     .name = "hint",
     .args = "",
     .summary = "help with what the lesson asks, a little more each time",
     .run = run_hint},
    {.group = "lessons",
     .name = "lesson",
     .brief = "l",
     .args = "[N|N.STEP|WORDS|off]",
     .summary = "the lessons there are, or take one",
     .help = "Alone it lists them, and what is done. :lesson 3 goes on with lesson 3 at the first "
             "step that is not done, :lesson 3.4 goes to its fourth step, words look for titles, "
             "off leaves. A lesson has variables of its own; those from before it are back when "
             "it is over. In a lesson Enter goes on, and :hint, :solution, :next and "
             ":lesson off work even in an open quote or bracket.",
     .example = ":lesson\n:lesson 1\n:next\n:lesson off",
     .want = ES_WANT_CHOICE,
     .choices = "off",
     .more = offer_lessons,
     .run = run_lesson},
    {.group = "lessons",
     .name = "next",
     .brief = "n",
     .args = "",
     .summary = "the next step of the lesson",
     .help = "What this step asks is skipped, if it is not done: the answer is shown and run. What "
             "is half-typed over several lines is dropped.",
     .run = run_next},
    {.group = "lessons",
     .name = "play",
     .args = "",
     .summary = "try things with the lesson's variables; again goes back to the step",
     .help = "Lines run, and are taken neither for answers nor for attempts.",
     .run = run_play},
    {.group = "lessons",
     .name = "restart",
     .args = "",
     .summary = "this step of the lesson from its beginning",
     .help = "Variables are as the lesson has them, and others are gone.",
     .run = run_restart},
    {.group = "lessons",
     .name = "solution",
     .args = "",
     .summary = "show the answer, or lines that do what is asked, without running them",
     .run = run_solution},
};

const es_command *es_player_commands(size_t *n)
{
    *n = sizeof table / sizeof *table;
    return table;
}
