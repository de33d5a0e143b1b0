// SPDX-License-Identifier: GPL-3.0-or-later
/* The numbers of a picture's points in a file, for other programs. */
#ifndef ES_VIEW_COORDINATES_H
#define ES_VIEW_COORDINATES_H

#include "view/viewer.h"

/* Those of the view that is shown; what it needs is ready (es_viewer_make).  ES_ERR_UNSUPPORTED: it has none, and the
 * hint says what has; ES_ERR_VALUE: it has none just now. */
bool es_coordinates_of(es_viewer *v, es_coordinates *out, es_error *err);

/* "x", "y", "z" */
const char *es_coordinate_name(int k);

/* A line a row behind a header: what names the row, then its numbers as %.9g, NaN as nan; a tab between two.  Whole or
 * not at all, with progress to the sink.  ES_ERR_IO, ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_coordinates_tsv(es_viewer *v, const es_coordinates *c, const char *path,
                        const es_sink *sink, es_error *err);

/* NumPy's format: (n, d) float32, the numbers alone, to the bit. */
bool es_coordinates_npy(es_viewer *v, const es_coordinates *c, const char *path,
                        const es_sink *sink, es_error *err);

#endif
