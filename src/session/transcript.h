// SPDX-License-Identifier: GPL-3.0-or-later
/* A file that takes down what is typed and answered.  Each piece is written at once, so that nothing
 * is lost however the program ends; colours and isolates stay out.  What was typed can be told from all else, and run
 * again: repl/replay.h. */
#ifndef ES_SESSION_TRANSCRIPT_H
#define ES_SESSION_TRANSCRIPT_H

#include <stdint.h>

#include "base/str.h"

typedef struct es_transcript es_transcript;

/* What is written is added at the end of path, which is made if it is not there.  ES_ERR_IO for what
 * cannot be opened, and for pipes and folders.  End with es_transcript_close. */
es_transcript *es_transcript_open(const char *path, es_error *err);
void es_transcript_close(es_transcript *t); /* NULL is fine */

/* Add text that is ready to print, as a terminal would get it, a line of it that looks like a typed one after a space.
 * After a failure nothing more is
 * written, and es_transcript_failed says why.  t may be NULL: nothing happens. */
void es_transcript_put(es_transcript *t, const char *text, size_t n);

/* Add a typed line of len bytes, anybody's, after its prompt; one that cannot be printed as it is follows "bytes> " and
 * its bytes in hexadecimal. */
void es_transcript_line(es_transcript *t, const char *prompt, const char *line, size_t len);

/* Has writing failed?  Fills err with ES_ERR_IO; false too where t is NULL. */
bool es_transcript_failed(const es_transcript *t, es_error *err);

/* Is it the file that fd reads?  Then reading that to its end would never end. */
bool es_transcript_is(const es_transcript *t, int fd);

const char *es_transcript_path(const es_transcript *t); /* as it was given; borrowed */
uint64_t es_transcript_before(const es_transcript *t);  /* bytes that the file held at first */
uint64_t es_transcript_written(const es_transcript *t); /* bytes since */

/* ---- reading one ---- */

typedef enum es_typed {
    ES_NOT_TYPED,    /* an answer, a note, an error */
    ES_TYPED_TEXT,   /* "text> ", with settings "text (no positions)> " */
    ES_TYPED_TENSOR, /* "tensor> " likewise */
    ES_TYPED_LESSON, /* "L3.4> " likewise */
    ES_TYPED_STEP,   /* "step> " */
    ES_TYPED_PASTE,  /* "paste> " */
    ES_TYPED_MORE,   /* "   ...> " */
    ES_TYPED_BYTES   /* "bytes> ": the next typed line is these */
} es_typed;

/* What a line of a transcript is; *begin: where what was typed begins. */
es_typed es_transcript_typed(const char *line, size_t len, size_t *begin);

#endif
