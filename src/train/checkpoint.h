// SPDX-License-Identifier: GPL-3.0-or-later
/* A training run on disk: its recipe, the text it learns from, how far it is, and all its numbers; whole or not at
 * all. */
#ifndef ES_TRAIN_CHECKPOINT_H
#define ES_TRAIN_CHECKPOINT_H

#include "base/file.h"
#include "train/recipe.h"

/* What a run is, beside its numbers. */
typedef struct es_checkpoint_head {
    es_recipe recipe;
    uint64_t digest; /* of the corpus */
    int64_t stage;   /* 1 or 2 */
    double seconds;  /* spent so far */
} es_checkpoint_head;

enum { ES_CHECKPOINT_NAME = 64, ES_CHECKPOINT_PIECES = 32 };

/* Numbers of the run that are written from, and read into, where they lie. */
typedef struct es_checkpoint_piece {
    char name[ES_CHECKPOINT_NAME]; /* on one line */
    void *data;
    size_t bytes;
} es_checkpoint_piece;

/* A file that was read and found whole; the pieces point into it. */
typedef struct es_checkpoint {
    es_checkpoint_head head;
    es_checkpoint_piece piece[ES_CHECKPOINT_PIECES];
    int n;
    char *path;
    es_file file;
} es_checkpoint;

/* Replace path; a reader sees the old file or the new one.  n is at most ES_CHECKPOINT_PIECES.  ES_ERR_IO. */
bool es_checkpoint_write(const char *path, const es_checkpoint_head *head,
                         const es_checkpoint_piece *piece, int n, es_error *err);

/* Everything in the file is checked.  ES_ERR_IO; ES_ERR_FORMAT says what is wrong with it: no checkpoint, of another
 * version, cut off, damaged.  Close with es_checkpoint_close. */
bool es_checkpoint_open(es_checkpoint *c, const char *path, es_error *err);
void es_checkpoint_close(es_checkpoint *c); /* safe on an empty one */

/* Is it of this recipe, and of this text?  threads may differ.  ES_ERR_VALUE names the number that does not. */
bool es_checkpoint_fits(const es_checkpoint *c, const es_recipe *r, uint64_t digest, es_error *err);

/* Copy the file's numbers to n pieces of the same names and sizes.  ES_ERR_FORMAT, and nothing is copied. */
bool es_checkpoint_read(const es_checkpoint *c, const es_checkpoint_piece *piece, int n,
                        es_error *err);

#endif
