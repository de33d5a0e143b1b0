// SPDX-License-Identifier: GPL-3.0-or-later
/* One run of letters as pixels, and where its baseline is. */
#ifndef ES_WINDOW_STRIP_H
#define ES_WINDOW_STRIP_H

#include "window/runs.h"

typedef struct es_strip {
    SDL_Surface *pixels; /* ARGB, not premultiplied, white where there is no colour; owned */
    bool coloured;       /* pictures: the colours are theirs */
    int left, base;      /* of the pixels, as in es_glyphs */
    int advance;
} es_strip;

/* text is the run's bytes and a NUL.  False: there is nothing, its font has gone. */
bool es_strip_draw(es_strip *out, es_faces *f, const es_run *run, const char *text, int quarters);
void es_strip_free(es_strip *s);

#endif
