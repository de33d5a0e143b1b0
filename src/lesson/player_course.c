// SPDX-License-Identifier: GPL-3.0-or-later
/* Which lessons there are, and what is done of them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lesson/player_inside.h"

bool es_player_course(es_player *p, es_error *err)
{
    if (!p->read)
        p->read =
            p->path ? es_course_open_at(&p->course, p->path, err) : es_course_open(&p->course, err);
    return p->read;
}

/* ---- progress ---- */

/* Said once, when somebody is there to hear it. */
static void complain(es_player *p, const es_sink *sink)
{
    if (!sink || !p->complaint.len)
        return;
    sink->note(sink->user, p->complaint.s, false);
    es_str_free(&p->complaint);
}

static void cannot_keep(es_player *p, const es_error *err)
{
    if (!p->complained)
        es_str_add(&p->complaint, "what is done is not kept for the next time: %s", err->message);
    p->complained = true;
}

const es_progress *es_player_progress(es_player *p, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    if (!p->loaded && !es_progress_load(&p->progress, &err))
        cannot_keep(p, &err);
    else if (!p->loaded && p->progress.rest.len)
        es_str_cat(&p->complaint, "the record of what is done (progress.txt) has lines that are "
                                  "not understood; they are kept as they are");
    p->loaded = true;
    es_error_free(&err);
    complain(p, sink);
    return &p->progress;
}

void es_player_record(es_player *p, es_progress_status status, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    es_player_progress(p, sink);
    if (!es_progress_set(&p->progress, es_player_lesson(p)->slug, (int)p->step + 1, status,
                         p->attempts, p->hints, &err))
        cannot_keep(p, &err);
    complain(p, sink);
    es_error_free(&err);
}

bool es_player_forget(es_player *p, const char *slug, es_error *err)
{
    p->loaded = true;
    return es_progress_forget(&p->progress, slug, err);
}

int es_player_done(es_player *p, const es_course_entry *e, size_t *next, const es_sink *sink)
{
    int n = (int)e->lesson.n_steps, first = 1;
    int done = es_progress_count(es_player_progress(p, sink), e->lesson.slug, n, &first);
    if (next)
        *next = (size_t)first - 1;
    return done;
}

/* ---- the list ---- */

/* Does text have the n bytes of a word, small or capital letters alike? */
static bool has_word(const char *text, const char *word, size_t n)
{
    for (; strlen(text) >= n; text++)
        if (!strncasecmp(text, word, n))
            return true;
    return false;
}

/* All words, in the title, the slug, or what it is about. */
static bool matches(const es_lesson *l, const char *words)
{
    for (const char *at = words; *at;) {
        size_t n = strcspn(at, " ");
        if (n && !has_word(l->title, at, n) && !has_word(l->slug, at, n) &&
            !has_word(l->about, at, n))
            return false;
        at += n + strspn(at + n, " ");
    }
    return true;
}

static void add_row(es_list *list, const es_course_entry *e, int done)
{
    es_list_add(list, "%d", e->number);
    es_list_add_bytes(list, e->lesson.title, strlen(e->lesson.title));
    es_list_add(list, "%d min", e->lesson.minutes);
    if (done == (int)e->lesson.n_steps)
        es_list_add(list, "done");
    else if (done)
        es_list_add(list, "%d of %zu", done, e->lesson.n_steps);
    else
        es_list_add_bytes(list, "", 0);
}

/* wanted: the lesson to take now, from `step` on if it was begun (0: it was not); NULL: none is left. */
static void say_where(es_str *out, const es_player *p, const es_course_entry *wanted, size_t step,
                      size_t rows)
{
    if (p->on)
        es_str_add(out, "You are at %d.%zu; :restart shows the step again, :lesson off leaves.",
                   p->on->number, p->step + 1);
    else if (!rows)
        es_str_cat(out, "No lesson has these words; :lesson lists them all.");
    else if (wanted && step)
        es_str_add(out, "Type :lesson %d to go on with %s, at step %zu.", wanted->number,
                   wanted->lesson.title, step + 1);
    else if (wanted)
        es_str_add(out, "Type :lesson %d for %s.", wanted->number, wanted->lesson.title);
    else
        es_str_cat(out, "All of these are done; :lesson and a number takes one again.");
}

/* words NULL: all. */
void es_player_list(es_call *call, es_player *p, const char *words)
{
    static const char *const columns[] = {"lesson", "title", "minutes", "done"};
    es_list list = {.key = "lessons", .align = "rfrl", .columns = columns};
    const es_course_entry *wanted = NULL;
    es_str where = {0};
    size_t rows = 0, step = 0;
    for (size_t i = 0; i < p->course.n; i++) {
        const es_course_entry *e = &p->course.of[i];
        if (words && !matches(&e->lesson, words))
            continue;
        size_t next = 0;
        int done = es_player_done(p, e, &next, call->sink);
        add_row(&list, e, done);
        rows++;
        if (done < (int)e->lesson.n_steps && (!wanted || (done && !step))) {
            wanted = e; /* the first that was begun goes before the first of all */
            step = done ? next : 0;
        }
    }
    say_where(&where, p, wanted, step, rows);
    es_says *s = es_says_new("list", 0, 0, 0);
    es_says_list(s, &list);
    es_says_part(s, "next", ES_SAYS_FOOT, NULL, where.s, NULL);
    es_call_answer(call, es_says_result(s));
    es_str_free(&where);
}
