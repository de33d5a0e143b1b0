// SPDX-License-Identifier: GPL-3.0-or-later
/* Each answer of a step is right, each wrong one wrong, and told its own message. */
#include <string.h>
#include <time.h>

#include "base/visible.h"
#include "expr/interp.h"
#include "lesson/prove_inside.h"
#include "session/tensor_mode.h"

enum { FEW_COLUMNS = 60 };

/* What the expression gives, for a message. */
static void say_real(es_prover *p, const es_lesson_step *step, es_str *out)
{
    es_value v;
    es_str repr = {0}, ready = {0};
    int64_t dims[ES_MAX_DIMS];
    int rank = 0;
    if (step->answers == ES_ANSWER_SHAPE) {
        if (es_desk_shape(p->s, step->code, dims, &rank, NULL))
            for (int i = 0; i < rank; i++)
                es_str_add(out, "%s%lld", i ? ", " : "[", (long long)dims[i]);
        es_str_cat(out, rank ? "]" : "[]");
        return;
    }
    if (!es_desk_value(p->s, step->code, &v, NULL))
        return;
    es_value_repr(es_mode_interp(p->s), &repr, &v, NULL);
    es_show_prose(&ready, es_str_text(&repr), repr.len);
    es_show_fit(out, es_str_text(&ready), ready.len, FEW_COLUMNS);
    es_value_unref(&v);
    es_str_free(&repr);
    es_str_free(&ready);
}

static bool judged(es_prover *p, const es_lesson_step *step, const es_lesson_note *note,
                   es_judgement *j, es_error *err)
{
    const es_value *known = p->right.kind == ES_V_KINDS ? NULL : &p->right;
    if (es_judge_with(j, p->s, step, &p->d, note->code, strlen(note->code), known, err))
        return true;
    if (err->code != ES_ERR_INTERRUPTED)
        es_fault(p, step->line, "what is asked here cannot be worked out%s: %s",
                 es_str_text(&p->where), err->message);
    return false;
}

/* ---- right ones ---- */

static void prove_right(es_prover *p, const es_lesson_step *step, const es_lesson_note *note)
{
    es_error err = ES_ERROR_NONE;
    es_judgement j = {0};
    es_str code = {0}, real = {0};
    es_code_said(&code, note->code);
    if (!judged(p, step, note, &j, &err)) {
        es_error_free(&err);
    } else if (j.verdict == ES_VERDICT_NO_ANSWER) {
        es_fault(p, note->line, "answer %s cannot be read: %s", code.s,
                 err.message ? err.message : "");
    } else if (j.verdict == ES_VERDICT_WRONG) {
        say_real(p, step, &real);
        es_fault(p, note->line, "answer %s is not right%s: the line gives %s", code.s,
                 es_str_text(&p->where), es_str_text(&real));
    }
    es_error_free(&err);
    es_judgement_free(&j);
    es_str_free(&code);
    es_str_free(&real);
}

/* Shapes that are known without computing are those that computing gives. */
static void prove_computed(es_prover *p, const es_lesson_step *step)
{
    es_error err = ES_ERROR_NONE;
    es_value v;
    bool asked = step->kind == ES_LESSON_PREDICT && step->answers == ES_ANSWER_SHAPE &&
                 p->seed < ES_FEW_SEEDS;
    if (!asked)
        return;
    if (es_desk_value(p->s, step->code, &v, &err))
        es_value_unref(&v);
    else if (err.code != ES_ERR_INTERRUPTED)
        es_fault(p, step->line, "what is asked here cannot be worked out%s: %s",
                 es_str_text(&p->where), err.message);
    es_error_free(&err);
}

/* ---- wrong ones ---- */

static void prove_wrong(es_prover *p, const es_lesson_step *step, const es_lesson_note *note)
{
    es_error err = ES_ERROR_NONE;
    es_judgement j = {0};
    es_str code = {0};
    es_code_said(&code, note->code);
    if (!judged(p, step, note, &j, &err)) {
        es_error_free(&err);
    } else if (j.verdict == ES_VERDICT_NO_ANSWER) {
        es_fault(p, note->line, "wrong %s cannot be read: %s", code.s,
                 err.message ? err.message : "");
    } else if (j.verdict == ES_VERDICT_RIGHT) {
        es_fault(p, note->line, "wrong %s is right%s: draw sizes that keep apart, or leave it out",
                 code.s, es_str_text(&p->where));
    } else if (j.why != note) {
        es_fault(p, note->line,
                 "wrong %s is told the message of line %d, which is the same%s: draw sizes that "
                 "keep apart, or leave one out",
                 code.s, j.why ? j.why->line : 0, es_str_text(&p->where));
    }
    es_error_free(&err);
    es_judgement_free(&j);
    es_str_free(&code);
}

static bool are_same(es_prover *p, const es_lesson_step *step, const es_lesson_notes *notes)
{
    bool word = step->answers == ES_ANSWER_CHOICE;
    for (size_t i = 0; i < notes->n; i++)
        if (notes->of[i].code[0] && !(word ? es_prove_is_same_word(p, notes->of[i].code)
                                           : es_prove_is_same(p, notes->of[i].code)))
            return false;
    return true;
}

static bool is_same(es_prover *p, const es_lesson_step *step)
{
    bool asks = step->kind == ES_LESSON_PREDICT && step->answers != ES_ANSWER_CHOICE;
    return (!asks || es_prove_is_same(p, step->code)) && are_same(p, step, &step->answer) &&
           are_same(p, step, &step->wrong) && are_same(p, step, &step->option);
}

/* Once for all answers: some are compared with every row of wte. */
static void work_out(es_prover *p, const es_lesson_step *step)
{
    bool value = step->kind == ES_LESSON_PREDICT && step->answers == ES_ANSWER_VALUE;
    if (!value || !es_desk_value(p->s, step->code, &p->right, NULL))
        p->right = (es_value){.kind = ES_V_KINDS};
}

static void prove_all(es_prover *p, const es_lesson_step *step)
{
    work_out(p, step);
    prove_computed(p, step);
    for (size_t i = 0; i < step->answer.n; i++)
        prove_right(p, step, &step->answer.of[i]);
    for (size_t i = 0; i < step->wrong.n; i++)
        if (step->wrong.of[i].code[0])
            prove_wrong(p, step, &step->wrong.of[i]);
    if (p->right.kind != ES_V_KINDS)
        es_value_unref(&p->right);
}

static bool takes_long(const es_prover *p, size_t i)
{
    return p->seed >= ES_SOME_SEEDS && p->spent[i] > 1;
}

void es_prove_answers(es_prover *p, size_t i)
{
    const es_lesson_step *step = &p->l->step[i];
    if (step->answers == ES_ANSWER_NONE || takes_long(p, i) ||
        (es_prove_is_seen(p) && is_same(p, step)))
        return;
    clock_t begun = clock();
    prove_all(p, step);
    p->spent[i] += (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (p->seed == 0)
        p->proof->answers += (int)(step->answer.n + step->wrong.n);
}
