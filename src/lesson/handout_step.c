// SPDX-License-Identifier: GPL-3.0-or-later
/* A step of a lesson on a page: what is said, what its line answers, what is asked; hints and answers folded away. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lesson/desk_inside.h"
#include "lesson/handout_inside.h"
#include "lesson/prose.h"

enum { SHOWN_WIDTH = 72 }; /* columns of what lines answer: as many as a page has */

typedef struct step {
    es_handout_lesson *h;
    const es_lesson_step *of;
    size_t i;
    es_str *out; /* the page */
    es_str answer;
} step;

static const es_lesson *lesson_of(const step *s)
{
    return &s->h->entry->lesson;
}

static void text(es_str *out, const char *s)
{
    es_html_text(out, s, strlen(s));
}

void es_handout_prose(es_str *out, const es_handout_lesson *h, const char *markdown)
{
    es_str filled = {0};
    es_drawn_fill(&filled, h->drawn, markdown);
    es_prose_html(out, es_str_text(&filled));
    es_str_free(&filled);
}

/* A line as it is run: drawn words are filled in where the desk does so, too. */
static void put_line(const step *s, es_str *out, const char *class, const char *code)
{
    es_str filled = {0};
    if (s->of->text_mode || code[0] == ':')
        es_drawn_fill(&filled, s->h->drawn, code);
    else
        es_str_cat(&filled, code);
    es_page_block(out, class, es_str_text(&filled));
    es_str_free(&filled);
}

/* ---- what lines answer ---- */

static bool run(const step *s, const char *code, es_ear *ear, es_error *err)
{
    const es_style style = {.width = SHOWN_WIDTH};
    es_ear_open(ear, &style);
    bool ok = es_desk_run(s->h->session, s->h->drawn, code, s->of->text_mode, ear);
    return ok || !es_session_interrupted(s->h->session) ||
           es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
}

static void put_shown(es_str *out, const es_ear *ear)
{
    if (ear->shown.len)
        es_page_block(out, "out", ear->shown.s);
}

static bool draws(const char *code)
{
    static const char *const commands[] = {":picture", ":show"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        size_t n = strlen(commands[i]);
        if (!strncmp(code, commands[i], n) && (!code[n] || code[n] == ' '))
            return true;
    }
    return false;
}

/* The picture that the line has brought, its text folded below it; where there is none, the text alone. */
static bool put_picture(const step *s, const es_ear *ear, es_error *err)
{
    es_str svg = {0}, name = {0};
    es_error why = ES_ERROR_NONE;
    es_handout_lesson *h = s->h;
    bool drawn = h->picture && h->picture(h->user, h->session, &svg, &why);
    if (drawn) {
        es_str_add(&name, "s%zu-", s->i + 1);
        es_handout_svg(s->out, es_str_text(&svg), name.s, lesson_of(s)->title);
        es_str_cat(s->out, "<details><summary>The same in words</summary>\n");
    }
    put_shown(s->out, ear);
    es_str_cat(s->out, drawn ? "</details>\n" : "");
    es_str_free(&svg);
    es_str_free(&name);
    bool stopped = why.code == ES_ERR_INTERRUPTED;
    es_error_free(&why);
    return !stopped || es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
}

static bool put_show(step *s, es_error *err)
{
    const es_lesson_step *of = s->of;
    es_str_cat(s->out, "<figure>\n");
    put_line(s, s->out, "in", of->code);
    if (es_desk_lacks(s->h->session, of->code)) {
        es_str_cat(s->out, "</figure>\n");
        return true;
    }
    es_ear ear;
    bool ok = run(s, of->code, &ear, err);
    if (ok && ear.code)
        ok = es_desk_failed(err, lesson_of(s), of->line, &ear);
    if (ok && draws(of->code))
        ok = put_picture(s, &ear, err);
    else if (ok)
        put_shown(s->out, &ear);
    es_ear_close(&ear);
    es_str_cat(s->out, "</figure>\n");
    return ok;
}

