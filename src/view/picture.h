// SPDX-License-Identifier: GPL-3.0-or-later
/* Pictures without a window: as a file, and in the terminal. */
#ifndef ES_VIEW_PICTURE_H
#define ES_VIEW_PICTURE_H

#include "view/frame.h"

enum { ES_PICTURE_W = 1280, ES_PICTURE_H = 800, ES_PICTURE_LEAST = 160, ES_PICTURE_MOST = 16384 };

/* Write what the viewer shows to path, whole or not at all: .png or .svg by its end, w x h units (pixels of a PNG).
 * What the view needs is made.  ES_ERR_VALUE another end; ES_ERR_UNSUPPORTED without the module of pictures (PNG, and
 * SVG's widths are then estimates); ES_ERR_IO, ES_ERR_NOMEM. */
bool es_picture_write(es_viewer *v, const char *path, int w, int h, es_error *err);

/* "WxH" ES_ERR_VALUE. */
bool es_picture_size(const char *text, int *w, int *h, es_error *err);

/* As text: `columns` by `lines` of half blocks with colours, letters in their cells.  Ready to print. */
void es_picture_text(es_viewer *v, es_str *out, int columns, int lines, bool colour);

#endif
