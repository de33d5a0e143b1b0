// SPDX-License-Identifier: GPL-3.0-or-later
/* A typed answer against what is so: shapes, values, choices. */
#include <ctype.h>
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

static bool is_else(const es_lesson_note *wrong)
{
    return !wrong->code || !wrong->code[0];
}

/* The expression whose shape or value is right; NULL: the first answer says it. */
static const char *expression_of(const es_lesson_step *step)
{
    return step->kind == ES_LESSON_PREDICT && step->code && step->code[0] ? step->code : NULL;
}

static bool no_answer(es_judgement *j)
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
        if (!is_else(w) && es_read_shape(&wrong, s, w->code, NULL) && same_shape(&wrong, typed) &&
            !same_shape(&wrong, right))
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
        return no_answer(j);
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
        if (is_else(w) || !read(&m, s, w->code, right, NULL))
            continue;
        bool same = means(typed, &m.v, step->within) && !means(&m, right, step->within);
        forget(&m);
        if (same)
            return w;
    }
    return es_wrong_else(step);
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
        return no_answer(j);
    }
    if (!means(&m, &right, step->within) && !is_written(&m, s, step, &right)) {
        j->verdict = ES_VERDICT_WRONG;
        j->why = misconceived_value(s, step, &m, &right);
    }
    forget(&m);
    es_value_unref(&right);
    return true;
}

/* ---- choices ---- */

static char *filled(const es_drawn *d, const char *code)
{
    es_str out = {0};
    if (d)
        es_drawn_fill(&out, d, code);
    else
        es_str_cat(&out, code);
    return out.s ? es_str_take(&out) : es_copy_string("");
}

static bool same_word(const es_drawn *d, const char *code, const char *typed, size_t n)
{
    char *option = filled(d, code);
    bool same = strlen(option) == n && !strncasecmp(option, typed, n);
    free(option);
    return same;
}

static bool is_sign(char c)
{
    return c && strchr(" .,;:'\"`*_()", c) != NULL;
}

/* Letters small, without signs of Markdown, a blank for each run of others; free it. */
static char *plain_words(const char *text)
{
    es_str out = {0};
    for (; *text; text++)
        if (!is_sign(*text))
            es_str_char(&out, (char)tolower((unsigned char)*text));
        else if (strchr(" ,;:", *text) && out.len && out.s[out.len - 1] != ' ')
            es_str_char(&out, ' ');
    while (out.len && out.s[out.len - 1] == ' ')
        es_str_cut(&out, out.len - 1);
    return out.s ? es_str_take(&out) : es_copy_string("");
}

static bool has_words(const char *text, const char *words)
{
    size_t n = strlen(words);
    for (const char *at = text; (at = strstr(at, words)); at++)
        if ((at == text || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

/* The only option whose text is that, or has these words in it; -1: none, or several. */
static int option_that_says(const es_lesson_step *step, const es_drawn *d, const char *typed)
{
    enum { SOME = 4 }; /* fewer letters are no part of a text, only all of it */
    char *words = plain_words(typed);
    int whole = -1, part = -1, n_parts = 0;
    for (size_t i = 0; *words && i < step->option.n; i++) {
        char *text = filled(d, step->option.of[i].message ? step->option.of[i].message : "");
        char *says = plain_words(text);
        if (!strcmp(says, words))
            whole = (int)i;
        if (strlen(words) >= SOME && has_words(says, words))
            part = (int)i, n_parts++;
        free(says);
        free(text);
    }
    free(words);
    return whole >= 0 ? whole : n_parts == 1 ? part : -1;
}

/* Which option it is, by its word, its letter: "b", "b)", "(B)"; -1: none. */
static int option_of(const es_lesson_step *step, const es_drawn *d, const char *typed)
{
    size_t n = strlen(typed);
    for (size_t i = 0; i < step->option.n; i++)
        if (same_word(d, step->option.of[i].code, typed, n))
            return (int)i;
    bool quoted = n > 2 && (typed[0] == '"' || typed[0] == '\'' || typed[0] == '(');
    typed += quoted;
    n -= quoted;
    while (n && strchr(")\"'.:", typed[n - 1]))
        n--;
    for (size_t i = 0; i < step->option.n; i++)
        if (same_word(d, step->option.of[i].code, typed, n))
            return (int)i;
    int letter = n == 1 ? tolower((unsigned char)typed[0]) - 'a' : -1;
    return letter >= 0 && (size_t)letter < step->option.n ? letter
                                                          : option_that_says(step, d, typed);
}

bool es_is_option(const es_lesson_step *step, const es_drawn *d, const char *line, size_t len)
{
    char *typed = es_typed_text(line, len);
    bool is = option_of(step, d, typed) >= 0;
    free(typed);
    return is;
}

static bool no_option(es_error *err, const es_lesson_step *step, const es_drawn *d,
                      const char *typed)
{
    es_str shown = {0}, words = {0};
    es_show_brief(&shown, typed, strlen(typed));
    for (size_t i = 0; i < step->option.n; i++) {
        char *option = filled(d, step->option.of[i].code);
        es_str_cat(&words, i ? ", " : "");
        es_show_prose(&words, option, strlen(option));
        free(option);
    }
    es_fail(err, ES_ERR_VALUE, "%s is none of the answers: %s", es_str_text(&shown),
            es_str_text(&words));
    if (step->option.n > 1)
        es_hint(err, "a letter will do: a to %c", (char)('a' + (int)step->option.n - 1));
    es_str_free(&shown);
    es_str_free(&words);
    return true;
}

static bool judge_choice(es_judgement *j, const es_lesson_step *step, const es_drawn *d,
                         const char *typed, es_error *err)
{
    int chosen = option_of(step, d, typed);
    if (chosen < 0) {
        no_option(err, step, d, typed);
        return no_answer(j);
    }
    for (size_t i = 0; i < step->answer.n; i++)
        if (option_of(step, d, step->answer.of[i].code) == chosen)
            return true;
    j->verdict = ES_VERDICT_WRONG;
    j->why = es_wrong_else(step);
    for (size_t i = step->wrong.n; i-- > 0;)
        if (!is_else(&step->wrong.of[i]) && option_of(step, d, step->wrong.of[i].code) == chosen)
            j->why = &step->wrong.of[i];
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
        ok = no_answer(j);
    } else if (step->answers == ES_ANSWER_SHAPE) {
        ok = judge_shape(j, s, step, typed, err);
    } else if (step->answers == ES_ANSWER_VALUE) {
        ok = judge_value(j, s, step, typed, known, err);
    } else if (step->answers == ES_ANSWER_CHOICE) {
        ok = judge_choice(j, step, d, typed, err);
    } else {
        es_fail(err, ES_ERR_USAGE, "nothing is asked here");
        ok = no_answer(j);
    }
    free(typed);
    return ok;
}

bool es_judge_answer(es_judgement *j, es_session *s, const es_lesson_step *step, const es_drawn *d,
                     const char *answer, size_t n, es_error *err)
{
    return es_judge_with(j, s, step, d, answer, n, NULL, err);
}
