// SPDX-License-Identifier: GPL-3.0-or-later
/* SDL's keys as the view and the prompt know them. */
#ifndef ES_WINDOW_KEYS_H
#define ES_WINDOW_KEYS_H

#include <SDL.h>

#include "session/session.h"

/* Keys held, as bits of view/gesture.h.  AltGr is no Alt: it makes letters. */
unsigned es_keys_held(SDL_Keymod mod);

/* "F1", "Left"; keys of the number pad that are no digits now as their namesakes.  With Ctrl or Alt held a key
 * of another alphabet is the one that is there on an American keyboard. */
const char *es_keys_name(const SDL_Keysym *key);

/* Put text of other programs into the half-typed line; its line breaks end lines, as if it had been typed, other
 * control characters are dropped. */
void es_keys_paste(es_session *s, const char *text, size_t n);

#endif
