// SPDX-License-Identifier: GPL-3.0-or-later
/* Colours: three palettes that a colour-blind reader can tell apart, and two scales for numbers. */
#ifndef ES_VIEW_COLOUR_H
#define ES_VIEW_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t es_argb; /* 0xAARRGGBB, not premultiplied */

enum { ES_N_HUES = 8 };

typedef struct es_palette {
    const char *name;        /* "dark" */
    es_argb ground, panel;   /* behind the picture, behind the panels around it */
    es_argb edge;            /* hairlines */
    es_argb ink, dim, faint; /* text: what is said, what explains, what is hardly there */
    es_argb strong;          /* what one is to look at: the sentence's path, the focus */
    es_argb second;          /* what stands against it: positions, the arrow from wte to x */
    es_argb found;           /* what a search lit up */
    es_argb wrong;           /* NaN, errors */
    es_argb hue[ES_N_HUES];  /* kinds, told apart by any eye: Okabe and Ito 2008 */
} es_palette;

const es_palette *es_palette_named(const char *name); /* NULL: there is none */
const es_palette *es_palette_at(int i);               /* dark, light, print; NULL behind the last */

/* v from -1 to 1 (beyond: the end's colour) on one diverging scale, cold through neutral to warm, its lightness the
 * same for v and -v; NaN is p->wrong. */
es_argb es_diverging(const es_palette *p, float v);

/* v from 0 to 1 on a scale that only grows in lightness (dark grounds) or darkness (light ones). */
es_argb es_sequential(const es_palette *p, float v);

es_argb es_fade(es_argb colour, float opacity);     /* its alpha times opacity, 0..1 */
es_argb es_blend(es_argb under, es_argb over);      /* over an opaque ground */
float es_contrast(es_argb a, es_argb b);            /* WCAG 2.1's ratio, 1..21 */
es_argb es_ink_on(const es_palette *p, es_argb on); /* the text colour that reads better there */

#endif
