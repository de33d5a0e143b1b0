// SPDX-License-Identifier: GPL-3.0-or-later
/* How fast the window is, seen from outside: the program in a pseudo-terminal, its window on Xvfb, whose pixels are
 * looked at again and again; and from inside, on SDL's dummy driver, where showing a frame costs nothing.
 *
 * usage: bench_window [MODEL]    that of the start; ES_TEST_PROGRAM names the program */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "module.h"
#include "support.h"
#include "terminal.h"
#include "view/frame.h"
#include "xvfb.h"

enum { W = 1280, H = 800, EM = 13, KEYS = 100, TURNS = 300, IDLE = 20, DRAG = 3 };

static const char *model;
static xvfb_box window;

/* ---- numbers ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void say(const char *what, double *ms, int n, int percent)
{
    qsort(ms, (size_t)n, sizeof *ms, by_value);
    printf("%-44s median %7.2f ms   %d %% within %7.2f ms   (%d)\n", what, ms[n / 2], percent,
           ms[n * percent / 100], n);
    fflush(stdout);
}

/* Seconds of processor time that all threads of a process have had. */
static double cpu_of(pid_t pid)
{
    char path[64];
    double sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    demand(tasks != NULL, "no %s", path);
    for (const struct dirent *d = readdir(tasks); d; d = readdir(tasks)) {
        char file[400];
        long long ns = 0;
        snprintf(file, sizeof file, "%s/%s/schedstat", path, d->d_name);
        FILE *f = d->d_name[0] == '.' ? NULL : fopen(file, "r");
        if (f && fscanf(f, "%lld", &ns) == 1)
            sum += 1e-9 * (double)ns;
        if (f)
            fclose(f);
    }
    closedir(tasks);
    return sum;
}

/* ---- what is on the screen ---- */

static xvfb_box part_of(es_box b)
{
    return (xvfb_box){window.x + (int)b.x, window.y + (int)b.y, (int)b.w, (int)b.h};
}