/* The line that fails; whatever it did before it failed is undone. */
static bool put_error(step *s, es_error *err)
{
    es_session *session = s->h->session;
    es_desk before = es_desk_take(session);
    es_ear ear;
    bool ok = run(s, s->of->code, &ear, err);
    if (ok && !ear.code)
        ok = es_fail(err, ES_ERR_FORMAT, "%s:%d: this line does not fail",
                     es_lesson_file(lesson_of(s)), s->of->line);
    es_str_cat(s->out, "<figure>\n");
    put_line(s, s->out, "in", s->of->code);
    put_shown(s->out, &ear);
    es_str_cat(s->out, "</figure>\n");
    es_ear_close(&ear);
    es_desk_put(session, &before);
    es_desk_free(&before);
    return ok;
}

/* What the expression of a prediction gives, which changes nothing. */
static bool put_given(step *s, es_error *err)
{
    es_session *session = s->h->session;
    if (!*s->of->code)
        return true;
    es_desk before = es_desk_take(session);
    es_ear ear;
    bool ok = run(s, s->of->code, &ear, err);
    if (ok && ear.code)
        ok = es_desk_failed(err, lesson_of(s), s->of->line, &ear);
    put_line(s, &s->answer, "in", s->of->code);
    put_shown(&s->answer, &ear);
    es_ear_close(&ear);
    es_desk_put(session, &before);
    es_desk_free(&before);
    return ok;
}

/* ---- questions ---- */

static const char *kind_of(const es_lesson_step *of)
{
    static const char *const predicted[] = {[ES_ANSWER_NONE] = "Predict",
                                            [ES_ANSWER_SHAPE] = "Predict the shape",
                                            [ES_ANSWER_VALUE] = "Predict the value",
                                            [ES_ANSWER_CHOICE] = "Choose"};
    switch (of->kind) {
    case ES_LESSON_SHOW: return "See";
    case ES_LESSON_PREDICT: return predicted[of->answers];
    case ES_LESSON_TASK: return "Do it";
    default: return "An error, made on purpose";
    }
}

static void put_options(step *s)
{
    const es_lesson_notes *option = &s->of->option;
    if (!option->n)
        return;
    es_str_cat(s->out, "<ol class=\"options\">\n");
    for (size_t i = 0; i < option->n; i++) {
        es_str_cat(s->out, "<li>");
        es_handout_prose(s->out, s->h, option->of[i].message ? option->of[i].message : "");
        es_str_cat(s->out, "</li>\n");
    }
    es_str_cat(s->out, "</ol>\n");
}

/* What is asked, and on paper a line to write on. */
static void put_question(step *s)
{
    es_str_cat(s->out, "<div class=\"ask\">\n");
    if (*s->of->question) {
        es_str_cat(s->out, "<div class=\"question\">");
        es_handout_prose(s->out, s->h, s->of->question);
        es_str_cat(s->out, "</div>\n");
    }
    if (s->of->kind == ES_LESSON_PREDICT && *s->of->code)
        put_line(s, s->out, "in", s->of->code);
    put_options(s);
    if (!s->of->option.n)
        es_str_cat(s->out, "<div class=\"write\"></div>\n");
    es_str_cat(s->out, "</div>\n");
}

static void put_hints(step *s)
{
    const es_lesson_notes *hint = &s->of->hint;
    for (size_t i = 0; i < hint->n; i++) {
        es_str_add(s->out, "<details class=\"hint\"><summary>Hint %zu of %zu</summary>\n", i + 1,
                   hint->n);
        es_handout_prose(s->out, s->h, hint->of[i].message);
        es_str_cat(s->out, "</details>\n");
    }
}

/* ---- answers ---- */

/* An answer as it is typed; of a choice the letter and what it stands for. */
static void put_answer(step *s, const char *code)
{
    const es_lesson_notes *option = &s->of->option;
    for (size_t i = 0; i < option->n; i++)
        if (!strcmp(option->of[i].code, code)) {
            es_str_add(&s->answer, "(%c) ", (char)('a' + i % 26));
            text(&s->answer, code);
            return;
        }
    es_page_code(&s->answer, code);
}

static void put_right(step *s)
{
    for (size_t i = 0; i < s->of->answer.n; i++) {
        es_str_cat(&s->answer, i ? " or " : "<p class=\"label\">");
        put_answer(s, s->of->answer.of[i].code);
    }
    es_str_cat(&s->answer, s->of->answer.n ? "</p>\n" : "");
    for (size_t i = 0; i < s->of->solution.n; i++) {
        es_str_add(&s->answer, "<p class=\"label\">%s</p>\n", i ? "or" : "One way");
        put_line(s, &s->answer, "in", s->of->solution.of[i].code);
    }
}

