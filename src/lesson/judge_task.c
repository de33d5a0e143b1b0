// SPDX-License-Identifier: GPL-3.0-or-later
/* A task: are its checks true, which misconception makes them false, and do they hold for other sizes? */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/desk_inside.h"
#include "lesson/judge_inside.h"

enum { OTHER_DRAWS = 3, DRAWS_TRIED = 24 };

/* One task on its way. */
typedef struct task {
    es_judgement *j;
    es_session *s, *tries;
    const es_lesson *l;
    size_t at;
    const es_lesson_step *step;
    const es_drawn *d;
    const char *lines;
    es_asked asked; /* fresh names, or where there are none the variables that checks mention */
    bool fresh;
} task;

static bool stopped(const task *t, es_error *err)
{
    if (!es_session_interrupted(t->s) && !es_session_interrupted(t->tries))
        return false;
    es_error_free(err);
    es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    return true;
}

/* ---- the checks ---- */

/* The first that does not hold, and why if it cannot be worked out; NULL: all hold. */
static const es_lesson_note *false_check(es_session *s, const es_lesson_step *step, es_error *why)
{
    for (size_t i = 0; i < step->check.n; i++) {
        es_error_free(why);
        if (!es_desk_true(s, step->check.of[i].code, why))
            return &step->check.of[i];
    }
    return NULL;
}

/* The first name that the check is about. */
static const char *name_in(const task *t, const es_lesson_note *check)
{
    for (size_t i = 0; i < t->asked.names; i++)
        if (es_mentions_name(check->code, t->asked.of[i]))
            return t->asked.of[i];
    return NULL;
}

/* ---- is it begun? ---- */

static bool lacks_names(const task *t)
{
    for (size_t i = 0; t->fresh && i < t->asked.names; i++)
        if (!es_has_name(t->s, t->asked.of[i]))
            es_str_add(&t->j->detail, "%s%s", t->j->detail.len ? ", " : "", t->asked.of[i]);
    return t->j->detail.len > 0;
}

/* What was there before is as it was. */
static bool is_untouched(const task *t)
{
    if (!t->asked.n)
        return false;
    es_value *now = es_values_of(t->s, &t->asked), *before = es_values_of(t->tries, &t->asked);
    bool same = es_same_values(now, before, t->asked.n);
    es_values_free(now, t->asked.n);
    es_values_free(before, t->asked.n);
    return same;
}

/* ---- which misconception ---- */

static bool matches(const task *t, const es_lesson_note *wrong, const es_value *typed)
{
    es_ear ear;
    es_ear_open(&ear, NULL);
    bool same = es_desk_run(t->tries, t->d, wrong->code, t->step->text_mode, &ear);
    if (same) {
        es_value *of = es_values_of(t->tries, &t->asked);
        same = es_same_values(typed, of, t->asked.n);
        es_values_free(of, t->asked.n);
    }
    es_ear_close(&ear);
    return same;
}

/* Each wrong line is run from the same state; tries is ready for the step. */
static bool find_misconception(const task *t, const es_lesson_note **found, es_error *err)
{
    const es_lesson_notes *wrong = &t->step->wrong;
    es_value *typed = es_values_of(t->s, &t->asked);
    es_desk desk = es_desk_take(t->tries);
    bool ok = true;
    for (size_t i = 0; ok && !*found && i < wrong->n; i++) {
        const es_lesson_note *w = &wrong->of[i];
        if (!w->code[0])
            continue;
        if (matches(t, w, typed))
            *found = w;
        ok = !stopped(t, err);
        if (t->step->text_mode || es_writes_in_place(w->code)) {
            es_desk_free(&desk);
            ok = ok && es_desk_ready(t->tries, t->l, t->d, t->at, err);
            desk = es_desk_take(t->tries);
        } else {
            es_desk_put(t->tries, &desk);
        }
    }
    es_desk_free(&desk);
    es_values_free(typed, t->asked.n);
    return ok;
}

static bool judge_wrong(const task *t, const es_lesson_note *check, const es_error *why,
                        es_error *err)
{
    const es_lesson_note *found = NULL;
    const char *name = name_in(t, check);
    t->j->verdict = ES_VERDICT_WRONG;
    if (name)
        es_say_value(&t->j->detail, t->s, name);
    if (why->code != ES_OK && why->message)
        es_str_add(&t->j->detail, "%s%s", t->j->detail.len ? "; " : "", why->message);
    if (t->asked.n && !find_misconception(t, &found, err))
        return false;
    if (!found && check->message)
        found = check;
    t->j->why = found ? found : es_wrong_else(t->step);
    return true;
}

/* ---- other sizes ---- */

/* What became of the lines on a draw. */
typedef struct rerun {
    bool ran;                    /* without an error */
    es_str error;                /* else the last one */
    es_code code;                /* and its code */
    bool there;                  /* all names are there */
    const es_lesson_note *check; /* that is false; NULL: none */
    es_code check_code;          /* why it could not be worked out */
} rerun;

static bool run_again(const task *t, rerun *r, const char *lines, const es_drawn *d, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_ear ear;
    *r = (rerun){.there = true};
    if (!es_desk_ready(t->tries, t->l, d, t->at, err))
        return false;
    es_ear_open(&ear, NULL);
    r->ran = es_desk_run_on(t->tries, NULL, lines, t->step->text_mode, true, &ear);
    r->code = ear.code;
    es_str_cat(&r->error, es_str_text(&ear.error));
    es_ear_close(&ear);
    for (size_t i = 0; i < t->asked.names; i++)
        r->there = r->there && es_has_name(t->tries, t->asked.of[i]);
    r->check = false_check(t->tries, t->step, &why);
    r->check_code = why.code;
    es_error_free(&why);
    return !stopped(t, err);
}

