// SPDX-License-Identifier: GPL-3.0-or-later
/* The teaching pictures: each draws or says why not, with a caption that meets nothing and goes when another view comes. */
#include "view/lesson_pictures.h"

#include <stdio.h>
#include <string.h>

#include "drawn.h"
#include "view/frame.h"

Suite *lesson_pictures_suite(void);

static drawn d;

static void open_model(const char *model)
{
    drawn_open(&d, model, 16, 16);
}

static void close_model(void)
{
    drawn_close(&d);
}

static void draw_file(es_viewer *v, es_canvas *c, es_box area)
{
    (void)area;
    es_frame_draw(v, c, ES_FRAME_FILE);
}

static void run_picture(int n)
{
    char line[32];
    snprintf(line, sizeof line, ":picture %d", n);
    drawn_run(&d, line);
}

/* Two sentences, each with its end. */
static void check_caption(int n)
{
    es_lesson_says says = {0};
    es_lesson_picture_say(d.viewer, n, &says);
    const es_str *const both[] = {&says.see, &says.beware};
    for (int i = 0; i < 2; i++) {
        demand(both[i]->len > 40 && both[i]->len < 260, "picture %d: %s", n, es_str_text(both[i]));
        demand(both[i]->s[both[i]->len - 1] == '.', "picture %d: %s", n, both[i]->s);
        demand(!strstr(both[i]->s, "nan"), "picture %d: %s", n, both[i]->s);
    }
    es_lesson_says_free(&says);
}

static void check_drawn(int n)
{
    static const struct {
        int w, h;
        bool big;
    } at[] = {{1280, 800, false}, {800, 600, false}, {800, 600, true}};
    char what[60];
    snprintf(what, sizeof what, "picture %d", n);
    for (int i = 0; i < 3; i++) {
        es_session_settings(d.session)->big = at[i].big;
        drawn_apart(&d, what, (float)at[i].w, (float)at[i].h, draw_file);
    }
    es_session_settings(d.session)->big = false;
    es_str words = drawn_words(&d, 800, 600, draw_file);
    demand(strstr(words.s, "What to see: ") && strstr(words.s, "What not to conclude: "),
           "picture %d has no caption", n);
    es_str_free(&words);
}

static void check_all(const char *model, int but, bool drawn_too)
{
    open_model(model);
    for (int n = 1; n <= ES_LESSON_PICTURES; n++) {
        if (n == but)
            continue;
        run_picture(n);
        demand(!d.errors.len, "picture %d: %s", n, d.errors.s);
        demand(es_lesson_picture_shown(d.viewer) == n, "picture %d is not shown", n);
        check_caption(n);
        if (drawn_too)
            check_drawn(n);
    }
    close_model();
}

START_TEST(each_of_mini_has_a_caption_and_room_for_it)
{
    check_all("mini", 0, true);
}
END_TEST

START_TEST(each_of_random_rows_says_what_is_true_of_these)
{
    check_all("untrained:V=9500,C=4,n_ctx=32", 5, false); /* glitch tokens have no row */
}
END_TEST

/* ---- what is said ---- */

static void check_said(int n, const char *see, const char *beware)
{
    es_lesson_says says = {0};
    run_picture(n);
    es_lesson_picture_say(d.viewer, n, &says);
    demand(strstr(es_str_text(&says.see), see), "%s: %s", see, es_str_text(&says.see));
    demand(strstr(es_str_text(&says.beware), beware), "%s: %s", beware, es_str_text(&says.beware));
    es_lesson_says_free(&says);
}

START_TEST(what_is_seen_in_mini_is_said_of_it)
{
    open_model("mini");
    check_said(1, "wind up: components 1 and 2 are 3 turns", "counts in circles");
    check_said(2, "0.99 on average for neighbours, 0.54 at 64 apart; in the sinusoidal table",
               "attend");
    check_said(3,
               "position 0 has a length of 2.23, the greatest, that of position 1023 one of 0.511.",
               "more important");
    check_said(7, "819 of 1,000 numbers are one token each", "misses 181 numbers");
    check_said(10, "most of them lean the same way", "not likeness by itself");
    check_said(5, "0.646 from the mean, and 90 % of the rows are farther",
               "training met neither of these two, so that it hardly moved their rows");
    check_said(4, "Tokens that training never met have a median length of 0.622",
               "not a frequency");
    close_model();
}
END_TEST

START_TEST(a_narrow_picture_of_lengths_has_the_counts_its_caption_is_about)
{
    open_model("mini");
    run_picture(4);
    es_str words = drawn_words(&d, 800, 600, draw_file);
    ck_assert_ptr_nonnull(strstr(words.s, "times seen in training"));
    ck_assert_ptr_null(strstr(words.s, "the order in which merges"));
    es_str_free(&words);
    close_model();
}
END_TEST

START_TEST(what_random_rows_do_not_show_is_not_claimed_of_them)
{
    open_model("untrained:C=8");
    check_said(1, "not the helix that GPT-2's make", "counts in circles");
    check_said(10, "they lean no common way", "it is training");
    check_said(5, " of the rows are farther; ␣petertodd is ", "GPT-J's; nearest of all is ");
    check_said(4, "The first tenth of the ids", "does not say how often");
    close_model();
}
END_TEST

