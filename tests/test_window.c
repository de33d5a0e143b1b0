// SPDX-License-Identifier: GPL-3.0-or-later
/* The window on a display nobody sees: its loop, its events.  The real one, under Xvfb, is in window/. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if ES_HAVE_PICTURES
#include <SDL.h>
#endif

#include "module.h"
#include "support.h"
#include "view/raster.h"
#include "view/viewer.h"

Suite *window_suite(void);

static const es_module *module;
static es_session *session;
static es_viewer *viewer;
static int keys[2]; /* stands for the prompt's terminal */

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {.model = "untrained:C=8,V=1000", .settings.pad = -1};
    module = picture_module();
    if (!module)
        return;
    leave_leaks_alone();
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    session = es_session_new(&o, &err);
    ck_assert_works(session != NULL, err);
    viewer = es_viewer_new(session);
    ck_assert_works(es_module_load(viewer, &err) != NULL, err);
    ck_assert_int_eq(pipe2(keys, O_NONBLOCK), 0);
}

static void teardown(void)
{
    if (!module)
        return;
    es_viewer_free(viewer);
    es_session_free(session);
    close(keys[0]);
    close(keys[1]);
}

#define NEEDS_MODULE                                                                               \
    if (!module)                                                                                   \
    return

static void open_window(void)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(module->open(viewer, &err) != NULL, err);
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned wait_keys(int milliseconds)
{
    return module->wait(viewer, keys, 1, milliseconds);
}

/* Until the view is made, and nothing moves any more. */
static void come_to_rest(void)
{
    for (int i = 0; i < 200 && viewer->making; i++)
        wait_keys(20);
    ck_assert_ptr_null(viewer->making);
    wait_keys(50);
}

static void press(const char *name)
{
    ck_assert_int_eq(write(keys[1], name, 1), 1);
}

/* Frames that there may be since then, so many a second at most. */
static double at_most(double a_second, double begin)
{
    return 2 + a_second * (seconds(CLOCK_MONOTONIC) - begin);
}

static size_t n_frames(void)
{
    static float ms[4096];
    return module->times(viewer->window, ms, sizeof ms / sizeof *ms);
}

/* ---- displays ---- */

START_TEST(without_a_display_both_ways_out_are_named)
{
    NEEDS_MODULE;
    es_error err = ES_ERROR_NONE;
    unsetenv("SDL_VIDEODRIVER");
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    ck_assert(!module->display(NULL));
    ck_assert(!module->open(viewer, &err));
    ck_assert_str_eq(err.hint,
                     "without one: :export FILE or embedscope plot -o FILE write the picture as "
                     "PNG or SVG; :show draws it in the terminal");
    ck_assert_fails(es_failed(), err, ES_ERR_UNSUPPORTED,
                    "a window needs a display, and there is none: neither DISPLAY nor "
                    "WAYLAND_DISPLAY is set");
    ck_assert_ptr_null(viewer->window);
}
END_TEST

START_TEST(a_display_that_does_not_answer_is_named)
{
    NEEDS_MODULE;
    es_error err = ES_ERROR_NONE;
    unsetenv("SDL_VIDEODRIVER");
    unsetenv("WAYLAND_DISPLAY");
    setenv("DISPLAY", "nowhere:77", 1);
    ck_assert(!module->open(viewer, &err));
    ck_assert_int_eq(err.code, ES_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "(DISPLAY is \"nowhere:77\")"));
    es_error_free(&err);
}
END_TEST

/* SDL would go through all it has, and draw where nobody looks. */
START_TEST(an_empty_wish_for_a_driver_is_none)
{
    NEEDS_MODULE;
    es_error err = ES_ERROR_NONE;
    setenv("SDL_VIDEODRIVER", "", 1);
    unsetenv("WAYLAND_DISPLAY");
    setenv("DISPLAY", "nowhere:77", 1);
    ck_assert(!module->open(viewer, &err));
    ck_assert_int_eq(err.code, ES_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "(DISPLAY is \"nowhere:77\")"));
    es_error_free(&err);
}
END_TEST

START_TEST(a_display_that_is_asked_for_is_taken)
{
    NEEDS_MODULE;
    const char *driver = NULL;
    ck_assert(module->display(&driver));
    ck_assert_str_eq(driver, "dummy");
}
END_TEST

/* ---- the wait ---- */

START_TEST(a_key_ends_the_wait_within_20_ms)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    enum { N = 21 };
    int late = 0; /* of a busy machine some may be */
    for (int i = 0; i < N; i++) {
        char byte;
        double begin = seconds(CLOCK_MONOTONIC);
        press("k");
        demand(wait_keys(2000) == 1, "the key was not seen");
        late += seconds(CLOCK_MONOTONIC) - begin > 0.020 * thoroughness(1, 50);
        demand(read(keys[0], &byte, 1) == 1, "it has gone");
    }
    ck_assert_int_lt(late, N / 3);
}
END_TEST