/* Is it the sizes?  A name that is missing is of an earlier step, and tells nothing. */
static bool is_of_size(const rerun *r)
{
    if (!r->ran)
        return r->code != ES_ERR_NAME && (!r->there || r->check);
    return r->there && r->check && r->check_code != ES_ERR_NAME;
}

static bool differs(const es_drawn *a, const es_drawn *b, size_t i)
{
    return strcmp(a->text[i], b->text[i]) != 0;
}

static bool is_other_draw(const task *t, const es_drawn *d)
{
    for (size_t i = 0; i < t->l->n_draws; i++)
        if (differs(t->d, d, i))
            return true;
    return false;
}

static void set_text(es_drawn *d, size_t i, const char *text)
{
    free(d->text[i]);
    d->text[i] = es_copy_string(text);
}

/* The draw as it is, but for one name. */
static es_drawn draw_with(const task *t, const es_drawn *other, size_t which)
{
    es_drawn d = es_draw(t->l, t->d->seed);
    for (size_t i = 0; i < t->l->n_draws; i++)
        set_text(&d, i, i == which ? other->text[i] : t->d->text[i]);
    return d;
}

static void say_draw(const task *t, es_str *out, const es_drawn *d)
{
    const es_drawn *const both[] = {d, t->d};
    es_str_cat(out, "with ");
    for (int side = 0; side < 2; side++) {
        bool any = false;
        es_str_cat(out, side ? " in place of " : "");
        for (size_t i = 0; i < t->l->n_draws; i++)
            if (differs(t->d, d, i)) {
                es_str_add(out, "%s%s=%s", any ? ", " : "", t->l->draw[i].name,
                           both[side]->text[i]);
                any = true;
            }
    }
}

/* "with T=7 in place of T=5, h is [2, 5, 64]" */
static void say_size(const task *t, const rerun *r, const es_drawn *d)
{
    es_str *out = &t->j->detail;
    const char *name = r->check ? name_in(t, r->check) : NULL;
    t->j->verdict = ES_VERDICT_ONE_SIZE;
    say_draw(t, out, d);
    if (!r->ran && !r->there) {
        es_str_add(out, ": %s", es_str_text(&r->error));
        return;
    }
    es_str_cat(out, ", ");
    size_t len = out->len;
    if (name)
        es_say_value(out, t->tries, name);
    if (out->len == len && r->check)
        es_str_add(out, "%s is not true", r->check->code);
}

/* The one name by which it comes, if one does it alone; else all of them. */
static bool narrow(const task *t, const rerun *whole, const char *lines, const es_drawn *other,
                   es_error *err)
{
    rerun r = {0};
    for (size_t i = 0; i < t->l->n_draws; i++) {
        if (!differs(t->d, other, i))
            continue;
        es_drawn d = draw_with(t, other, i);
        bool ok = run_again(t, &r, lines, &d, err), found = ok && is_of_size(&r);
        if (found)
            say_size(t, &r, &d);
        es_str_free(&r.error);
        es_drawn_free(&d);
        if (!ok || found)
            return ok;
    }
    if (!run_again(t, &r, lines, other, err))
        return false;
    say_size(t, whole, other);
    es_str_free(&r.error);
    return true;
}

static bool judge_sizes(const task *t, es_error *err)
{
    rerun r = {0};
    char *lines = es_desk_lines_that_do(t->tries, t->lines);
    bool ok = run_again(t, &r, lines, t->d, err), ran = r.ran;
    bool telling = ok && r.there && !r.check; /* here it comes out right again */
    es_str_free(&r.error);
    int tried = 0;
    for (uint64_t k = 1; ok && telling && k <= DRAWS_TRIED && tried < OTHER_DRAWS; k++) {
        es_drawn d = es_draw(t->l, t->d->seed + k);
        if (is_other_draw(t, &d)) {
            tried++;
            ok = run_again(t, &r, lines, &d, err);
            bool found = ok && is_of_size(&r) && (ran || r.there);
            if (found)
                ok = narrow(t, &r, lines, &d, err);
            telling = !found;
            es_str_free(&r.error);
        }
        es_drawn_free(&d);
    }
    free(lines);
    return ok;
}

/* ---- all ---- */

static bool judge(task *t, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    bool ok = true;
    if (lacks_names(t)) {
        t->j->verdict = ES_VERDICT_UNFINISHED;
        return true;
    }
    const es_lesson_note *check = false_check(t->s, t->step, &why);
    if (stopped(t, err))
        ok = false;
    else if (check && is_untouched(t))
        t->j->verdict = ES_VERDICT_UNFINISHED;
    else if (check)
        ok = judge_wrong(t, check, &why, err);
    else if (t->l->n_draws && !t->step->fixed)
        ok = judge_sizes(t, err);
    es_error_free(&why);
    return ok;
}

bool es_judge_task(es_judgement *j, es_session *s, es_session *tries, const es_lesson *l,
                   size_t step, const es_drawn *d, const char *lines, es_error *err)
{
    task t = {.j = j,
              .s = s,
              .tries = tries,
              .l = l,
              .at = step,
              .step = &l->step[step],
              .d = d,
              .lines = lines,
              .fresh = true};
    *j = (es_judgement){.verdict = ES_VERDICT_RIGHT};
    if (!es_desk_ready(tries, l, d, step, err))
        return false;
    t.asked = es_asked_by(tries, t.step, true);
    if (!t.asked.n) {
        t.fresh = false;
        t.asked = es_asked_by(tries, t.step, false);
    }
    bool ok = judge(&t, err);
    es_asked_free(&t.asked);
    if (!ok)
        es_judgement_free(j);
    return ok;
}
