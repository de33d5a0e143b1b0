// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of lesson/prose.h share: Markdown as a row of events, and text with a look for each of its bytes. */
#ifndef ES_LESSON_PROSE_INSIDE_H
#define ES_LESSON_PROSE_INSIDE_H

#include "lesson/prose.h"

/* ---- prose.c: events ---- */

typedef enum es_prose_kind {
    ES_PROSE_QUOTE,
    ES_PROSE_LIST,
    ES_PROSE_ITEM,
    ES_PROSE_HEADING,
    ES_PROSE_PARAGRAPH, /* those of a tight list have none: their text stands in the item */
    ES_PROSE_BLOCK,     /* of code; its text has line breaks */
    ES_PROSE_RULE,
    ES_PROSE_TABLE,
    ES_PROSE_ROW,
    ES_PROSE_CELL,

    ES_PROSE_EM,
    ES_PROSE_STRONG,
    ES_PROSE_CODE,
    ES_PROSE_LINK,
    ES_PROSE_IMAGE,

    ES_PROSE_TEXT,
    ES_PROSE_BREAK
} es_prose_kind;

/* Deeper lists and quotes, and further cells of a row, are as if they were not marked up. */
enum { ES_PROSE_DEEPEST = 16, ES_PROSE_CELLS = 32 };

/* All but texts and breaks are entered and left, one inside the other. */
typedef struct es_prose_event {
    es_prose_kind kind;
    bool enter;
    int number;       /* heading: its level; list: its first number, -1: it has bullets */
    bool tight, head; /* list: no blank lines between items; cell: it is of the header */
    char align;       /* cell: l, r or c */
    const char *text; /* text: n bytes as the file has them, entities replaced; link: the address */
    size_t n;
} es_prose_event;

typedef void (*es_prose_fn)(void *user, const es_prose_event *e);

/* False: there is no md4c, or it has failed half-way. */
bool es_prose_read(const char *markdown, es_prose_fn fn, void *user);

/* A space that is no place for a line break: U+00A0 and the like. */
bool es_prose_hard_space(uint32_t cp);

/* ---- prose_lines.c: text that flows ---- */

enum {
    ES_LOOK_STRONG = 1,
    ES_LOOK_EM = 2,
    ES_LOOK_CODE = 4,
    ES_LOOK_HARD = 8 /* of a space: no line ends here */
};

/* Text that is ready to print but for '\n', which ends a line, and the look of each byte. */
typedef struct es_runs {
    es_str text, look;
} es_runs;
void es_runs_add(es_runs *r, const char *bytes, size_t n, int look); /* made visible */
void es_runs_forget(es_runs *r);
void es_runs_free(es_runs *r);

/* From begin to end, no spaces at the end. */
typedef struct es_runs_line {
    size_t begin, end;
    int columns;
} es_runs_line;
typedef struct es_runs_lines {
    es_runs_line *of; /* free() */
    size_t n;
} es_runs_lines;
es_runs_lines es_runs_break(const es_runs *r, int columns);

void es_runs_put(es_str *out, const es_runs *r, es_runs_line line, const es_style *style);

/* Spans become looks; where there is no colour, marks as well. */
typedef struct es_inline {
    es_runs runs;
    bool marks; /* `code`, *strong*, _emphasis_ */
    int strong, em, code;
    size_t code_begin, link_begin;
} es_inline;
void es_inline_event(es_inline *in, const es_prose_event *e);
void es_inline_forget(es_inline *in);

/* ---- prose_table.c ---- */

typedef struct es_prose_cell {
    es_runs runs;
    char align;
    bool head;
} es_prose_cell;

typedef struct es_prose_table {
    es_prose_cell *cell; /* row by row */
    size_t n, cap, n_columns;
} es_prose_table;

/* A cell; what runs hold is taken over. */
void es_prose_table_add(es_prose_table *t, es_runs *runs, const es_prose_event *e);
/* Append it in lines of at most that many columns, and forget it. */
void es_prose_table_end(es_prose_table *t, es_str *out, int columns, const es_style *style);

#endif
