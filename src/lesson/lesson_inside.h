// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files that read a lesson share: blocks of the file, faults, and the tables of its words. */
#ifndef ES_LESSON_LESSON_INSIDE_H
#define ES_LESSON_LESSON_INSIDE_H

#include "lesson/lesson.h"

enum {
    ES_LESSON_MOST_BYTES = 1 << 20,
    ES_LESSON_MOST_DRAWS = 100,
    ES_LESSON_MOST_NUMBER = 1000000, /* to draw, and its negative the least */
    ES_LESSON_MOST_OPTIONS = 26      /* each has a letter */
};

/* A line of the file with those that go on with it, line breaks between them, and where it begins. */
typedef struct es_lesson_text {
    es_str text;
    int line;
} es_lesson_text;

typedef struct es_lesson_reader es_lesson_reader;

typedef struct es_lesson_directive {
    const char *name;
    bool before_steps;
    es_lesson_kind kind; /* of a step */
    bool (*read)(es_lesson_reader *r);
} es_lesson_directive;

/* A directive with its particulars, as the file has them. */
typedef struct es_lesson_block {
    const es_lesson_directive *is; /* NULL: none is open */
    es_lesson_text head;           /* what stands behind its name */
    es_lesson_text *part;
    size_t n_parts;
    bool closed;  /* a blank line was there */
    bool goes_on; /* a @show with another directly under it */
} es_lesson_block;

struct es_lesson_reader {
    es_lesson *l;
    const char *name; /* of the file, fit to be read */
    es_error *err;
    int line;        /* that is being read */
    int lesson_line; /* of @lesson; 0: not yet */
    bool text_mode;  /* of the lesson */
    es_lesson_block block;
    es_str prose; /* for the step that comes */
    size_t fence; /* length of the fence that is open; 0: none */
    char fence_char;
    int fence_line;
    es_str quoted;
};

/* ---- lesson_fault.c ---- */

/* err = "FILE:LINE: …"; returns false. */
bool es_lesson_fault(const es_lesson_reader *r, int line, const char *fmt, ...) ES_PRINTF(3, 4);

/* A piece of the file in quotes, for a message; until the next call. */
const char *es_lesson_quote(es_lesson_reader *r, const char *s, size_t n);

/* The name that was meant, of those at(0), at(1), … until NULL; NULL: none is near. */
const char *es_lesson_meant(const char *s, size_t n, const char *(*at)(size_t i));

/* ---- pieces of a line ---- */

typedef struct es_lesson_piece {
    const char *s;
    size_t n;
} es_lesson_piece;

bool es_lesson_is_blank(char c);  /* a space, a tab or a line break */
bool es_lesson_is_letter(char c); /* of ASCII */
bool es_lesson_is_digit(char c);
es_lesson_piece es_lesson_piece_of(const es_str *text); /* trimmed */
es_lesson_piece es_lesson_trim(es_lesson_piece p);
es_lesson_piece es_lesson_word(es_lesson_piece *rest); /* the first, which is taken away */
bool es_lesson_is(es_lesson_piece p, const char *word);
char *es_lesson_copy(es_lesson_piece p); /* the caller frees */

/* The string in double quotes that p begins with is taken away and appended, \" and \\ undone; false: it has no end. */
bool es_lesson_string(es_lesson_piece *p, es_str *out);

/* A whole number, all of p; false: it is none, or more than `most` or less than its negative. */
bool es_lesson_number(es_lesson_piece p, int64_t most, int64_t *out);

/* ---- lesson_directives.c ---- */

const es_lesson_directive *es_lesson_directive_named(es_lesson_piece name);
const char *es_lesson_directive_at(size_t i); /* its name; NULL: there are no more */

/* The block that has been gathered becomes part of the lesson. */
bool es_lesson_read_block(es_lesson_reader *r);

/* The prose since the last step, without blank lines at its ends; the caller frees. */
char *es_lesson_take_prose(es_lesson_reader *r);

/* ---- lesson_head.c, lesson_draws.c ---- */

bool es_lesson_read_lesson(es_lesson_reader *r); /* slug, title="…" */
bool es_lesson_read_draw(es_lesson_reader *r);

/* mode=, kind= and within= at the end of a step's line are taken away from p; seen: those that were there before. */
bool es_lesson_read_attributes(es_lesson_reader *r, es_lesson_step *step, es_lesson_piece *p,
                               unsigned *seen);

/* ---- lesson_particulars.c, lesson_whole.c ---- */

/* Could this line be a particular of a step? */
bool es_lesson_is_particular(es_lesson_piece line);
bool es_lesson_read_particular(es_lesson_reader *r, es_lesson_step *step,
                               const es_lesson_text *part);
es_lesson_note *es_lesson_add_note(es_lesson_notes *notes, int line);

/* A shape, a value or a choice, taken from the front of p. */
bool es_lesson_read_answer_kind(es_lesson_reader *r, es_answer_kind *kind, es_lesson_piece *p,
                                const char *of, int line);

/* Has the step all that it needs? */
bool es_lesson_is_whole(es_lesson_reader *r, const es_lesson_step *step);

#endif
