// SPDX-License-Identifier: GPL-3.0-or-later
/* Letters of any script from the fonts of the system. */
#ifndef ES_WINDOW_FONT_H
#define ES_WINDOW_FONT_H

#include "base/str.h"
#include "view/font.h"

/* Free with es_font_free.  ES_ERR_UNSUPPORTED: there is no font. */
es_font *es_system_font_new(es_error *err);

void es_system_font_names(es_font *f, es_str *out);

#endif
