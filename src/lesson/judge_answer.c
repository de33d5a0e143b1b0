// SPDX-License-Identifier: GPL-3.0-or-later
/* A typed answer against what is so: shapes and values; judge_choice.c has choices. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/visible.h"
#include "lesson/judge_inside.h"

void es_judgement_free(es_judgement *j)
{
    es_str_free(&j->detail);
    *j = (es_judgement){0};
}

const es_lesson_note *es_wrong_else(const es_lesson_step *step)
{
    for (size_t i = 0; i < step->wrong.n; i++)
        if (!step->wrong.of[i].code || !step->wrong.of[i].code[0])
            return &step->wrong.of[i];
    return NULL;
}

bool es_is_else(const es_lesson_note *wrong)
{
    return !wrong->code || !wrong->code[0];
}

/* The expression whose shape or value is right; NULL: the first answer says it. */
static const char *expression_of(const es_lesson_step *step)
{
    return step->kind == ES_LESSON_PREDICT && step->code && step->code[0] ? step->code : NULL;
}

bool es_no_answer(es_judgement *j)
{
    j->verdict = ES_VERDICT_NO_ANSWER;
    return true;
}

/* The lesson's own answer cannot be read: that is the lesson's fault, not the learner's. */
static bool lesson_failed(es_error *err, const es_lesson_step *step, es_error *why)
{
    int line = step->answer.n ? step->answer.of[0].line : step->line;
    es_fail(err, why->code, "line %d of the lesson: %s", line, why->message ? why->message : "");
    es_error_free(why);
    return false;
}

/* ---- shapes ---- */

static bool same_shape(const es_typed_shape *a, const es_typed_shape *b)
{
    return a->rank == b->rank && !memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim);
}

static void differ_in_shape(es_str *out, const es_typed_shape *typed, const es_typed_shape *right)
{
    if (typed->rank != right->rank) {
        es_str_add(out, "that has %d %s, and the answer has %s", typed->rank,
                   typed->rank == 1 ? "axis" : "axes",
                   typed->rank < right->rank ? "more" : "fewer");
        return;
    }
    int axis = 0, n = 0;
    for (int i = right->rank - 1; i >= 0; i--)
        if (typed->dim[i] != right->dim[i])
            axis = i, n++;
    es_str_add(out, "the number of axes is right; %s%d is another size",
               n > 1 ? "of their sizes the first that differs: axis " : "axis ", axis);
}

static bool right_shape(es_typed_shape *right, es_session *s, const es_lesson_step *step,
                        es_error *err)
{
    es_error why = ES_ERROR_NONE;
    const char *expression = expression_of(step);
    bool ok = expression       ? es_desk_shape(s, expression, right->dim, &right->rank, &why)
              : step->answer.n ? es_read_shape(right, s, step->answer.of[0].code, &why)
                               : es_fail(&why, ES_ERR_FORMAT, "there is no answer");
    return ok || lesson_failed(err, step, &why);
}

static bool is_other_answer(es_session *s, const es_lesson_step *step, const es_typed_shape *typed)
{
    es_typed_shape other;
    for (size_t i = 1; !expression_of(step) && i < step->answer.n; i++)
        if (es_read_shape(&other, s, step->answer.of[i].code, NULL) && same_shape(&other, typed))
            return true;
    return false;
}

static const es_lesson_note *misconceived_shape(es_session *s, const es_lesson_step *step,
                                                const es_typed_shape *typed,
                                                const es_typed_shape *right)
{
    es_typed_shape wrong;
    for (size_t i = 0; i < step->wrong.n; i++) {
        const es_lesson_note *w = &step->wrong.of[i];
        if (!es_is_else(w) && es_read_shape(&wrong, s, w->code, NULL) &&
            same_shape(&wrong, typed) && !same_shape(&wrong, right))
            return w;
    }
    return es_wrong_else(step);
}

static bool judge_shape(es_judgement *j, es_session *s, const es_lesson_step *step,
                        const char *typed, es_error *err)
{
    es_typed_shape right = {0}, answer;
    if (!right_shape(&right, s, step, err))
        return false;
    if (!es_read_shape(&answer, s, typed, err))
        return es_no_answer(j);
    if (same_shape(&answer, &right) || is_other_answer(s, step, &answer))
        return true;
    j->verdict = ES_VERDICT_WRONG;
    j->why = misconceived_shape(s, step, &answer, &right);
    differ_in_shape(&j->detail, &answer, &right);
    return true;
}

/* ---- values ---- */

/* What was typed, in both its meanings. */
typedef struct meant {
    es_value v, other;
} meant;

static void forget(meant *m)
{
    es_value_unref(&m->v);
    if (m->other.kind != ES_V_KINDS)
        es_value_unref(&m->other);
}

