// SPDX-License-Identifier: GPL-3.0-or-later
/* The player as a session's teacher: which lines are a lesson's, and what becomes of them. */
#include "lesson/player.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/player_inside.h"

/* ---- what the session asks ---- */

static void prompt(void *user, es_str *out)
{
    const es_player *p = user;
    if (p->on)
        es_str_add(out, "L%d.%zu%s", p->on->number, p->step + 1, p->play ? " (play)" : "");
}

/* Where no lesson is on, what is half-way takes such lines as any others. */
static bool commands(void *user, const char *line, size_t len)
{
    const es_player *p = user;
    const es_session *s = p->session;
    size_t n_ours, end = es_command_name_end(line, len);
    const es_command *ours = es_player_commands(&n_ours);
    bool half_way = es_session_waiting(s) || es_session_stepping(s);
    if (p->busy || (half_way && !p->on))
        return false;
    const es_command *c = es_command_find(es_session_commands(s), line + 1, end - 1,
                                          es_session_person(s) || es_session_source(s).typed, NULL);
    return c && c >= ours && c < ours + n_ours;
}

static bool is_enter(const char *line, size_t len)
{
    return len == 0 || (len == 1 && line[0] == '\r');
}

/* Enter alone. */
static es_outcome go_on(es_player *p, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    if (!p->finished && es_player_asks(es_player_step(p))) {
        es_player_say_awaited(p, sink);
        return ES_DONE;
    }
    bool ok = es_player_next(p, sink, &err);
    if (!ok)
        es_player_error(sink, &err);
    return ok ? ES_DONE : ES_FAILED;
}

static bool is_word(const char *line, size_t len, const char *word)
{
    return len == strlen(word) && !memcmp(line, word, len);
}

/* "what do I do?": several words and a question mark, nothing else. */
static bool is_question(const char *line, size_t len)
{
    size_t n_blanks = 0;
    if (len < 4 || line[len - 1] != '?' || line[0] == '?' || line[0] == ':')
        return false;
    for (size_t i = 0; i + 1 < len; i++) {
        if (!isalnum((unsigned char)line[i]) && !strchr(" ',.-", line[i]))
            return false;
        n_blanks += line[i] == ' ';
    }
    return n_blanks > 0;
}

/* A call for help, in the middle of a lesson. */
static bool helps(const es_player *p, const char *line, size_t len, const es_sink *sink)
{
    if (!es_session_tensor(p->session))
        return false;
    if (is_word(line, len, "help") || is_word(line, len, "help()") || is_word(line, len, "?")) {
        es_player_say_help(p, sink);
        return true;
    }
    if (!is_question(line, len))
        return false;
    es_player_say_short(p, "help",
                        p->finished || !es_player_asks(es_player_step(p))
                            ? "Questions in words are not understood here. Enter goes on."
                            : "Questions in words are not understood here; :hint helps with what "
                              "this step asks, and help says what else there is.",
                        sink);
    return true;
}

static bool takes(void *user, const char *line, size_t len, const es_sink *sink, es_outcome *o)
{
    es_player *p = user;
    if (!p->on || p->busy || p->play)
        return false;
    *o = ES_DONE;
    if (is_enter(line, len)) {
        p->busy++;
        *o = go_on(p, sink);
        p->busy--;
        return true;
    }
    if (helps(p, line, len, sink))
        return true;
    if (!es_player_is_answer(p, line, len))
        return false;
    p->busy++;
    es_player_answer(p, line, len, sink);
    p->busy--;
    return true;
}

/* A statement that only looks, or prepares something else, changes nothing that could be judged anew. */
static bool only_looks(const es_player *p)
{
    const char *lines = es_str_text(&p->pending);
    return es_session_tensor(p->session) && (!strchr(lines, '=') || !es_player_touches(p, lines));
}

