// SPDX-License-Identifier: GPL-3.0-or-later
/* Events of the window become gestures, and keys for the prompt. */
#include <string.h>

#include "base/clock.h"
#include "window/inside.h"
#include "window/keys.h"
#include "window/video.h"

/* ---- the pointer ---- */

/* Of the window's own coordinates, in units of the canvas. */
static es_spot spot(const es_window *w, float x, float y)
{
    int ww, wh, pw, ph;
    SDL_GetWindowSize(w->sdl, &ww, &wh);
    SDL_GetWindowSizeInPixels(w->sdl, &pw, &ph);
    float dense = ww > 0 ? (float)pw / (float)ww : 1;
    return (es_spot){x * dense / w->raster.scale, y * dense / w->raster.scale};
}

static unsigned held(void)
{
    return es_keys_held(SDL_GetModState());
}

static void note(es_window *w, bool changed)
{
    if (changed)
        es_window_stale(w);
}

void es_window_settle(es_window *w)
{
    if (!w->moved)
        return;
    w->moved = false;
    note(w, es_gesture_move(&w->gesture, w->v, &w->raster.canvas, w->moved_to, w->moved_held));
}

static void on_motion(es_window *w, const SDL_MouseMotionEvent *e)
{
    w->moved = true;
    w->moved_to = spot(w, (float)e->x, (float)e->y);
    w->moved_held = held();
}

static void on_button(es_window *w, const SDL_MouseButtonEvent *e)
{
    static const es_button buttons[] = {[SDL_BUTTON_LEFT] = ES_BUTTON_LEFT,
                                        [SDL_BUTTON_MIDDLE] = ES_BUTTON_MIDDLE,
                                        [SDL_BUTTON_RIGHT] = ES_BUTTON_RIGHT};
    es_canvas *c = &w->raster.canvas;
    es_spot at = spot(w, (float)e->x, (float)e->y);
    es_window_settle(w);
    if (e->button >= sizeof buttons / sizeof *buttons || !buttons[e->button])
        return;
    if (e->type == SDL_MOUSEBUTTONDOWN)
        note(w, es_gesture_press(&w->gesture, w->v, c, at, buttons[e->button], held()));
    else
        note(w, es_gesture_release(&w->gesture, w->v, c, at, held()));
}

static void on_wheel(es_window *w, const SDL_MouseWheelEvent *e)
{
    float notches = e->preciseY;
    es_window_settle(w);
    if (e->direction == SDL_MOUSEWHEEL_FLIPPED)
        notches = -notches;
    if (notches != 0)
        note(w, es_gesture_wheel(&w->gesture, w->v, &w->raster.canvas,
                                 spot(w, (float)e->mouseX, (float)e->mouseY), notches, held()));
}

/* ---- the keys ---- */

static void paste(es_window *w)
{
    char *text = SDL_GetClipboardText();
    if (text)
        es_keys_paste(w->v->session, text, strlen(text));
    SDL_free(text);
}

static bool is_full(const es_window *w)
{
    return SDL_GetWindowFlags(w->sdl) & SDL_WINDOW_FULLSCREEN_DESKTOP;
}

static void toggle_full(es_window *w)
{
    SDL_SetWindowFullscreen(w->sdl, is_full(w) ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
}

/* Keys that are of windows, not of this one. */
static bool common_key(es_window *w, const SDL_Keysym *key, unsigned with)
{
    if (key->sym == SDLK_F11)
        toggle_full(w);
    else if ((!strcmp(es_keys_name(key), "V") && with == ES_HELD_CTRL) ||
             (key->sym == SDLK_INSERT && (with & ES_HELD_SHIFT)))
        paste(w);
    else
        return false;
    return true;
}

/* Keys of the composition, arrows among them, are the input method's. */
static void on_key(es_window *w, const SDL_Keysym *key)
{
    unsigned with = es_keys_held(key->mod);
    const char *name = es_keys_name(key);
    char bytes[8];
    w->key_at = es_now();
    w->consumed = false;
    if (w->composing.len)
        return;
    w->consumed = true;
    if (common_key(w, key, with))
        return;
    if (es_gesture_key(&w->gesture, w->v, &w->raster.canvas, name, with)) {
        es_window_stale(w);
        return;
    }
    size_t n = es_key_bytes(bytes, name, with);
    if (n)
        es_session_post(w->v->session, ES_MESSAGE_TYPE, bytes, n);
    w->consumed = n > 0;
}

static void on_text(es_window *w, const char *text)
{
    if (w->composing.len) {
        es_str_free(&w->composing);
        es_window_stale(w);
    } else if (w->consumed)
        return;
    es_session_post(w->v->session, ES_MESSAGE_TYPE, text, strlen(text));
}

static void on_composing(es_window *w, const char *text)
{
    es_str_free(&w->composing);
    es_str_cat(&w->composing, text);
    es_window_stale(w);
}

static bool is_ctrl_c(const SDL_Keysym *key)
{
    return !strcmp(es_keys_name(key), "C") && es_keys_held(key->mod) == ES_HELD_CTRL;
}

bool es_window_interrupted(void)
{
    enum { MOST = 64 };
    SDL_Event e[MOST];
    SDL_PumpEvents();
    int n = SDL_PeepEvents(e, MOST, SDL_PEEKEVENT, SDL_KEYDOWN, SDL_KEYDOWN);
    for (int i = 0; i < n; i++)
        if (is_ctrl_c(&e[i].key.keysym)) {
            SDL_FlushEvents(SDL_KEYDOWN, SDL_TEXTINPUT);
            return true;
        }
    return false;
}

/* ---- the window itself ---- */

static void redraw_at_once(es_window *w)
{
    es_window_stale(w);
    w->at_once = true;
}

static void on_window(es_window *w, const SDL_WindowEvent *e)
{
    switch (e->event) {
    case SDL_WINDOWEVENT_CLOSE: w->closing = true; break;
    case SDL_WINDOWEVENT_HIDDEN:
    case SDL_WINDOWEVENT_MINIMIZED: w->hidden = true; break;
    case SDL_WINDOWEVENT_LEAVE:
        w->moved = false;
        note(w, es_gesture_leave(&w->gesture, w->v));
        break;
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        w->hidden = false;
        redraw_at_once(w);
        break;
    default: break;
    }
}

void es_window_handle(es_window *w, const SDL_Event *e)
{
    w->event_at = w->event_at > 0 ? w->event_at : es_now();
    switch (e->type) {
    case SDL_QUIT: w->closing = true; break;
    case SDL_WINDOWEVENT: on_window(w, &e->window); break;
    case SDL_SYSWMEVENT: w->closing = w->closing || es_video_destroyed(w->sdl, e->syswm.msg); break;
    case SDL_MOUSEMOTION: on_motion(w, &e->motion); break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: on_button(w, &e->button); break;
    case SDL_MOUSEWHEEL: on_wheel(w, &e->wheel); break;
    case SDL_KEYDOWN: on_key(w, &e->key.keysym); break;
    case SDL_KEYUP: w->consumed = false; break;
    case SDL_TEXTINPUT: on_text(w, e->text.text); break;
    case SDL_TEXTEDITING: on_composing(w, e->edit.text); break;
    case SDL_TEXTEDITING_EXT:
        on_composing(w, e->editExt.text);
        SDL_free(e->editExt.text);
        break;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET: redraw_at_once(w); break;
    default: break;
    }
}
