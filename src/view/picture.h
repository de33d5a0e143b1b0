// SPDX-License-Identifier: GPL-3.0-or-later
/* Pictures without a window: as a file, as a file of their numbers, and in the terminal. */
#ifndef ES_VIEW_PICTURE_H
#define ES_VIEW_PICTURE_H

#include "session/style.h"
#include "view/frame.h"

/* The largest PNG takes a few seconds, and nothing stops them: SDL_image packs it in one go. */
enum { ES_PICTURE_W = 1280, ES_PICTURE_H = 800, ES_PICTURE_LEAST = 160, ES_PICTURE_MOST = 8192 };

typedef enum es_picture_form {
    ES_PICTURE_PNG,
    ES_PICTURE_SVG,
    ES_PICTURE_TSV, /* the numbers of its points: coordinates.h */
    ES_PICTURE_NPY,
    ES_N_PICTURE_FORMS
} es_picture_form;

/* What the end of a path asks for, in capitals or not.  ES_ERR_VALUE: another end. */
bool es_picture_form_of(es_picture_form *out, const char *path, es_error *err);

/* Has it a size?  Else it is numbers, and a size that was asked for is ES_ERR_VALUE. */
bool es_picture_has_size(es_picture_form form, es_error *err);

/* "WxH", each from ES_PICTURE_LEAST to ES_PICTURE_MOST.  ES_ERR_VALUE. */
bool es_picture_size(const char *text, int *w, int *h, es_error *err);

/* Write what the viewer shows to path, whole or not at all, w x h units (pixels of a PNG), or its numbers.  What the view needs is
 * made, with progress to the sink.  ES_ERR_UNSUPPORTED: PNG without the module of pictures (the widths of SVG's texts
 * are estimates then); errors of es_picture_form_of, es_viewer_make and es_coordinates_of; ES_ERR_IO, ES_ERR_NOMEM. */
bool es_picture_write(es_viewer *v, const char *path, int w, int h, const es_sink *sink,
                      es_error *err);

/* The same picture as an SVG element, appended.  Errors of es_viewer_make. */
bool es_picture_svg(es_viewer *v, es_str *out, int w, int h, const es_sink *sink, es_error *err);

/* How much was written to path, as fields of JSON: w and h of a picture; of numbers rows, and the columns of the file. */
void es_picture_json(es_json *j, es_viewer *v, const char *path, int w, int h);

/* The same as text, ready to print: style->width columns by `lines` of half blocks in colour, or of characters where
 * the style has none, then what the picture keeps and hides.  What the view needs is there (es_viewer_make), or the
 * picture says what is missing. */
void es_picture_text(es_viewer *v, es_str *out, int lines, const es_style *style);

#endif
