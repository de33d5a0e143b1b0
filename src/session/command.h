// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands: a table of what a line that begins with ":" can say.  Layers above register their own;
 * dispatch, help, completion and the manual read the same entries. */
#ifndef ES_SESSION_COMMAND_H
#define ES_SESSION_COMMAND_H

#include "session/result.h"

typedef struct es_session es_session;
typedef struct es_command es_command;

/* One command line on its way. */
typedef struct es_call {
    es_session *session;
    const es_command *command;
    const char *line; /* len bytes, from the colon on */
    size_t len;
    size_t args; /* where the arguments begin */
    const es_sink *sink;
    es_result partial; /* what a command that fails found out all the same */
} es_call;

/* What an argument is, for completion. */
typedef enum es_want {
    ES_WANT_NOTHING,
    ES_WANT_TEXT, /* where a word begins like one of `choices`, that one */
    ES_WANT_FILE,
    ES_WANT_COMMAND,
    ES_WANT_CHOICE,        /* of the words in `choices` */
    ES_WANT_TOKEN,         /* in quotes */
    ES_WANT_LINE,          /* a line of its own */
    ES_WANT_STATEMENT,     /* of tensor mode */
    ES_WANT_TEXTS_OR_FILE, /* texts in quotes, a file as it stands */
} es_want;

struct es_command {
    const char *group;   /* the heading it stands under in :help: "texts" */
    const char *name;    /* "positions" */
    const char *brief;   /* a fixed short form, or NULL */
    const char *args;    /* "learned|sinusoidal|none" */
    const char *summary; /* one line */
    const char *help;    /* a paragraph more, or NULL */
    const char *example; /* lines that work as they stand, separated by \n */
    es_want want;
    const char *choices; /* separated by spaces */
    void (*more)(const es_session *s,
                 es_str *choices); /* appends those there are just now; or NULL */
    bool (*run)(es_call *call, es_error *err);
};

typedef struct es_command_list {
    const es_command **of;
    size_t n;
} es_command_list;

/* The command called name, n bytes.  `loose`: short forms and unique beginnings too.
 * ES_ERR_NAME with the nearest names, or the candidates of an ambiguous beginning. */
const es_command *es_command_find(const es_command_list *list, const char *name, size_t n,
                                  bool loose, es_error *err);

/* The group that comes after `before` (NULL: the first), or NULL: by name, the program's own at the end. */
const char *es_command_group_after(const es_command_list *list, const char *before);

/* Where the name of the command in line (from its colon on) ends. */
size_t es_command_name_end(const char *line, size_t len);

/* ---- arguments ---- */

/* One word, or a string in double quotes that knows \n \t \r \" \\ \xNN \u{NNNN}. */
typedef struct es_arg {
    es_str value; /* bytes, NUL allowed; free it */
    bool quoted;
    size_t begin, end; /* in the line */
} es_arg;

/* The next argument from *at on, which moves behind it: 1 there was one, 0 none is left, -1 it is
 * broken (ES_ERR_PARSE, placed). */
int es_arg_next(const es_call *call, size_t *at, es_arg *arg, es_error *err);

/* The rest of the line from `at` on as a text: a string in quotes if it is one from end to end, else
 * the bytes as they stand. */
bool es_arg_text(const es_call *call, size_t at, es_str *text, es_error *err);

/* The rest of the line as a path: as a text, with ~ for the home folder, NUL refused. */
bool es_arg_path(const es_call *call, size_t at, es_str *path, es_error *err);

/* "size=": has the rest of the line this option as its last word, behind others?  Then its value is *value, to be freed,
 * and the line ends before it. */
bool es_arg_cut_option(es_call *call, const char *option, es_arg *value);

/* Is this word, as it stands, all there is from `at` on? */
bool es_arg_is(const es_call *call, size_t at, const char *word);

/* A whole number within limits; `what` names it in the error. */
bool es_arg_int(const es_arg *arg, const char *what, int64_t low, int64_t high, int64_t *value,
                es_error *err);

/* Nothing but white space from `at` on?  Else ES_ERR_USAGE, placed. */
bool es_arg_end(const es_call *call, size_t at, es_error *err);

/* ES_ERR_USAGE: "the form is :positions learned|…"; returns false. */
bool es_call_usage(const es_call *call, es_error *err);

/* Hand a result or a remark to the sink. */
void es_call_answer(const es_call *call, es_result r);
void es_call_note(const es_call *call, const char *fmt, ...) ES_PRINTF(2, 3);

#endif
