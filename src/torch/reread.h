// SPDX-License-Identifier: GPL-3.0-or-later
/* What the axes are called when the same numbers, in row-major order, are read with other sizes. */
#ifndef ES_TORCH_REREAD_H
#define ES_TORCH_REREAD_H

#include "torch/torch.h"

/* Sets shape's labels, which come in as those its sizes were asked for by; inferred is the axis whose size was
 * -1, or -1.  Axes are matched by place, never by size: one kept whole keeps its name, merged ones are
 * "B·T", of a split one the part is "C/H" or "C/4".  Where a new boundary falls inside an axis the axes are
 * mixed: their names become "?", and a note says which. */
void es_torch_reread(es_torch *k, es_shape *shape, const es_shape *old, int inferred);

#endif
