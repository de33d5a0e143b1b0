// SPDX-License-Identifier: GPL-3.0-or-later
/* What is drawn for a lesson, and folders of lessons. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "lesson/course.h"
#include "lesson/draw.h"
#include "support.h"

Suite *lesson_course_suite(void);

#define SHOW "@show x\n  check x\n"

enum { SEEDS = 1000 };

static es_lesson lesson;
static es_course course;
static es_error err;

static void setup(void)
{
    calm_environment();
    lesson = (es_lesson){0};
    course = (es_course){0};
    err = ES_ERROR_NONE;
}

static void teardown(void)
{
    es_lesson_free(&lesson);
    es_course_free(&course);
    es_error_free(&err);
}

/* ---- draws ---- */

static void parse(const char *draws)
{
    es_str text = {0};
    es_str_add(&text, "@lesson a title=A minutes=1\n%s" SHOW, draws);
    es_lesson_free(&lesson);
    ck_assert_works(es_lesson_parse(&lesson, "x.md", text.s, text.len, &err), err);
    es_str_free(&text);
}

START_TEST(a_range_is_covered_and_nothing_outside_it)
{
    int seen[4] = {0};
    parse("@draw n = -1..2\n");
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        es_drawn d = es_draw(&lesson, seed);
        int value = atoi(d.text[0]);
        demand(value >= -1 && value <= 2, "%d", value);
        seen[value + 1]++;
        es_drawn_free(&d);
    }
    for (int i = 0; i < 4; i++)
        ck_assert_msg(seen[i] > SEEDS / 5, "%d was drawn %d times", i - 1, seen[i]);
}
END_TEST

START_TEST(numbers_and_words_are_those_of_the_list)
{
    int fours = 0, dogs = 0, both = 0;
    parse("@draw n = 2 | 4\n@draw animal = \"cat\" | \"dog\"\n@draw same = 7..7\n");
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        es_drawn d = es_draw(&lesson, seed);
        bool four = !strcmp(d.text[0], "4"), dog = !strcmp(d.text[1], "dog");
        demand(four || !strcmp(d.text[0], "2"), "%s", d.text[0]);
        demand(dog || !strcmp(d.text[1], "cat"), "%s", d.text[1]);
        demand(!strcmp(d.text[2], "7"), "%s", d.text[2]);
        fours += four;
        dogs += dog;
        both += four && dog;
        es_drawn_free(&d);
    }
    ck_assert(fours > 400 && fours < 600 && dogs > 400 && dogs < 600);
    ck_assert_msg(both > 200 && both < 300, "names hang together: %d", both);
}
END_TEST

START_TEST(the_same_seed_draws_the_same_beside_other_names)
{
    char *first[SEEDS];
    parse("@draw T = 5..80\n");
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        es_drawn d = es_draw(&lesson, seed);
        first[seed] = strdup(d.text[0]);
        es_drawn_free(&d);
    }
    parse("@draw B = 2..4\n@draw T = 5..80\n");
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        es_drawn d = es_draw(&lesson, seed);
        demand(!strcmp(d.text[1], first[seed]), "seed %d", (int)seed);
        es_drawn_free(&d);
        free(first[seed]);
    }
}
END_TEST

START_TEST(ranges_of_a_million_and_seeds_of_64_bits)
{
    parse("@draw n = -1000000..1000000\n");
    es_drawn a = es_draw(&lesson, 1), b = es_draw(&lesson, 1 + ((uint64_t)1 << 40));
    ck_assert_str_ne(a.text[0], b.text[0]);
    es_drawn_free(&a);
    es_drawn_free(&b);
    es_drawn_free(&b);
}
END_TEST

START_TEST(braces_are_filled_where_a_name_is_drawn)
{
    es_str out = {0};
    parse("@draw T = 5..5\n@draw animal = \"a \\\"b\\\" \\\\\"\n");
    es_drawn d = es_draw(&lesson, 0);
    es_drawn_fill(&out, &d, "{T}, {{T}} {x} {T {animal}} {} { T} {T}{");
    ck_assert_str_eq(out.s, "5, {5} {x} {T a \"b\" \\} {} { T} 5{");
    es_str_cut(&out, 0);
    es_drawn_statements(&out, &d);
    ck_assert_str_eq(out.s, "T = 5\nanimal = \"a \\\"b\\\" \\\\\"");
    es_drawn_free(&d);
    es_str_free(&out);
}
END_TEST

START_TEST(a_stranger_is_a_name_that_is_not_drawn)
{
    es_str name = {0};
    parse("@draw T = 5..8\n");
    ck_assert(!es_drawn_stranger(&lesson, "{T} {} {2} { B} {B } {a.b} {'a': 1} {", &name));
    ck_assert_uint_eq(name.len, 0);
    ck_assert(es_drawn_stranger(&lesson, "{T} {{B_2}} {C}", &name));
    ck_assert_str_eq(name.s, "B_2");
    es_str_free(&name);
}
END_TEST

/* ---- courses ---- */

static void write_lesson(const char *path, const char *slug, const char *about)
{
    es_str text = {0};
    es_str_add(&text, "@lesson %s title=\"%s\" minutes=3 about=\"%s\"\n" SHOW, slug, slug, about);
    ck_assert_works(es_file_replace(path, text.s, text.len, &err), err);
    es_str_free(&text);
}

static char *go_to_fresh_folder(void)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    return folder;
}

