// SPDX-License-Identifier: GPL-3.0-or-later
/* A step of a lesson on a page: what is said, what its line answers, what is asked; hints and answers folded away. */
#include <string.h>

#include "lesson/desk_inside.h"
#include "lesson/handout_inside.h"
#include "lesson/prose.h"

enum { SHOWN_WIDTH = 72 }; /* columns of what lines answer: as many as a page has */

void es_handout_prose(es_str *out, const es_handout_lesson *h, const char *markdown)
{
    es_str filled = {0};
    es_drawn_fill(&filled, h->drawn, markdown);
    es_prose_html(out, es_str_text(&filled));
    es_str_free(&filled);
}

/* What is one paragraph stands without the marks of one: in lists, behind a letter. */
void es_handout_phrase(const es_handout_at *s, es_str *out, const char *markdown)
{
    static const char begin[] = "<p>", end[] = "</p>\n";
    es_str html = {0};
    es_handout_prose(&html, s->h, markdown ? markdown : "");
    size_t from = strlen(begin), most = strlen(end);
    bool one = html.len > from + most && !strncmp(html.s, begin, from) &&
               strstr(html.s, end) == html.s + html.len - most;
    es_str_bytes(out, es_str_text(&html) + (one ? from : 0), html.len - (one ? from + most : 0));
    es_str_free(&html);
}

/* A line as it is run: drawn words are filled in where the desk does so, too. */
static void fill(const es_handout_at *s, es_str *filled, const char *code)
{
    if (s->of->text_mode || code[0] == ':')
        es_drawn_fill(filled, s->h->drawn, code);
    else
        es_str_cat(filled, code);
}

void es_handout_line(const es_handout_at *s, es_str *out, const char *code)
{
    es_str filled = {0};
    fill(s, &filled, code);
    es_page_block(out, "in", es_str_text(&filled));
    es_str_free(&filled);
}

/* Within a line of prose; a block where it is several lines. */
void es_handout_code(const es_handout_at *s, es_str *out, const char *code)
{
    es_str filled = {0};
    fill(s, &filled, code);
    if (strchr(es_str_text(&filled), '\n'))
        es_page_block(out, "in", filled.s);
    else
        es_page_code(out, es_str_text(&filled));
    es_str_free(&filled);
}

/* ---- what lines answer ---- */

bool es_handout_run(const es_handout_at *s, const char *code, es_ear *ear, es_error *err)
{
    const es_style style = {.width = SHOWN_WIDTH};
    es_ear_open(ear, &style);
    bool ok = es_desk_run(s->h->session, s->h->drawn, code, s->of->text_mode, ear);
    return ok || !es_session_interrupted(s->h->session) ||
           es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
}

void es_handout_shown(es_str *out, const es_ear *ear)
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
static bool put_picture(const es_handout_at *s, const es_ear *ear, es_error *err)
{
    es_str svg = {0}, name = {0};
    es_error why = ES_ERROR_NONE;
    es_handout_lesson *h = s->h;
    bool drawn = h->picture && h->picture(h->user, h->session, &svg, &why);
    if (drawn) {
        es_str_add(&name, "s%zu-", s->i + 1);
        es_handout_svg(s->out, es_str_text(&svg), name.s, s->h->entry->lesson.title);
        es_str_cat(s->out, "<details><summary>The same in words</summary>\n");
    }
    es_handout_shown(s->out, ear);
    es_str_cat(s->out, drawn ? "</details>\n" : "");
    es_str_free(&svg);
    es_str_free(&name);
    bool stopped = why.code == ES_ERR_INTERRUPTED;
    es_error_free(&why);
    return !stopped || es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
}

static bool put_show(es_handout_at *s, es_error *err)
{
    const es_lesson_step *of = s->of;
    es_str_cat(s->out, "<figure>\n");
    es_handout_line(s, s->out, of->code);
    if (es_desk_lacks(s->h->session, of->code)) {
        es_str_cat(s->out, "</figure>\n");
        return true;
    }
    es_ear ear;
    bool ok = es_handout_run(s, of->code, &ear, err);
    if (ok && ear.code)
        ok = es_desk_failed(err, &s->h->entry->lesson, of->line, &ear);
    if (ok && draws(of->code))
        ok = put_picture(s, &ear, err);
    else if (ok)
        es_handout_shown(s->out, &ear);
    es_ear_close(&ear);
    es_str_cat(s->out, "</figure>\n");
    return ok;
}

