// SPDX-License-Identifier: GPL-3.0-or-later
/* The inside of a window, for the files that make it. */
#ifndef ES_WINDOW_INSIDE_H
#define ES_WINDOW_INSIDE_H

#include <SDL.h>

#include "view/gesture.h"
#include "view/module.h"
#include "view/raster.h"

enum { ES_N_FRAME_TIMES = 4096 };

struct es_window {
    es_viewer *v;
    SDL_Window *sdl;
    es_raster raster;
    es_gesture gesture;
    es_str composing; /* by an input method, not yet text */

    bool stale;    /* the picture is another than the one that is shown */
    bool at_once;  /* nor is that one whole: do not wait for the next frame's time */
    bool hidden;   /* nobody sees it */
    bool closing;  /* the reader wants it closed */
    bool consumed; /* the key that is down has been acted on: it is no text as well */
    bool moving;   /* the last frame was one of a motion */

    bool moved; /* the pointer, but nobody has been told yet */
    es_spot moved_to;
    unsigned moved_held;

    /* Seconds; 0: never. */
    double event_at; /* when what is being acted on came */
    double asked_at; /* when what has made the picture stale came */
    double begun_at; /* the last frame */
    double shown_at; /* the same, when it was done */
    double key_at;   /* the last key */

    float ms[ES_N_FRAME_TIMES]; /* a ring, from event to shown */
    size_t n_ms;                /* ever */
};

/* ---- frames.c ---- */

/* What is shown is not the state any more. */
void es_window_stale(es_window *w);

/* Draw the state as it is now, and show it. */
void es_window_show(es_window *w);

/* Show what was drawn last once more. */
void es_window_present(es_window *w);

/* ---- events.c ---- */

/* Act on an event.  Motion is kept for es_window_settle, which tells the view of the last. */
void es_window_handle(es_window *w, const SDL_Event *e);
void es_window_settle(es_window *w);

/* Was Ctrl-C pressed, among events nobody has seen yet?  Then what was typed is dropped, as a terminal does. */
bool es_window_interrupted(void);

#endif