typedef struct later {
    int milliseconds;
    double pressed_at;
} later;

static void *press_later(void *arg)
{
    later *l = arg;
    usleep((useconds_t)(1000 * l->milliseconds));
    l->pressed_at = seconds(CLOCK_MONOTONIC);
    ck_assert_int_eq(write(keys[1], "k", 1), 1);
    return NULL;
}

START_TEST(a_key_wakes_who_is_asleep)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    enum { N = 9 };
    int late = 0;
    for (int i = 0; i < N; i++) {
        pthread_t thread;
        char byte;
        later l = {.milliseconds = 30};
        ck_assert_int_eq(pthread_create(&thread, NULL, press_later, &l), 0);
        ck_assert_uint_eq(wait_keys(-1), 1);
        double woken = seconds(CLOCK_MONOTONIC);
        pthread_join(thread, NULL);
        late += woken - l.pressed_at > 0.020 * thoroughness(1, 50);
        ck_assert_int_eq(read(keys[0], &byte, 1), 1);
    }
    ck_assert_int_lt(late, N / 2);
}
END_TEST

START_TEST(a_second_of_rest_costs_next_to_nothing)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    size_t frames = n_frames();
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), begin = seconds(CLOCK_MONOTONIC);
    ck_assert_uint_eq(wait_keys(1000), 0);
    ck_assert_double_ge(seconds(CLOCK_MONOTONIC) - begin, 0.99);
    ck_assert_double_lt(seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, 0.050 * thoroughness(1, 20));
    ck_assert_uint_eq(n_frames(), frames);
}
END_TEST

START_TEST(a_key_that_is_not_read_does_not_spin_the_watcher)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    press("k");
    ck_assert_uint_eq(wait_keys(-1), 1);
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    usleep(200000);
    ck_assert_double_lt(seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, 0.050 * thoroughness(1, 20));
    ck_assert_uint_eq(wait_keys(-1), 1);
}
END_TEST

START_TEST(an_end_of_input_ends_the_wait)
{
    NEEDS_MODULE;
    open_window();
    close(keys[1]);
    ck_assert_uint_eq(wait_keys(-1), 1);
    ck_assert_int_eq(pipe2(keys, O_NONBLOCK), 0);
    for (int i = 0; i < 50 && wait_keys(0); i++) /* the next descriptor may have the same number */
        ;
    ck_assert_uint_eq(wait_keys(20), 0);
}
END_TEST

START_TEST(other_descriptors_than_before_are_watched)
{
    NEEDS_MODULE;
    int others[2];
    open_window();
    come_to_rest();
    ck_assert_int_eq(pipe(others), 0);
    ck_assert_int_eq(write(others[1], "x", 1), 1);
    const int both[] = {keys[0], others[0]};
    ck_assert_uint_eq(module->wait(viewer, both, 2, -1), 2);
    press("k");
    ck_assert_uint_eq(module->wait(viewer, both, 2, -1), 3);
    close(others[0]);
    close(others[1]);
}
END_TEST

START_TEST(without_a_window_it_is_a_poll)
{
    NEEDS_MODULE;
    ck_assert_uint_eq(wait_keys(10), 0);
    press("k");
    ck_assert_uint_eq(wait_keys(-1), 1);
}
END_TEST

START_TEST(messages_for_the_prompt_end_the_wait)
{
    NEEDS_MODULE;
    open_window();
    es_session_post(session, ES_MESSAGE_INSERT, "cat", 3);
    ck_assert_uint_eq(wait_keys(-1), 0);
    ck_assert(es_session_has_messages(session));
}
END_TEST

/* ---- events ---- */

#if ES_HAVE_PICTURES

/* The library is the module's: the tests are not linked with it. */
static void push(SDL_Event e)
{
    int (*push_event)(SDL_Event * e);
    void *sdl = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_NOLOAD);
    demand(sdl != NULL, "the module is there, but not SDL");
    *(void **)&push_event = dlsym(sdl, "SDL_PushEvent");
    demand(push_event(&e) == 1, "SDL takes no event");
    dlclose(sdl);
}

static void push_key(SDL_Keycode sym, SDL_Scancode scancode, int mod)
{
    SDL_Event e = {.key = {.type = SDL_KEYDOWN}};
    e.key.keysym = (SDL_Keysym){.sym = sym, .scancode = scancode, .mod = (Uint16)mod};
    push(e);
}

