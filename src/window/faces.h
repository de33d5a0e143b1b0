// SPDX-License-Identifier: GPL-3.0-or-later
/* The fonts of the system, found by fontconfig: DejaVu Sans, and for what it lacks the first other one that has it. */
#ifndef ES_WINDOW_FACES_H
#define ES_WINDOW_FACES_H

#include <SDL_ttf.h>

#include "base/str.h"

typedef struct es_faces es_faces;

/* How letters look, as bits; the faces 0..3 are those of the styles 0..3. */
enum { ES_STYLE_BOLD = 1, ES_STYLE_MONO = 2, ES_N_STYLES = 4 };

/* Free with es_faces_free.  ES_ERR_UNSUPPORTED: there is no font at all; the hint names packages. */
es_faces *es_faces_new(es_error *err);
void es_faces_free(es_faces *f);

/* A face that has all of n characters; -1: none does.  The same at every call. */
int es_faces_with(es_faces *f, int style, const uint32_t *character, size_t n);

/* A face at so many quarters of a pixel an em; borrowed until the next call for another one.  NULL: its file has
 * gone, or memory has. */
TTF_Font *es_faces_at(es_faces *f, int face, int quarters);

bool es_faces_coloured(const es_faces *f, int face); /* its letters are pictures */
bool es_faces_scales(const es_faces *f, int face);   /* false: it has one size of its own */

/* "DejaVu Sans, Unifont": what letters come from, in order. */
void es_faces_names(es_faces *f, es_str *out);

#endif
