// SPDX-License-Identifier: GPL-3.0-or-later
/* A corpus file's text, whole: plain, or packed by zstd, as its first bytes say.  The only home of zstd.h. */
#ifndef ES_TRAIN_READER_H
#define ES_TRAIN_READER_H

#include "base/file.h"

/* Copy the struct freely, close it once. */
typedef struct es_reader {
    const char *text; /* size bytes; never NULL once open */
    size_t size;
    bool is_utf8;
    size_t odd; /* the first byte that is no UTF-8, if it is not */
    es_file file;
    es_str unpacked; /* the text, where the file is packed */
} es_reader;

/* Open a file, "-" is standard input; several frames of zstd, one behind the other, are one text.  Bytes that
 * are no UTF-8 are left as they are, and noted.  Memory grows with what was unpacked, whatever a frame promises.
 * The watch (may be NULL) sees bytes of the file.
 * ES_ERR_IO, ES_ERR_NOMEM, ES_ERR_INTERRUPTED; ES_ERR_FORMAT: a frame that is damaged or cut off, by its byte in
 * the file, or a file that is known to hold no text; ES_ERR_UNSUPPORTED: a program built without zstd.
 * Close with es_reader_close. */
bool es_reader_open(es_reader *r, const char *path, es_watch *watch, es_error *err);
void es_reader_close(es_reader *r); /* safe on an empty one */

/* Does this program unpack zstd? */
bool es_reader_knows_zstd(void);

#endif
