// SPDX-License-Identifier: GPL-3.0-or-later
/* A lesson proved, draw after draw, in the order of its steps. */
#include "lesson/prove.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/visible.h"
#include "lesson/prove_inside.h"

enum { SAID_COLUMNS = 70, PRINTED_COLUMNS = 160 };

/* ---- the report ---- */

static bool is_told(const es_prover *p, int line, const char *fmt)
{
    for (size_t i = 0; i < p->n_told; i++)
        if (p->told[i].line == line && p->told[i].fmt == fmt)
            return true;
    return false;
}

static void tell(es_prover *p, int line, const char *fmt, es_str *text)
{
    p->told = es_realloc(p->told, (p->n_told + 1) * sizeof *p->told);
    p->told[p->n_told++] = (struct es_fault_told){line, fmt, es_str_take(text), false};
}

bool es_fault(es_prover *p, int line, const char *fmt, ...)
{
    va_list ap;
    es_str text = {0};
    if (is_told(p, line, fmt))
        return false;
    es_str_add(&text, "%s:%d: ", es_lesson_file(p->l), line);
    va_start(ap, fmt);
    es_str_vadd(&text, fmt, ap);
    va_end(ap);
    tell(p, line, fmt, &text);
    return true;
}

void es_fault_of(es_prover *p, const es_error *err)
{
    es_str text = {0};
    const char *colon = err->message ? strchr(err->message, ':') : NULL;
    int line = colon ? atoi(colon + 1) : 1;
    if (err->code == ES_ERR_INTERRUPTED || is_told(p, line, NULL))
        return;
    es_str_cat(&text, err->message ? err->message : "it cannot be made ready");
    tell(p, line, NULL, &text);
}

/* By line, those of one line as they were found. */
static void report(const es_prover *p, es_proof *proof)
{
    proof->faults = (int)p->n_told;
    for (size_t sorted = 0, line = 0; sorted < p->n_told; line++)
        for (size_t i = 0; i < p->n_told; i++) {
            const struct es_fault_told *f = &p->told[i];
            if (f->line != (int)line)
                continue;
            bool more = f->of_size && p->passed[f->line];
            es_str_add(&proof->report, "%s%s\n", f->text,
                       more ? ", and true on other draws: is a size written as a number?" : "");
            sorted++;
        }
}

/* On one line, cut. */
static void on_a_line(es_str *out, const char *s, size_t n, int columns)
{
    es_str one = {0}, ready = {0};
    for (size_t i = 0; i < n; i++) {
        bool blank = s[i] == '\n' || s[i] == ' ';
        if (!blank)
            es_str_char(&one, s[i]);
        else if (one.len && one.s[one.len - 1] != ' ')
            es_str_char(&one, ' ');
    }
    if (one.len && one.s[one.len - 1] == ' ')
        es_str_cut(&one, one.len - 1);
    es_show_prose(&ready, es_str_text(&one), one.len);
    es_show_fit(out, es_str_text(&ready), ready.len, columns);
    es_str_free(&one);
    es_str_free(&ready);
}

const char *es_code_said(es_str *out, const char *code)
{
    on_a_line(out, code, strlen(code), SAID_COLUMNS);
    return es_str_text(out);
}

static void say_where(es_prover *p)
{
    es_str_free(&p->where);
    for (size_t i = 0; i < p->l->n_draws; i++)
        es_str_add(&p->where, "%s%s=%s", i ? ", " : " with ", p->l->draw[i].name, p->d.text[i]);
}

/* ---- again ---- */

bool es_prove_again(es_prover *p, size_t i, const char *after)
{
    es_error err = ES_ERROR_NONE;
    if (es_session_interrupted(p->s))
        return false;
    if (!p->l->step[i].text_mode && !es_writes_in_place(after)) {
        es_desk_put(p->s, &p->before);
        return true;
    }
    es_desk_free(&p->before);
    bool ok = es_desk_ready(p->s, p->l, &p->d, i, &err);
    p->before = es_desk_take(p->s);
    if (!ok)
        es_fault_of(p, &err);
    es_error_free(&err);
    return ok;
}

/* ---- @show ---- */

/* As it stands, or with other white space between its words. */
static bool is_printed(const es_ear *ear, const char *text)
{
    es_str a = {0}, b = {0};
    bool found = strstr(es_str_text(&ear->shown), text) != NULL;
    if (!found) {
        on_a_line(&a, es_str_text(&ear->shown), ear->shown.len, ES_MAX_WIDTH * 10);
        on_a_line(&b, text, strlen(text), ES_MAX_WIDTH * 10);
        found = strstr(es_str_text(&a), es_str_text(&b)) != NULL;
    }
    es_str_free(&a);
    es_str_free(&b);
    return found;
}

