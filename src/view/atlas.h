// SPDX-License-Identifier: GPL-3.0-or-later
/* What pictures know of a model's tables: components, lengths, kinds of tokens.  Each part is made when a picture
 * first wants it, in a job where it takes long, and kept with the model. */
#ifndef ES_VIEW_ATLAS_H
#define ES_VIEW_ATLAS_H

#include "analysis/pca.h"
#include "analysis/quality.h"
#include "analysis/spread.h"
#include "layer/near.h"
#include "session/context.h"
#include "view/colour.h"

/* Parts, as bits. */
enum {
    ES_ATLAS_TOKENS = 1, /* components of wte, its rows along them, their lengths */
    ES_ATLAS_POSITIONS =
        2, /* components of the positions in use, their rows along them, their lengths */
    ES_ATLAS_KINDS = 4, /* what kind of token each is */
    ES_ATLAS_KEPT = 8,  /* what the map's components keep, of a few tokens; wants tokens */
    ES_ATLAS_SPREAD =
        16 /* lengths, distances and cosines, and those of random rows; wants tokens */
};

enum {
    ES_ATLAS_COMPONENTS = 10, /* along which rows are kept */
    ES_ATLAS_PLACES = 1024,   /* of positions without a last row, how many are shown */
    ES_KEPT_NEAREST = ES_QUALITY_NEAREST
};

/* Scripts a token's letters can be of; ES_SCRIPT_NONE: no letters, ES_SCRIPT_BYTES: no text by itself. */
typedef enum es_script {
    ES_SCRIPT_NONE,
    ES_SCRIPT_LATIN,
    ES_SCRIPT_CYRILLIC,
    ES_SCRIPT_GREEK,
    ES_SCRIPT_ARABIC,
    ES_SCRIPT_HEBREW,
    ES_SCRIPT_HAN,
    ES_SCRIPT_KANA,
    ES_SCRIPT_OTHER,
    ES_SCRIPT_BYTES
} es_script;

typedef struct es_token_kind {
    uint8_t script; /* es_script */
    bool space;     /* begins with one */
    bool digit;     /* of digits alone, a space before them apart */

    /* 0 no letters with case, 1 lower, 2 Capital (a single letter too), 3 UPPER, 4 miXed */
    uint8_t letter_case;
} es_token_kind;

typedef enum es_color_by {
    ES_BY_LENGTH,
    ES_BY_ID,
    ES_BY_SCRIPT,
    ES_BY_SPACE,
    ES_BY_DIGIT,
    ES_BY_CASE,
    ES_BY_COUNT,
    ES_N_COLOR_BY
} es_color_by;

/* A table along its first components. */
typedef struct es_mapped {
    es_pca pca;
    int64_t n;                 /* rows */
    int K;                     /* numbers a row: components, at most ES_ATLAS_COMPONENTS */
    float *at;                 /* (n, K); NaN: a row that is not finite */
    float *length;             /* (n) of the rows as they are, not centred */
    float short_end, long_end; /* one length in a hundred is beyond each; 0: none is finite */
} es_mapped;

typedef struct es_atlas {
    es_context *context;    /* one reference: model, vocabulary, positions */
    _Atomic unsigned ready; /* parts that may be read */
    es_mapped tokens, positions;
    es_token_kind *kind;           /* (V) */
    unsigned kinds[ES_N_COLOR_BY]; /* which of them there are, as bits */
    int64_t most_seen;             /* the largest count of training; -1: counts are not known */
    uint64_t seed;                 /* by which tokens are drawn by lot; set before they are */
    es_quality kept;               /* with es_quality_quick; k 0: there are too few rows to say */
    _Atomic int kept_of[3], n_kept_of; /* in these components */
    es_spread spread, random; /* of wte, and of as many random rows; pairs drawn from seed 1 */
    es_table *rows;           /* wte at hand, one reference; there with the tokens */
    es_near *near; /* over it, for whoever makes or runs an errand (views.h); NULL: not yet */
} es_atlas;

es_atlas *es_atlas_new(es_context *c);
void es_atlas_free(es_atlas *a); /* NULL is fine; no job may be at it */

/* What is known of the tokens of one moves to the other where it is the same: model, vocabulary and device, positions
 * apart.  No job may be at either.  false: nothing does. */
bool es_atlas_inherit(es_atlas *to, es_atlas *from);

static inline bool es_atlas_has(const es_atlas *a, unsigned parts)
{
    return (atomic_load(&((es_atlas *)a)->ready) & parts) == parts;
}

/* Make what is missing of `parts`.  On a thread of its own if need be, one at a time: others may read what is ready
 * meanwhile.
 * components: n of them, for ES_ATLAS_KEPT.  A model without wte or wpe: ES_ERR_VALUE.  Errors of es_pca_fit. */
bool es_atlas_make(es_atlas *a, unsigned parts, const int *components, int n, es_watch *watch,
                   es_error *err);

/* Is what is kept known for these components, in their order? */
bool es_atlas_knows_kept(const es_atlas *a, const int *components, int n);

/* at (n, d) = its rows along these components; one there is not is 0. */
void es_mapped_lay_out(float *at, const es_mapped *m, const int *component, int d);

const char *es_script_name(es_script s); /* "Cyrillic" */

/* The kind of the token with these bytes. */
es_token_kind es_token_kind_of(const char *bytes, size_t n);

/* As a bit of an atlas' kinds: what it is as to script, space, digit or case. */
unsigned es_token_kind_bit(const es_token_kind *kind, es_color_by by);

/* ---- colour by ---- */

const char *es_color_by_name(es_color_by by); /* "length" */

/* The colour of token id; wants TOKENS for the length, KINDS for what kinds say. */
es_argb es_atlas_colour(const es_atlas *a, const es_palette *p, es_color_by by, int32_t id);

/* What the colours mean, an entry at a time, appended to label: true while there is one.  For numbers two entries, the
 * ends of the scale ("0", "50,256"; of lengths one in a hundred is beyond each: "≤ 0.47", "≥ 2.72"); one, "not known",
 * for counts that the model does not have. */
bool es_atlas_legend(const es_atlas *a, const es_palette *p, es_color_by by, int i, es_argb *colour,
                     es_str *label);

#endif
