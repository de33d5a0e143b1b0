// SPDX-License-Identifier: GPL-3.0-or-later
/* The embedding layer of a GPT: a row of wte for each token, a row of wpe for each place, added. */
#ifndef ES_LAYER_EMBEDDING_H
#define ES_LAYER_EMBEDDING_H

#include "layer/position.h"

/* The layer's parts, all borrowed. */
typedef struct es_embedding {
    es_backend *be;
    es_positions positions;
    es_table *wte; /* (V, C) token embeddings */
    es_table *wpe; /* (n_ctx, C) learned, or sinusoidal; NULL for none */
} es_embedding;

/* The stages, kept apart so that each can be shown. */
typedef struct es_embedded {
    es_tensor tok_emb; /* (B, T, C) = wte(ids) */
    es_tensor pos_emb; /* (1, T, C) = wpe(positions), shared by all sentences; empty for none */
    es_tensor x;       /* (B, T, C) = tok_emb + pos_emb, what the first block receives */
} es_embedded;

/* Do T tokens fit?  ES_ERR_CONTEXT_OVERFLOW in the article's words, with learned positions only. */
bool es_embedding_guard(const es_embedding *e, int64_t T, es_error *err);

/* Embed ids (B, T), dense and row-major, at positions pos0 .. pos0+T-1.
 *
 * Allocates the members of *out on e->be; free with es_embedded_free.  On failure *out is empty.
 * Errors: ES_ERR_CONTEXT_OVERFLOW  pos0 + T > n_ctx (learned positions)
 *         ES_ERR_INDEX_RANGE       an id is outside [0, V): names id, b and t
 *         ES_ERR_BROADCAST         the two tables differ in C
 *         ES_ERR_NOMEM, ES_ERR_BACKEND
 * Source: Radford et al. 2019, section 2.3; GPT-2's model.py, `h = gather(wte, X) +
 * gather(wpe, positions_for(X, past_length))`. */
bool es_embedding_forward(es_embedded *out, const es_embedding *e, const int32_t *ids, int64_t B,
                          int64_t T, int64_t pos0, es_error *err);
void es_embedded_free(es_embedded *e);

/* pos_emb alone, for places pos0 .. pos0+T-1: all there is where there is no wte.  The rest of *out is
 * empty.  ES_ERR_CONTEXT_OVERFLOW, ES_ERR_NOMEM, ES_ERR_BACKEND. */
bool es_embedding_places(es_embedded *out, const es_embedding *e, int64_t T, int64_t pos0,
                         es_error *err);

/* The same x alone, dense into the caller's B * T * C numbers; nothing else is kept.  Where e->be computes in
 * host memory nothing is allocated (see core/lookup.h).  Elsewhere x is made there and read, some 16 MB at a
 * time, unless wte does not lie there: then the host looks up and adds. */
bool es_embedding_x(float *out, const es_embedding *e, const int32_t *ids, int64_t B, int64_t T,
                    int64_t pos0, es_error *err);

/* x alone into out (B, T, C) on e->be, which the caller has made: rows of wte are added to those of wpe as they
 * are looked up, in one pass. */
bool es_embedding_x_there(es_tensor *out, const es_embedding *e, const int32_t *ids, int64_t pos0,
                          es_error *err);

#endif
