// SPDX-License-Identifier: GPL-3.0-or-later
/* What gesture.c (the mouse) and gesture_keys.c (the keys) share. */
#ifndef ES_VIEW_GESTURE_KEYS_H
#define ES_VIEW_GESTURE_KEYS_H

#include "view/gesture.h"

/* Post a line that the session runs without showing it. */
/* Types a token at the prompt, in quotes where the line is a statement or a command that takes tokens.  Nothing where
 * its bytes cannot be seen. */
void es_gesture_type(es_viewer *v, int32_t id);

void es_gesture_say(es_viewer *v, const es_str *line);

/* What a camera can move at a spot of the frame, and its extent; false: nothing is there. */
bool es_gesture_ground(es_viewer *v, const es_canvas *c, es_spot at, es_box *ground,
                       es_extent *extent);

/* The camera of the view that is shown, to be moved by hand: from where it is, on its way or not. */
es_camera *es_gesture_camera(es_viewer *v);

/* Round it, and post the line that brings it there. */
void es_gesture_camera_line(es_viewer *v);

/* A drag ends where it is; a shape selects nothing. */
void es_gesture_give_up(es_gesture *g, es_viewer *v);

/* A wheel that turns and a click that waits are over now. */
void es_gesture_rest(es_gesture *g, es_viewer *v);

/* Post the line for a view, or for the token of a card: by its place in the sentence where it has one. */
void es_gesture_show(es_viewer *v, int view);
void es_gesture_focus(es_viewer *v, int32_t id, int64_t place);

#endif
