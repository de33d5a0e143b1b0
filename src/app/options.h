// SPDX-License-Identifier: GPL-3.0-or-later
/* The command line. */
#ifndef ES_APP_OPTIONS_H
#define ES_APP_OPTIONS_H

#include "app/arguments.h"
#include "session/session.h"

typedef enum es_verb {
    ES_VERB_PROMPT, /* lines: from a person, -c, -f, or standard input */
    ES_VERB_ENCODE,
    ES_VERB_DECODE,
    ES_VERB_DOCTOR,
    ES_VERB_EXTRACT,
    ES_VERB_TRAIN,
    ES_VERB_PLOT,
    ES_VERB_LESSON,
    ES_VERB_HELP,
    ES_VERB_VERSION
} es_verb;

/* Something to run, in the order given. */
typedef struct es_action {
    char kind;         /* 'c' a line, 'e' a statement, 'f' a file */
    const char *value; /* points into argv */
} es_action;

typedef struct es_options {
    es_verb verb;
    es_session_options session;
    bool json, values, keep_going, quiet, norc, verbose;
    bool u32le, special; /* encode */
    es_action *action;   /* n_actions of them; owned */
    size_t n_actions;
    const char *output;                                       /* extract, plot */
    const char *view, *text, *size, *layout, *axes, *picture; /* plot; NULL: not given */
    bool check;                                               /* lesson */
    const char *fresh, *html;                                 /* lesson: --new, --html */
    char **file; /* n_files operands, within argv; train: itself and all behind it */
    size_t n_files;
} es_options;

/* ES_ERR_USAGE says what is wrong and where help is.  Free with es_options_free. */
bool es_options_parse(es_options *o, int argc, char **argv, es_error *err);
void es_options_free(es_options *o);

/* The i-th option, or NULL; the i-th form a command line has, less the program's name, or NULL. */
const es_option *es_option_at(size_t i);
const char *es_options_form(size_t i);

/* What --help prints, at most 80 columns wide. */
void es_options_help(es_str *out);

#endif
