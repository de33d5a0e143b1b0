// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "window/inside.h"
#include "window/video.h"
#include "window/watcher.h"

enum { WIDTH = 1280, HEIGHT = 800, LEAST_WIDTH = 320, LEAST_HEIGHT = 240 };

/* Seconds. */
static const double FRAME =
    1.0 / 60 - 0.0005; /* from frame to frame at least, as waits are of whole milliseconds */
static const double LATE = 0.05; /* without a frame, however much is being typed */
static const double LISTEN =
    0.3; /* after a key, for an input method's answer, which wakes nobody … */
static const double ASK = 0.03; /* … and so is asked for */

/* What all windows of the program share, one after the other. */
static struct {
    es_watcher *watcher;
    int wake[2]; /* a byte there: the view's job has ended */
    int w, h;    /* of the last window, in its own coordinates; 0: there was none */
} shared;

/* Take over what the session has now, and have what is missing worked out. */
static void follow(es_window *w)
{
    es_viewer *v = w->v;
    es_viewer_settle(v);
    es_viewer_follow(v);
    es_viewer_begin(v, shared.wake[1]);
    es_window_show(w);
}

/* ---- open and close ---- */

static bool share(es_error *err)
{
    if (shared.watcher)
        return true;
    if (pipe2(shared.wake, O_NONBLOCK | O_CLOEXEC))
        return es_fail(err, ES_ERR_BACKEND, "the system gives no pipe to wake the window by");
    shared.watcher = es_watcher_new(es_video_wake, err);
    if (shared.watcher)
        return true;
    close(shared.wake[0]);
    close(shared.wake[1]);
    return false;
}

static void first_size(int *w, int *h)
{
    SDL_Rect room;
    *w = shared.w ? shared.w : (int)(WIDTH * es_video_scale());
    *h = shared.h ? shared.h : (int)(HEIGHT * es_video_scale());
    if (SDL_GetDisplayUsableBounds(0, &room) || room.w <= 0 || room.h <= 0)
        return;
    *w = *w < room.w ? *w : room.w;
    *h = *h < room.h ? *h : room.h;
}

static void create(void *user)
{
    es_window *w = user;
    int width, height;
    first_size(&width, &height);
    w->sdl = SDL_CreateWindow("embedscope", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width,
                              height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!w->sdl)
        return;
    SDL_SetWindowMinimumSize(w->sdl, LEAST_WIDTH, LEAST_HEIGHT);
    SDL_StartTextInput();
}

static void show_first(void *user)
{
    follow(user);
}

/* Nothing of SDL is asked here. */
static void forget(es_window *w)
{
    w->v->window = NULL;
    es_raster_close(&w->raster);
    es_str_free(&w->composing);
    free(w);
}

static bool make(es_window *w, es_error *err)
{
    es_font *font = w->v->module->font(err);
    if (!font || !es_raster_open(&w->raster, 1, 1, 1, false, font, err))
        return false;
    if (es_video_try(create, w) && w->sdl)
        return true;
    es_fail(err, ES_ERR_BACKEND, "SDL cannot open a window: %s", SDL_GetError());
    return es_video_ways_out(err);
}

es_window *es_window_open(es_viewer *v, es_error *err)
{
    if (v->window)
        return v->window;
    if (!es_video_start(err) || !share(err))
        return NULL;
    es_window *w = es_alloc(sizeof *w);
    w->v = v;
    if (!make(w, err)) {
        forget(w);
        return NULL;
    }
    v->window = w;
    if (!es_video_try(show_first, w)) {
        forget(w);
        es_video_start(err); /* says that the display has gone */
        return NULL;
    }
    return w;
}

static void destroy(void *user)
{
    es_window *w = user;
    const Uint32 not_its_own = SDL_WINDOW_FULLSCREEN_DESKTOP | SDL_WINDOW_MAXIMIZED;
    if (!(SDL_GetWindowFlags(w->sdl) & not_its_own))
        SDL_GetWindowSize(w->sdl, &shared.w, &shared.h);
    SDL_DestroyWindow(w->sdl);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
}

void es_window_close(es_window *w)
{
    if (!w)
        return;
    es_video_try(destroy, w);
    forget(w);
}

typedef struct whole {
    es_window *window;
    bool on, ok;
} whole;