/* The caption has the name too. */
START_TEST(the_fourth_corner_of_a_large_parallelogram_is_named)
{
    const char *name = "␣king − ␣man + ␣woman";
    open_model("untrained:C=64");
    run_picture(12);
    es_str words = drawn_words(&d, 800, 600, draw_file);
    const char *first = strstr(words.s, name);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(strstr(first + 1, name));
    es_str_free(&words);
    close_model();
}
END_TEST

START_TEST(what_a_model_lacks_is_said_with_what_to_do)
{
    es_error err = ES_ERROR_NONE;
    open_model("untrained:V=3,C=8,n_ctx=2");
    ck_assert_fails(
        es_lesson_picture_fits(d.viewer, 1, &err), err, ES_ERR_VALUE,
        "picture 1 is of learned positions, and the model untrained:V=3,C=8,n_ctx=2 has "
        "too few of them");
    ck_assert_fails(es_lesson_picture_fits(d.viewer, 5, &err), err, ES_ERR_VALUE,
                    "picture 5 is about \" SolidGoldMagikarp\", and wte has no row for it");
    ck_assert(es_lesson_picture_fits(d.viewer, 10, &err));
    run_picture(12);
    ck_assert_str_eq(es_str_text(&d.errors),
                     "picture 12 is about \" king\", and wte has no row for it\n");
    ck_assert_int_eq(d.viewer->view, ES_VIEW_MAP);
    ck_assert_int_eq(d.viewer->lesson, 0);
    for (int n = 1; n <= ES_LESSON_PICTURES; n++) {
        run_picture(n);
        demand(es_lesson_picture_shown(d.viewer) == 0 || es_lesson_picture_shown(d.viewer) == n ||
                   d.errors.len,
               "picture %d is neither shown nor refused", n);
    }
    close_model();
}
END_TEST

START_TEST(a_number_that_is_none_of_theirs_is_refused)
{
    open_model("untrained:V=300,C=8");
    drawn_run(&d, ":picture 13");
    drawn_run(&d, ":picture helix");
    drawn_run(&d, ":picture 1 2");
    ck_assert_str_eq(d.errors.s, "a picture is a whole number from 1 to 12, not \"13\"\n"
                                 "a picture is a whole number, not \"helix\"\n"
                                 "the form is :picture [N]\n");
    ck_assert_ptr_null(es_lesson_picture_at(0));
    ck_assert_ptr_null(es_lesson_picture_at(13));
    close_model();
}
END_TEST

/* ---- how it comes and goes ---- */

START_TEST(another_view_or_part_ends_it_and_a_camera_does_not)
{
    open_model("untrained:V=300,C=8");
    run_picture(3);
    ck_assert_int_eq(es_lesson_picture_shown(d.viewer), 3);
    drawn_run(&d, ":show positions curves");
    ck_assert_int_eq(d.viewer->lesson, 0);
    run_picture(1);
    drawn_run(&d, ":camera turn=10");
    ck_assert_int_eq(es_lesson_picture_shown(d.viewer), 1);
    drawn_run(&d, ":show strips");
    ck_assert_int_eq(d.viewer->lesson, 0);
    run_picture(10);
    drawn_run(&d, ":show nonsense");
    ck_assert_int_eq(es_lesson_picture_shown(d.viewer), 10);
    drawn_run(&d, ":show variance cosines"); /* what it shows, asked for by itself */
    ck_assert_int_eq(d.viewer->lesson, 0);
    close_model();
}
END_TEST

START_TEST(a_text_is_set_where_there_is_none_and_kept_where_there_is_one)
{
    open_model("untrained:V=9500,C=4");
    run_picture(9);
    ck_assert_int_eq(d.viewer->scene.T, 6);
    drawn_run(&d, "a king");
    run_picture(9);
    ck_assert_int_eq(d.viewer->scene.T, 2);
    close_model();
}
END_TEST

/* A viewer that begins afresh and is led back. */
START_TEST(the_lines_that_lead_back_lead_to_the_same_picture)
{
    es_str lines = {0}, again = {0};
    open_model("untrained:V=9500,C=4");
    run_picture(11);
    drawn_run(&d, ":camera zoom=3");
    drawn_run(&d, ":focus \" dog\"");
    es_viewer_recall(d.viewer, &lines);
    ck_assert(strstr(lines.s, ":picture 11\n"));
    close_model();
    open_model("untrained:V=9500,C=4");
    for (char *line = lines.s, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        drawn_run(&d, line);
        *end = '\n';
    }
    ck_assert_str_eq(es_str_text(&d.errors), "");
    ck_assert_int_eq(es_lesson_picture_shown(d.viewer), 11);
    ck_assert_double_eq(d.viewer->camera[ES_VIEW_MAP].zoom, 3);
    es_viewer_recall(d.viewer, &again);
    ck_assert_str_eq(again.s, lines.s);
    es_str_free(&lines);
    es_str_free(&again);
    close_model();
}
END_TEST

