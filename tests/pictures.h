// SPDX-License-Identifier: GPL-3.0-or-later
/* Pictures compared with those of tests/data/pictures, which somebody has looked at. */
#ifndef ES_TESTS_PICTURES_H
#define ES_TESTS_PICTURES_H

#include "view/raster.h"

/* What may differ, as the last digits of a computation may move a point by a quarter of a pixel: no channel of a pixel
 * by more than PICTURE_MOST, and by more than PICTURE_LITTLE at most one pixel in PICTURE_FEW. */
enum { PICTURE_LITTLE = 8, PICTURE_MOST = 96, PICTURE_FEW = 200 };

/* Fails unless r is the picture tests/data/pictures/NAME.ppm (binary P6; keep them small, 320 x 200 is plenty).  What
 * was drawn instead is then build/pictures/NAME.ppm.  ES_GOLDEN=write takes what is drawn as the picture. */
void same_picture(const es_raster *r, const char *name);

#endif
