// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/segment.h"

#include <math.h>

/* Keep what is on this side of a border that is `distance` away and approached at this speed; false: nothing is. */
static bool cut(double distance, double speed, double *from, double *to)
{
    if (speed > 0)
        *to = fmin(*to, distance / speed);
    else if (speed < 0)
        *from = fmax(*from, distance / speed);
    return speed != 0 ? *from <= *to : distance >= 0;
}

bool es_segment_inside(es_spot a, es_spot b, es_box in, double *from, double *to)
{
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    *from = 0;
    *to = 1;
    return isfinite(dx) && isfinite(dy) && cut((double)a.x - in.x, -dx, from, to) &&
           cut((double)in.x + in.w - a.x, dx, from, to) && cut((double)a.y - in.y, -dy, from, to) &&
           cut((double)in.y + in.h - a.y, dy, from, to);
}
