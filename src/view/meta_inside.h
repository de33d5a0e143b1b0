// SPDX-License-Identifier: GPL-3.0-or-later
/* How a file becomes a table of one's own: cells (meta_cells.c), whose rows they are (meta.c), values (meta_values.c). */
#ifndef ES_VIEW_META_INSIDE_H
#define ES_VIEW_META_INSIDE_H

#include "view/meta.h"

enum { ES_META_ROWS_A_LOOK = 256 }; /* rows from one look at the watch to the next */

/* A file on its way to becoming a table. */
typedef struct es_meta_reading {
    es_meta *m;
    const es_bpe *bpe;
    es_watch *watch;
    es_error *err;
    int64_t header;      /* lines of it: 0 or 1 */
    int by_id, by_token; /* the column; -1: none */
} es_meta_reading;

/* All lines of m->bytes as cells, the header among the rows for now.  ES_ERR_FORMAT: no text, nothing in it, or lines
 * of another width than the first; ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_meta_take_cells(const es_meta_reading *r);

/* What is wrong at a line, and a column of it (-1: all of it), both from 0 on: ES_ERR_FORMAT.  Returns false. */
bool es_meta_fail_at(const es_meta_reading *r, int64_t line, int column, const char *what);

/* The file's name, ready to print. */
void es_meta_show_path(const es_meta_reading *r, es_str *out);

/* What kind of values each column has, and which; the rows are known. */
bool es_meta_find_values(es_meta *m, es_watch *watch, es_error *err);

#endif
