// SPDX-License-Identifier: GPL-3.0-or-later
/* Files: mapped or read whole, written whole or not at all. */
#ifndef ES_BASE_FILE_H
#define ES_BASE_FILE_H

#include <stdint.h>

#include "base/str.h"
#include "base/watch.h"

/* A file's bytes, read-only; copy the struct freely, unmap it once. */
typedef struct es_file {
    const unsigned char *data; /* size bytes; never NULL once open */
    size_t size;
    bool mapped; /* false: read into memory, because it is a pipe or empty */
} es_file;

/* Open a regular file by mapping it, a pipe by reading it to its end; "-" is standard input.
 * Refuses directories and devices.  ES_ERR_IO names the path and the reason; ES_ERR_NOMEM.
 * Close with es_file_close. */
bool es_file_open(es_file *f, const char *path, es_error *err);

/* The same; a pipe that is slow, or that nobody writes to, is waited for only until the watch says stop:
 * ES_ERR_INTERRUPTED. */
bool es_file_open_watched(es_file *f, const char *path, es_watch *watch, es_error *err);
void es_file_close(es_file *f); /* safe on an empty one */

/* Is path a file, or nothing yet: no folder, and nothing that could be waited for, as a pipe or a device?
 * ES_ERR_IO says what it is instead; `what` as in "cannot read …". */
bool es_file_is_plain(const char *what, const char *path, es_error *err);

/* Replace path by n bytes, by way of a temporary file beside it and rename: a reader sees the old
 * file or the new one, whatever happens between.  ES_ERR_IO. */
bool es_file_replace(const char *path, const void *data, size_t n, es_error *err);

/* The same with a file in pieces, one behind the other, each borrowed; `mode` as for open(2), less the
 * umask.  The watch (may be NULL) sees bytes and can stop it: ES_ERR_INTERRUPTED, and path is as it
 * was. */
typedef struct es_piece {
    const void *data;
    size_t n;
} es_piece;
bool es_file_replace_pieces(const char *path, const es_piece *piece, size_t n_pieces, unsigned mode,
                            es_watch *watch, es_error *err);

/* "cannot open X: No such file or directory", as ES_ERR_IO (or ES_ERR_NOMEM, for ENOMEM); returns
 * false. */
bool es_file_error(es_error *err, const char *what, const char *path, int system_error);

#endif