static void put_wrong(step *s)
{
    const es_lesson_notes *wrong = &s->of->wrong;
    if (!wrong->n)
        return;
    es_str_cat(&s->answer, "<p class=\"others\">Not right, and why</p>\n<dl>\n");
    for (size_t i = 0; i < wrong->n; i++) {
        es_str_cat(&s->answer, "<dt>");
        if (*wrong->of[i].code)
            put_answer(s, wrong->of[i].code);
        else
            es_str_cat(&s->answer, "anything else");
        es_str_cat(&s->answer, "</dt>\n<dd>");
        es_handout_prose(&s->answer, s->h, wrong->of[i].message ? wrong->of[i].message : "");
        es_str_cat(&s->answer, "</dd>\n");
    }
    es_str_cat(&s->answer, "</dl>\n");
}

static void put_after(step *s, es_str *out)
{
    for (size_t i = 0; i < s->of->after.n; i++)
        es_handout_prose(out, s->h, s->of->after.of[i].message);
}

/* Folded away under the question, and once more among the answers for paper. */
static void put_folded(step *s)
{
    es_str_cat(s->out, "<details class=\"answer\"><summary>Answer</summary>\n");
    es_str_cat(s->out, es_str_text(&s->answer));
    es_str_cat(s->out, "</details>\n");
    es_str_add(&s->h->key, "<section>\n<h3>%d.%zu</h3>\n", s->h->entry->number, s->i + 1);
    es_str_cat(&s->h->key, es_str_text(&s->answer));
    es_str_cat(&s->h->key, "</section>\n");
}

/* ---- steps ---- */

static bool is_asked(const es_lesson_step *of)
{
    return of->kind == ES_LESSON_PREDICT || of->kind == ES_LESSON_TASK || *of->question ||
           of->answer.n;
}

static bool put_asked(step *s, es_error *err)
{
    put_question(s);
    put_hints(s);
    put_right(s);
    if (s->of->kind == ES_LESSON_PREDICT && !put_given(s, err))
        return false;
    put_wrong(s);
    put_after(s, &s->answer);
    put_folded(s);
    return true;
}

/* What the steps behind this one begin from. */
static bool leave_behind(step *s, es_error *err)
{
    const es_lesson_notes *solution = &s->of->solution;
    if (s->of->kind != ES_LESSON_TASK || !solution->n)
        return true;
    es_ear ear;
    bool ok = run(s, solution->of[0].code, &ear, err);
    if (ok && ear.code)
        ok = es_desk_failed(err, lesson_of(s), solution->of[0].line, &ear);
    es_ear_close(&ear);
    return ok;
}

static bool put_body(step *s, es_error *err)
{
    es_handout_prose(s->out, s->h, s->of->prose);
    if (s->of->kind == ES_LESSON_SHOW && !put_show(s, err))
        return false;
    if (s->of->kind == ES_LESSON_ERROR && !put_error(s, err))
        return false;
    if (is_asked(s->of))
        return put_asked(s, err);
    put_after(s, s->out);
    return true;
}

bool es_handout_step(es_handout_lesson *h, size_t i, es_error *err)
{
    const es_lesson_step *of = &h->entry->lesson.step[i];
    step s = {.h = h, .of = of, .i = i, .out = &h->page};
    const char *name = es_lesson_kind_name(of->kind);
    int number = h->entry->number;
    es_str_add(s.out, "<section class=\"step %s\" id=\"%d.%zu\">\n<h2>", name, number, i + 1);
    es_str_add(s.out, "<a class=\"id\" href=\"#%d.%zu\">%d.%zu</a>", number, i + 1, number, i + 1);
    es_str_add(s.out, "<span class=\"kind\">%s</span></h2>\n", kind_of(of));
    bool ok = put_body(&s, err) && leave_behind(&s, err);
    es_str_cat(s.out, "</section>\n");
    es_str_free(&s.answer);
    return ok;
}
