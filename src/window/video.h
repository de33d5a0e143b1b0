// SPDX-License-Identifier: GPL-3.0-or-later
/* SDL's video, started for the first window and kept: which display, waiting for it, and outliving it. */
#ifndef ES_WINDOW_VIDEO_H
#define ES_WINDOW_VIDEO_H

#include <SDL.h>

#include "base/error.h"

/* ES_ERR_UNSUPPORTED: there is no display, or it has died; the hint names both ways out. */
bool es_video_start(es_error *err);

/* Is there a display?  *driver (may be NULL): "x11". */
bool es_video_display(const char **driver);

/* Adds to an error what there is besides a window; returns false. */
bool es_video_ways_out(es_error *err);

/* Do work(user), in which SDL may be called.  false: the display died meanwhile, and nothing of SDL's video may be
 * called again.  Where it died work is left as by longjmp: what it holds then is lost. */
bool es_video_try(void (*work)(void *user), void *user);

/* Does this event say that the window is gone, at another program's wish? */
bool es_video_destroyed(SDL_Window *w, const SDL_SysWMmsg *m);

/* How many pixels of the display are meant by one: 1, or more where the desktop says so and SDL does not. */
float es_video_scale(void);

/* The next event, waited for up to so many milliseconds (-1: no end); false: none came. */
bool es_video_wait(SDL_Event *e, int milliseconds);

/* Ends such a wait.  From any thread. */
void es_video_wake(void);

#endif
