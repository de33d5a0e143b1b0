// SPDX-License-Identifier: GPL-3.0-or-later
/* Each token beside the same with a space before it: is what a space changes always the same? */
#ifndef ES_VIEW_PAIRS_H
#define ES_VIEW_PAIRS_H

#include "view/curve.h"
#include "view/plot.h"
#include "view/viewer.h"

enum { ES_PAIR_BINS = 40 }; /* of cosines, from -1 to 1 */

/* A difference is a row with a space less the row without; `lot` is the same with partners exchanged by lot, so that
 * each goes from one token to another one with a space: their mean is the same. */
typedef struct es_pairs {
    int64_t found;           /* pairs of the vocabulary whose bytes are text by themselves */
    int64_t no_row;          /* of them, wte has no row for one, */
    int64_t not_finite;      /* or a row holds NaN or Inf */
    int64_t n;               /* the others */
    int32_t *without, *with; /* (n) */
    float *cosine, *lot;     /* (n) with the mean difference; NaN: it or the difference is 0 */
    int64_t C;
    float *axes;    /* (K + 1, C): the map's components, and the mean difference, 1 long */
    int K;          /* at most 3 */
    double seen[3]; /* of the differences' squared length, what each component shows */
    double length;  /* of the mean difference */
    double typical, lot_typical; /* mean length of a difference */
    double share, lot_share;     /* of the squared length, what the mean difference explains */
    double mean, lot_mean;       /* cosine */
    int64_t bin[ES_PAIR_BINS], lot_bin[ES_PAIR_BINS];
    uint64_t seed;
    int64_t *known; /* (n_known) pairs of words, best known first */
    int64_t n_known;
} es_pairs;

/* Reads each row at most five times, and keeps none.  Components of a's tokens are ready where wte has two rows.
 * ES_ERR_NOMEM, ES_ERR_BACKEND.  Free with es_pairs_free. */
bool es_pairs_make(es_pairs *out, const es_atlas *a, uint64_t seed, es_error *err);
void es_pairs_free(es_pairs *p); /* safe on an empty one, which it becomes */

/* The same token with a space before it, or without where it has one; -1: there is none, or its bytes are no text by
 * themselves. */
int32_t es_pairs_partner(const es_bpe *bpe, int32_t id);

/* The bin of a cosine. */
int es_pairs_bin(float cosine);

/* Which pair has the token, with a space or without; -1: none. */
int64_t es_pairs_of_token(const es_pairs *p, int32_t id);

/* Kept in the viewer; NULL: there is nothing to show, and *why (may be NULL) gets the reason. */
const es_pairs *es_pairs_of(const es_viewer *v, es_str *why);
int64_t es_pairs_focus(const es_viewer *v, const es_pairs *p); /* the pair in focus; -1: none */
int es_pairs_shown(const es_viewer *v, const es_pairs *p); /* components that the camera shows */
double es_pairs_seen(const es_viewer *v, const es_pairs *p);
void es_pairs_tell_axes(const es_viewer *v, const es_pairs *p);

/* ---- the picture ---- */

typedef struct es_pairs_picture {
    es_box main, cosines; /* w 0: there is no room for it */
    es_lens lens;
    es_extent extent;
    es_chart chart;
    bool drawn;
} es_pairs_picture;

void es_pairs_draw(es_viewer *v, const es_pairs *p, es_canvas *c, es_box area,
                   es_pairs_picture *to);
bool es_pairs_pick(const es_viewer *v, const es_pairs *p, const es_pairs_picture *in, es_spot at,
                   es_pick *out);

/* Where a token is along the components; 0 along those that there are not. */
void es_pairs_place(const es_viewer *v, const es_pairs *p, int32_t id, float at[3]);

/* ---- in words ---- */

void es_pairs_honesty(const es_viewer *v, es_str *out);
void es_pairs_expression(const es_viewer *v, es_str *out);
void es_pairs_plain(es_viewer *v, es_str *out);
void es_pairs_json(es_viewer *v, es_json *j);

#endif
