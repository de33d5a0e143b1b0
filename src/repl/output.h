// SPDX-License-Identifier: GPL-3.0-or-later
/* Where answers go: results to stdout, errors, notes and progress to stderr, for people or as JSON. */
#ifndef ES_REPL_OUTPUT_H
#define ES_REPL_OUTPUT_H

#include "session/session.h"

typedef struct es_output {
    es_session *session;       /* whose settings say how; NULL while there is none yet */
    const es_settings *before; /* until then these say how; NULL: as if none were set */
    bool json, values;
    bool person; /* somebody sits at a terminal */
    bool progress_shown;
    bool no_pager; /* it could not be run: the reader has been told */
    bool failed;   /* a result could not be shown, though its line went well */
    bool broken;   /* stdout could not be written: nothing more is */
} es_output;

/* A sink that prints; the output outlives it. */
es_sink es_output_sink(es_output *o);

/* How answers on stdout are laid out now. */
es_style es_output_style(const es_output *o);

/* An error outside of any line, as the sink would print it. */
void es_output_error(es_output *o, const es_error *err);

#endif
