// SPDX-License-Identifier: GPL-3.0-or-later
/* The window of the real program on a display of our own: keys, the close button, and a display that dies. */
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "support.h"
#include "terminal.h"
#include "xvfb.h"

Suite *display_suite(void);

enum { XK_F4 = 0xffc1, XK_CONTROL = 0xffe3, W = 900, H = 640 };

static bool there;

static void setup(void)
{
    calm_environment();
    there = picture_module() && xvfb_start(W, H);
}

static void teardown(void)
{
    terminal_close();
    xvfb_stop();
}

#define NEEDS_DISPLAY                                                                              \
    if (!there)                                                                                    \
    return

static xvfb_box open_window(void)
{
    START(200, "-q", "--color=never", "--model=untrained:C=8");
    expect("> ");
    type(":window on\r");
    return xvfb_expect_window();
}

/* Until the pixels are other ones than these. */
static void expect_change(xvfb_box at, const uint32_t *before)
{
    size_t bytes = (size_t)at.w * (size_t)at.h * sizeof *before;
    bool same = true;
    for (double begin = now(); same && now() - begin < PATIENCE / 1000.0;) {
        uint32_t *pixels = xvfb_pixels(at);
        same = !memcmp(pixels, before, bytes);
        free(pixels);
        read_more(10);
    }
    ck_assert(!same);
}

START_TEST(letters_typed_in_the_window_are_the_prompts)
{
    NEEDS_DISPLAY;
    open_window();
    xvfb_type("The Cat");
    expect("The Cat");
    xvfb_key('a', XK_CONTROL);
    xvfb_key(0xff0d, 0);
    expect("2 tokens from 7 bytes");
    type(":quit\r");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

START_TEST(what_is_typed_at_the_terminal_changes_the_picture_before_enter)
{
    NEEDS_DISPLAY;
    xvfb_box at = open_window();
    for (double begin = now(); now() - begin < 1;) /* until it is measured and at rest */
        read_more(100);
    uint32_t *before = xvfb_pixels(at);
    type("un");
    expect_change(at, before);
    free(before);
}
END_TEST

START_TEST(the_close_button_leaves_the_half_typed_line)
{
    NEEDS_DISPLAY;
    open_window();
    type("half");
    expect("half");
    xvfb_close_window();
    xvfb_expect_none();
    type(" typed\r");
    expect("2 tokens from 10 bytes");
    type(":window on\r");
    xvfb_expect_window();
    type(":quit\r");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(a_window_that_another_program_destroys_is_closed)
{
    NEEDS_DISPLAY;
    xvfb_box at = open_window();
    xvfb_point(at.x + at.w / 2, at.y + at.h / 2);
    xvfb_button(1, true);
    xvfb_destroy_window();
    xvfb_button(1, false);
    type("The cat\r");
    expect("2 tokens from 7 bytes");
    type(":window\r");
    expect("window: off");
    type(":window on\r");
    xvfb_expect_window();
    type(":quit\r");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

START_TEST(a_display_that_dies_takes_the_window_and_nothing_else)
{
    NEEDS_DISPLAY;
    open_window();
    type("The cat");
    expect("The cat");
    xvfb_stop();
    type(" sat\r");
    expect("3 tokens from 11 bytes");
    type(":window on\r");
    expect("a window needs a display, and the one this program had has gone");
    type(":quit\r");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

Suite *display_suite(void)
{
    Suite *s = suite_create("display");
    TCase *t = tcase_create("display");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, letters_typed_in_the_window_are_the_prompts);
    tcase_add_test(t, what_is_typed_at_the_terminal_changes_the_picture_before_enter);
    tcase_add_test(t, the_close_button_leaves_the_half_typed_line);
    tcase_add_test(t, a_window_that_another_program_destroys_is_closed);
    tcase_add_test(t, a_display_that_dies_takes_the_window_and_nothing_else);
    suite_add_tcase(s, t);
    return s;
}