/* Its lines are whole, and have run. */
static void whole(es_player *p, es_outcome o, const es_sink *sink)
{
    const es_lesson_step *step = es_player_step(p);
    bool looked = only_looks(p);
    es_str lines = p->pending;
    p->pending = (es_str){0};
    if (o == ES_DONE && lines.len) {
        es_str_bytes(&p->lines, lines.s, lines.len);
        if (step->kind == ES_LESSON_TASK)
            es_player_judge(p, looked, sink);
        else if (es_player_asks(step) && memchr(lines.s, '\n', lines.len - 1) &&
                 es_player_is_answer(p, lines.s, lines.len - 1))
            es_player_answer(p, lines.s, lines.len - 1, sink);
    }
    es_str_free(&lines);
}

/* Commands that bear on what lines mean, or are lines themselves; others only look, or are of the window. */
static bool counts(const es_player *p, const char *line, size_t len)
{
    static const char *const names[] = {"batch",  "model", "positions", "repeat",
                                        "tensor", "text",  "paste",     "decode"};
    if (p->pending.len || !len || line[0] != ':')
        return len > 0 || p->pending.len;
    const es_command *c =
        es_command_find(es_session_commands(p->session), line + 1,
                        es_command_name_end(line, len) - 1, es_session_person(p->session), NULL);
    for (size_t i = 0; c && i < sizeof names / sizeof *names; i++)
        if (!strcmp(c->name, names[i]))
            return true;
    return false;
}

static void ran(void *user, const char *line, size_t len, es_outcome o, const es_sink *sink)
{
    es_player *p = user;
    if (!p->on || p->busy || p->play || p->finished)
        return;
    if (counts(p, line, len)) {
        es_str_bytes(&p->pending, line, len);
        es_str_char(&p->pending, '\n');
    }
    if (o == ES_MORE)
        return;
    p->busy++;
    whole(p, o, sink);
    p->busy--;
}

static void about(void *user, const char *name, es_str *out)
{
    es_player_about(user, name, out);
}

/* ---- beginning and end ---- */

es_player *es_player_new(es_session *s)
{
    size_t n;
    const es_command *all = es_player_commands(&n);
    es_player *p = es_alloc(sizeof *p);
    p->session = s;
    p->teacher = (es_teacher){p, prompt, commands, takes, ran, about};
    es_session_add_commands(s, all, n);
    es_session_set_teacher(s, &p->teacher);
    return p;
}

void es_player_free(es_player *p)
{
    if (!p)
        return;
    es_player_leave(p);
    es_session_set_teacher(p->session, NULL);
    es_course_free(&p->course);
    es_progress_free(&p->progress);
    es_str_free(&p->complaint);
    free(p->path);
    free(p);
}

es_player *es_player_of(const es_session *s)
{
    const es_teacher *t = es_session_teacher(s);
    return t && t->prompt == prompt ? t->user : NULL;
}

bool es_player_use(es_player *p, const char *path, es_error *err)
{
    es_player_leave(p);
    es_course_free(&p->course);
    p->read = false;
    free(p->path);
    p->path = es_copy_string(path);
    return es_player_course(p, err);
}

int es_player_only(es_player *p)
{
    return es_player_course(p, NULL) && p->course.n == 1 ? p->course.of[0].number : 0;
}

bool es_player_count(es_player *p, int *done, int *all)
{
    *done = *all = 0;
    if (!es_player_course(p, NULL))
        return false;
    for (size_t i = 0; i < p->course.n; i++) {
        const es_course_entry *e = &p->course.of[i];
        *all += 1;
        *done += (size_t)es_player_done(p, e, NULL, NULL) == e->lesson.n_steps;
    }
    return true;
}

void es_player_about(es_player *p, const char *name, es_str *out)
{
    const es_course_entry *e = es_player_course(p, NULL) ? es_course_about(&p->course, name) : NULL;
    if (e)
        es_str_add(out, "%d %s (:lesson %d)", e->number, e->lesson.title, e->number);
}
