// SPDX-License-Identifier: GPL-3.0-or-later
/* From an operation that failed to its drawing: which operands are drawn, and how; where one thing among
 * them is to blame, that becomes the error's place. */
#ifndef ES_EXPR_DEPICT_H
#define ES_EXPR_DEPICT_H

#include "expr/scene.h"

void es_depict_broadcast(es_scene *s);
void es_depict_matmul(es_scene *s);
void es_depict_cat(es_scene *s);
void es_depict_view(es_scene *s);
void es_depict_expand(es_scene *s);
void es_depict_axes(es_scene *s);
void es_depict_index(es_scene *s);
void es_depict_dtypes(es_scene *s);
void es_depict_devices(es_scene *s);
void es_depict_ragged(es_scene *s);
void es_depict_unpack(es_scene *s);

#endif
