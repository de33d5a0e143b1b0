// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines from pipes and files: no prompt, no history, stop at the first failure. */
#ifndef ES_REPL_SCRIPT_H
#define ES_REPL_SCRIPT_H

#include "session/session.h"

/* Run the lines of a descriptor, named so in messages.
 * ES_FAILED when a line failed: at once, or at the end where the session keeps going.  ES_QUIT when
 * one said :quit. */
es_outcome es_script_run(es_session *s, int fd, const char *name, const es_sink *sink);

/* The lines of a file, less a first one that begins with #!, and of a transcript those that were typed: a file is one
 * when its first line begins with a prompt.  "-" is standard input.  ES_FAILED with err filled when it cannot be opened. */
es_outcome es_script_run_file(es_session *s, const char *path, const es_sink *sink, es_error *err);

/* The lines of the startup file, as typed, less those that begin with # and blank ones; notes are dropped,
 * and a line that fails stops nothing.  ES_QUIT when one said :quit.  ES_FAILED with err filled when the
 * file is there and cannot be read; no file is no error. */
es_outcome es_script_run_startup(es_session *s, const es_sink *sink, es_error *err);

/* Where the startup file is looked for; false, path empty, when there is no place for one. */
bool es_script_startup_path(es_str *path);

#endif
