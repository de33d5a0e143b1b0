// SPDX-License-Identifier: GPL-3.0-or-later
/* Each solution of a task passes, in whatever way its values come; each wrong line fails a check, and is known by its values. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/interp.h"
#include "lesson/prove_inside.h"
#include "session/tensor_mode.h"

/* ---- lines and checks ---- */

/* Run code in the step's mode; false: it fails, ear has the error. */
static bool run(es_prover *p, const es_lesson_step *step, const char *code, es_ear *ear)
{
    es_ear_open(ear, NULL);
    return es_desk_run(p->s, &p->d, code, step->text_mode, ear);
}

static const es_lesson_note *false_check(es_prover *p, const es_lesson_step *step, es_error *why)
{
    for (size_t i = 0; i < step->check.n; i++) {
        es_error_free(why);
        if (!es_desk_true(p->s, step->check.of[i].code, why))
            return &step->check.of[i];
    }
    return NULL;
}

/* ---- the same values in another way ---- */

typedef struct way {
    const char *statement; /* NAME stands for the name */
    const char *said;      /* what was done to it */
    const char *instead;   /* what the check should do */
} way;

static const way rounded = {"NAME = NAME * (1 + 1e-7)", "NAME with a rounding error more",
                            "compare with allclose"};
static const way copied = {"NAME = NAME.clone()", "a copy of NAME", "compare values"};
static const way listed = {"NAME = list(NAME)", "NAME as a list", "compare tuple(NAME)"};
static const way in_tuple = {"NAME = tuple(NAME)", "NAME as a tuple", "compare tuple(NAME)"};
static const way beside = {"es_beside = 1", "other variables beside it", "ask for values alone"};

static void put_name(es_str *out, const char *text, const char *name)
{
    for (const char *at; (at = strstr(text, "NAME")); text = at + 4) {
        es_str_bytes(out, text, (size_t)(at - text));
        es_str_cat(out, name);
    }
    es_str_cat(out, text);
}

/* After the solution, and with it undone again: the session is as the solution left it. */
static void prove_way(es_prover *p, const es_lesson_step *step, const way *w, const char *name,
                      const es_desk *solved)
{
    es_error why = ES_ERROR_NONE;
    es_ear ear;
    es_str statement = {0}, said = {0}, instead = {0}, code = {0};
    put_name(&statement, w->statement, name);
    es_ear_open(&ear, NULL);
    bool ran = es_desk_run(p->s, NULL, statement.s, false, &ear);
    es_ear_close(&ear);
    const es_lesson_note *check = ran ? false_check(p, step, &why) : NULL;
    if (check && why.code != ES_ERR_INTERRUPTED) {
        put_name(&said, w->said, name);
        put_name(&instead, w->instead, name);
        es_fault(p, check->line, "check %s refuses %s: %s", es_code_said(&code, check->code),
                 said.s, instead.s);
    }
    es_desk_put(p->s, solved);
    es_error_free(&why);
    es_str_free(&statement);
    es_str_free(&said);
    es_str_free(&instead);
    es_str_free(&code);
}

static bool is_parameter(const es_value *v)
{
    const es_tensor_object *o = (const es_tensor_object *)v->u.o;
    return o->parameter || o->requires_grad;
}

static void prove_ways_of(es_prover *p, const es_lesson_step *step, const char *name,
                          const es_desk *solved)
{
    es_value v;
    es_error err = ES_ERROR_NONE;
    bool there = es_interp_lookup(es_mode_interp(p->s), name, strlen(name), &v, &err);
    es_error_free(&err);
    if (!there)
        return;
    if (v.kind == ES_V_TENSOR && !is_parameter(&v)) {
        es_dtype dtype = es_value_as_tensor(&v)->dtype;
        prove_way(p, step, &copied, name, solved);
        if (dtype == ES_FLOAT32 || dtype == ES_FLOAT64)
            prove_way(p, step, &rounded, name, solved);
    }
    if (v.kind == ES_V_TUPLE || v.kind == ES_V_SIZE)
        prove_way(p, step, &listed, name, solved);
    if (v.kind == ES_V_LIST || v.kind == ES_V_SIZE)
        prove_way(p, step, &in_tuple, name, solved);
    es_value_unref(&v);
}

static void prove_ways(es_prover *p, const es_lesson_step *step, const es_asked *asked)
{
    es_desk solved = es_desk_take(p->s);
    for (size_t i = 0; i < asked->names; i++)
        prove_ways_of(p, step, asked->of[i], &solved);
    prove_way(p, step, &beside, "", &solved);
    es_desk_free(&solved);
}

/* ---- solutions ---- */

static void solution_fails(es_prover *p, const es_lesson_note *solution,
                           const es_lesson_note *check, const es_error *why)
{
    es_str code = {0};
    const char *where = es_str_text(&p->where);
    es_code_said(&code, check->code);
    if (why->code != ES_OK)
        es_fault(p, solution->line, "this solution leaves check %s without an answer%s: %s", code.s,
                 where, why->message);
    else if (es_fault(p, solution->line, "this solution leaves check %s false%s", code.s, where))
        p->told[p->n_told - 1].of_size = true;
    es_str_free(&code);
}

