// SPDX-License-Identifier: GPL-3.0-or-later
/* Transcripts run again: the lines that were typed, without what was answered. */
#ifndef ES_REPL_REPLAY_H
#define ES_REPL_REPLAY_H

#include "session/session.h"

typedef struct es_replay {
    es_session *session;
    const es_sink *sink; /* for a lesson that is gone to */
    es_str bytes;        /* of the next typed line, where it could not be printed as it was */
    bool exact;          /* there are such */
} es_replay;

/* Does a file that begins with this line look like a transcript? */
bool es_replay_begins(const char *line, size_t len);

typedef enum es_replay_step {
    ES_REPLAY_SKIP, /* it was answered, or is about the transcript, or about a window that nobody sees */
    ES_REPLAY_RUN, /* *line, *len is what was typed; borrowed until the next */
    ES_REPLAY_END  /* :quit: it ends the transcript, not who runs it */
} es_replay_step;

/* One line of the file.  The session is brought to the state in which it can be run: its mode, and nothing half-way
 * that was dropped then. */
es_replay_step es_replay_next(es_replay *r, const char **line, size_t *len);
void es_replay_free(es_replay *r); /* safe on an empty one */

#endif