static void push_text(const char *text)
{
    SDL_Event e = {.text = {.type = SDL_TEXTINPUT}};
    strcpy(e.text.text, text);
    push(e);
}

static void push_editing(const char *text)
{
    SDL_Event e = {.edit = {.type = SDL_TEXTEDITING}};
    strcpy(e.edit.text, text);
    push(e);
}

/* The next message is this one; the wait for it is ended by it. */
static void says(es_message want, const char *bytes)
{
    es_message kind;
    es_str said = {0};
    while (!es_session_has_messages(session))
        demand(wait_keys(2000) == 0 && es_session_has_messages(session), "no message: %s", bytes);
    ck_assert(es_session_take(session, &kind, &said));
    ck_assert_str_eq(es_str_text(&said), bytes);
    ck_assert_int_eq(kind, want);
    es_str_free(&said);
}

static void says_no_more(void)
{
    wait_keys(30);
    ck_assert(!es_session_has_messages(session));
}

START_TEST(letters_go_to_the_prompt)
{
    NEEDS_MODULE;
    open_window();
    push_key(SDLK_u, SDL_SCANCODE_U, 0);
    push_text("u");
    push_text("\u6f22");
    push_key(SDLK_LEFT, SDL_SCANCODE_LEFT, 0);
    push_key(SDLK_KP_4, SDL_SCANCODE_KP_4, 0);
    push_key(SDLK_KP_ENTER, SDL_SCANCODE_KP_ENTER, 0);
    says(ES_MESSAGE_TYPE, "u");
    says(ES_MESSAGE_TYPE, "\u6f22");
    says(ES_MESSAGE_TYPE, "\x1b[D");
    says(ES_MESSAGE_TYPE, "\x1b[D");
    says(ES_MESSAGE_TYPE, "\r");
    says_no_more();
}
END_TEST

START_TEST(ctrl_with_a_letter_is_a_key_in_any_alphabet)
{
    NEEDS_MODULE;
    open_window();
    push_key(SDLK_c, SDL_SCANCODE_C, KMOD_LCTRL);
    push_key(0x441, SDL_SCANCODE_C, KMOD_LCTRL); /* Cyrillic es, on the same key */
    push_text("\u0441");                         /* some systems send it as well */
    says(ES_MESSAGE_TYPE, "\003");
    says(ES_MESSAGE_TYPE, "\003");
    says_no_more();
}
END_TEST

START_TEST(a_key_of_the_view_is_no_text)
{
    NEEDS_MODULE;
    open_window();
    push_key(SDLK_F4, SDL_SCANCODE_F4, 0);
    says(ES_MESSAGE_QUIET, ":show strips");
    push_key(SDLK_l, SDL_SCANCODE_L, KMOD_LALT);
    push_text("l");
    wait_keys(50);
    es_message kind;
    es_str said = {0};
    while (es_session_take(session, &kind, &said))
        ck_assert_str_ne(es_str_text(&said), "l");
    es_str_free(&said);
}
END_TEST

START_TEST(what_is_being_composed_is_drawn_and_not_typed)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    size_t frames = n_frames();
    push_editing("ni");
    push_key(SDLK_LEFT, SDL_SCANCODE_LEFT, 0); /* the input method's */
    says_no_more();
    ck_assert_uint_gt(n_frames(), frames);
    ck_assert_uint_eq(viewer->line.len, 0);
    push_editing("");
    push_text("\u4f60");
    says(ES_MESSAGE_TYPE, "\u4f60");
    says_no_more();
}
END_TEST

START_TEST(an_event_wakes_who_is_asleep)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    push_text("x");
    ck_assert_uint_eq(wait_keys(-1), 0);
    ck_assert_double_lt(seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, 0.1 * thoroughness(1, 50));
    says(ES_MESSAGE_TYPE, "x");
}
END_TEST

START_TEST(the_close_button_closes_the_window_alone)
{
    NEEDS_MODULE;
    open_window();
    SDL_Event e = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_CLOSE}};
    push(e);
    ck_assert_uint_eq(wait_keys(-1), 0);
    ck_assert_ptr_null(viewer->window);
    open_window();
    push((SDL_Event){.type = SDL_QUIT});
    ck_assert_uint_eq(wait_keys(-1), 0);
    ck_assert_ptr_null(viewer->window);
}
END_TEST

START_TEST(other_events_are_not_minded)
{
    NEEDS_MODULE;
    open_window();
    for (Uint32 type = 0x200; type < 0x2100; type++)
        if (type != SDL_WINDOWEVENT && type != SDL_TEXTEDITING_EXT && type != SDL_SYSWMEVENT)
            push((SDL_Event){.type = type});
    wait_keys(20);
    while (es_session_has_messages(session)) {
        es_message kind;
        es_str said = {0};
        es_session_take(session, &kind, &said);
        es_str_free(&said);
    }
    ck_assert_ptr_nonnull(viewer->window);
}
END_TEST