START_TEST(as_lines_and_as_json_it_is_the_same_caption)
{
    const es_style plain = {.plain = true, .width = 80};
    es_str out = {0}, json = {0};
    es_json j = {.out = &json};
    open_model("untrained:V=300,C=8");
    es_lesson_caption_text(d.viewer, &out, &plain);
    ck_assert_int_eq((int)out.len, 0);
    run_picture(10);
    es_lesson_caption_text(d.viewer, &out, &plain);
    ck_assert(strstr(out.s, "picture: 10, Is there a cone?\nsee: Two rows of wte ") == out.s);
    ck_assert(strstr(out.s, "\ndo not conclude: That there is no cone here "));
    es_json_open(&j, '{');
    es_lesson_caption_json(d.viewer, &j);
    es_json_close(&j, '}');
    json_t *o = json_loadb(json.s, json.len, 0, NULL);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "picture")), 10);
    ck_assert_str_eq(json_string_value(json_object_get(o, "title")), "Is there a cone?");
    ck_assert(strstr(out.s, json_string_value(json_object_get(o, "see"))));
    ck_assert(strstr(out.s, json_string_value(json_object_get(o, "do_not_conclude"))));
    json_decref(o);
    es_str_free(&out);
    es_str_free(&json);
    close_model();
}
END_TEST

START_TEST(the_caption_leaves_the_picture_more_than_half)
{
    es_error err = ES_ERROR_NONE;
    open_model("untrained:V=300,C=8");
    run_picture(10);
    for (int h = 1; h < 700; h += 33)
        for (int w = 1; w < 900; w += 97) {
            es_raster_close(&d.raster);
            ck_assert_works(es_raster_open(&d.raster, w, h, 1, false, d.font, &err), err);
            es_box all = {0, 0, (float)w, (float)h}, picture = all;
            es_box caption = es_lesson_caption_cut(d.viewer, &d.raster.canvas, &picture);
            demand(picture.h >= 0.5F * all.h && caption.h + picture.h == all.h,
                   "%d x %d: %g of caption", w, h, (double)caption.h);
            es_lesson_caption_draw(d.viewer, &d.raster.canvas, caption);
        }
    close_model();
}
END_TEST

static void count_lines(void *user, es_result *r)
{
    const es_style terminal = {.width = 80, .height = 24};
    es_error err = ES_ERROR_NONE;
    es_str out = {0};
    ck_assert_works(r->kind->show(&out, r->data, &terminal, &err), err);
    for (const char *c = es_str_text(&out); *c; c++)
        *(int *)user += *c == '\n';
    es_str_free(&out);
    es_result_free(r);
}

static void ignore_note(void *user, const char *text, bool person)
{
    (void)user;
    (void)text;
    (void)person;
}

static void ignore_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user;
    (void)what;
    (void)done;
    (void)total;
}

START_TEST(with_its_caption_it_fits_a_terminal_of_24_lines)
{
    int lines;
    const es_sink sink = {&lines, count_lines, NULL, ignore_note, ignore_progress, NULL};
    char line[32];
    open_model("mini");
    for (int n = 1; n <= ES_LESSON_PICTURES; n++) {
        snprintf(line, sizeof line, ":picture %d", n);
        lines = 0;
        es_session_run(d.session, line, strlen(line), &sink);
        demand(lines > 12 && lines < 24, "picture %d: %d lines", n, lines);
    }
    close_model();
}
END_TEST

Suite *lesson_pictures_suite(void)
{
    Suite *s = suite_create("lesson_pictures");
    TCase *tc = tcase_create("lesson_pictures");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, each_of_mini_has_a_caption_and_room_for_it);
    tcase_add_test(tc, each_of_random_rows_says_what_is_true_of_these);
    tcase_add_test(tc, what_is_seen_in_mini_is_said_of_it);
    tcase_add_test(tc, a_narrow_picture_of_lengths_has_the_counts_its_caption_is_about);
    tcase_add_test(tc, what_random_rows_do_not_show_is_not_claimed_of_them);
    tcase_add_test(tc, the_fourth_corner_of_a_large_parallelogram_is_named);
    tcase_add_test(tc, what_a_model_lacks_is_said_with_what_to_do);
    tcase_add_test(tc, a_number_that_is_none_of_theirs_is_refused);
    tcase_add_test(tc, another_view_or_part_ends_it_and_a_camera_does_not);
    tcase_add_test(tc, a_text_is_set_where_there_is_none_and_kept_where_there_is_one);
    tcase_add_test(tc, the_lines_that_lead_back_lead_to_the_same_picture);
    tcase_add_test(tc, as_lines_and_as_json_it_is_the_same_caption);
    tcase_add_test(tc, with_its_caption_it_fits_a_terminal_of_24_lines);
    tcase_add_test(tc, the_caption_leaves_the_picture_more_than_half);
    suite_add_tcase(s, tc);
    return s;
}
