// SPDX-License-Identifier: GPL-3.0-or-later
/* Pixels as a PNG file. */
#ifndef ES_WINDOW_PNG_H
#define ES_WINDOW_PNG_H

#include "base/str.h"

/* Append a PNG of (h, w) pixels 0xFFRRGGBB; the same pixels give the same bytes.  ES_ERR_RANGE, ES_ERR_NOMEM,
 * ES_ERR_IO. */
bool es_png_write(es_str *out, const uint32_t *pixels, int w, int h, es_error *err);

#endif