static void set_full(void *user)
{
    whole *x = user;
    x->ok = !SDL_SetWindowFullscreen(x->window->sdl, x->on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

bool es_window_full(es_window *w, bool on, es_error *err)
{
    whole x = {w, on, false};
    if (es_video_try(set_full, &x) && x.ok)
        return true;
    return es_fail(err, ES_ERR_BACKEND, "the display does not give the whole screen: %s",
                   SDL_GetError());
}

/* ---- the wait ---- */

typedef struct wait {
    es_window *window;
    int fd[ES_MOST_WATCHED], n; /* the caller's, then our own */
    double until;
    unsigned ready; /* of the caller's */
} wait;

static void drain_wake(void)
{
    char bytes[64];
    while (read(shared.wake[0], bytes, sizeof bytes) > 0)
        ;
}

/* Every event there is; Xlib may have read some while a frame was shown. */
static void take_events(es_window *w)
{
    SDL_Event e;
    while (!w->closing && SDL_PollEvent(&e))
        es_window_handle(w, &e);
    es_window_settle(w);
}

/* What has changed without an event. */
static void look_around(wait *x)
{
    es_window *w = x->window;
    unsigned own = 1u << (x->n - 1), bits = es_watcher_ready(x->fd, x->n, 0);
    w->v->clock = es_now();
    if (bits)
        w->event_at = w->event_at > 0 ? w->event_at : w->v->clock;
    if (bits & own)
        drain_wake();
    x->ready = bits & (own - 1);
    if ((bits & own) || es_session_stamp(w->v->session) != w->v->stamp)
        es_window_stale(w);
    if (w->moving && !w->stale) {
        es_window_stale(w);
        w->asked_at = fmax(w->v->clock, w->begun_at + FRAME); /* not before its time */
    }
}

/* Seconds until a frame may be shown; infinite: there is no need. */
static double frame_in(const es_window *w, double now)
{
    if (!w->stale || w->hidden)
        return INFINITY;
    return w->at_once ? 0 : fmax(0, w->begun_at + FRAME - now);
}

/* Somebody else's turn?  Keys go first while they come, but not until the picture is late. */
static bool is_over(const wait *x)
{
    const es_window *w = x->window;
    bool late = w->stale && !w->hidden && w->v->clock - w->shown_at > LATE;
    return w->closing || (x->ready && !late) || es_session_has_messages(w->v->session);
}

static int milliseconds(double seconds)
{
    if (seconds > 1e6)
        return -1;
    return seconds > 0 ? (int)ceil(1000 * seconds) : 0;
}

static void sleep_until_event(wait *x)
{
    es_window *w = x->window;
    SDL_Event e;
    double now = es_now(), seconds = fmin(x->until - now, frame_in(w, now));
    int tick = es_gesture_tick(&w->gesture, w->v);
    if (tick >= 0)
        seconds = fmin(seconds, tick / 1000.0);
    if (w->composing.len || now - w->key_at < LISTEN)
        seconds = fmin(seconds, ASK);
    es_watcher_watch(shared.watcher, x->fd, x->n);
    w->event_at = 0;
    if (!es_session_has_messages(w->v->session) && es_video_wait(&e, milliseconds(seconds)))
        es_window_handle(w, &e);
}

static void wait_for_all(void *user)
{
    wait *x = user;
    es_window *w = x->window;
    for (;;) {
        take_events(w);
        look_around(x);
        if (is_over(x))
            return;
        if (frame_in(w, w->v->clock) <= 0) {
            follow(w);
            if (x->ready)
                return;
            continue;
        }
        if (w->v->clock >= x->until)
            return;
        sleep_until_event(x);
    }
}

unsigned es_window_wait(es_viewer *v, const int *fd, int n, int ms)
{
    es_window *w = v->window;
    if (!w)
        return es_watcher_ready(fd, n, ms);
    wait x = {.window = w, .until = ms < 0 ? INFINITY : es_now() + ms / 1000.0};
    x.n = n < ES_MOST_WATCHED - 1 ? n : ES_MOST_WATCHED - 1;
    memcpy(x.fd, fd, (size_t)x.n * sizeof *fd);
    x.fd[x.n++] = shared.wake[0];
    if (!es_video_try(wait_for_all, &x))
        forget(w);
    else if (w->closing)
        es_window_close(w);
    return x.ready;
}

/* ---- while the session is at work ---- */

/* Only what can be done without asking the session, which is in the middle of something: show again what was shown,
 * and draw it anew where it is still of this text and this model.  Other events wait. */
static void breathe(void *user)
{
    es_window *w = user;
    SDL_Event e;
    if (es_window_interrupted())
        raise(SIGINT);
    while (SDL_PeepEvents(&e, 1, SDL_GETEVENT, SDL_WINDOWEVENT, SDL_WINDOWEVENT) > 0)
        if (e.window.event != SDL_WINDOWEVENT_LEAVE)
            es_window_handle(w, &e);
    if (w->hidden)
        return;
    if (w->stale && es_session_stamp(w->v->session) == w->v->stamp)
        es_window_show(w);
    else if (w->at_once)
        es_window_present(w);
    w->at_once = false;
    w->shown_at = es_now();
}

void es_window_breathe(es_viewer *v)
{
    es_window *w = v->window;
    if (!w || es_now() - w->shown_at < FRAME)
        return;
    if (!es_video_try(breathe, w))
        forget(w);
}
