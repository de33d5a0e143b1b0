// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/ops.h"

enum {
    SMALL = 1 << 20,    /* numbers in x up to which the whole is computed for any row */
    MOST_IDS = 1 << 28, /* in a batch with its padding: 1 GiB of them */
};

static void sentences_unref(es_sentences *s)
{
    if (!s || --s->refs > 0)
        return;
    for (int64_t b = 0; b < s->B; b++) {
        free(s->of[b].bytes);
        es_tokens_free(&s->of[b].tokens);
    }
    free(s->of);
    free(s->ids);
    free(s);
}

static bool read_sentence(es_sentence *s, const es_context *c, const es_reading *how,
                          const char *bytes, size_t len, es_watch *watch, es_error *err)
{
    s->bytes = es_try_alloc(len + 1, 1, "this text", err);
    if (!s->bytes)
        return false;
    if (len)
        memcpy(s->bytes, bytes, len);
    s->len = len;
    const es_encoding encoding = {.special = how->special, .threads = c->layer.be->threads};
    bool ok = es_bpe_encode(c->bpe, &s->tokens, s->bytes, len, &encoding, watch, err);
    es_tokens_trim(&s->tokens);
    return ok;
}

/* Fill ids (B, T) with the pad id around each sentence's tokens. */
static bool pad_rows(es_sentences *s, const es_reading *how, es_error *err)
{
    if (s->T && s->B > MOST_IDS / s->T) {
        es_fail(err, ES_ERR_NOMEM, "%lld texts padded to %lld tokens are too many ids",
                (long long)s->B, (long long)s->T);
        return es_hint(err, "try: fewer texts, or texts of more equal length");
    }
    s->ids = es_try_alloc((size_t)s->B * (size_t)s->T, sizeof *s->ids, "the ids", err);
    if (!s->ids)
        return false;
    for (int64_t i = 0; i < s->B * s->T; i++)
        s->ids[i] = s->pad;
    for (int64_t b = 0; b < s->B; b++) {
        es_sentence *one = &s->of[b];
        one->at = how->pad_left ? s->T - (int64_t)one->tokens.n : 0;
        for (size_t i = 0; i < one->tokens.n; i++)
            s->ids[b * s->T + one->at + (int64_t)i] = one->tokens.id[i];
    }
    return true;
}

static bool read_all(es_sentences *s, const es_context *c, const es_reading *how,
                     const char *const *bytes, const size_t *len, es_watch *watch, es_error *err)
{
    for (int64_t b = 0; b < s->B; b++) {
        if (!read_sentence(&s->of[b], c, how, bytes[b], len[b], watch, err))
            return false;
        if ((int64_t)s->of[b].tokens.n > s->T)
            s->T = (int64_t)s->of[b].tokens.n;
    }
    return s->B == 1 || pad_rows(s, how, err);
}

static es_text *text_of(es_context *c, es_sentences *s)
{
    es_text *t = es_alloc(sizeof *t);
    atomic_init(&t->refs, 1);
    t->context = es_context_ref(c);
    t->sentences = s;
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

es_text *es_text_new(es_context *c, const es_reading *how, const char *const *bytes,
                     const size_t *len, int64_t B, es_watch *watch, es_error *err)
{
    es_sentences *s = es_alloc(sizeof *s);
    atomic_init(&s->refs, 1);
    s->B = B;
    s->of = es_alloc_array((size_t)B, sizeof *s->of);
    s->pad = how->pad;
    if (read_all(s, c, how, bytes, len, watch, err))
        return text_of(c, s);
    sentences_unref(s);
    return NULL;
}

es_text *es_text_with(const es_text *t, es_context *c)
{
    t->sentences->refs++;
    return text_of(c, t->sentences);
}

es_text *es_text_ref(es_text *t)
{
    t->refs++;
    return t;
}

void es_text_unref(es_text *t)
{
    if (!t || --t->refs > 0)
        return;
    es_embedded_free(&t->vectors);
    pthread_mutex_destroy(&t->lock);
    sentences_unref(t->sentences);
    es_context_unref(t->context);
    free(t);
}

int64_t es_text_B(const es_text *t)
{
    return t->sentences->B;
}

int64_t es_text_T(const es_text *t)
{
    return t->sentences->T;
}

const int32_t *es_text_ids(const es_text *t)
{
    return t->sentences->ids ? t->sentences->ids : t->sentences->of[0].tokens.id;
}

size_t es_text_n_bytes(const es_text *t)
{
    size_t n = 0;
    for (int64_t b = 0; b < es_text_B(t); b++)
        n += t->sentences->of[b].len;
    return n;
}

const char *es_text_token(const es_text *t, int64_t b, size_t i, size_t *len)
{
    const es_sentence *s = &t->sentences->of[b];
    *len = s->tokens.begin[i + 1] - s->tokens.begin[i];
    return s->bytes + s->tokens.begin[i];
}

bool es_text_guard(const es_text *t, es_error *err)
{
    return es_embedding_guard(&t->context->layer, es_text_T(t), err) &&
           es_model_needs_wte(t->context->model, err) &&
           es_check_ids(es_text_ids(t), es_text_B(t), es_text_T(t),
                        t->context->model->config.vocab_size, "wte", err);
}

bool es_text_places_only(const es_text *t)
{
    return !t->context->model->config.vocab_size && t->context->layer.wpe;
}

const es_embedded *es_text_vectors(es_text *t, es_error *err)
{
    pthread_mutex_lock(&t->lock);
    bool ok =
        t->vectors.x.buf || es_embedding_forward(&t->vectors, &t->context->layer, es_text_ids(t),
                                                 es_text_B(t), es_text_T(t), 0, err);
    pthread_mutex_unlock(&t->lock);
    return ok ? &t->vectors : NULL;
}

/* out = whole[b : b+1, t0 : t0+n]; pos_emb has one sentence for all. */
static bool cut(es_tensor *out, const es_tensor *whole, int64_t b, int64_t t0, int64_t n,
                es_error *err)
{
    es_tensor sentence;
    int64_t row = whole->shape.dim[0] == 1 ? 0 : b;
    if (!whole->buf)
        return true;
    if (!es_tensor_slice(&sentence, whole, 0, row, row + 1, err))
        return false;
    bool ok = es_tensor_slice(out, &sentence, 1, t0, t0 + n, err);
    es_tensor_free(&sentence);
    return ok;
}

bool es_text_rows(es_text *t, int64_t b, int64_t t0, int64_t n, es_embedded *out, es_error *err)
{
    int64_t size = es_text_B(t) * es_text_T(t) * t->context->model->config.n_embd;
    *out = (es_embedded){0};
    if (es_text_places_only(t))
        return es_embedding_places(out, &t->context->layer, n, t0, err);
    if (size > SMALL || !es_text_guard(t, NULL))
        return es_embedding_forward(out, &t->context->layer, es_text_ids(t) + b * es_text_T(t) + t0,
                                    1, n, t0, err);
    const es_embedded *all = es_text_vectors(t, err);
    bool ok = all && cut(&out->tok_emb, &all->tok_emb, b, t0, n, err) &&
              cut(&out->pos_emb, &all->pos_emb, b, t0, n, err) &&
              cut(&out->x, &all->x, b, t0, n, err);
    if (!ok)
        es_embedded_free(out);
    return ok;
}
