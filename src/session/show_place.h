// SPDX-License-Identifier: GPL-3.0-or-later
/* Where an error happened, for a reader: the lines it is on with marks under them, the typed one first, then
 * the functions it called, as a traceback has them. */
#ifndef ES_SESSION_SHOW_PLACE_H
#define ES_SESSION_SHOW_PLACE_H

#include "base/error.h"
#include "session/style.h"

enum { ES_PLACE_INDENT = 4 };

void es_show_places(es_str *out, const es_error *err, const char *line, size_t len,
                    const es_style *style);

/* Without the spaces at its end. */
static inline void es_trim(es_str *out)
{
    while (out->len && out->s[out->len - 1] == ' ')
        es_str_cut(out, out->len - 1);
}

#endif