#endif

/* ---- frames ---- */

START_TEST(the_line_being_typed_is_drawn_before_enter)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    size_t frames = n_frames();
    es_session_preview(session, "un", 2);
    wait_keys(60);
    ck_assert_uint_gt(n_frames(), frames);
    ck_assert_int_gt(viewer->scene.T, 0);
}
END_TEST

START_TEST(frames_are_a_sixtieth_of_a_second_apart)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    size_t frames = n_frames();
    double begin = seconds(CLOCK_MONOTONIC);
    while (seconds(CLOCK_MONOTONIC) - begin < 0.3) {
        module->changed(viewer->window);
        wait_keys(1);
    }
    ck_assert_double_le((double)(n_frames() - frames), at_most(60, begin));
    ck_assert_uint_ge(n_frames() - frames, thoroughness(3, 1));
}
END_TEST

START_TEST(many_keys_do_not_keep_the_picture_waiting)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    size_t frames = n_frames();
    double begin = seconds(CLOCK_MONOTONIC);
    press("k"); /* and nobody reads it */
    while (seconds(CLOCK_MONOTONIC) - begin < 0.3) {
        module->changed(viewer->window);
        demand(wait_keys(-1) == 1, "the key has gone");
    }
    ck_assert_uint_ge(n_frames() - frames, thoroughness(3, 1));
    ck_assert_double_le((double)(n_frames() - frames), at_most(20, begin));
}
END_TEST

START_TEST(long_work_shows_frames_too)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    size_t frames = n_frames();
    double begin = seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < 20; i++) {
        module->changed(viewer->window);
        module->breathe(viewer);
        usleep(5000);
    }
    ck_assert_uint_ge(n_frames() - frames, thoroughness(3, 1));
    ck_assert_double_le((double)(n_frames() - frames), at_most(60, begin));
}
END_TEST

START_TEST(it_closes_and_opens_again_on_the_same_view)
{
    NEEDS_MODULE;
    open_window();
    come_to_rest();
    viewer->view = ES_VIEW_STRIPS;
    module->close(viewer->window);
    ck_assert_ptr_null(viewer->window);
    ck_assert_uint_eq(wait_keys(10), 0);
    open_window();
    ck_assert_int_eq(viewer->view, ES_VIEW_STRIPS);
    come_to_rest();
    ck_assert_uint_ge(n_frames(), 1);
}
END_TEST

Suite *window_suite(void)
{
    Suite *s = suite_create("window");
    TCase *t = tcase_create("window");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, without_a_display_both_ways_out_are_named);
    tcase_add_test(t, a_display_that_does_not_answer_is_named);
    tcase_add_test(t, an_empty_wish_for_a_driver_is_none);
    tcase_add_test(t, a_display_that_is_asked_for_is_taken);
    tcase_add_test(t, a_key_ends_the_wait_within_20_ms);
    tcase_add_test(t, a_key_wakes_who_is_asleep);
    tcase_add_test(t, a_second_of_rest_costs_next_to_nothing);
    tcase_add_test(t, a_key_that_is_not_read_does_not_spin_the_watcher);
    tcase_add_test(t, an_end_of_input_ends_the_wait);
    tcase_add_test(t, other_descriptors_than_before_are_watched);
    tcase_add_test(t, without_a_window_it_is_a_poll);
    tcase_add_test(t, messages_for_the_prompt_end_the_wait);
#if ES_HAVE_PICTURES
    tcase_add_test(t, letters_go_to_the_prompt);
    tcase_add_test(t, ctrl_with_a_letter_is_a_key_in_any_alphabet);
    tcase_add_test(t, a_key_of_the_view_is_no_text);
    tcase_add_test(t, what_is_being_composed_is_drawn_and_not_typed);
    tcase_add_test(t, an_event_wakes_who_is_asleep);
    tcase_add_test(t, the_close_button_closes_the_window_alone);
    tcase_add_test(t, other_events_are_not_minded);
#endif
    tcase_add_test(t, the_line_being_typed_is_drawn_before_enter);
    tcase_add_test(t, frames_are_a_sixtieth_of_a_second_apart);
    tcase_add_test(t, many_keys_do_not_keep_the_picture_waiting);
    tcase_add_test(t, long_work_shows_frames_too);
    tcase_add_test(t, it_closes_and_opens_again_on_the_same_view);
    suite_add_tcase(s, t);
    return s;
}