/* The line that fails; whatever it did before it failed is undone. */
static bool put_error(es_handout_at *s, es_error *err)
{
    es_session *session = s->h->session;
    es_desk before = es_desk_take(session);
    es_ear ear;
    bool ok = es_handout_run(s, s->of->code, &ear, err);
    if (ok && !ear.code)
        ok = es_fail(err, ES_ERR_FORMAT, "%s:%d: this line does not fail",
                     es_lesson_file(&s->h->entry->lesson), s->of->line);
    es_str_cat(s->out, "<figure>\n");
    es_handout_line(s, s->out, s->of->code);
    es_handout_shown(s->out, &ear);
    es_str_cat(s->out, "</figure>\n");
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

static void put_options(es_handout_at *s)
{
    const es_lesson_notes *option = &s->of->option;
    if (!option->n)
        return;
    es_str_cat(s->out, "<ol class=\"options\">\n");
    for (size_t i = 0; i < option->n; i++) {
        es_str_cat(s->out, "<li>");
        es_handout_phrase(s, s->out, option->of[i].message);
        es_str_cat(s->out, "</li>\n");
    }
    es_str_cat(s->out, "</ol>\n");
}

/* What is asked, and on paper a line to write on. */
static void put_question(es_handout_at *s)
{
    es_str_cat(s->out, "<div class=\"ask\">\n");
    if (*s->of->question) {
        es_str_cat(s->out, "<div class=\"question\">");
        es_handout_prose(s->out, s->h, s->of->question);
        es_str_cat(s->out, "</div>\n");
    }
    if (s->of->kind == ES_LESSON_PREDICT && *s->of->code)
        es_handout_line(s, s->out, s->of->code);
    put_options(s);
    if (!s->of->option.n)
        es_str_cat(s->out, "<div class=\"write\"></div>\n");
    es_str_cat(s->out, "</div>\n");
}

static void put_hints(es_handout_at *s)
{
    const es_lesson_notes *hint = &s->of->hint;
    for (size_t i = 0; i < hint->n; i++) {
        es_str_add(s->out, "<details class=\"hint\"><summary>Hint %zu of %zu</summary>\n", i + 1,
                   hint->n);
        es_handout_prose(s->out, s->h, hint->of[i].message);
        es_str_cat(s->out, "</details>\n");
    }
}

void es_handout_after(es_handout_at *s, es_str *out)
{
    for (size_t i = 0; i < s->of->after.n; i++)
        es_handout_prose(out, s->h, s->of->after.of[i].message);
}

/* ---- steps ---- */

static bool is_asked(const es_lesson_step *of)
{
    return of->kind == ES_LESSON_PREDICT || of->kind == ES_LESSON_TASK || *of->question ||
           of->answer.n;
}

static bool put_asked(es_handout_at *s, es_error *err)
{
    put_question(s);
    put_hints(s);
    return es_handout_answer(s, err);
}

/* What the steps behind this one begin from. */
static bool leave_behind(es_handout_at *s, es_error *err)
{
    const es_lesson_notes *solution = &s->of->solution;
    if (s->of->kind != ES_LESSON_TASK || !solution->n)
        return true;
    es_ear ear;
    bool ok = es_handout_run(s, solution->of[0].code, &ear, err);
    if (ok && ear.code)
        ok = es_desk_failed(err, &s->h->entry->lesson, solution->of[0].line, &ear);
    es_ear_close(&ear);
    return ok;
}

static bool put_body(es_handout_at *s, es_error *err)
{
    es_handout_prose(s->out, s->h, s->of->prose);
    if (s->of->kind == ES_LESSON_SHOW && !put_show(s, err))
        return false;
    if (s->of->kind == ES_LESSON_ERROR && !put_error(s, err))
        return false;
    if (is_asked(s->of))
        return put_asked(s, err);
    es_handout_after(s, s->out);
    return true;
}

bool es_handout_step(es_handout_lesson *h, size_t i, es_error *err)
{
    const es_lesson_step *of = &h->entry->lesson.step[i];
    es_handout_at s = {.h = h, .of = of, .i = i, .out = &h->page};
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