static void prove_prints(es_prover *p, const es_lesson_step *step, const es_ear *ear)
{
    for (size_t i = 0; i < step->prints.n; i++) {
        es_str text = {0}, printed = {0};
        const es_lesson_note *note = &step->prints.of[i];
        es_drawn_fill(&text, &p->d, note->code);
        if (!is_printed(ear, es_str_text(&text))) {
            on_a_line(&printed, es_str_text(&ear->shown), ear->shown.len, PRINTED_COLUMNS);
            es_fault(p, note->line, "@show prints \"%s\", and the line printed: %s",
                     es_str_text(&text), printed.len ? printed.s : "nothing");
        }
        es_str_free(&text);
        es_str_free(&printed);
    }
}

static void prove_checks(es_prover *p, es_session *s, const es_lesson_step *step)
{
    double *spent = &p->spent[step - p->l->step];
    clock_t begun = clock();
    if (p->seed >= ES_SOME_SEEDS && *spent > 1)
        return;
    for (size_t i = 0; i < step->check.n; i++) {
        es_error why = ES_ERROR_NONE;
        es_str code = {0};
        const es_lesson_note *note = &step->check.of[i];
        bool seen = es_prove_is_seen(p) && es_prove_is_same(p, note->code);
        if (seen || es_desk_true(s, note->code, &why))
            continue;
        es_code_said(&code, note->code);
        if (why.code == ES_OK)
            es_fault(p, note->line, "check %s is false%s", code.s, es_str_text(&p->where));
        else if (why.code != ES_ERR_INTERRUPTED)
            es_fault(p, note->line, "check %s has no answer%s: %s", code.s, es_str_text(&p->where),
                     why.message);
        es_error_free(&why);
        es_str_free(&code);
    }
    *spent += (double)(clock() - begun) / CLOCKS_PER_SEC;
}

/* Pictures are those of the session that has any: made ready for the step, it shows this one. */
static es_session *where_it_runs(es_prover *p, size_t i, bool *ok)
{
    es_error err = ES_ERROR_NONE;
    const char *code = p->l->step[i].code;
    *ok = true;
    if (!es_desk_lacks(p->s, code) || es_desk_lacks(p->like, code))
        return p->s;
    *ok = es_desk_ready(p->like, p->l, &p->d, i, &err);
    if (!*ok)
        es_fault_of(p, &err);
    es_error_free(&err);
    return p->like;
}

static bool is_same(es_prover *p, const es_lesson_step *step)
{
    bool same = !step->text_mode && es_prove_is_same(p, step->code);
    for (size_t i = 0; same && i < step->prints.n; i++)
        same = es_prove_is_same_word(p, step->prints.of[i].code);
    for (size_t i = 0; same && i < step->check.n; i++)
        same = es_prove_is_same(p, step->check.of[i].code);
    return same;
}

/* Commands alone, on a draw that shows nothing new: those among them that do more than look, ":model mini". */
static bool run_what_does(es_prover *p, const es_lesson_step *step)
{
    es_ear ear;
    char *rest = es_desk_lines_that_do(p->s, step->code);
    es_ear_open(&ear, NULL);
    bool ok = es_desk_run(p->s, &p->d, rest, false, &ear);
    es_ear_close(&ear);
    free(rest);
    prove_checks(p, p->s, step);
    return ok;
}

static bool is_commands(es_prover *p, const es_lesson_step *step)
{
    bool commands = !step->text_mode && step->code[0] == ':';
    for (const char *at = step->code; commands && (at = strchr(at, '\n')); at++)
        commands = at[1] == ':';
    for (size_t i = 0; commands && i < step->prints.n; i++)
        commands = es_prove_is_same_word(p, step->prints.of[i].code);
    return commands && es_prove_is_same_word(p, step->code);
}

static bool prove_show(es_prover *p, size_t i)
{
    const es_lesson_step *step = &p->l->step[i];
    const es_style style = {.width = ES_DEFAULT_WIDTH};
    bool ok;
    es_ear ear;
    if (es_prove_is_seen(p) && is_same(p, step))
        return true;
    if (es_prove_is_seen(p) && is_commands(p, step))
        return run_what_does(p, step);
    es_session *s = where_it_runs(p, i, &ok);
    if (!ok)
        return false;
    es_ear_open(&ear, step->prints.n ? &style : NULL);
    ok = es_desk_run(s, &p->d, step->code, step->text_mode, &ear);
    if (!ok && !es_session_interrupted(p->s))
        es_fault(p, step->line, "this @show fails%s: %s", es_str_text(&p->where),
                 es_str_text(&ear.error));
    if (ok) {
        prove_prints(p, step, &ear);
        prove_checks(p, s, step);
    }
    es_ear_close(&ear);
    return ok || step->code[0] == ':'; /* what follows seldom needs it */
}

/* ---- @error ---- */

