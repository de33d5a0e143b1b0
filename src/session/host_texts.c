// SPDX-License-Identifier: GPL-3.0-or-later
/* Texts to ids and back, as statements ask for it. */
#include "session/host_texts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "session/state.h"

typedef struct texts {
    const char **bytes;
    size_t *len;
    int64_t B;
} texts;

static void texts_free(texts *t)
{
    free(t->bytes);
    free(t->len);
}

static bool bad_texts(const es_value *v, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "encode() takes a text or a list of texts, not %s",
            es_value_type_name(v));
    return es_hint(err, "try: encode(\"The cat sat\") or encode([\"The cat sat\", \"A dog\"])");
}

static bool texts_of(texts *out, const es_value *v, es_error *err)
{
    bool one = v->kind == ES_V_STR;
    if (!one && v->kind != ES_V_LIST && v->kind != ES_V_TUPLE)
        return bad_texts(v, err);
    const es_value *of = one ? v : es_value_items(v)->of;
    out->B = one ? 1 : es_value_items(v)->n;
    if (out->B == 0)
        return es_fail(err, ES_ERR_VALUE, "encode() was given no text at all: the list is empty");
    out->bytes = es_alloc_array((size_t)out->B, sizeof *out->bytes);
    out->len = es_alloc_array((size_t)out->B, sizeof *out->len);
    for (int64_t b = 0; b < out->B; b++) {
        if (of[b].kind != ES_V_STR)
            return bad_texts(&of[b], err);
        const es_str_object *s = (const es_str_object *)of[b].u.o;
        out->bytes[b] = s->bytes;
        out->len[b] = s->n;
    }
    return true;
}

bool es_host_encode(es_interp *in, es_call *call, const es_value *text, es_tensor *out,
                    es_error *err)
{
    texts t = {0};
    es_text *read = texts_of(&t, text, err)
                        ? es_session_read(call->session, t.bytes, t.len, t.B, call->sink, err)
                        : NULL;
    texts_free(&t);
    if (!read)
        return false;
    es_shape shape = text->kind == ES_V_STR
                         ? es_shape_1d("T", es_text_T(read))
                         : es_shape_2d("B", es_text_B(read), "T", es_text_T(read));
    bool ok = es_torch_new(es_interp_torch(in), out, call->session->be, ES_INT64, &shape, err);
    if (ok && !es_torch_meta(out))
        for (int64_t i = 0, n = es_shape_count(&shape); i < n; i++)
            ((int64_t *)out->buf->mem)[i] = es_text_ids(read)[i];
    es_text_unref(read);
    return ok;
}

static bool decode_one(const es_bpe *bpe, int64_t id, int64_t at, es_str *out, es_error *err)
{
    int64_t V = es_bpe_vocab_size(bpe);
    size_t len;
    const char *bytes = id >= 0 && id < V ? es_bpe_bytes(bpe, (int32_t)id, &len) : NULL;
    if (bytes) {
        es_str_bytes(out, bytes, len);
        return true;
    }
    es_fail(err, ES_ERR_INDEX_RANGE, "there is no token %lld (at [%lld])", (long long)id,
            (long long)at);
    return es_hint(err, "the vocabulary has V=%lld tokens, 0..%lld", (long long)V,
                   (long long)V - 1);
}

static bool decode_tensor(es_interp *in, const es_bpe *bpe, const es_tensor *t, es_str *out,
                          es_error *err)
{
    int ndim = t->shape.ndim;
    if (t->dtype != ES_INT64 && t->dtype != ES_INT32) {
        es_fail(err, ES_ERR_DTYPE, "decode() takes ids, whole numbers, not %s",
                es_dtype_name(t->dtype));
        return es_hint(err, "try: .long()");
    }
    if (ndim > 2 || (ndim == 2 && t->shape.dim[0] != 1)) {
        es_str shape = {0};
        es_shape_show(&shape, &t->shape);
        es_fail(err, ES_ERR_VALUE, "decode() takes the ids of one text, [T], not %s", shape.s);
        es_str_free(&shape);
        return es_hint(err, "try: decode(ids[0])");
    }
    if (!es_torch_ready(es_interp_torch(in), t, "decode()", err))
        return false;
    for (int64_t i = 0, n = es_shape_count(&t->shape); i < n; i++)
        if (!decode_one(bpe, es_torch_get_int(t, i), i, out, err))
            return false;
    return true;
}

bool es_host_decode(es_interp *in, const es_session *s, const es_value *ids, es_str *out,
                    es_error *err)
{
    bool one = ids->kind == ES_V_INT;
    if (ids->kind == ES_V_TENSOR)
        return decode_tensor(in, s->bpe, es_value_as_tensor(ids), out, err);
    bool ok = one || ids->kind == ES_V_LIST || ids->kind == ES_V_TUPLE;
    const es_value *of = one || !ok ? ids : es_value_items(ids)->of;
    int64_t n = one || !ok ? 1 : es_value_items(ids)->n;
    for (int64_t i = 0; i < n; i++) {
        if (of[i].kind != ES_V_INT)
            return es_fail(err, ES_ERR_TYPE,
                           "decode() takes ids: a tensor or a list of ints, not %s",
                           es_value_type_name(&of[i]));
        if (!decode_one(s->bpe, of[i].u.i, i, out, err))
            return false;
    }
    return true;
}
