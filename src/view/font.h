// SPDX-License-Identifier: GPL-3.0-or-later
/* Where letters come from.  window/font.c has the fonts of the system; tests have boxes that are the same everywhere. */
#ifndef ES_VIEW_FONT_H
#define ES_VIEW_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of text as pixels: h rows of w, whose baseline begins at column -left, row `base`. */
typedef struct es_glyphs {
    int w, h, left, base;
    float advance;          /* where the next text would begin */
    const uint8_t *cover;   /* (h, w), 0..255; in the colour of the ink */
    const uint32_t *colour; /* (h, w) ARGB of pictures such as emoji, over the cover; NULL: none */
} es_glyphs;

typedef struct es_font es_font;

typedef struct es_font_ops {
    bool (*line)(es_font *f, const char *text, size_t n, float size, bool bold, bool mono,
                 es_glyphs *out);
    float (*height)(es_font *f, float size, float *middle);
    void (*free)(es_font *f);
} es_font_ops;

struct es_font {
    const es_font_ops *ops;
};

/* n bytes of text that is ready to print at `size` pixels an em: borrowed until the 256th next call.  Letters no font
 * has are shown by their code, never as an empty box.  False: there is nothing to draw. */
static inline bool es_font_line(es_font *f, const char *text, size_t n, float size, bool bold,
                                bool mono, es_glyphs *out)
{
    return f->ops->line(f, text, n, size, bold, mono, out);
}

/* Pixels from line to line; *middle: from the baseline up to the middle of small letters and digits alike. */
static inline float es_font_height(es_font *f, float size, float *middle)
{
    return f->ops->height(f, size, middle);
}

static inline void es_font_free(es_font *f)
{
    if (f)
        f->ops->free(f);
}

#endif
