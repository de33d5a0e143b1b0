// SPDX-License-Identifier: GPL-3.0-or-later
/* The mouse in the real window: what it says at the prompt, what it leaves in a transcript, and that this draws the
 * same picture again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "support.h"
#include "terminal.h"
#include "xvfb.h"

Suite *driven_suite(void);

enum { W = 1300, H = 850, XK_F1 = 0xffbe, XK_F2 = 0xffbf };

static bool there;
static xvfb_box window;

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

static uint64_t sum_of(xvfb_box box)
{
    uint32_t *pixels = xvfb_pixels(box);
    uint64_t sum = 14695981039346656037U; /* FNV-1a, a pixel at a time */
    for (int i = 0; i < box.w * box.h; i++)
        sum = (sum ^ pixels[i]) * 1099511628211U;
    free(pixels);
    return sum;
}

/* Until the window has looked the same for a quarter of a second. */
static uint64_t at_rest(void)
{
    uint64_t was = 0, is = sum_of(window);
    for (int same = 0, looks = 0; same < 5 && looks < 400; looks++) {
        was = is;
        read_more(50);
        is = sum_of(window);
        same = is == was ? same + 1 : 0;
    }
    return is;
}

/* The program with a window on a sentence, its table measured: that is made for a file first.  False: there is no
 * display. */
static bool open_window(void)
{
    char line[300];
    if (!there)
        return false;
    char *folder = fresh_folder();
    snprintf(line, sizeof line, ":export %s/first.png\r", folder);
    free(folder);
    xvfb_point(0, 0); /* beside the window */
    START(100, "--norc", "-q", "--color=never", "--model", "untrained:C=8");
    expect("> ");
    type("The king and the queen\r");
    type(line);
    expect("1280 x 800");
    type(":window on\r");
    window = xvfb_expect_window();
    expect(":window on");
    at_rest();
    return true;
}

static void expect_change(uint64_t before)
{
    double begin = now();
    while (sum_of(window) == before)
        demand(now() - begin < PATIENCE / 1000.0, "the picture stays as it is");
}

static void drag(int x, int y, int to_x, int to_y)
{
    xvfb_point(window.x + x, window.y + y);
    xvfb_button(1, true);
    for (int part = 1; part <= 4; part++)
        xvfb_point(window.x + x + (to_x - x) * part / 4, window.y + y + (to_y - y) * part / 4);
    xvfb_button(1, false);
}

static void turn_wheel(int x, int y, int notches)
{
    xvfb_point(window.x + x, window.y + y);
    for (int i = 0; i < notches; i++) {
        xvfb_button(4, true);
        xvfb_button(4, false);
    }
}

static bool same_files(const char *a, const char *b)
{
    char command[600];
    snprintf(command, sizeof command, "cmp -s %s %s", a, b);
    return system(command) == 0; /* NOLINT(cert-env33-c): paths of our own */
}

START_TEST(what_the_mouse_did_can_be_run_again_to_the_same_bytes)
{
    char line[300], log[256], live[256], again[256];
    if (!open_window())
        return;
    char *folder = fresh_folder();
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(live, sizeof live, "%s/live.png", folder);
    snprintf(again, sizeof again, "%s/again.png", folder);
    snprintf(line, sizeof line, ":transcript %s\r", log);
    type(line);
    type("The king and the queen\r"); /* for who runs it again */
    uint64_t before = at_rest();
    turn_wheel(500, 300, 3);
    expect_change(before);
    before = at_rest();
    drag(500, 300, 600, 360);
    expect_change(before);
    at_rest();
    xvfb_key(XK_F2, 0);
    at_rest();
    xvfb_key(XK_F1, 0);
    at_rest();
    snprintf(line, sizeof line, ":export %s\r:transcript off\r:quit\r", live);
    type(line);
    ck_assert_int_eq(wait_end(), 0);
    ck_assert_int_eq(rename(live, again), 0); /* the run makes it anew */
    run_result r = {0};
    run_program(&r, (const char *[]){program(), "--model", "untrained:C=8", "-f", log, NULL}, "",
                0);
    ck_assert_msg(r.status == 0, "%s", es_str_text(&r.err));
    ck_assert(strstr(es_str_text(&r.out), "live.png"));
    ck_assert(same_files(live, again));
    run_result_free(&r);
    run_program(&r, (const char *[]){"/bin/grep", "-c", "> :camera x=.* zoom=1.728", log, NULL}, "",
                0);
    ck_assert_str_eq(es_str_text(&r.out), "2\n"); /* after the wheel, and after the drag */
    run_result_free(&r);
    free(folder);
}
END_TEST

START_TEST(a_click_is_a_token_in_the_line_and_a_right_click_its_number)
{
    if (!open_window())
        return;
    xvfb_click(window.x + 40, window.y + 740, 1); /* the first chip */
    expect("The");
    type("\x15:show strips\r");
    expect(":show strips");
    at_rest();
    xvfb_click(window.x + 300, window.y + 140, 3);
    expect("= tok_emb[0, ");
    expect("a view of tok_emb");
}
END_TEST

START_TEST(opened_again_it_shows_what_it_showed)
{
    if (!open_window())
        return;
    type(":show cosine\r");
    expect(":show cosine");
    uint64_t before = at_rest();
    type(":window off\r");
    xvfb_expect_none();
    type(":window on\r");
    window = xvfb_expect_window();
    expect(":window on");
    ck_assert_uint_eq(at_rest(), before);
}
END_TEST

Suite *driven_suite(void)
{
    Suite *s = suite_create("driven");
    TCase *t = tcase_create("driven");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, what_the_mouse_did_can_be_run_again_to_the_same_bytes);
    tcase_add_test(t, a_click_is_a_token_in_the_line_and_a_right_click_its_number);
    tcase_add_test(t, opened_again_it_shows_what_it_showed);
    suite_add_tcase(s, t);
    return s;
}