static void prove_solution(es_prover *p, const es_lesson_step *step, const es_asked *asked,
                           const es_lesson_note *solution)
{
    es_error why = ES_ERROR_NONE;
    es_ear ear;
    const es_lesson_note *check = NULL;
    if (!run(p, step, solution->code, &ear))
        es_fault(p, solution->line, "this solution fails%s: %s", es_str_text(&p->where),
                 es_str_text(&ear.error));
    else if ((check = false_check(p, step, &why)))
        solution_fails(p, solution, check, &why);
    else {
        p->passed[solution->line] = true;
        if (!step->text_mode)
            prove_ways(p, step, asked);
    }
    es_error_free(&why);
    es_ear_close(&ear);
}

/* ---- wrong lines ---- */

/* Values that wrong lines made on this draw; NULL: it has none. */
typedef struct made {
    es_value **of;
    const es_asked *asked;
} made;

static const char *missing(es_prover *p, const es_asked *asked)
{
    for (size_t i = 0; i < asked->names; i++)
        if (!es_has_name(p->s, asked->of[i]))
            return asked->of[i];
    return NULL;
}

static void prove_known(es_prover *p, const es_lesson_notes *wrong, size_t i, const made *m)
{
    size_t n = m->asked->n;
    m->of[i] = es_values_of(p->s, m->asked);
    if (!es_same_values(m->of[i], m->of[i], n))
        es_fault(p, wrong->of[i].line,
                 "nobody can be told this message: what the line makes has no value to know it by");
    for (size_t k = 0; k < i; k++)
        if (m->of[k] && es_same_values(m->of[k], m->of[i], n)) {
            es_fault(p, wrong->of[i].line,
                     "who answers so is told the message of line %d, whose values are the same%s: "
                     "draw sizes that keep apart, or leave one out",
                     wrong->of[k].line, es_str_text(&p->where));
            return;
        }
}

static void prove_wrong(es_prover *p, const es_lesson_step *step, size_t i, const made *m)
{
    const es_lesson_note *w = &step->wrong.of[i];
    es_error why = ES_ERROR_NONE;
    es_ear ear;
    const char *name;
    if (!run(p, step, w->code, &ear))
        es_fault(p, w->line,
                 "this wrong line fails%s, so that nobody is told its message: %s; an @error step "
                 "shows what fails",
                 es_str_text(&p->where), es_str_text(&ear.error));
    else if ((name = missing(p, m->asked)))
        es_fault(p, w->line, "this wrong line does not make %s, so that nobody is told its message",
                 name);
    else if (!false_check(p, step, &why))
        es_fault(p, w->line, "this wrong line passes%s: draw sizes that keep apart, or add a check",
                 es_str_text(&p->where));
    else if (m->asked->n)
        prove_known(p, &step->wrong, i, m);
    es_error_free(&why);
    es_ear_close(&ear);
}

static bool prove_wrongs(es_prover *p, size_t at, const es_asked *asked)
{
    const es_lesson_step *step = &p->l->step[at];
    made m = {es_alloc_array(step->wrong.n, sizeof *m.of), asked};
    bool ok = true;
    for (size_t i = 0; ok && i < step->wrong.n; i++)
        if (step->wrong.of[i].code[0]) {
            prove_wrong(p, step, i, &m);
            ok = es_prove_again(p, at, step->wrong.of[i].code);
        }
    for (size_t i = 0; i < step->wrong.n; i++)
        if (m.of[i])
            es_values_free(m.of[i], asked->n);
    free(m.of);
    return ok;
}

/* ---- all ---- */

static es_asked what_is_asked(es_prover *p, const es_lesson_step *step)
{
    es_asked asked = es_asked_by(p->s, step, true);
    return asked.n ? asked : es_asked_by(p->s, step, false);
}

static void prove_beginning(es_prover *p, const es_lesson_step *step)
{
    es_error why = ES_ERROR_NONE;
    if (!false_check(p, step, &why))
        es_fault(p, step->line, "the checks of this @task are true before anything is typed%s",
                 es_str_text(&p->where));
    es_error_free(&why);
}

bool es_prove_task(es_prover *p, size_t i)
{
    const es_lesson_step *step = &p->l->step[i];
    es_ear ear;
    es_asked asked = what_is_asked(p, step);
    prove_beginning(p, step);
    bool ok = prove_wrongs(p, i, &asked);
    for (size_t k = step->solution.n; ok && k-- > 0;) {
        prove_solution(p, step, &asked, &step->solution.of[k]);
        ok = es_prove_again(p, i, step->solution.of[k].code);
    }
    es_asked_free(&asked);
    if (p->seed == 0)
        p->proof->answers += (int)(step->solution.n + step->wrong.n);
    if (!ok || !step->solution.n)
        return ok;
    ok = run(p, step, step->solution.of[0].code, &ear);
    es_ear_close(&ear);
    return ok;
}