static void prove_failure(es_prover *p, const es_lesson_step *step)
{
    es_ear ear;
    es_ear_open(&ear, NULL);
    bool ran = es_desk_run(p->s, &p->d, step->code, step->text_mode, &ear);
    const char *kind = es_code_name(ear.code), *wanted = step->error_kind ? step->error_kind : "";
    if (es_session_interrupted(p->s))
        ran = false;
    else if (ran)
        es_fault(p, step->line, "this @error does not fail%s", es_str_text(&p->where));
    else if (strcmp(kind, wanted) != 0)
        es_fault(p, step->line, "this @error says kind=%s, and the line fails with kind=%s: %s",
                 wanted, kind, es_str_text(&ear.error));
    es_ear_close(&ear);
}

/* ---- a draw ---- */

static bool prove_step(es_prover *p, size_t i)
{
    const es_lesson_step *step = &p->l->step[i];
    bool ok = true;
    if (step->kind == ES_LESSON_SHOW)
        return prove_show(p, i);
    p->before = es_desk_take(p->s);
    if (step->kind == ES_LESSON_TASK) {
        ok = es_prove_task(p, i);
    } else if (step->kind == ES_LESSON_ERROR) {
        prove_failure(p, step);
        ok = es_prove_again(p, i, step->code);
        if (ok)
            es_prove_answers(p, i);
    } else {
        es_prove_answers(p, i);
    }
    es_desk_free(&p->before);
    return ok;
}

/* Training takes a second or more: what stands behind it, if it is no task, is proved on two draws. */
static bool is_over(const es_prover *p, size_t i)
{
    if (!es_prove_is_seen(p) || !strstr(p->l->step[i].code, ":train"))
        return false;
    for (; i < p->l->n_steps; i++)
        if (p->l->step[i].kind == ES_LESSON_TASK)
            return false;
    return true;
}

static void prove_draw(es_prover *p)
{
    es_error err = ES_ERROR_NONE;
    p->d = es_draw(p->l, (uint64_t)p->seed);
    say_where(p);
    bool ok = es_desk_begin(p->s, p->l, &p->d, &err);
    if (!ok && err.code != ES_ERR_INTERRUPTED)
        es_fault_of(p, &err);
    else if (!ok && !p->stopped.len)
        es_str_cat(&p->stopped, err.message);
    for (size_t i = 0; ok && i < p->l->n_steps && !is_over(p, i); i++) {
        ok = prove_step(p, i) && !es_session_interrupted(p->s);
        if (es_session_interrupted(p->s))
            es_str_add(&p->stopped, "%s:%d: stopped by Ctrl-C", es_lesson_file(p->l),
                       p->l->step[i].line);
    }
    es_error_free(&err);
    es_drawn_free(&p->d);
}

/* ---- all ---- */

static int last_line(const es_lesson *l)
{
    int last = 1;
    for (size_t i = 0; i < l->n_steps; i++)
        for (size_t k = 0; k < l->step[i].solution.n; k++)
            if (l->step[i].solution.of[k].line > last)
                last = l->step[i].solution.of[k].line;
    return last;
}

static bool prove(es_prover *p, int seeds, const es_sink *sink, es_error *err)
{
    int n = p->l->n_draws ? seeds : ES_FEW_SEEDS < seeds ? ES_FEW_SEEDS : seeds;
    es_str what = {0};
    es_prove_bounds(p);
    es_str_add(&what, "proving %s", es_lesson_file(p->l));
    for (p->seed = 0; p->seed < n && !es_session_interrupted(p->s); p->seed++) {
        if (sink && sink->progress)
            sink->progress(sink->user, what.s, (uint64_t)p->seed, (uint64_t)n);
        prove_draw(p);
    }
    if (sink && sink->progress)
        sink->progress(sink->user, what.s, 1, 1);
    es_str_free(&what);
    if (es_session_interrupted(p->s))
        return es_fail(err, ES_ERR_INTERRUPTED, "%s",
                       p->stopped.len ? p->stopped.s : "stopped by Ctrl-C");
    return true;
}

bool es_prove(es_proof *proof, const es_course *c, size_t i, es_session *like, int seeds,
              const es_sink *sink, es_error *err)
{
    const es_lesson *l = &c->of[i].lesson;
    *proof = (es_proof){.steps = (int)l->n_steps};
    es_prover p = {.proof = proof, .course = c, .entry = &c->of[i], .l = l, .like = like};
    p.s = es_desk_new(like, err);
    if (!p.s)
        return false;
    p.passed = es_alloc_array((size_t)last_line(l) + 1, sizeof *p.passed);
    p.spent = es_alloc_array(l->n_steps, sizeof *p.spent);
    bool ok = prove(&p, seeds, sink, err);
    if (ok)
        report(&p, proof);
    es_session_free(p.s);
    es_str_free(&p.where);
    es_str_free(&p.stopped);
    free(p.passed);
    free(p.spent);
    for (size_t k = 0; k < p.n_told; k++)
        free(p.told[k].text);
    free(p.told);
    if (!ok)
        es_proof_free(proof);
    return ok;
}

void es_proof_free(es_proof *p)
{
    es_str_free(&p->report);
    *p = (es_proof){0};
}
