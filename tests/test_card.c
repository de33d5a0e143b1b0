// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawn.h"
#include "layer/cosine.h"
#include "layer/noise.h"
#include "view/frame.h"
#include "view/neighbours.h"

Suite *card_suite(void);

enum { W = 820, H = 640, C = 8 };

static drawn d;
static es_viewer *v;
static const es_box card = {500, 20, 300, 600};

static void setup(void)
{
    drawn_open(&d, "untrained:C=8", W, H);
    v = d.viewer;
    v->view = ES_VIEW_STRIPS;
}

static void teardown(void)
{
    drawn_close(&d);
}

static void expect_words(float w, float h, draw_fn draw, const char *want)
{
    es_str words = drawn_words(&d, w, h, draw);
    ck_assert_msg(strstr(words.s, want) != NULL, "%s", words.s);
    es_str_free(&words);
}

/* ---- the card ---- */

START_TEST(the_card_says_what_is_known_of_the_last_token)
{
    char lengths[100];
    drawn_run(&d, "The cat");
    expect_words(300, 600, es_card_draw,
                 "␣cat\nid\n3797\nbytes\n20 63 61 74\nplace\n1, of 2 tokens\nseen\nnot known\n");
    snprintf(lengths, sizeof lengths, "|wte|\n%.2f\n|wpe|\n%.2f\n|x|\n%.2f\n",
             es_length(v->scene.tok_emb + C, C), es_length(v->scene.pos_emb + C, C),
             es_length(v->scene.x + C, C));
    expect_words(300, 600, es_card_draw, lengths);
}
END_TEST

START_TEST(a_token_that_is_not_in_the_sentence_has_no_place_and_no_x)
{
    drawn_run(&d, "The cat");
    v->focus = 290;
    v->focus_place = -1;
    es_str words = drawn_words(&d, 300, 600, es_card_draw);
    ck_assert(strstr(words.s, "␣and\nid\n290\n"));
    ck_assert(strstr(words.s, "place\nnot in the sentence\n"));
    ck_assert(!strstr(words.s, "|x|"));
    es_str_free(&words);
}
END_TEST

/* A point of the map, or of a curve over all positions, knows no place of the sentence. */
START_TEST(a_token_of_the_sentence_has_its_place_however_it_was_found)
{
    drawn_run(&d, "The cat sat");
    v->focus = 3797;
    v->focus_place = -1;
    expect_words(300, 600, es_card_draw, "place\n1, of 3 tokens\n");
    v->focus_place = 867;
    expect_words(300, 600, es_card_draw, "place\n1, of 3 tokens\n");
}
END_TEST

START_TEST(before_anything_is_typed_it_says_what_to_do)
{
    expect_words(300, 600, es_card_draw, "No token yet. Type a sentence,");
}
END_TEST

START_TEST(neighbours_stand_on_their_side_of_what_chance_reaches)
{
    drawn_run(&d, "The cat");
    es_str words = drawn_words(&d, 300, 800, es_card_draw);
    const es_neighbours *near = es_neighbours_of(v, 3797);
    double noise = es_noise_floor(50256, C);
    const char *at = strstr(words.s, "nearest in wte\ncosine\n");
    char line[64];
    ck_assert_msg(at != NULL, "%s", words.s);
    snprintf(line, sizeof line, "%.2f: the best of 50,256 random rows\n", noise);
    const char *floor = strstr(at, line);
    ck_assert_ptr_nonnull(floor);
    for (int i = 0; i < near->n; i++) {
        es_str row = {0};
        es_scene_token(&row, es_session_context(d.session), near->of[i].id, 40);
        es_str_add(&row, "\n%.2f\n", (double)near->of[i].cosine);
        const char *found = strstr(at, row.s);
        demand(found != NULL, "%s", row.s);
        demand((found < floor) == ((double)near->of[i].cosine >= noise), "%s", row.s);
        es_str_free(&row);
    }
    es_str_free(&words);
}
END_TEST

START_TEST(a_neighbour_can_be_pointed_at_and_the_card_stays)
{
    drawn_run(&d, "The cat");
    drawn_within(&d, card, es_card_draw);
    const es_neighbours near = *es_neighbours_of(v, 3797);
    ck_assert_int_gt(v->card.n, 3);
    for (int i = 0; i < v->card.n; i++) {
        es_pick pick = ES_PICK_NONE;
        es_box row = v->card.row[i];
        char want[200];
        ck_assert(es_card_pick(v, card, (es_spot){row.x + 5, row.y + row.h / 2}, &pick));
        demand(pick.id == near.of[i].id, "row %d", i);
        demand(pick.value == (double)near.of[i].cosine, "row %d", i);
        snprintf(want, sizeof want, "F.cosine_similarity(wte.weight[3797], wte.weight[%d], dim=0)",
                 (int)pick.id);
        demand(!strcmp(pick.statement.s, want), "%s", pick.statement.s);
        v->hover = pick;
        v->hovering = true;
        drawn_within(&d, card, es_card_draw);
        demand(v->card.of == 3797, "row %d", i);
        v->hovering = false;
        es_pick_free(&v->hover);
    }
    es_pick pick = ES_PICK_NONE;
    ck_assert(!es_card_pick(v, card, (es_spot){card.x + 5, card.y + 5}, &pick));
    ck_assert(!es_card_pick(v, card, (es_spot){5, v->card.row[0].y + 3}, &pick));
}
END_TEST

