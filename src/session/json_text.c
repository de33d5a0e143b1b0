// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/json_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { BLOCK = 1 << 18 }; /* numbers of each vector that are in memory at once, in a long text */

void es_json_bytes(es_json *j, const char *bytes, size_t n)
{
    es_json_key(j, "text");
    es_json_text(j, bytes, n);
    if (!es_utf8_valid(bytes, n)) {
        es_json_key(j, "hex");
        es_json_hex(j, bytes, n);
    }
}

static void json_source(es_json *j, const es_text *t)
{
    es_json_key_string(j, "vocab", t->context->vocab);
    es_json_key_string(j, "model", t->context->model->name);
    es_json_key_string(j, "device", es_context_device(t->context));
}

static void json_tokens(es_json *j, const es_text *t, int64_t b)
{
    const es_sentence *s = &t->sentences->of[b];
    es_json_open(j, '[');
    for (size_t i = 0; i < s->tokens.n && !es_str_braked(j->out); i++) {
        size_t n;
        const char *bytes = es_text_token(t, b, i, &n);
        es_json_open(j, '{');
        es_json_key_int(j, "pos", s->at + (int64_t)i);
        es_json_key_int(j, "id", s->tokens.id[i]);
        es_json_key(j, "text");
        es_json_text(j, bytes, n);
        es_json_key(j, "hex");
        es_json_hex(j, bytes, n);
        es_json_key_int(j, "begin", s->tokens.begin[i]);
        es_json_key_int(j, "end", s->tokens.begin[i + 1]);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

typedef enum stage { TOK_EMB, POS_EMB, X } stage;

static bool has(const es_text *t, stage s)
{
    return s == POS_EMB ? t->context->layer.wpe != NULL : !es_text_places_only(t);
}

/* n axes; null: there is no such stage. */
static void json_shape(es_json *j, const char *key, const int64_t *dim, int n)
{
    es_json_key(j, key);
    if (!n) {
        es_json_null(j);
        return;
    }
    es_json_open(j, '[');
    for (int i = 0; i < n; i++)
        es_json_int(j, dim[i]);
    es_json_close(j, ']');
}

void es_json_shapes(es_json *j, const es_text *t)
{
    int64_t btc[] = {es_text_B(t), es_text_T(t), t->context->model->config.n_embd};
    int64_t one[] = {1, btc[1], btc[2]};
    es_json_key(j, "shapes");
    es_json_open(j, '{');
    json_shape(j, "ids", btc, 2);
    json_shape(j, "tok_emb", btc, has(t, TOK_EMB) ? 3 : 0);
    json_shape(j, "pos_emb", one, has(t, POS_EMB) ? 3 : 0);
    json_shape(j, "x", btc, has(t, X) ? 3 : 0);
    es_json_close(j, '}');
}

/* ---- vectors, a block of rows at a time ---- */

static bool json_rows(es_json *j, const es_tensor *rows, es_error *err)
{
    int64_t n = rows->shape.dim[1], C = rows->shape.dim[2];
    float *values = es_try_alloc((size_t)(n * C), sizeof *values, "the vectors", err);
    bool ok = values && es_tensor_read(rows, values, err);
    for (int64_t i = 0; ok && i < n; i++)
        es_json_floats(j, values + i * C, C);
    free(values);
    return ok;
}

static bool json_sentence(es_json *j, es_text *t, int64_t b, stage s, es_error *err)
{
    bool ok = true;
    es_json_open(j, '[');
    int64_t T = es_text_T(t), rows = BLOCK / t->context->model->config.n_embd;
    rows += rows == 0;
    for (int64_t at = 0; ok && at < T && !es_str_braked(j->out); at += rows) {
        es_embedded e;
        ok = es_text_rows(t, b, at, T - at < rows ? T - at : rows, &e, err);
        if (ok)
            ok = json_rows(j, s == TOK_EMB ? &e.tok_emb : s == POS_EMB ? &e.pos_emb : &e.x, err);
        es_embedded_free(&e);
    }
    es_json_close(j, ']');
    return ok;
}

/* T lists of C numbers, or B lists of those; pos_emb is one for all sentences. */
static bool json_vectors(es_json *j, es_text *t, es_error *err)
{
    static const char *const keys[] = {"tok_emb", "pos_emb", "x"};
    int64_t B = es_text_B(t);
    bool ok = true;
    for (stage s = TOK_EMB; ok && s <= X; s++) {
        es_json_key(j, keys[s]);
        if (!has(t, s)) {
            es_json_null(j);
            continue;
        }
        if (B > 1)
            es_json_open(j, '[');
        for (int64_t b = 0; ok && b < (s == POS_EMB ? 1 : B) && !es_str_braked(j->out); b++)
            ok = json_sentence(j, t, b, s, err);
        if (B > 1)
            es_json_close(j, ']');
    }
    return ok;
}

/* ---- the kinds ---- */

bool es_json_of_tokens(es_json *j, void *data, bool values, es_error *err)
{
    const es_text *t = data;
    (void)values;
    (void)err;
    if (es_text_B(t) > 1) {
        es_json_of_batch(j, data, false, err);
        return true;
    }
    es_json_bytes(j, t->sentences->of[0].bytes, t->sentences->of[0].len);
    json_source(j, t);
    es_json_key(j, "ids");
    es_json_ints(j, es_text_ids(t), es_text_T(t));
    es_json_key(j, "tokens");
    json_tokens(j, t, 0);
    return true;
}

bool es_json_of_text(es_json *j, void *data, bool values, es_error *err)
{
    es_json_of_tokens(j, data, values, err);
    es_json_shapes(j, data);
    return !values || json_vectors(j, data, err);
}

static void json_mask(es_json *j, const es_text *t, int64_t b)
{
    const es_sentence *s = &t->sentences->of[b];
    es_json_open(j, '[');
    for (int64_t i = 0; i < es_text_T(t); i++)
        es_json_int(j, i >= s->at && i < s->at + (int64_t)s->tokens.n);
    es_json_close(j, ']');
}

bool es_json_of_batch(es_json *j, void *data, bool values, es_error *err)
{
    es_text *t = data;
    int64_t B = es_text_B(t), T = es_text_T(t);
    es_json_key(j, "texts");
    es_json_open(j, '[');
    for (int64_t b = 0; b < B; b++)
        es_json_text(j, t->sentences->of[b].bytes, t->sentences->of[b].len);
    es_json_close(j, ']');
    json_source(j, t);
    es_json_key_int(j, "pad", t->sentences->pad);
    es_json_key(j, "ids");
    es_json_open(j, '[');
    for (int64_t b = 0; b < B; b++)
        es_json_ints(j, es_text_ids(t) + b * T, T);
    es_json_close(j, ']');
    es_json_key(j, "mask");
    es_json_open(j, '[');
    for (int64_t b = 0; b < B; b++)
        json_mask(j, t, b);
    es_json_close(j, ']');
    es_json_key(j, "tokens");
    es_json_open(j, '[');
    for (int64_t b = 0; b < B; b++)
        json_tokens(j, t, b);
    es_json_close(j, ']');
    es_json_shapes(j, t);
    return !values || json_vectors(j, t, err);
}
