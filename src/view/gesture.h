// SPDX-License-Identifier: GPL-3.0-or-later
/* What the mouse and the keys of the window mean.  Whatever changes the picture ends as a line the session runs
 * (ES_MESSAGE_QUIET), so that a transcript of lines draws the same picture again. */
#ifndef ES_VIEW_GESTURE_H
#define ES_VIEW_GESTURE_H

#include "view/frame.h"

typedef enum es_button { ES_BUTTON_LEFT = 1, ES_BUTTON_MIDDLE, ES_BUTTON_RIGHT } es_button;

/* Keys held, as bits. */
enum { ES_HELD_SHIFT = 1, ES_HELD_CTRL = 2, ES_HELD_ALT = 4 };

/* What a drag selects with. */
typedef enum es_shape_drawn { ES_DRAWS_NOTHING, ES_DRAWS_RECTANGLE, ES_DRAWS_LASSO } es_shape_drawn;

/* A drag on its way, a wheel that still turns, a click that may become two.  Begins as zeros. */
typedef struct es_gesture {
    bool down, moved;
    es_shape_drawn shape; /* what it draws, if it selects */
    bool adds;            /* to what is selected already */
    es_button button;
    es_spot from, last; /* where it began, where it is */
    es_view_id view;    /* which it began in, */
    bool grounded;      /* where a camera can be moved: */
    es_box ground;
    es_extent extent;
    double turned_at; /* when the wheel turned last; 0: it rests */
    bool clicked;     /* on a token, which is typed at the prompt when no second click comes */
    int32_t token;
    double clicked_at;
    bool near; /* [ and ] go through neighbours: whose, which one was last, its number */
    int32_t near_whom, near_now;
    int nth;
} es_gesture;

/* Positions in units of the canvas c, which was drawn last.  Each returns whether the picture changed. */
bool es_gesture_press(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at, es_button b,
                      unsigned held);
bool es_gesture_move(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at, unsigned held);
bool es_gesture_release(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at, unsigned held);
bool es_gesture_wheel(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at, float notches,
                      unsigned held);
bool es_gesture_leave(es_gesture *g, es_viewer *v); /* the pointer has left the window */

/* Time goes by (v->clock): a wheel at rest becomes a line, a click that stayed alone its token.  Returns milliseconds until it wants to be called again, -1: never. */
int es_gesture_tick(es_gesture *g, es_viewer *v);

/* A key by name, as SDL names it ("F1", "Left", "Escape", "L"): true when it was one of the window's.  Others go to
 * the prompt. */
bool es_gesture_key(es_gesture *g, es_viewer *v, es_canvas *c, const char *key, unsigned held);

/* A key as a terminal would send it to the prompt: "\r", "\x1b[D"; 0 bytes: none.  For keys that are no text. */
size_t es_key_bytes(char out[8], const char *key, unsigned held);

#endif
