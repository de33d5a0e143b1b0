// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define BEFORE 0xFF123456u /* of pixels nobody has drawn */

/* ---- a session and its viewer ---- */

static void on_result(void *user, es_result *r)
{
    (void)user;
    es_result_free(r);
}

static void on_error(void *user, const es_error *err, const char *line, size_t len,
                     es_result *partial)
{
    (void)line;
    (void)len;
    (void)partial;
    es_str_add(user, "%s\n", err->message);
}

static void on_note(void *user, const char *text, bool person)
{
    (void)user;
    (void)text;
    (void)person;
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user;
    (void)what;
    (void)done;
    (void)total;
}

void drawn_open(drawn *d, const char *model, int w, int h)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {.model = model, .settings.pad = -1, .seed = 1};
    *d = (drawn){.font = box_font()};
    d->session = es_session_new(&o, &err);
    ck_assert_works(d->session != NULL, err);
    d->viewer = es_viewer_new(d->session);
    ck_assert_works(es_raster_open(&d->raster, w, h, 1, true, d->font, &err), err);
    es_viewer_follow(d->viewer);
}

void drawn_close(drawn *d)
{
    es_raster_close(&d->raster);
    es_viewer_free(d->viewer);
    es_session_free(d->session);
    es_font_free(d->font);
    es_str_free(&d->errors);
}

void drawn_run(drawn *d, const char *line)
{
    const es_sink sink = {&d->errors, on_result, on_error, on_note, on_progress, NULL};
    es_session_run(d->session, line, strlen(line), &sink);
    es_viewer_follow(d->viewer);
}

void drawn_preview(drawn *d, const char *line)
{
    es_session_preview(d->session, line, strlen(line));
    es_str_free(&d->viewer->line);
    es_str_cat(&d->viewer->line, line);
    d->viewer->cursor = d->viewer->line.len;
    es_viewer_follow(d->viewer);
}

/* ---- pixels ---- */

/* Are n pixels as they were? */
static bool untouched(const uint32_t *pixel, int n)
{
    uint32_t other = 0;
    for (int i = 0; i < n; i++)
        other |= pixel[i] ^ BEFORE;
    return !other;
}

void drawn_within(drawn *d, es_box area, draw_fn draw)
{
    es_raster *r = &d->raster;
    int left = (int)floorf(area.x), right = (int)ceilf(area.x + area.w);
    es_raster_clear(r, BEFORE);
    draw(d->viewer, &r->canvas, area);
    for (int y = 0; y < r->h; y++) {
        const uint32_t *row = r->pixels + (size_t)y * r->w;
        bool beside = (float)y + 1 > area.y && (float)y < area.y + area.h;
        demand(beside ? untouched(row, left) && untouched(row + right, r->w - right)
                      : untouched(row, r->w),
               "line %d is drawn outside of %gx%g at %g, %g", y, (double)area.w, (double)area.h,
               (double)area.x, (double)area.y);
    }
    demand(r->canvas.inside.w == r->canvas.w && r->canvas.inside.h == r->canvas.h,
           "a clip was left behind");
}

void drawn_within_at_any_size(drawn *d)
{
    enum { N = 7 };
    static const float side[N] = {1, 3, 17, 60, 130, 401, 790};
    const es_view_kind *kind = es_view_kind_at((int)d->viewer->view);
    for (int i = 0; i < N * N; i++) {
        es_box box = {20, 10, side[i / N], side[i % N]};
        es_session_settings(d->session)->big = i % 2;
        d->viewer->camera[d->viewer->view].solid = kind->solid && i % 3 == 0;
        drawn_within(d, box, kind->draw);
    }
}

uint32_t drawn_pixel(const drawn *d, float x, float y)
{
    return d->raster.pixels[(int)y * d->raster.w + (int)x];
}

/* ---- words ---- */

typedef struct written {
    es_box box, inside; /* of its letters; the clip in force */
    char text[32];
} written;

typedef struct recorder {
    es_canvas canvas;
    es_str words;
    written *text;
    es_box *map; /* heat maps and scales */
    size_t n_texts, n_maps;
} recorder;

static void clip(es_canvas *c, es_box to)
{
    (void)c;
    (void)to;
}