static bool means(const meant *m, const es_value *v, double within)
{
    return es_same_value(&m->v, v, within) ||
           (m->other.kind != ES_V_KINDS && es_same_value(&m->other, v, within));
}

static bool read(meant *m, es_session *s, const char *typed, const es_value *like, es_error *err)
{
    return es_read_value(&m->v, &m->other, s, typed, like, err);
}

/* Something to compare with: the expression's value, or the first answer as it is written: a word if it is no
 * expression. */
static bool right_value(es_value *right, es_session *s, const es_lesson_step *step, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    const es_value some = es_value_bool(true);
    meant m;
    if (expression_of(step))
        return es_desk_value(s, step->code, right, &why) || lesson_failed(err, step, &why);
    if (!step->answer.n)
        return es_fail(err, ES_ERR_FORMAT, "line %d of the lesson: there is no answer", step->line);
    const char *first = step->answer.of[0].code;
    bool ok = es_desk_value(s, first, right, &why);
    if (!ok)
        *right = read(&m, s, first, &some, NULL) ? m.v : es_value_str(first, strlen(first));
    es_error_free(&why);
    return true;
}

/* Is v one of the answers as they are written? */
static bool is_written(const meant *typed, es_session *s, const es_lesson_step *step,
                       const es_value *like)
{
    meant m;
    for (size_t i = 1; !expression_of(step) && i < step->answer.n; i++) {
        if (!read(&m, s, step->answer.of[i].code, like, NULL))
            continue;
        bool same = means(typed, &m.v, step->within);
        forget(&m);
        if (same)
            return true;
    }
    return false;
}

/* Within the misconception's own rounding: `within` is for what is right. */
static const es_lesson_note *misconceived_value(es_session *s, const es_lesson_step *step,
                                                const meant *typed, const es_value *right)
{
    for (size_t i = 0; i < step->wrong.n; i++) {
        const es_lesson_note *w = &step->wrong.of[i];
        meant m;
        if (es_is_else(w) || !read(&m, s, w->code, right, NULL))
            continue;
        bool same = means(typed, &m.v, step->within) && !means(&m, right, step->within);
        forget(&m);
        if (same)
            return w;
    }
    return es_wrong_else(step);
}

static void differ_in_case(es_str *out, const es_value *typed, const es_value *right)
{
    if (typed->kind != ES_V_STR || right->kind != ES_V_STR)
        return;
    const es_str_object *a = es_value_as_str(typed), *b = es_value_as_str(right);
    if (a->n == b->n && !strncasecmp(a->bytes, b->bytes, a->n))
        es_str_cat(out, "capital and small letters are different texts");
}

/* known: what is right, where that has been worked out. */
static bool judge_value(es_judgement *j, es_session *s, const es_lesson_step *step,
                        const char *typed, const es_value *known, es_error *err)
{
    es_value right = known ? es_value_ref(known) : es_none();
    meant m;
    if (!known && !right_value(&right, s, step, err))
        return false;
    if (!read(&m, s, typed, &right, err)) {
        es_value_unref(&right);
        return es_no_answer(j);
    }
    if (!means(&m, &right, step->within) && !is_written(&m, s, step, &right)) {
        j->verdict = ES_VERDICT_WRONG;
        j->why = misconceived_value(s, step, &m, &right);
        differ_in_case(&j->detail, &m.v, &right);
    }
    forget(&m);
    es_value_unref(&right);
    return true;
}

/* ---- all ---- */

bool es_judge_with(es_judgement *j, es_session *s, const es_lesson_step *step, const es_drawn *d,
                   const char *answer, size_t n, const es_value *known, es_error *err)
{
    char *typed = es_typed_text(answer, n);
    bool ok = false;
    *j = (es_judgement){.verdict = ES_VERDICT_RIGHT};
    if (!typed[0]) {
        es_fail(err, ES_ERR_VALUE, "an answer is wanted");
        ok = es_no_answer(j);
    } else if (step->answers == ES_ANSWER_SHAPE) {
        ok = judge_shape(j, s, step, typed, err);
    } else if (step->answers == ES_ANSWER_VALUE) {
        ok = judge_value(j, s, step, typed, known, err);
    } else if (step->answers == ES_ANSWER_CHOICE) {
        ok = es_judge_choice(j, step, d, typed, err);
    } else {
        es_fail(err, ES_ERR_USAGE, "nothing is asked here");
        ok = es_no_answer(j);
    }
    free(typed);
    return ok;
}

bool es_judge_answer(es_judgement *j, es_session *s, const es_lesson_step *step, const es_drawn *d,
                     const char *answer, size_t n, es_error *err)
{
    return es_judge_with(j, s, step, d, answer, n, NULL, err);
}