START_TEST(the_number_under_the_pointer_is_on_the_card_with_its_expression)
{
    drawn_run(&d, "The cat");
    v->hovering = true;
    v->hover = (es_pick){.id = 464, .place = 0, .channel = 3, .value = 1};
    es_str_cat(&v->hover.what, "x of The, channel 3: 1.00");
    es_str_cat(&v->hover.statement, "x[0, 0, 3]");
    expect_words(300, 600, es_card_draw, "x of The, channel 3: 1.00\nx[0, 0, 3]\n");
    expect_words(300, 600, es_card_draw, "The\nid\n464\n");
}
END_TEST

/* As in a window of 1280 x 800 with letters for a projector. */
START_TEST(a_low_card_has_neighbours_or_the_number_under_the_pointer)
{
    char length[80];
    drawn_run(&d, "The cat");
    snprintf(length, sizeof length, "length\nwte %.2f, x %.2f\n",
             es_length(v->scene.tok_emb + C, C), es_length(v->scene.x + C, C));
    expect_words(361, 17 * 13, es_card_draw, length);
    expect_words(361, 17 * 13, es_card_draw, "nearest in wte\ncosine\n");
    ck_assert_int_ge(v->card.n, 2); /* and what chance reaches */
    v->hovering = true;
    v->hover = (es_pick){.id = 464, .place = 0, .channel = 3, .value = 1};
    es_str_cat(&v->hover.what, "x of The, channel 3: 1.00");
    es_str_cat(&v->hover.statement, "x[0, 0, 3]");
    expect_words(361, 17 * 13, es_card_draw, "x of The, channel 3: 1.00\nx[0, 0, 3]\n");
}
END_TEST

static void draw_both(es_viewer *viewer, es_canvas *c, es_box area)
{
    es_card_draw(viewer, c, area);
    es_chips_draw(viewer, c, area);
}

START_TEST(cards_and_chips_fit_any_box)
{
    const char *const texts[] = {"", "x", "The cat sat on the mat"};
    const float side[] = {1, 3, 17, 60, 130, 401};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        drawn_run(&d, texts[t]);
        for (int i = 0; i < 36; i++)
            for (int state = 0; state < 4; state++) {
                es_box box = {20, 10, side[i / 6], side[i % 6]};
                es_session_settings(d.session)->big = state & 1;
                v->hovering = state & 2;
                drawn_within(&d, box, draw_both);
            }
    }
}
END_TEST

START_TEST(a_row_that_is_no_numbers_has_a_card_all_the_same)
{
    drawn_run(&d, "The cat");
    v->focus = 2000000000;
    v->focus_place = -1;
    expect_words(300, 600, es_card_draw, "#2000000000\nid\n2000000000\n");
    v->scene.x[C] = NAN;
    v->focus = -1;
    expect_words(300, 600, es_card_draw, "|x|\nNaN\n");
}
END_TEST

/* ---- the chips ---- */

START_TEST(each_chip_is_its_token)
{
    const es_box box = {10, 300, 800, 44};
    bool seen[6] = {false};
    drawn_run(&d, "The cat sat on the mat");
    drawn_within(&d, box, es_chips_draw);
    for (int x = 0; x < W; x += 3) {
        es_pick pick = ES_PICK_NONE;
        if (!es_chips_pick(v, &d.raster.canvas, box, (es_spot){(float)x, 322}, &pick))
            continue;
        demand(pick.place >= 0 && pick.place < 6, "%d", x);
        demand(pick.id == v->scene.ids[pick.place], "%d", x);
        seen[pick.place] = true;
        es_pick_free(&pick);
    }
    for (int i = 0; i < 6; i++)
        demand(seen[i], "token %d has no chip", i);
    expect_words(800, 44, es_chips_draw,
                 "The\n464\n␣cat\n3797\n␣sat\n3332\n␣on\n319\n␣the\n262\n␣mat\n2603\n");
}
END_TEST

/* Pixels of the chips that are as bright as an outline. */
static int outlined(int32_t id, int64_t place)
{
    int n = 0;
    v->focus = id;
    v->focus_place = place;
    drawn_within(&d, (es_box){0, 0, W, 44}, es_chips_draw);
    for (int i = 0; i < W * 44; i++)
        n += d.raster.pixels[i] == es_viewer_palette(v)->strong;
    return n;
}

