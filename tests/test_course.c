// SPDX-License-Identifier: GPL-3.0-or-later
/* The lessons that come with the program: each is proved, and has what a lesson of this course has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "learner.h"
#include "lesson/course.h"
#include "lesson/prove.h"
#include "support.h"
#include "view/viewer.h"

Suite *course_suite(void);

enum { MISCONCEPTIONS = 38, FEWEST_LESSONS = 14 };

static es_course course;
static es_error err;

static void setup(void)
{
    calm_environment();
    keep_compiled();
    unsetenv("EMBEDSCOPE_MODEL");
    err = ES_ERROR_NONE;
    ck_assert_works(es_course_open(&course, &err), err);
}

static void teardown(void)
{
    es_course_free(&course);
    es_error_free(&err);
}

/* ---- proofs ---- */

static int proved; /* the one that is proved */

static void prove(const char *device, int seeds)
{
    const es_session_options o = {.device = device};
    es_proof p = {0};
    es_session *s = es_session_new(&o, &err);
    ck_assert_works(s != NULL, err);
    es_viewer *v = es_viewer_new(s); /* commands of pictures are there */
    ck_assert_works(es_prove(&p, &course, (size_t)proved, s, seeds, NULL, &err), err);
    demand(p.faults == 0, "%d faults on %s:\n%.3000s", p.faults, device, es_str_text(&p.report));
    demand(p.steps == (int)course.of[proved].lesson.n_steps && p.answers >= p.steps,
           "%d steps and %d answers were tried", p.steps, p.answers);
    es_proof_free(&p);
    es_viewer_free(v);
    es_session_free(s);
}

START_TEST(a_lesson_does_what_it_says)
{
    proved = _i;
    prove("cpu", thoroughness(ES_PROOF_SEEDS, 2));
}
END_TEST

/* Elsewhere one draw is enough: what depends on draws was tried, and does not depend on devices.  All 50 are
 * `embedscope lesson --check --device gpu`. */
static void prove_once(const char *device)
{
    prove(device, 1);
}

START_TEST(a_lesson_holds_on_sim)
{
    proved = _i;
    if (also_on_sim())
        prove_once("sim");
}
END_TEST

START_TEST(a_lesson_holds_on_a_gpu)
{
    proved = _i;
    each_gpu(prove_once);
}
END_TEST

/* ---- what each has ---- */

/* Does a line of code show a picture?  `:show` and `:picture` alone list them. */
static bool shows_picture(const char *code)
{
    for (const char *at = code; at; at = strchr(at, '\n')) {
        at += strspn(at, "\n ");
        if (!strncmp(at, ":show ", 6) || !strncmp(at, ":picture ", 9))
            return true;
    }
    return false;
}

static void count_steps(const es_lesson *l, int of[4], int *pictures)
{
    for (size_t i = 0; i < l->n_steps; i++) {
        of[l->step[i].kind]++;
        *pictures += l->step[i].kind == ES_LESSON_SHOW && shows_picture(l->step[i].code);
    }
}

START_TEST(a_lesson_has_something_of_each_kind)
{
    for (size_t i = 0; i < course.n; i++) {
        const es_lesson *l = &course.of[i].lesson;
        int of[4] = {0}, pictures = 0;
        count_steps(l, of, &pictures);
        demand(of[ES_LESSON_PREDICT] && of[ES_LESSON_TASK] && of[ES_LESSON_ERROR] && pictures,
               "%s: %d @predict, %d @task, %d @error, %d pictures", l->path, of[ES_LESSON_PREDICT],
               of[ES_LESSON_TASK], of[ES_LESSON_ERROR], pictures);
        demand(l->n_steps >= 6 && l->n_steps <= 12, "%s: %zu steps", l->path, l->n_steps);
        demand(l->minutes >= 5 && l->minutes <= 12, "%s: %d minutes", l->path, l->minutes);
        demand(*l->title && *l->about, "%s: no title, or nothing that it is about", l->path);
    }
}
END_TEST

START_TEST(lessons_are_numbered_without_a_gap)
{
    ck_assert_uint_ge(course.n, FEWEST_LESSONS);
    for (size_t i = 0; i < course.n; i++)
        ck_assert_int_eq(course.of[i].number, (int)i + 1);
}
END_TEST

/* Whoever is asked at the end of a lesson is asked about something new; whoever is told nothing learns nothing. */
START_TEST(what_is_asked_has_a_hint_and_a_word_on_what_is_wrong)
{
    for (size_t i = 0; i < course.n; i++)
        for (size_t k = 0; k < course.of[i].lesson.n_steps; k++) {
            const es_lesson_step *step = &course.of[i].lesson.step[k];
            bool asks = step->kind == ES_LESSON_TASK || step->answers != ES_ANSWER_NONE;
            demand(!asks || (step->hint.n && step->wrong.n && step->after.n),
                   "%d.%zu: %zu hints, %zu wrong answers, %zu explanations", course.of[i].number,
                   k + 1, step->hint.n, step->wrong.n, step->after.n);
        }
}
END_TEST

/* ---- the table of misconceptions ---- */

static void step_exists(int row, int lesson, int step)
{
    const es_course_entry *e = es_course_find(&course, lesson);
    demand(e && step >= 1 && step <= (int)e->lesson.n_steps, "row %d names %d.%d, which is no step",
           row, lesson, step);
}

/* The numbers N.K in the last cell of a row: how many. */
static int read_places(int row, const char *line)
{
    int n = 0, lesson, step, used;
    const char *bar = line + strlen(line);
    while (bar > line && *bar != '|')
        bar--;
    do
        bar--;
    while (bar > line && *bar != '|');
    for (const char *at = bar + 1; *at; at++)
        if (sscanf(at, "%d.%d%n", &lesson, &step, &used) == 2) {
            step_exists(row, lesson, step);
            at += used - 1;
            n++;
        }
    return n;
}

START_TEST(each_misconception_is_met_at_a_step_that_exists)
{
    int met[MISCONCEPTIONS + 1] = {0}, row;
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen("lessons/README.md", "r");
    ck_assert_ptr_nonnull(f);
    while (getline(&line, &room, f) > 0)
        if (sscanf(line, "| %d |", &row) == 1 && row >= 1 && row <= MISCONCEPTIONS)
            met[row] += read_places(row, line);
    for (row = 1; row <= MISCONCEPTIONS; row++)
        demand(met[row], "no step is named for misconception %d", row);
    free(line);
    fclose(f);
}
END_TEST

Suite *course_suite(void)
{
    int n = course_size();
    Suite *s = suite_create("course");
    gpu_tally();
    TCase *t = tcase_create("proofs");
    tcase_set_timeout(t, 240);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, a_lesson_does_what_it_says, 0, n);
    suite_add_tcase(s, t);
    t = tcase_create("devices");
    tcase_set_timeout(t, 240);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, a_lesson_holds_on_sim, 0, n);
    tcase_add_loop_test(t, a_lesson_holds_on_a_gpu, 0, n);
    suite_add_tcase(s, t);
    t = tcase_create("shape");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_lesson_has_something_of_each_kind);
    tcase_add_test(t, lessons_are_numbered_without_a_gap);
    tcase_add_test(t, what_is_asked_has_a_hint_and_a_word_on_what_is_wrong);
    tcase_add_test(t, each_misconception_is_met_at_a_step_that_exists);
    suite_add_tcase(s, t);
    return s;
}
