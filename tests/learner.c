// SPDX-License-Identifier: GPL-3.0-or-later
#include "learner.h"

#include <string.h>

#include "lesson/course.h"
#include "support.h"

void learner_open(learner *k, const char *text)
{
    es_str all = {0};
    const es_session_options o = {0};
    *k = (learner){.err = ES_ERROR_NONE};
    es_str_add(&all, "@lesson test title=\"Test\" minutes=1\n%s", text);
    ck_assert_works(es_lesson_parse(&k->lesson, "07-test.md", all.s, all.len, &k->err), k->err);
    k->session = es_session_new(&o, &k->err);
    ck_assert_works(k->session != NULL, k->err);
    k->tries = es_desk_new(k->session, &k->err);
    ck_assert_works(k->tries != NULL, k->err);
    es_str_free(&all);
    learner_at(k, 0, 0);
}

static void forget(learner *k)
{
    es_judgement_free(&k->told);
    es_error_free(&k->err);
}

void learner_close(learner *k)
{
    forget(k);
    es_str_free(&k->lines);
    es_drawn_free(&k->drawn);
    es_session_free(k->session);
    es_session_free(k->tries);
    es_lesson_free(&k->lesson);
}

void learner_at(learner *k, size_t step, uint64_t seed)
{
    forget(k);
    es_str_free(&k->lines);
    if (k->drawn.text)
        es_drawn_free(&k->drawn);
    k->drawn = es_draw(&k->lesson, seed);
    k->step = step;
    ck_assert_works(es_desk_ready(k->session, &k->lesson, &k->drawn, step, &k->err), k->err);
}

es_verdict learner_answers(learner *k, const char *answer)
{
    forget(k);
    ck_assert_works(es_judge_answer(&k->told, k->session, &k->lesson.step[k->step], &k->drawn,
                                    answer, strlen(answer), &k->err),
                    k->err);
    return k->told.verdict;
}

es_verdict learner_types(learner *k, const char *line)
{
    es_ear ear;
    forget(k);
    es_ear_open(&ear, NULL);
    if (es_desk_run(k->session, NULL, line, k->lesson.step[k->step].text_mode, &ear))
        es_str_add(&k->lines, "%s\n", line);
    es_ear_close(&ear);
    ck_assert_works(es_judge_task(&k->told, k->session, k->tries, &k->lesson, k->step, &k->drawn,
                                  es_str_text(&k->lines), &k->err),
                    k->err);
    return k->told.verdict;
}

const char *learner_why(const learner *k)
{
    return k->told.why && k->told.why->message ? k->told.why->message : "";
}

int course_size(void)
{
    es_course all = {0};
    int n = es_course_open(&all, NULL) ? (int)all.n : 1;
    es_course_free(&all);
    return n;
}
