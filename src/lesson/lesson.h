// SPDX-License-Identifier: GPL-3.0-or-later
/* A lesson as its file says it: what is drawn, what is set up, and steps.  lessons/README.md describes the format. */
#ifndef ES_LESSON_LESSON_H
#define ES_LESSON_LESSON_H

#include <stdint.h>

#include "base/str.h"

typedef enum es_lesson_kind {
    ES_LESSON_SHOW,
    ES_LESSON_PREDICT,
    ES_LESSON_TASK,
    ES_LESSON_ERROR
} es_lesson_kind;

/* What kind of answer is typed. */
typedef enum es_answer_kind {
    ES_ANSWER_NONE,  /* show, task, an error without a question */
    ES_ANSWER_SHAPE, /* [B, T, C] */
    ES_ANSWER_VALUE,
    ES_ANSWER_CHOICE /* one of the options */
} es_answer_kind;

/* A particular: code or an answer, and what is said about it.  Strings are owned, NUL-terminated, without line breaks
 * at their ends; code of several lines has them inside. */
typedef struct es_lesson_note {
    char *code;    /* an expression, statements, an answer, a command; "" for `wrong else` */
    char *message; /* Markdown; NULL: none */
    int line;      /* in the file, from 1 */
} es_lesson_note;

typedef struct es_lesson_notes {
    es_lesson_note *of;
    size_t n;
} es_lesson_notes;

/* Lists that do not belong to the step's kind are empty. */
typedef struct es_lesson_step {
    es_lesson_kind kind;
    es_answer_kind answers;
    bool text_mode; /* lines typed are texts */
    char *prose;    /* Markdown before it; "" if none */
    char *code;     /* show, error: the line; predict: the expression, "" for a choice; task: "" */
    char *
        question; /* task: what to do; predict choice, error: what is asked; Markdown, "" if none */
    char *error_kind; /* "index_range"; NULL: not an error */
    char *fixed;      /* task: why its sizes are not drawn; NULL: they are */
    double within;    /* how far off a number may be; 0: not at all, but for rounding */
    es_lesson_notes answer, wrong, check, solution, prints,
        option;                  /* option: code the word, message what it stands for */
    es_lesson_notes hint, after; /* message only, code is ""; after: at most one */
    int line;
} es_lesson_step;

/* A name that is drawn. */
typedef struct es_drawable {
    char *name;
    bool words;        /* one of `word`; else an integer: one of `number`, or low..high if n is 0 */
    int64_t low, high; /* both possible */
    char **word;       /* n of them */
    int64_t *number;   /* n of them */
    size_t n;
    int line;
} es_drawable;

typedef struct es_lesson {
    char *path; /* of its file, as given */
    char *slug, *title;
    char *model;         /* NULL: mini */
    char *needs, *about; /* separated by commas; "" if none */
    int minutes;
    es_drawable *draw;
    size_t n_draws;
    es_lesson_notes setup; /* code only */
    es_lesson_step *step;  /* at least one */
    size_t n_steps;
    char *end; /* prose behind the last step, "" if none */
} es_lesson;

/* n bytes that are called `path` in messages.  ES_ERR_FORMAT: "05-guard.md:31: …", with what would be right as a hint.
 * Free with es_lesson_free. */
bool es_lesson_parse(es_lesson *l, const char *path, const char *bytes, size_t n, es_error *err);

/* The same from a file; ES_ERR_IO too. */
bool es_lesson_read(es_lesson *l, const char *path, es_error *err);
void es_lesson_free(es_lesson *l); /* an empty one is fine */

/* "show", "predict", "task", "error". */
const char *es_lesson_kind_name(es_lesson_kind kind);

/* Is n bytes of s one of the words that list (separated by commas or blanks) has? */
bool es_lesson_lists(const char *list, const char *s, size_t n);

#endif