START_TEST(a_token_without_a_place_is_marked_wherever_it_stands)
{
    drawn_run(&d, "a cat a cat");
    int32_t cat = v->scene.ids[1];
    int none = outlined(0, -1), first = outlined(cat, 1) - none, second = outlined(cat, 3) - none;
    ck_assert(first > 50 && second > 50);
    ck_assert_int_eq(outlined(cat, -1) - none, first + second);
}
END_TEST

START_TEST(of_many_tokens_those_around_the_focus_have_chips)
{
    es_str text = {0};
    for (int i = 0; i < 40; i++)
        es_str_add(&text, " %d", 100 + i);
    drawn_run(&d, text.s);
    expect_words(800, 44, es_chips_draw, " more …\n");
    expect_words(800, 44, es_chips_draw, "␣139\n");
    v->focus = v->scene.ids[0];
    v->focus_place = 0;
    es_str words = drawn_words(&d, 800, 44, es_chips_draw);
    ck_assert(!strncmp(words.s, "␣100\n", strlen("␣100\n")));
    ck_assert_msg(strstr(words.s, "… 27 more\n") != NULL, "%s", words.s);
    ck_assert(!strstr(words.s, " more …"));
    es_str_free(&words);
    v->focus = v->scene.ids[20];
    v->focus_place = 20;
    expect_words(800, 44, es_chips_draw, "␣120\n");
    es_str_free(&text);
}
END_TEST

START_TEST(of_a_batch_the_first_sentence_is_shown_and_said_to_be_that)
{
    drawn_run(&d, ":batch \"The cat sat\" \"A dog\"");
    expect_words(800, 44, es_chips_draw, "the first of 2 sentences\n");
    drawn_run(&d, "The cat");
    es_str words = drawn_words(&d, 800, 44, es_chips_draw);
    ck_assert(!strstr(words.s, "sentences"));
    es_str_free(&words);
}
END_TEST

START_TEST(a_text_that_is_too_long_is_said_to_have_no_x)
{
    drawn_run(&d, ":repeat 1025  cat");
    expect_words(800, 44, es_chips_draw, "too long by 1 token: no x\n");
    drawn_run(&d, ":repeat 1200  cat");
    expect_words(800, 44, es_chips_draw, "too long by 176 tokens: no x\n");
    drawn_run(&d, ":repeat 1024  cat");
    es_str words = drawn_words(&d, 800, 44, es_chips_draw);
    ck_assert(!strstr(words.s, "too long"));
    es_str_free(&words);
}
END_TEST

START_TEST(a_line_that_is_typed_is_marked_and_its_cursor_in_sight)
{
    es_str text = {0};
    es_str_cat(&text, "one");
    for (int i = 0; i < 60; i++)
        es_str_cat(&text, " two");
    drawn_preview(&d, text.s);
    expect_words(800, 44, es_chips_draw, "not entered yet\n");
    v->cursor = 2;
    expect_words(800, 44, es_chips_draw, "one\n");
    es_str_free(&text);
}
END_TEST

Suite *card_suite(void)
{
    Suite *s = suite_create("card");
    TCase *tc = tcase_create("card");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_card_says_what_is_known_of_the_last_token);
    tcase_add_test(tc, a_token_that_is_not_in_the_sentence_has_no_place_and_no_x);
    tcase_add_test(tc, a_token_of_the_sentence_has_its_place_however_it_was_found);
    tcase_add_test(tc, before_anything_is_typed_it_says_what_to_do);
    tcase_add_test(tc, neighbours_stand_on_their_side_of_what_chance_reaches);
    tcase_add_test(tc, a_neighbour_can_be_pointed_at_and_the_card_stays);
    tcase_add_test(tc, the_number_under_the_pointer_is_on_the_card_with_its_expression);
    tcase_add_test(tc, a_low_card_has_neighbours_or_the_number_under_the_pointer);
    tcase_add_test(tc, cards_and_chips_fit_any_box);
    tcase_add_test(tc, a_row_that_is_no_numbers_has_a_card_all_the_same);
    tcase_add_test(tc, each_chip_is_its_token);
    tcase_add_test(tc, a_token_without_a_place_is_marked_wherever_it_stands);
    tcase_add_test(tc, of_many_tokens_those_around_the_focus_have_chips);
    tcase_add_test(tc, of_a_batch_the_first_sentence_is_shown_and_said_to_be_that);
    tcase_add_test(tc, a_text_that_is_too_long_is_said_to_have_no_x);
    tcase_add_test(tc, a_line_that_is_typed_is_marked_and_its_cursor_in_sight);
    suite_add_tcase(s, tc);
    return s;
}
