// SPDX-License-Identifier: GPL-3.0-or-later
/* A canvas of pixels of our own: the window shows them, files and tests hold the same. */
#ifndef ES_VIEW_RASTER_H
#define ES_VIEW_RASTER_H

#include "base/error.h"
#include "view/canvas.h"
#include "view/font.h"

typedef struct es_raster {
    es_canvas canvas; /* first: a raster is a canvas */
    int w, h;         /* device pixels; the canvas has w / scale by h / scale */
    float scale;
    uint32_t *pixels;         /* (h, w) 0xFFRRGGBB */
    int32_t *ids;             /* (h, w) of discs: for es_raster_id.  NULL: not kept */
    es_font *font;            /* borrowed; NULL: no text */
    struct es_stamps *stamps; /* discs drawn once, by radius and part of a pixel */
    struct es_cover *cover;   /* of the line being drawn */
} es_raster;

/* w x h device pixels, scale of them to a unit.  ES_ERR_NOMEM; ES_ERR_RANGE beyond 32,768 a side.  Free with
 * es_raster_close. */
bool es_raster_open(es_raster *r, int w, int h, float scale, bool ids, es_font *font,
                    es_error *err);
bool es_raster_resize(es_raster *r, int w, int h, float scale,
                      es_error *err); /* contents are lost */
void es_raster_close(es_raster *r);   /* safe on an empty one */

/* Everything one colour, no ids, no clip. */
void es_raster_clear(es_raster *r, es_argb colour);

/* The id nearest to a spot within `reach` units; ES_NO_ID: none.  Every disc whose middle is inside the canvas is found
 * within 8 pixels of it, however many lie on top of each other, as long as there are pixels for them; large ones (3
 * pixels of radius and more) are found all over, too. */
int32_t es_raster_id(const es_raster *r, float x, float y, float reach);

#endif
