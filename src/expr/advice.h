// SPDX-License-Identifier: GPL-3.0-or-later
/* What helps where no edit of the line can be tried: knowledge of what people mean. */
#ifndef ES_EXPR_ADVICE_H
#define ES_EXPR_ADVICE_H

#include "expr/scene.h"

/* Each adds its line, "help: …", or nothing. */
void es_advise_index(const es_scene *s);     /* ids without a row, classes, k */
void es_advise_view(const es_scene *s);      /* heads that do not divide the channels */
void es_advise_device(const es_scene *s);    /* self.pe, which m.to() leaves behind */
void es_advise_ambiguous(const es_scene *s); /* the truth of many */
void es_advise_value(const es_scene *s);     /* .item() of many */
void es_advise_ragged(const es_scene *s);
void es_advise_unpack(const es_scene *s); /* B, T = ids[0].shape */

/* self.pe, a plain tensor of a module's: to() moves parameters and buffers alone.  NULL: there is none. */
const es_node *es_left_behind(const es_scene *s);

#endif
