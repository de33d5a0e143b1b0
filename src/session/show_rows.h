// SPDX-License-Identifier: GPL-3.0-or-later
/* The rows of a text that fit on a screen, with what is shown of each. */
#ifndef ES_SESSION_SHOW_ROWS_H
#define ES_SESSION_SHOW_ROWS_H

#include "session/results.h"

enum { ES_STAGES = 3 }; /* tok_emb, pos_emb, x */

/* One stage of the sum, for every row shown: the first few channels and the length over all C. */
typedef struct es_stage {
    float *value; /* (rows, channels) */
    double *length;
} es_stage;

/* The rows of a text that fit on a screen: the first and, when not all fit, the last ones. */
typedef struct es_rows {
    es_text *t;
    int64_t n, head; /* rows 0..head-1 are the text's first, the others its last */
    int n_stages;    /* 3, or 1 when there are no positions */
    int token;       /* columns of the widest token */
    int channels;    /* of each stage, from channel 0 on */
    es_stage stage[ES_STAGES];
    float most[ES_STAGES]; /* the largest value of each stage that is shown */
    float scale;           /* no value shown is larger */
    int decimals;          /* of a length */
} es_rows;

/* How many rows of so many lines: `most`, or what the screen has room for beside all else. */
int64_t es_rows_that_fit(int most, int lines, const es_style *style);

/* Which rows, and how wide their tokens are, `widest` at most: up to `most`, of which `tail` from the end. */
es_rows es_rows_plan(es_text *t, int64_t most, int64_t tail, int widest, const es_style *style);

/* Read what is shown of each row: `channels` numbers a stage, fewer if the model has fewer.  Free with
 * es_rows_free, unless it fails. */
bool es_rows_read(es_rows *r, int channels, es_error *err);
void es_rows_free(es_rows *r);

int64_t es_rows_place(const es_rows *r, int64_t i); /* of row i in the text */

/* The token at a place of the text, in the column that tokens have. */
void es_rows_token(es_str *out, const es_rows *r, int64_t place, const es_style *style);

#endif
