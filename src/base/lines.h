// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of a file or pipe as bytes with a length: NUL and bytes that are no text included, no limit
 * on length, the last line with or without its line break. */
#ifndef ES_BASE_LINES_H
#define ES_BASE_LINES_H

#include "base/str.h"

typedef struct es_lines {
    int fd;
    es_str buffer;
    size_t begin; /* of what is not yet given out */
    bool ended;
} es_lines;

es_lines es_lines_of(int fd); /* the descriptor stays the caller's */

/* The next line without its line break, borrowed until the next call: 1.  0 at the end.  -1 when
 * reading fails, errno says why; after EINTR the call may be repeated. */
int es_lines_next(es_lines *l, const char **line, size_t *len);
void es_lines_free(es_lines *l);

#endif
