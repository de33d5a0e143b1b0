// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/embedding.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/lookup.h"
#include "core/ops.h"

bool es_embedding_guard(const es_embedding *e, int64_t T, es_error *err)
{
    if (e->positions != ES_POSITIONS_LEARNED || T <= es_table_rows(e->wpe))
        return true;
    int64_t n_ctx = es_table_rows(e->wpe);
    es_fail(err, ES_ERR_CONTEXT_OVERFLOW,
            "Sequence length (%" PRId64 ") exceeds maximum context window (%" PRId64 ")", T, n_ctx);
    es_hint(err,
            "wpe has one learned row for each of %" PRId64 " positions, 0..%" PRId64
            "; there is none for position %" PRId64 ".",
            n_ctx, n_ctx - 1, n_ctx);
    es_hint(err,
            "try: shorten the text by %" PRId64 " token%s, or :positions sinusoidal, which has "
            "no last row",
            T - n_ctx, T - n_ctx == 1 ? "" : "s");
    return false;
}

static bool same_width(const es_embedding *e, es_error *err)
{
    if (!e->wpe || es_table_width(e->wte) == es_table_width(e->wpe))
        return true;
    return es_fail(err, ES_ERR_BROADCAST, "wte has C=%" PRId64 " channels but wpe has C=%" PRId64,
                   es_table_width(e->wte), es_table_width(e->wpe));
}

/* pos_emb (1, T, C): the rows of wpe for pos0 .. pos0+T-1. */
static bool look_up_positions(es_embedded *out, const es_embedding *e, int64_t T, int64_t pos0,
                              es_error *err)
{
    es_shape shape = es_shape_3d("", 1, "T", T, "C", es_table_width(e->wpe));
    int32_t *positions = es_try_alloc((size_t)T, sizeof *positions, "the positions", err);
    if (!positions)
        return false;
    for (int64_t t = 0; t < T; t++)
        positions[t] = (int32_t)(pos0 + t);
    bool ok = es_tensor_new(&out->pos_emb, e->be, ES_FLOAT32, &shape, err) &&
              es_table_gather(&out->pos_emb, e->wpe, positions, "wpe", err);
    free(positions);
    return ok;
}

static bool run(es_embedded *out, const es_embedding *e, const int32_t *ids, int64_t B, int64_t T,
                int64_t pos0, es_error *err)
{
    es_shape btc = es_shape_3d("B", B, "T", T, "C", es_table_width(e->wte));
    if (!es_tensor_new(&out->tok_emb, e->be, ES_FLOAT32, &btc, err) ||
        !es_table_gather(&out->tok_emb, e->wte, ids, "wte", err))
        return false;
    if (!e->wpe) {
        es_tensor_view(&out->x, &out->tok_emb);
        return true;
    }
    return look_up_positions(out, e, T, pos0, err) &&
           es_tensor_new(&out->x, e->be, ES_FLOAT32, &btc, err) &&
           es_add(&out->x, &out->tok_emb, &out->pos_emb, err);
}

bool es_embedding_forward(es_embedded *out, const es_embedding *e, const int32_t *ids, int64_t B,
                          int64_t T, int64_t pos0, es_error *err)
{
    *out = (es_embedded){0};
    if (!es_embedding_guard(e, pos0 + T, err) || !same_width(e, err))
        return false;
    if (!run(out, e, ids, B, T, pos0, err)) {
        es_embedded_free(out);
        return false;
    }
    return true;
}

bool es_embedding_places(es_embedded *out, const es_embedding *e, int64_t T, int64_t pos0,
                         es_error *err)
{
    *out = (es_embedded){0};
    if (es_embedding_guard(e, pos0 + T, err) && look_up_positions(out, e, T, pos0, err))
        return true;
    es_embedded_free(out);
    return false;
}

/* ---- x alone ---- */

static bool may_look_up(const es_embedding *e, const int32_t *ids, int64_t B, int64_t T,
                        int64_t pos0, es_error *err)
{
    return es_embedding_guard(e, pos0 + T, err) && same_width(e, err) &&
           es_check_ids(ids, B, T, es_table_rows(e->wte), "wte", err);
}