START_TEST(a_folder_in_the_order_of_its_numbers)
{
    char *folder = go_to_fresh_folder();
    ck_assert_int_eq(mkdir("c", 0700), 0);
    write_lesson("c/10-ten.md", "ten", "cat, wte");
    write_lesson("c/9-nine.md", "nine", "broadcast");
    write_lesson("c/02-two.md", "two", "wte");
    write_lesson("c/README.md", "none", "");
    write_lesson("c/2024-notes.md", "none", "");
    write_lesson("c/03-three.md~", "none", "");
    write_lesson("c/03-.md", "none", "");
    ck_assert_works(es_course_open_at(&course, "c", &err), err);
    ck_assert_str_eq(course.folder, "c");
    ck_assert_uint_eq(course.n, 3);
    ck_assert_int_eq(course.of[0].number, 2);
    ck_assert_int_eq(course.of[1].number, 9);
    ck_assert_int_eq(course.of[2].number, 10);
    ck_assert_str_eq(course.of[1].lesson.path, "c/9-nine.md");
    ck_assert_ptr_eq(es_course_find(&course, 9), &course.of[1]);
    ck_assert_ptr_null(es_course_find(&course, 3));
    ck_assert_ptr_eq(es_course_named(&course, "ten"), &course.of[2]);
    ck_assert_ptr_null(es_course_named(&course, "te"));
    ck_assert_ptr_eq(es_course_about(&course, "wte"), &course.of[0]);
    ck_assert_ptr_eq(es_course_about(&course, "cat"), &course.of[2]);
    ck_assert_ptr_null(es_course_about(&course, "wt"));
    free(folder);
}
END_TEST

START_TEST(a_single_file_is_a_course)
{
    char *folder = go_to_fresh_folder();
    write_lesson("07-seven.md", "seven", "");
    write_lesson("mine.md", "mine", "");
    ck_assert_works(es_course_open_at(&course, "07-seven.md", &err), err);
    ck_assert_int_eq(course.of[0].number, 7);
    ck_assert_str_eq(course.folder, ".");
    es_course_free(&course);
    es_str path = {0};
    es_str_add(&path, "%s/mine.md", folder);
    ck_assert_works(es_course_open_at(&course, path.s, &err), err);
    ck_assert_int_eq(course.of[0].number, 1);
    ck_assert_str_eq(course.folder, folder);
    es_str_free(&path);
    free(folder);
}
END_TEST

START_TEST(a_course_that_cannot_be)
{
    char *folder = go_to_fresh_folder();
    ck_assert_fails(es_course_open_at(&course, "none", &err), err, ES_ERR_IO,
                    "cannot open none: No such file or directory");
    ck_assert_int_eq(mkdir("c", 0700), 0);
    ck_assert_fails(es_course_open_at(&course, "c", &err), err, ES_ERR_IO,
                    "there is no lesson in c");
    write_lesson("c/3-a.md", "a", "");
    write_lesson("c/03-b.md", "b", "");
    ck_assert_fails(es_course_open_at(&course, "c/", &err), err, ES_ERR_FORMAT,
                    "c/3-a.md: the number 3 is that of 03-b.md too");
    ck_assert_int_eq(rename("c/03-b.md", "c/04-b.md"), 0);
    write_lesson("c/05-c.md", "a", "");
    ck_assert_fails(es_course_open_at(&course, "c", &err), err, ES_ERR_FORMAT,
                    "c/05-c.md:1: the slug a is that of 3-a.md too");
    ck_assert_works(es_file_replace("c/05-c.md", "@lesson c\n", 10, &err), err);
    ck_assert_fails(es_course_open_at(&course, "c", &err), err, ES_ERR_FORMAT,
                    "c/05-c.md:1: @lesson has no title=");
    ck_assert_ptr_null(course.of);
    ck_assert_ptr_null(course.folder);
    free(folder);
}
END_TEST

START_TEST(the_programs_lessons_are_an_asset)
{
    char *folder = go_to_fresh_folder();
    ck_assert_int_eq(mkdir("lessons", 0700), 0);
    write_lesson("lessons/01-one.md", "one", "");
    setenv("EMBEDSCOPE_DATA", folder, 1);
    ck_assert_works(es_course_open(&course, &err), err);
    ck_assert_uint_eq(course.n, 1);
    ck_assert_str_eq(course.of[0].lesson.slug, "one");
    free(folder);
}
END_TEST

Suite *lesson_course_suite(void)
{
    Suite *s = suite_create("lesson_course");
    TCase *tc = tcase_create("course");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_range_is_covered_and_nothing_outside_it);
    tcase_add_test(tc, numbers_and_words_are_those_of_the_list);
    tcase_add_test(tc, the_same_seed_draws_the_same_beside_other_names);
    tcase_add_test(tc, ranges_of_a_million_and_seeds_of_64_bits);
    tcase_add_test(tc, braces_are_filled_where_a_name_is_drawn);
    tcase_add_test(tc, a_stranger_is_a_name_that_is_not_drawn);
    tcase_add_test(tc, a_folder_in_the_order_of_its_numbers);
    tcase_add_test(tc, a_single_file_is_a_course);
    tcase_add_test(tc, a_course_that_cannot_be);
    tcase_add_test(tc, the_programs_lessons_are_an_asset);
    suite_add_tcase(s, tc);
    return s;
}
