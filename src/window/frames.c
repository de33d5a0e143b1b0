// SPDX-License-Identifier: GPL-3.0-or-later
/* Frames of the window: when one is due, how it comes onto the screen, and how long that took. */
#include <time.h>

#include "base/clock.h"
#include "window/inside.h"
#include "window/video.h"
#include "window/window.h"

void es_window_stale(es_window *w)
{
    if (w->stale)
        return;
    w->stale = true;
    w->asked_at = w->event_at > 0 ? w->event_at : es_now();
}

/* As many pixels as the window has. */
static bool fit_raster(es_window *w)
{
    int ww, wh, pw, ph;
    SDL_GetWindowSize(w->sdl, &ww, &wh);
    SDL_GetWindowSizeInPixels(w->sdl, &pw, &ph);
    pw = pw > 0 ? pw : 1;
    ph = ph > 0 ? ph : 1;
    float scale = es_video_scale() * (ww > 0 ? (float)pw / (float)ww : 1);
    es_raster *r = &w->raster;
    if (pw == r->w && ph == r->h && scale == r->scale)
        return true;
    return es_raster_resize(r, pw, ph, scale, NULL);
}

static void copy_pixels(SDL_Surface *to, const es_raster *from)
{
    int w = to->w < from->w ? to->w : from->w, h = to->h < from->h ? to->h : from->h;
    if (SDL_MUSTLOCK(to) && SDL_LockSurface(to))
        return;
    SDL_ConvertPixels(w, h, SDL_PIXELFORMAT_ARGB8888, from->pixels, 4 * from->w, to->format->format,
                      to->pixels, to->pitch);
    if (SDL_MUSTLOCK(to))
        SDL_UnlockSurface(to);
}

void es_window_present(es_window *w)
{
    SDL_Surface *s = SDL_GetWindowSurface(w->sdl);
    if (!s)
        return;
    copy_pixels(s, &w->raster);
    SDL_UpdateWindowSurface(w->sdl);
}

/* The line with what an input method is composing in it; returns how it was. */
static es_str compose_line(es_window *w, size_t *cursor)
{
    es_viewer *v = w->v;
    es_str before = v->line, with = {0};
    *cursor = v->cursor;
    size_t at = v->cursor < before.len ? v->cursor : before.len;
    es_str_bytes(&with, es_str_text(&before), at);
    es_str_bytes(&with, w->composing.s, w->composing.len);
    v->cursor = with.len;
    es_str_bytes(&with, es_str_text(&before) + at, before.len - at);
    v->line = with;
    return before;
}

static void draw_frame(es_window *w)
{
    es_viewer *v = w->v;
    es_canvas *c = &w->raster.canvas;
    if (!w->composing.len) {
        es_frame_draw(v, c, ES_FRAME_WINDOW);
        return;
    }
    size_t cursor;
    es_str line = compose_line(w, &cursor);
    es_frame_draw(v, c, ES_FRAME_WINDOW);
    es_str_free(&v->line);
    v->line = line;
    v->cursor = cursor;
}

/* Where candidates of an input method are to be shown: at the prompt. */
static void place_input(es_window *w)
{
    const es_raster *r = &w->raster;
    es_box at = es_frame_of(r->canvas.w, r->canvas.h, es_viewer_em(w->v), ES_FRAME_WINDOW).prompt;
    float to_window = es_video_scale();
    SDL_Rect rect = {(int)(at.x * to_window), (int)(at.y * to_window), (int)(at.w * to_window),
                     (int)(at.h * to_window)};
    SDL_SetTextInputRect(&rect);
}

static void note_time(es_window *w)
{
    double from = w->asked_at > 0 ? w->asked_at : w->v->clock;
    w->shown_at = es_now();
    w->ms[w->n_ms++ % ES_N_FRAME_TIMES] = (float)(1000 * (w->shown_at - from));
    w->asked_at = 0;
}

void es_window_show(es_window *w)
{
    es_viewer *v = w->v;
    w->stale = w->at_once = false;
    if (!fit_raster(w))
        return;
    v->clock = w->begun_at = es_now();
    draw_frame(w);
    es_window_present(w);
    place_input(w);
    note_time(w);
    w->moving = es_viewer_moving(v);
}

void es_window_changed(es_window *w)
{
    es_window_stale(w);
}

size_t es_window_times(const es_window *w, float *ms, size_t n)
{
    size_t kept = w->n_ms < ES_N_FRAME_TIMES ? w->n_ms : ES_N_FRAME_TIMES;
    n = n < kept ? n : kept;
    for (size_t i = 0; i < n; i++)
        ms[i] = w->ms[(w->n_ms - 1 - i) % ES_N_FRAME_TIMES];
    return n;
}
