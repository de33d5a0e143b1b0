// SPDX-License-Identifier: GPL-3.0-or-later
/* How long frames take to draw, without a window: points alone, labels alone, the whole frame of the map with every
 * token of GPT-2's vocabulary, while one drags it in the plane and turns it in space.  The letters are those of
 * tests/box_font.h, kept once made, as those of the system are.
 *
 * usage: bench_view [WIDTH HEIGHT [MODEL]]    1280 800 untrained */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/rng.h"
#include "box_font.h"
#include "view/frame.h"
#include "view/labels.h"
#include "view/raster.h"

enum { FRAMES = 300, WARM = 5, POINTS = 50257, LABELS = 500, EM = 13 };

typedef struct bench {
    es_raster raster;
    const es_palette *palette;
    es_disc *disc;
    es_wish *wish;
    es_labels *labels;
    es_placed placed[LABELS];
    size_t n_placed;
    es_session *session;
    es_viewer *viewer;
} bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* others may be at work too */
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void stop(const char *why)
{
    fprintf(stderr, "bench_view: %s\n", why);
    exit(EXIT_FAILURE);
}

/* ---- what a frame is ---- */

static void points(bench *b, int frame)
{
    es_raster_clear(&b->raster, b->palette->ground);
    for (int i = 0; i < POINTS; i++)
        b->disc[i].x += frame % 2 ? -0.7f : 0.7f; /* a picture that stands still is drawn once */
    es_canvas_discs(&b->raster.canvas, b->disc, POINTS);
}

static void labels(bench *b, int frame)
{
    es_canvas *c = &b->raster.canvas;
    const es_ink ink = {.size = EM, .colour = b->palette->ink};
    for (int i = 0; i < POINTS; i++)
        b->wish[i].at.x += frame % 2 ? -0.7f : 0.7f;
    b->n_placed = es_labels_place(b->labels, c->inside, b->wish, POINTS, 0, LABELS, b->placed);
    for (size_t i = 0; i < b->n_placed; i++) {
        const es_placed *p = &b->placed[i];
        char text[16];
        int n = snprintf(text, sizeof text, "%" PRId32, b->wish[p->wish].id);
        es_canvas_text(c, p->box.x, p->box.y + p->box.h / 2, text, (size_t)n, &ink);
    }
}

static void plane(bench *b, int frame)
{
    b->viewer->camera[ES_VIEW_MAP].solid = false;
    b->viewer->camera[ES_VIEW_MAP].x += frame % 2 ? -1e-3 : 1e-3;
    es_frame_draw(b->viewer, &b->raster.canvas, ES_FRAME_WINDOW);
}

static void space(bench *b, int frame)
{
    (void)frame;
    b->viewer->camera[ES_VIEW_MAP].solid = true;
    es_camera_orbit(&b->viewer->camera[ES_VIEW_MAP], 1, 0);
    es_frame_draw(b->viewer, &b->raster.canvas, ES_FRAME_WINDOW);
}

static void measure(bench *b, const char *what, void (*frame)(bench *, int))
{
    static double ms[FRAMES];
    for (int i = -WARM; i < FRAMES; i++) {
        double start = now();
        frame(b, i);
        if (i >= 0)
            ms[i] = now() - start;
    }
    qsort(ms, FRAMES, sizeof *ms, by_value);
    printf("%-36s median %6.2f ms   99 %% within %6.2f ms\n", what, ms[FRAMES / 2],
           ms[FRAMES * 99 / 100]);
    fflush(stdout);
}

/* ---- getting ready ---- */

/* What is said on the way does not matter here. */
static void on_note(void *user, const char *text, bool person)
{
    (void)user, (void)text, (void)person;
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user, (void)what, (void)done, (void)total;
}

static const es_sink sink = {.note = on_note, .progress = on_progress};

static void scatter(bench *b)
{
    const es_canvas *c = &b->raster.canvas;
    float at[2];
    b->disc = es_alloc_array(POINTS, sizeof *b->disc);
    b->wish = es_alloc_array(POINTS, sizeof *b->wish);
    b->labels = es_labels_new();
    for (int32_t i = 0; i < POINTS; i++) {
        es_normal_row(at, 2, 1, 0, (uint64_t)i, 0.15);
        es_spot spot = {c->w * (0.5f + at[0]), c->h * (0.5f + at[1])};
        es_argb colour = es_fade(b->palette->hue[i % ES_N_HUES], 0.8f);
        b->disc[i] = (es_disc){spot.x, spot.y, 2.2f, colour, i};
        b->wish[i] = (es_wish){.id = i, .w = 5 * 0.6f * EM, .h = 1.3f * EM, .at = spot, .clear = 3};
    }
}

static void open_map(bench *b, const char *model)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {.model = model, .seed = 1, .settings.pad = -1};
    const char *line = "The cat sat on the mat";
    size_t len = strlen(line);
    b->session = es_session_new(&o, &err);
    es_text *t = b->session ? es_session_read(b->session, &line, &len, 1, &sink, &err) : NULL;
    if (!t)
        stop(err.message);
    es_session_keep(b->session, t);
    b->viewer = es_viewer_new(b->session);
    if (!es_viewer_make(b->viewer, &sink, &err))
        stop(err.message);
}

int main(int argc, char **argv)
{
    es_error err = ES_ERROR_NONE;
    bench b = {.palette = es_palette_at(0)};
    int w = argc > 2 ? atoi(argv[1]) : 1280, h = argc > 2 ? atoi(argv[2]) : 800;
    es_font *font = box_font();
    if (!es_raster_open(&b.raster, w, h, 1, false, font, &err))
        stop(err.message);
    scatter(&b);
    open_map(&b, argc > 3 ? argv[3] : "untrained");
    printf("%d x %d pixels, %d points, milliseconds of one core\n", w, h, POINTS);
    measure(&b, "clear and points", points);
    measure(&b, "labels", labels);
    printf("  (%zu labels)\n", b.n_placed);
    measure(&b, "the whole window, map in the plane", plane);
    measure(&b, "the whole window, map in space", space);
    es_viewer_free(b.viewer);
    es_session_free(b.session);
    es_labels_free(b.labels);
    es_raster_close(&b.raster);
    es_font_free(font);
    free(b.disc);
    free(b.wish);
}
