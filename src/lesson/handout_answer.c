// SPDX-License-Identifier: GPL-3.0-or-later
/* The answer to a step of a lesson on a page: what is right, what it gives, what is not right and why. */
#include <inttypes.h>
#include <string.h>

#include "lesson/desk_inside.h"
#include "lesson/handout_inside.h"

/* What the expression of a prediction gives, which changes nothing. */
static bool put_value(es_handout_at *s, es_error *err)
{
    es_session *session = s->h->session;
    es_desk before = es_desk_take(session);
    es_ear ear;
    bool ok = es_handout_run(s, s->of->code, &ear, err);
    if (ok && ear.code)
        ok = es_desk_failed(err, &s->h->entry->lesson, s->of->line, &ear);
    es_handout_line(s, &s->answer, s->of->code);
    es_handout_shown(&s->answer, &ear);
    es_ear_close(&ear);
    es_desk_put(session, &before);
    es_desk_free(&before);
    return ok;
}

/* Its shape in numbers: "[2, 5, 64]". */
static bool put_shape(es_handout_at *s, es_error *err)
{
    int64_t dims[ES_MAX_DIMS];
    int rank = 0;
    es_str shape = {0};
    if (!es_desk_shape(s->h->session, s->of->code, dims, &rank, err))
        return false;
    for (int i = 0; i < rank; i++)
        es_str_add(&shape, "%s%" PRId64, i ? ", " : "[", dims[i]);
    es_str_cat(&shape, rank ? "]" : "[]");
    es_str_cat(&s->answer, "<p>Here ");
    es_page_code(&s->answer, s->of->code);
    es_str_cat(&s->answer, " has the shape ");
    es_page_code(&s->answer, shape.s);
    es_str_cat(&s->answer, ".</p>\n");
    es_str_free(&shape);
    return true;
}

static bool put_given(es_handout_at *s, es_error *err)
{
    if (s->of->kind != ES_LESSON_PREDICT || !*s->of->code)
        return true;
    return s->of->answers == ES_ANSWER_SHAPE ? put_shape(s, err) : put_value(s, err);
}

/* An answer as it is typed; of a choice the letter and what it stands for. */
static void put_answer(es_handout_at *s, const char *code)
{
    const es_lesson_notes *option = &s->of->option;
    for (size_t i = 0; i < option->n; i++)
        if (!strcmp(option->of[i].code, code)) {
            es_str_add(&s->answer, "(%c) ", (char)('a' + i % 26));
            es_handout_phrase(s, &s->answer, option->of[i].message);
            return;
        }
    es_handout_code(s, &s->answer, code);
}

static void put_right(es_handout_at *s)
{
    for (size_t i = 0; i < s->of->answer.n; i++) {
        es_str_cat(&s->answer, i ? " or " : "<div class=\"label\">");
        put_answer(s, s->of->answer.of[i].code);
    }
    es_str_cat(&s->answer, s->of->answer.n ? "</div>\n" : "");
    for (size_t i = 0; i < s->of->solution.n; i++) {
        es_str_add(&s->answer, "<p class=\"label\">%s</p>\n", i ? "or" : "One way");
        es_handout_line(s, &s->answer, s->of->solution.of[i].code);
    }
}

/* A task is checked by values: whatever makes this true is right. */
static void put_checks(es_handout_at *s)
{
    const es_lesson_notes *check = &s->of->check;
    if (s->of->kind != ES_LESSON_TASK || !check->n)
        return;
    es_str_cat(&s->answer, "<p class=\"others\">Right is whatever makes this true</p>\n");
    for (size_t i = 0; i < check->n; i++)
        es_page_block(&s->answer, "in", check->of[i].code);
}

static void put_wrong(es_handout_at *s)
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
        es_handout_phrase(s, &s->answer, wrong->of[i].message);
        es_str_cat(&s->answer, "</dd>\n");
    }
    es_str_cat(&s->answer, "</dl>\n");
}

/* Folded away under the question, and once more among the answers for paper. */
static void put_folded(es_handout_at *s)
{
    es_str_cat(s->out, "<details class=\"answer\"><summary>Answer</summary>\n");
    es_str_cat(s->out, es_str_text(&s->answer));
    es_str_cat(s->out, "</details>\n");
    es_str_add(&s->h->key, "<section>\n<h3>%d.%zu</h3>\n", s->h->entry->number, s->i + 1);
    es_str_cat(&s->h->key, es_str_text(&s->answer));
    es_str_cat(&s->h->key, "</section>\n");
}

bool es_handout_answer(es_handout_at *s, es_error *err)
{
    put_right(s);
    if (!put_given(s, err))
        return false;
    put_checks(s);
    put_wrong(s);
    es_handout_after(s, &s->answer);
    put_folded(s);
    return true;
}
