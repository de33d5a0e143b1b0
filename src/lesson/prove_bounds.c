// SPDX-License-Identifier: GPL-3.0-or-later
/* What a lesson owes its reader whatever its lines do: little prose before the first thing to type, needs that were met, names that are
 * drawn. */
#include <ctype.h>
#include <string.h>

#include "lesson/prose.h"
#include "lesson/prove_inside.h"

enum { SCREEN = 22 /* lines of 80 columns, less the prompt's two */ };

/* ---- prose ---- */

static int lines_of(const char *markdown)
{
    const es_style style = {.width = ES_DEFAULT_WIDTH};
    es_str shown = {0};
    int n = 0;
    if (!markdown || !*markdown)
        return 0;
    es_prose_show(&shown, markdown, &style);
    for (size_t i = 0; i < shown.len; i++)
        n += shown.s[i] == '\n';
    es_str_free(&shown);
    return n + 1; /* a blank line behind it */
}

static bool is_typed(const es_lesson_step *step)
{
    return step->kind == ES_LESSON_TASK || step->answers != ES_ANSWER_NONE;
}

static void prove_prose(es_prover *p)
{
    int n = 0;
    for (size_t i = 0; i < p->l->n_steps; i++) {
        const es_lesson_step *step = &p->l->step[i];
        n += lines_of(step->prose);
        if (is_typed(step)) {
            if (n > SCREEN + 1)
                es_fault(p, step->line,
                         "%d lines of prose stand before this first thing to type, and a screen "
                         "holds %d: ask earlier",
                         n - 1, SCREEN);
            return;
        }
        for (size_t k = 0; k < step->after.n; k++)
            n += lines_of(step->after.of[k].message);
    }
    es_fault(p, p->l->step[0].line, "nothing is asked in this lesson: add a @predict or a @task");
}

/* ---- needs ---- */

static void prove_need(es_prover *p, const char *slug)
{
    const es_course_entry *e = es_course_named(p->course, slug);
    if (!e)
        es_fault(p, 1, "needs=%s: no lesson is called that", slug);
    else if (e == p->entry || e->number >= p->entry->number)
        es_fault(p, 1, "needs=%s: that is lesson %d, and this is lesson %d: it comes later", slug,
                 e->number, p->entry->number);
}

/* A lesson by itself stands in no course. */
static void prove_needs(es_prover *p)
{
    es_str slug = {0};
    for (const char *at = p->l->needs; p->course->n > 1 && at && *at;) {
        size_t n = strcspn(at, ", ");
        es_str_cut(&slug, 0);
        es_str_bytes(&slug, at, n);
        if (n)
            prove_need(p, slug.s);
        at += n + strspn(at + n, ", ");
    }
    es_str_free(&slug);
}

/* ---- names in braces ---- */

static void prove_names(es_prover *p, const char *text, int line)
{
    es_str name = {0};
    if (text && es_drawn_stranger(p->l, text, &name))
        es_fault(p, line, "{%s} is not drawn: add @draw %s = …, or leave the braces out", name.s,
                 name.s);
    es_str_free(&name);
}

static void prove_notes(es_prover *p, const es_lesson_notes *notes, bool code)
{
    for (size_t i = 0; i < notes->n; i++) {
        prove_names(p, notes->of[i].message, notes->of[i].line);
        if (code)
            prove_names(p, notes->of[i].code, notes->of[i].line);
    }
}

static void prove_step_names(es_prover *p, const es_lesson_step *step)
{
    bool command = step->text_mode || (step->code && step->code[0] == ':');
    prove_names(p, step->prose, step->line);
    prove_names(p, step->question, step->line);
    prove_names(p, command ? step->code : NULL, step->line);
    prove_notes(p, &step->answer, false);
    prove_notes(p, &step->wrong, false);
    prove_notes(p, &step->check, false);
    prove_notes(p, &step->solution, step->text_mode);
    prove_notes(p, &step->prints, true);
    prove_notes(p, &step->option, true);
    prove_notes(p, &step->hint, false);
    prove_notes(p, &step->after, false);
}

/* ---- sizes ---- */

static void prove_sizes(es_prover *p, const es_lesson_step *step)
{
    if (step->kind == ES_LESSON_TASK && !step->fixed && !p->l->n_draws)
        es_fault(
            p, step->line,
            "no size of this @task is drawn: add @draw lines, or fixed with the reason why not");
}

void es_prove_bounds(es_prover *p)
{
    prove_needs(p);
    prove_prose(p);
    for (size_t i = 0; i < p->l->n_steps; i++) {
        prove_step_names(p, &p->l->step[i]);
        prove_sizes(p, &p->l->step[i]);
    }
    prove_names(p, p->l->end, p->l->step[p->l->n_steps - 1].line);
}
