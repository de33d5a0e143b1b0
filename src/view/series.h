// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens that have an order: is the order in their rows, too? */
#ifndef ES_VIEW_SERIES_H
#define ES_VIEW_SERIES_H

#include "view/curve.h"
#include "view/plot.h"
#include "view/viewer.h"

enum {
    ES_SERIES_MOST = 1000, /* tokens, as every pair of them is compared */
    ES_SERIES_LOTS = 100   /* how often the order is shuffled */
};

/* A series that has a name. */
typedef struct es_series_kind {
    const char *name; /* "years" */
    const char *unit; /* what a place in it is: "year" */
    bool space;       /* its tokens begin with one */
    int first, n;     /* first, first + 1, … */
    const char *word; /* or these n, separated by spaces; NULL: numbers */
} es_series_kind;

const es_series_kind *es_series_kind_at(int i);                      /* NULL behind the last */
void es_series_word(es_str *out, const es_series_kind *kind, int i); /* " 1800", the i-th's bytes */

/* Which series the viewer shows: one that has a name, or n tokens of one's own. */
typedef struct es_series_choice {
    int kind; /* -1: the tokens */
    int32_t *id;
    int64_t n;
} es_series_choice;

/* Pairs of tokens that are so far apart in the series: their mean cosine (NaN: none has one), and between what it is
 * when the order is shuffled. */
typedef struct es_apart {
    int64_t pairs;
    double mean, low, high;
} es_apart;

typedef struct es_series {
    const char *name, *unit;
    int64_t wanted;     /* tokens that the series would have */
    int64_t n;          /* that it has */
    int32_t *id;        /* (n) */
    int64_t *place;     /* (n) in the series, ascending: the number itself, else from 1 on */
    int64_t no_token;   /* missing since they are no single token of the vocabulary, */
    int64_t no_row;     /* or wte has no row for them, */
    int64_t not_finite; /* or the row holds NaN or Inf */
    es_str missing;     /* which, ready to print: the first of them */
    int64_t C;
    int K;           /* components, at most 3 */
    float *axes;     /* (K, C), each 1 long: principal components of these rows */
    float *at;       /* (n, 3) = row @ axes.T; 0 where K < 3 */
    double share[3]; /* of the rows' spread */
    int64_t across;  /* components that n rows of C numbers can have at most */
    uint64_t seed;   /* of the shuffles */
    double
        rank; /* correlation, by ranks, of how far apart tokens and rows are; NaN: there is none */
    double lot_mean, lot_most; /* the same with the order shuffled, */
    int lot_reached;           /* and in how many of the shuffles it is as high */
    int64_t lags;              /* of apart */
    es_apart *apart;           /* (lags + 1), by places apart; the first is of no use */
} es_series;

/* Rank correlation: Spearman 1904, equal ones sharing the mean of their ranks; over all pairs.  Distances are
 * Euclidean.  *out is empty, with what is missing counted, where fewer than two tokens are left.  ES_ERR_NOMEM,
 * ES_ERR_BACKEND and errors of es_pca_fit.  Free with es_series_free. */
bool es_series_make(es_series *out, const es_context *c, const es_series_choice *choice,
                    uint64_t seed, es_error *err);
void es_series_free(es_series *s); /* safe on an empty one, which it becomes */

/* The part of es_series_make behind reading: rows (n, C), finite, into everything from `across` on.  be: as es_pca_fit has it. */
bool es_series_measure(es_series *s, const float *rows, es_backend *be, es_error *err);

/* Kept in the viewer; NULL: there is nothing to show, and *why (may be NULL) gets the reason. */
const es_series *es_series_of(const es_viewer *v, es_str *why);

int es_series_shown(const es_viewer *v, const es_series *s); /* how many axes the camera shows */
double es_series_share(const es_series *s, int axes);        /* of the first of them, together */
int64_t es_series_missing(const es_series *s);
void es_series_tell_axes(const es_viewer *v, const es_series *s);

/* ---- the picture ---- */

typedef struct es_series_picture {
    es_box main, strips, apart; /* w 0: there is no room for it */
    es_curve curve;
    es_extent extent;
    es_chart of_strips, of_apart;
} es_series_picture;

void es_series_draw(es_viewer *v, const es_series *s, es_canvas *c, es_box area,
                    es_series_picture *p);
void es_series_name(const es_viewer *v, const es_series *s, int64_t i, es_str *out); /* token i */
es_box es_series_strip(const es_series *s, const es_series_picture *p, int k);
bool es_series_pick(const es_viewer *v, const es_series *s, const es_series_picture *p, es_spot at,
                    es_pick *out);

/* ---- in words ---- */

void es_series_honesty(const es_viewer *v, es_str *out);
void es_series_expression(const es_viewer *v, es_str *out);
void es_series_plain(es_viewer *v, es_str *out);
void es_series_json(es_viewer *v, es_json *j);

#endif