/* out (B, T, C) = rows of wte, plus pos_emb (1, T, C) unless that is empty. */
static bool look_up_and_add(es_tensor *out, const es_embedding *e, const int32_t *ids,
                            const es_tensor *pos_emb, es_error *err)
{
    const es_tensor *wte = es_table_lies_on(e->wte, e->be), *add = pos_emb->buf ? pos_emb : NULL;
    if (wte)
        return es_gather(out, wte, ids, add, err);
    return es_table_gather(out, e->wte, ids, "wte", err) && (!add || es_add(out, out, add, err));
}

bool es_embedding_x_there(es_tensor *out, const es_embedding *e, const int32_t *ids, int64_t pos0,
                          es_error *err)
{
    es_embedded all = {0};
    int64_t B = out->shape.dim[0], T = out->shape.dim[1];
    bool ok = may_look_up(e, ids, B, T, pos0, err) &&
              (!e->wpe || look_up_positions(&all, e, T, pos0, err)) &&
              look_up_and_add(out, e, ids, &all.pos_emb, err);
    es_embedded_free(&all);
    return ok;
}

/* The first n of B sentences, T places from t0 on, are made in room and read. */
static bool read_piece(float *out, es_tensor *room, const es_embedding *e, const int32_t *ids,
                       const es_tensor *pos_emb, int64_t t0, int64_t n, int64_t T, es_error *err)
{
    es_tensor piece = *room, places = {0}; /* piece: the reference is room's */
    piece.shape.dim[0] = n;
    piece.shape.dim[1] = T;
    bool ok = (!pos_emb->buf || es_tensor_slice(&places, pos_emb, 1, t0, t0 + T, err)) &&
              look_up_and_add(&piece, e, ids, &places, err) && es_tensor_read(&piece, out, err);
    es_tensor_free(&places);
    return ok;
}

/* Several sentences at once, or one in parts. */
static bool read_pieces(float *out, const es_embedding *e, const int32_t *ids, int64_t B, int64_t T,
                        const es_tensor *pos_emb, es_error *err)
{
    enum { PIECE = 1 << 22 }; /* numbers */
    int64_t C = es_table_width(e->wte), places = PIECE / C + 1, sentences = places / T;
    places = places < T ? places : T;
    sentences = sentences < 1 ? 1 : sentences < B ? sentences : B;
    es_shape shape = es_shape_3d("B", sentences, "T", places, "C", C);
    es_tensor room;
    bool ok = es_tensor_new(&room, e->be, ES_FLOAT32, &shape, err);
    for (int64_t b = 0; ok && b < B; b += sentences)
        for (int64_t t = 0; ok && t < T; t += places) {
            int64_t n = B - b < sentences ? B - b : sentences, i = b * T + t;
            ok = read_piece(out + i * C, &room, e, ids + i, pos_emb, t, n,
                            T - t < places ? T - t : places, err);
        }
    es_tensor_free(&room);
    return ok;
}

static bool read_x(float *out, const es_embedding *e, const int32_t *ids, int64_t B, int64_t T,
                   int64_t pos0, es_error *err)
{
    es_embedded all = {0};
    bool ok = (!e->wpe || look_up_positions(&all, e, T, pos0, err)) &&
              read_pieces(out, e, ids, B, T, &all.pos_emb, err);
    es_embedded_free(&all);
    return ok;
}

bool es_embedding_x(float *out, const es_embedding *e, const int32_t *ids, int64_t B, int64_t T,
                    int64_t pos0, es_error *err)
{
    if (!may_look_up(e, ids, B, T, pos0, err))
        return false;
    if (!e->be->ops->host_memory && es_table_lies_on(e->wte, e->be))
        return B * T == 0 || read_x(out, e, ids, B, T, pos0, err);
    es_backend_ran_beside(e->be, "lookup and sum");
    return es_lookup_add(out, e->wte, ids, B, T, e->wpe, pos0, e->be->threads, err);
}

void es_embedded_free(es_embedded *e)
{
    es_tensor_free(&e->tok_emb);
    es_tensor_free(&e->pos_emb);
    es_tensor_free(&e->x);
}