static es_frame layout(void)
{
    return es_frame_of((float)window.w, (float)window.h, EM, ES_FRAME_WINDOW);
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

/* Seconds until that part is another than `before`. */
static double until_change(xvfb_box of, uint64_t before, double since)
{
    while (sum_of(of) == before)
        demand(now() - since < PATIENCE / 1000.0, "the picture stays as it is");
    return now() - since;
}

static void come_to_rest(void)
{
    uint64_t was = 0, is = sum_of(window);
    for (int same = 0; same < 5; same = is == was ? same + 1 : 0) {
        read_more(100);
        was = is;
        is = sum_of(window);
    }
}

/* Part of a box in the middle of the picture that is not its ground: words are few, points are many. */
static double filled(void)
{
    es_box p = layout().picture;
    xvfb_box box = part_of((es_box){p.x + p.w / 2 - 100, p.y + p.h / 2 - 100, 200, 200});
    uint32_t *pixels = xvfb_pixels(box);
    int n = box.w * box.h, other = 0;
    for (int i = 0; i < n; i++)
        other += pixels[i] != pixels[0];
    free(pixels);
    return (double)other / n;
}

/* ---- from outside ---- */

static void open_window(const char *name)
{
    START(100, "--norc", "-q", "--color=never", "--model", name);
    expect("> ");
    double begin = now();
    type(":window on\r");
    while (!xvfb_has_window())
        demand(now() - begin < PATIENCE / 1000.0, "no window");
    double there = now() - begin;
    window = xvfb_expect_window();
    while (filled() < 0.3) {
        demand(now() - begin < PATIENCE / 1000.0, "no map");
        usleep(10000); /* looking takes time from who is looked at */
    }
    printf("%-44s window %7.0f ms   map %15.0f ms\n", name, 1e3 * there, 1e3 * (now() - begin));
    fflush(stdout);
    come_to_rest();
}

static void close_window(void)
{
    type(":quit\r");
    wait_end();
    xvfb_expect_none();
}

static void type_letters(void)
{
    static double ms[KEYS];
    static const char text[] = "The cat sat on the mat. ";
    uint64_t state = 1;
    xvfb_box prompt = part_of(layout().prompt);
    prompt.w = 400;
    for (int i = 0; i < KEYS; i++) {
        size_t at = (size_t)i % (sizeof text - 1);
        char key[] = {text[at], '\0'};
        if (at == 0) { /* a new line */
            type("\025");
            come_to_rest();
        }
        usleep(40000 + random_below(&state, 40000)); /* as one types */
        read_more(0);
        uint64_t before = sum_of(prompt);
        double begin = now();
        type(key);
        ms[i] = 1e3 * until_change(prompt, before, begin);
    }
    say("key to frame", ms, KEYS, 95);
    type("\025");
    come_to_rest();
}

static void type_un(void)
{
    uint32_t *before = xvfb_pixels(window);
    int n[3] = {0};
    const es_frame l = layout();
    const es_box of[3] = {l.picture, l.chips, l.prompt};
    type("un");
    come_to_rest();
    uint32_t *after = xvfb_pixels(window);
    for (int i = 0; i < window.w * window.h; i++)
        for (int k = 0; k < 3; k++)
            n[k] += before[i] != after[i] &&
                    es_box_has(of[k], (float)(i % window.w), (float)i / (float)window.w);
    printf("pixels that \"un\" without Enter changes       picture %d, chips %d, prompt %d\n", n[0],
           n[1], n[2]);
    free(before);
    free(after);
    type("\025");
    come_to_rest();
}

/* The pointer goes round, a thousand times a second or as fast as it is looked at. */
static void drag(const char *what, const char *line)
{
    enum { MOST = 100 * DRAG };
    static double ms[MOST];
    int n = 0;
    es_box p = layout().picture;
    int x = window.x + (int)(p.x + p.w / 2), y = window.y + (int)(p.y + p.h / 2);
    const xvfb_box middle = {x - 20, y - 20, 40, 40};
    type(line);
    come_to_rest();
    xvfb_point(x, y);
    xvfb_button(1, true);
    double begin = now(), last = begin, cpu = cpu_of(child);
    uint64_t is = sum_of(middle);
    for (int i = 0; now() - begin < DRAG && n < MOST; i++) {
        xvfb_point(x + (int)(150 * sin(i * 0.02)), y + (int)(40 * sin(i * 0.03)));
        usleep(500);
        uint64_t next = sum_of(middle);
        double t = now();
        if (next == is)
            continue;
        ms[n++] = 1e3 * (t - last);
        last = t;
        is = next;
    }
    cpu = cpu_of(child) - cpu;
    xvfb_button(1, false);
    printf("%-44s %.1f frames a second, %.2f ms of processor time each\n", what, n / (last - begin),
           1e3 * cpu / n);
    say("  from frame to frame", ms, n, 99);
    come_to_rest();
}

static void rest(void)
{
    sleep(1);
    double cpu = cpu_of(child);
    sleep(IDLE);
    printf("at rest                                      %.1f ms of processor time in %d s\n",
           1e3 * (cpu_of(child) - cpu), IDLE);
}

START_TEST(from_outside)
{
    calm_environment();
    if (!picture_module() || !xvfb_start(W, H))
        return;
    printf("From outside, on Xvfb, %d x %d, every look at its pixels included:\n", W, H);
    open_window("untrained:C=768");
    close_window();
    open_window(model);
    type_letters();
    type_un();
    type("The cat sat on the mat\r");
    drag("dragging the map in the plane", ":show map 2d\r");
    drag("turning the map in space", ":show map 3d\r");
    rest();
    close_window();
    terminal_close();
    xvfb_stop();
}
END_TEST

/* ---- from inside ---- */

static void on_note(void *user, const char *text, bool person)
{
    (void)user, (void)text, (void)person;
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user, (void)what, (void)done, (void)total;
}

static const es_sink sink = {.note = on_note, .progress = on_progress};

static es_viewer *view_of(es_session *s)
{
    es_error err = ES_ERROR_NONE;
    const char *line = "The cat sat on the mat";
    size_t len = strlen(line);
    es_text *t = es_session_read(s, &line, &len, 1, &sink, &err);
    ck_assert_works(t != NULL, err);
    es_session_keep(s, t);
    es_viewer *v = es_viewer_new(s);
    ck_assert_works(es_viewer_make(v, &sink, &err), err);
    ck_assert_works(es_module_load(v, &err) != NULL, err);
    ck_assert_works(v->module->open(v, &err) != NULL, err);
    return v;
}

static void frames(es_viewer *v, const char *what, bool solid)
{
    static double ms[TURNS];
    const int none = -1;
    v->camera[ES_VIEW_MAP].solid = solid;
    for (int i = -10; i < TURNS; i++) {
        float last;
        es_camera *c = &v->camera[ES_VIEW_MAP];
        if (solid)
            es_camera_orbit(c, 1, 0);
        else
            c->x += i % 2 ? -1e-3 : 1e-3;
        v->module->changed(v->window);
        v->module->wait(v, &none, 0, 40); /* then the next is due at once */
        demand(v->module->times(v->window, &last, 1) == 1, "no frame");
        if (i >= 0)
            ms[i] = (double)last;
    }
    say(what, ms, TURNS, 99);
}

START_TEST(from_inside)
{
    calm_environment();
    if (!picture_module())
        return;
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {.model = model, .seed = 1, .settings.pad = -1};
    es_session *s = es_session_new(&o, &err);
    ck_assert_works(s != NULL, err);
    es_viewer *v = view_of(s);
    printf("From inside, on the dummy driver, from what changes to the frame that shows it:\n");
    frames(v, "the map in the plane", false);
    frames(v, "the map in space", true);
    es_viewer_free(v);
    es_session_free(s);
}
END_TEST

int main(int argc, char **argv)
{
    double load[1] = {0};
    model = argc > 1 ? argv[1] : "mini";
    getloadavg(load, 1);
    printf("load of the machine: %.1f on %ld processors\n", load[0], sysconf(_SC_NPROCESSORS_ONLN));
    Suite *s = suite_create("bench_window");
    TCase *t = tcase_create("bench_window");
    tcase_set_timeout(t, 0);
    tcase_add_test(t, from_inside);
    tcase_add_test(t, from_outside);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    fflush(stdout);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
