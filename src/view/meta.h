// SPDX-License-Identifier: GPL-3.0-or-later
/* A table of one's own about the tokens, read from a file; a column of it may colour the map. */
#ifndef ES_VIEW_META_H
#define ES_VIEW_META_H

#include <stdint.h>

#include "base/str.h"
#include "base/watch.h"
#include "text/bpe.h"
#include "view/colour.h"

enum {
    ES_META_COLUMNS = 64,      /* at most */
    ES_META_BYTES = 64 << 20,  /* of a file, at most */
    ES_META_NONE = UINT8_MAX,  /* a token without a value */
    ES_META_COMMON = ES_N_HUES /* words with a hue of their own; one less where there are more */
};

/* A word and how many tokens have it. */
typedef struct es_meta_word {
    uint32_t begin, len; /* in the file */
    int64_t n;
} es_meta_word;

/* Numbers, if all its values are; else words. */
typedef struct es_meta_column {
    es_str name;
    int at; /* in the file, 0-based */
    bool numbers;
    int64_t n; /* tokens with a value */

    double *number;    /* (V) NaN: none; NULL: words */
    double low, high;  /* ends of the scale: of many, one in a hundred is beyond each */
    bool below, above; /* some are */

    uint8_t *word; /* (V) which of the common ones, ES_META_NONE; NULL: numbers */
    es_meta_word common[ES_META_COMMON]; /* the commonest first */
    int n_common;                        /* with a hue of their own */
    int64_t different;                   /* words; all beyond the common are word n_common */
} es_meta_column;

typedef struct es_meta {
    es_str path;  /* as it was given */
    es_str bytes; /* of the file */
    int64_t V, rows, width;
    uint32_t *cell; /* (rows, width + 1) where each begins; the last: behind the row */
    int32_t *row;   /* (V) of a token; -1: it has none */
    int64_t tokens; /* that have one */
    es_meta_column column[ES_META_COLUMNS];
    int n; /* columns of values: those that name the token are not among them */
    int64_t unknown, first_unknown; /* rows whose text is no token; the line of the first */
} es_meta;

/* UTF-8, cells between tabs, a row a line, all of one width.  Rows belong to tokens by a column called id, else by one
 * called token (es_token_of_cell), capitals or not.  Without such a column row i is that of id i: V lines are V rows,
 * V + 1 lines begin with a header.  A file of one column and V lines has no header whatever stands there.
 * path is for messages and kept.  ES_ERR_FORMAT names line and column; ES_ERR_VALUE: no row is of a token;
 * ES_ERR_NOMEM, ES_ERR_INTERRUPTED (the watch, which may be NULL, counts bytes).  Free with es_meta_free. */
es_meta *es_meta_read(const char *bytes, size_t n, const char *path, const es_bpe *bpe, int64_t V,
                      es_watch *watch, es_error *err);
void es_meta_free(es_meta *m); /* NULL is fine */

/* The value of a column for a token, as it stands in the file: its bytes, 0: none. */
size_t es_meta_value(const es_meta *m, int column, int32_t id, const char **bytes);

/* Has a token a value that colours it?  A number's place may have none: nan. */
bool es_meta_has(const es_meta *m, int column, int32_t id);

int es_meta_named(const es_meta *m, const char *name, size_t n); /* which column; -1: none */

/* The colour of a token by a column, and what colours mean: as es_atlas_colour and es_atlas_legend have it, with an
 * entry more for tokens without a value where there are any. */
es_argb es_meta_colour(const es_meta *m, int column, const es_palette *p, int32_t id);
bool es_meta_legend(const es_meta *m, int column, const es_palette *p, int i, es_argb *colour,
                    es_str *label);

#endif
