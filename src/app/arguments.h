// SPDX-License-Identifier: GPL-3.0-or-later
/* Options by a table: read, and what is wrong with them said in the table's own words. */
#ifndef ES_APP_ARGUMENTS_H
#define ES_APP_ARGUMENTS_H

#include "base/error.h"
#include "base/str.h"

typedef struct es_option {
    const char *name, *arg, *help; /* "width", "N", …; arg NULL: it takes none */
    int code;                      /* below 256: its letter */
} es_option;

/* The options of a program or of one of its verbs. */
typedef struct es_arguments {
    bool (*at)(size_t i, es_option *o); /* the i-th; false past the last */
    bool (*take)(void *user, int code, const char *value, es_error *err);
    void *user;
    const char *more; /* "embedscope --help", for who has mistyped */
} es_arguments;

/* Read the options among argv[1..argc), which are moved before the operands; operands begin at *rest.  ES_ERR_USAGE,
 * or what `take` says. */
bool es_arguments_read(const es_arguments *a, int argc, char **argv, int *rest, es_error *err);

/* ES_ERR_USAGE of that message, and where help is; false. */
bool es_usage(es_error *err, const char *more, const char *fmt, ...) ES_PRINTF(3, 4);

#endif