static void fill(es_canvas *c, es_box box, es_argb colour)
{
    (void)c;
    (void)box;
    (void)colour;
}

static void line(es_canvas *c, const es_spot *at, size_t n, float width, float dash, es_argb colour)
{
    (void)c;
    (void)at;
    (void)n;
    (void)width;
    (void)dash;
    (void)colour;
}

static void discs(es_canvas *c, const es_disc *disc, size_t n)
{
    (void)c;
    (void)disc;
    (void)n;
}

static void cells(es_canvas *c, es_box box, const es_argb *colour, int64_t rows, int64_t columns)
{
    recorder *r = (recorder *)c;
    (void)colour;
    (void)rows;
    (void)columns;
    r->map = es_realloc(r->map, (r->n_maps + 1) * sizeof *r->map);
    r->map[r->n_maps++] = es_box_meet(box, c->inside);
}

static float width(es_canvas *c, const char *s, size_t n, const es_ink *ink)
{
    (void)c;
    return BOX_FONT_ADVANCE * ink->size * (float)es_columns(s, n);
}

static void text(es_canvas *c, float x, float y, const char *s, size_t n, const es_ink *ink)
{
    recorder *r = (recorder *)c;
    es_str_bytes(&r->words, s, n);
    es_str_char(&r->words, '\n');
    r->text = es_realloc(r->text, (r->n_texts + 1) * sizeof *r->text);
    written *w = &r->text[r->n_texts++];
    float h = BOX_FONT_RISE * ink->size;
    *w = (written){{x, y - h / 2, width(c, s, n, ink), h}, c->inside, ""};
    snprintf(w->text, sizeof w->text, "%.*s", (int)n, s);
}

static recorder record(drawn *d, float w, float h, draw_fn draw)
{
    static const es_canvas_ops ops = {clip, fill, line, discs, cells, text, width};
    recorder r = {.canvas = {.ops = &ops, .w = w, .h = h, .inside = {0, 0, w, h}}};
    draw(d->viewer, &r.canvas, (es_box){0, 0, w, h});
    return r;
}

static void end(recorder *r)
{
    free(r->text);
    free(r->map);
    es_str_free(&r->words);
}

es_str drawn_words(drawn *d, float w, float h, draw_fn draw)
{
    recorder r = record(d, w, h, draw);
    es_str words = r.words;
    es_str_cat(&words, "");
    r.words = (es_str){0};
    end(&r);
    return words;
}

static bool within(es_box a, es_box b)
{
    es_box both = es_box_meet(a, b);
    return both.w > a.w - 0.5f && both.h > a.h - 0.5f;
}

static bool overlap(es_box a, es_box b)
{
    es_box both = es_box_meet(a, b);
    return both.w > 0.5f && both.h > 0.5f;
}

void drawn_apart(drawn *d, const char *what, float w, float h, draw_fn draw)
{
    recorder r = record(d, w, h, draw);
    char where[200];
    snprintf(where, sizeof where, "%s at %gx%g%s", what, (double)w, (double)h,
             es_session_settings(d->session)->big ? ", big" : "");
    for (size_t i = 0; i < r.n_texts; i++) {
        const written *t = &r.text[i];
        demand(within(t->box, t->inside), "%s: \"%s\" is cut off", where, t->text);
        for (size_t k = 0; k < i; k++)
            demand(!overlap(t->box, r.text[k].box), "%s: \"%s\" and \"%s\" overlap", where,
                   r.text[k].text, t->text);
        for (size_t k = 0; k < r.n_maps; k++)
            demand(!overlap(t->box, r.map[k]) || within(t->box, r.map[k]),
                   "%s: \"%s\" lies half on colours", where, t->text);
    }
    end(&r);
}

void drawn_apart_at_any_size(drawn *d, const char *what)
{
    static const float size[][2] = {{120, 90},  {260, 180}, {420, 300},  {544, 460},
                                    {700, 300}, {980, 640}, {1900, 1000}};
    for (size_t i = 0; i < 2 * sizeof size / sizeof *size; i++) {
        es_session_settings(d->session)->big = i % 2;
        drawn_apart(d, what, size[i / 2][0], size[i / 2][1],
                    es_view_kind_at((int)d->viewer->view)->draw);
    }
}
