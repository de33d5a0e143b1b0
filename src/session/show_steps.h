// SPDX-License-Identifier: GPL-3.0-or-later
/* What the answers about a walk hold, and their two printers. */
#ifndef ES_SESSION_SHOW_STEPS_H
#define ES_SESSION_SHOW_STEPS_H

#include "session/steps.h"

/* Lines of source, or of the functions that called each other. */
typedef struct es_standing_line {
    int depth, line;
    bool here;       /* it is the one that runs */
    es_str function; /* empty: at the top */
    es_str text;     /* anybody's bytes */
} es_standing_line;

typedef struct es_standing {
    es_standing_line *of;
    size_t n;
} es_standing;

typedef struct es_seen_values {
    es_str *name;
    es_str *brief; /* name and value on one line; empty: it takes more */
    es_result *of;
    size_t n;
} es_seen_values;

bool es_show_walked(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_source(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_where(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_seen(es_str *out, void *data, const es_style *style, es_error *err);

bool es_json_of_step(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_trace(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_source(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_where(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_seen(es_json *j, void *data, bool values, es_error *err);

#endif
