// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_session, for the two files that keep it (session.c) and run its lines (run.c). */
#ifndef ES_SESSION_STATE_H
#define ES_SESSION_STATE_H

#include "session/session.h"

typedef struct es_queued {
    es_message kind;
    es_str bytes;
} es_queued;

struct es_session {
    es_backend *be;
    es_bpe *bpe;
    char *vocab;
    es_str vocab_path; /* where its tables were found */
    es_model *model;
    es_near *near; /* over the model's wte; made when it is asked for */
    es_context *context;
    es_text *text;
    uint64_t seed, stamp;

    es_settings settings, defaults; /* defaults, first_positions: what :reset goes back to */
    es_positions first_positions;
    bool person, keep_going, starting, quit;
    es_source source;
    int depth, lines; /* lines: a person's, with those of earlier sessions */
    const atomic_bool *interrupt;

    es_command_list commands;

    es_transcript *transcript; /* NULL: none is written */

    es_str last_error; /* what PyTorch says of the last mistake it has a text for */

    es_collected_fn collecting; /* NULL: lines are run */
    es_str collected;

    es_str preview_line;
    es_text *preview; /* made when it is asked for */

    es_queued *messages; /* to the prompt, oldest first */
    size_t n_messages;
};

#endif
