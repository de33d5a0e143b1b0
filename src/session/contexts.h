// SPDX-License-Identifier: GPL-3.0-or-later
/* What :contexts answers: a token and its nearest neighbours, each with places where it stands in the boxed
 * text. */
#ifndef ES_SESSION_CONTEXTS_H
#define ES_SESSION_CONTEXTS_H

#include "session/boxed.h"
#include "session/context.h"
#include "session/result.h"

typedef struct es_stands {
    int32_t id;
    double score;  /* its cosine with the token asked for, 1 for that one */
    int64_t times; /* how often it stands in the boxed text */
    size_t *at;    /* [n_at] of those some, spread evenly: the how many-th token of the text */
    size_t n_at;
} es_stands;

typedef struct es_contexts {
    es_context *context;   /* one reference */
    const es_boxed *boxed; /* borrowed from the session */
    es_stands *of;         /* [n] the token asked for, then its neighbours, nearest first */
    size_t n;
} es_contexts;

es_result es_result_contexts(es_contexts *c); /* takes it over */

/* The bytes of the boxed text around a token, no further than the ends of its paragraph. */
typedef struct es_surroundings {
    const char *left, *token, *right;
    size_t n_left, n_token, n_right;
    size_t begin; /* of the token, in the text */
} es_surroundings;
es_surroundings es_boxed_around(const es_boxed *b, size_t token);

/* For this kind. */
bool es_show_contexts(es_str *out, void *data, const es_style *style, es_error *err);
bool es_json_of_contexts(es_json *j, void *data, bool values, es_error *err);

#endif
