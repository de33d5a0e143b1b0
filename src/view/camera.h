// SPDX-License-Identifier: GPL-3.0-or-later
/* Where one looks from: centre and zoom in a plane, and in space the angles too. */
#ifndef ES_VIEW_CAMERA_H
#define ES_VIEW_CAMERA_H

#include <stdint.h>

#include "view/canvas.h"

/* x, y: what is in the middle of the area, from the extent's middle in its radii, to the right and up as one sees it.
 * zoom 1 shows all of the extent.  In space: turn about the picture's upright axis, then tilt towards the reader, in
 * degrees; parallel lines stay parallel, so lengths can be compared. */
typedef struct es_camera {
    double x, y, zoom;
    double turn, tilt;
    bool solid; /* three components, else two */
} es_camera;

/* What the points of a picture take up: a middle, and how far the farthest is from it (0.999 of them: a few far ones
 * do not make the rest small).  Also how far to the sides and how far up, in space at the tilt one begins with, so
 * that a wide picture fills a wide area; 0: the radius. */
typedef struct es_extent {
    double middle[3], radius;
    double half[2];
} es_extent;

#define ES_CAMERA_START ((es_camera){.zoom = 1, .turn = 30, .tilt = 20})
#define ES_MIN_ZOOM     0.2
#define ES_MAX_ZOOM     5000.0

/* Points at (n, d), d 2 or more, of which 2 or 3 count; NaN left out.  An extent is never empty. */
es_extent es_extent_of(const float *at, int64_t n, int d, bool solid);

/* A flat extent reaches to (x, y) too, which is in sight then; NaN changes nothing. */
void es_extent_include(es_extent *e, double x, double y);

/* A camera made ready for many points: spot = where a point is drawn, depth = how near the reader (-1..1). */
typedef struct es_lens {
    float fx[3], fy[3], fz[3], x0, y0, z0;
} es_lens;
es_lens es_lens_of(const es_camera *c, const es_extent *e, es_box area);
es_spot es_lens_spot(const es_lens *l, const float *point,
                     float *depth); /* depth may be NULL; reads 3 numbers */

/* Gestures, in pixels of the area. */
void es_camera_pan(es_camera *c, const es_extent *e, es_box area, float dx, float dy);
void es_camera_zoom(es_camera *c, const es_extent *e, es_box area, float x, float y,
                    double factor); /* x, y stays */
void es_camera_orbit(es_camera *c, float dx,
                     float dy); /* half a degree a pixel; tilt within -90..90 */

/* The plane's coordinates of a spot (not solid). */
void es_camera_point(const es_camera *c, const es_extent *e, es_box area, es_spot at, double *x,
                     double *y);

/* Look at these n points, all of them in view. */
void es_camera_at(es_camera *c, const es_extent *e, es_box area, const float *points, int64_t n,
                  int d);

/* Part of the way from a to b, 0..1: zoom by ratio, angles the short way round. */
es_camera es_camera_between(const es_camera *a, const es_camera *b, double part);

bool es_camera_same(const es_camera *a, const es_camera *b);

/* x, y, zoom, turn, tilt as a line can say them (%.6g), so that what is replayed is what was seen. */
void es_camera_round(es_camera *c);

#endif
