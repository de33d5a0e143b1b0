// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of text that have been drawn, kept because the next picture has most of them again. */
#ifndef ES_WINDOW_LINES_H
#define ES_WINDOW_LINES_H

#include "view/font.h"

typedef struct es_line_key {
    const char *text;
    size_t n;
    int quarters, style; /* as for es_faces_at */
} es_line_key;

typedef struct es_glyph_lines es_glyph_lines;

es_glyph_lines *es_glyph_lines_new(void);
void es_glyph_lines_free(es_glyph_lines *l); /* NULL is fine */

/* Borrowed until the 256th next call of es_glyph_lines_find; NULL: it is not kept. */
const es_glyphs *es_glyph_lines_find(es_glyph_lines *l, const es_line_key *key);

/* Keep it: takes cover and colour over (malloc'ed).  The text is copied. */
void es_glyph_lines_keep(es_glyph_lines *l, const es_line_key *key, const es_glyphs *glyphs);

#endif
