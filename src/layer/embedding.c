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

bool es_embedding_x(float *out, const es_embedding *e, const int32_t *ids, int64_t B, int64_t T,
                    int64_t pos0, es_error *err)
{
    if (!es_embedding_guard(e, pos0 + T, err) || !same_width(e, err) ||
        !es_check_ids(ids, B, T, es_table_rows(e->wte), "wte", err))
        return false;
    if (!e->be->ops->host_memory)
        return es_fail(err, ES_ERR_DEVICE, "x is written to host memory, not to %s",
                       e->be->name);
    return es_lookup_add(out, e->wte, ids, B, T, e->wpe, pos0, e->be->threads, err);
}

void es_embedded_free(es_embedded *e)
{
    es_tensor_free(&e->tok_emb);
    es_tensor_free(&e->pos_emb);
    es_tensor_free(&e->x);
}
