// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/token_name.h"

#include <inttypes.h>
#include <string.h>

#include "base/visible.h"

bool es_no_text_yet(es_error *err)
{
    es_fail(err, ES_ERR_VALUE, "there is no text yet");
    return es_hint(err, "try: type a sentence first, it stays the last text until the next one");
}

/* A part of an argument, for reading a number in it; borrows the bytes. */
static es_arg part_of(const es_arg *arg, size_t begin, size_t end)
{
    return (es_arg){.value = {.s = arg->value.s + begin, .len = end - begin},
                    .begin = arg->begin + begin,
                    .end = arg->begin + end};
}

bool es_token_has_row(const es_model *m, int64_t id, const es_arg *arg, es_error *err)
{
    int64_t V = m->config.vocab_size;
    if (id >= 0 && id < V)
        return true;
    es_fail(err, ES_ERR_INDEX_RANGE,
            "id %" PRId64 " is outside wte (%" PRId64 " rows: 0..%" PRId64 ")", id, V, V - 1);
    return arg && es_error_locate(err, arg->begin, arg->end);
}

static bool by_id(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err)
{
    es_arg number = part_of(arg, 1, arg->value.len);
    const es_model *m = es_session_context(call->session)->model;
    int64_t id = 0;
    if (!es_arg_int(&number, "an id after #", INT32_MIN, INT32_MAX, &id, err))
        return false;
    out->id = (int32_t)id;
    if (!es_model_needs_wte(m, err))
        return false;
    if (es_token_has_row(m, id, arg, err))
        return true;
    return es_torch_says(err, "index out of range in self");
}

/* ---- places ---- */

/* "@2" or "@1,2": fills b (0 when there is one number) and pos. */
static bool read_place(const es_arg *arg, const es_text *t, es_token_name *out, es_error *err)
{
    const char *comma = memchr(arg->value.s, ',', arg->value.len);
    size_t split = comma ? (size_t)(comma - arg->value.s) : 0;
    es_arg first = part_of(arg, 1, split), second = part_of(arg, split + 1, arg->value.len);
    out->b = 0;
    if (comma && !es_arg_int(&first, "a text after @", INT32_MIN, INT32_MAX, &out->b, err))
        return false;
    if (!es_arg_int(&second, "a place after @", INT32_MIN, INT32_MAX, &out->pos, err))
        return false;
    if (comma || es_text_B(t) == 1)
        return true;
    es_fail(err, ES_ERR_AMBIGUOUS,
            "the last text is a batch: @%" PRId64 " could be in any of its texts", out->pos);
    es_hint(err, "try: @0,%" PRId64 " for place %" PRId64 " of text 0", out->pos, out->pos);
    return es_error_locate(err, arg->begin, arg->end);
}

static bool place_is_there(const es_arg *arg, const es_text *t, const es_token_name *at,
                           es_error *err)
{
    int64_t B = es_text_B(t), T = es_text_T(t), P = t->context->model->config.n_ctx;
    bool learned = t->context->layer.positions == ES_POSITIONS_LEARNED;
    if (at->b < 0 || at->b >= B || at->pos < 0 || at->pos >= T) {
        es_fail(err, ES_ERR_INDEX_RANGE,
                "%s is outside the last text (B=%" PRId64 ", T=%" PRId64 ")", arg->value.s, B, T);
        if (T && B == 1)
            es_hint(err, "its places are @0 to @%" PRId64, T - 1);
        else if (T)
            es_hint(err, "its places are @0,0 to @%" PRId64 ",%" PRId64, B - 1, T - 1);
    } else if (learned && at->pos >= P) {
        es_fail(err, ES_ERR_INDEX_RANGE,
                "position %" PRId64 " has no row in wpe (%" PRId64 " rows: 0..%" PRId64 ")",
                at->pos, P, P - 1);
        es_hint(err, "try: :positions sinusoidal, which has no last row");
        es_torch_says(err, "index out of range in self");
    } else {
        return true;
    }
    return es_error_locate(err, arg->begin, arg->end);
}

static bool by_place(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err)
{
    const es_text *t = es_session_text(call->session);
    if (!t)
        return es_no_text_yet(err);
    if (!read_place(arg, t, out, err) || !place_is_there(arg, t, out, err))
        return false;
    out->id = es_text_ids(t)[out->b * es_text_T(t) + out->pos];
    return true;
}

/* ---- texts ---- */

/* What may have been meant by a text of several tokens: the ␣ of the screen, or quotes of a shell. */
static bool guess_token(const es_bpe *bpe, const es_arg *arg, es_error *err)
{
    static const char mark[] = "\u2423";
    const char *s = es_str_text(&arg->value);
    size_t n = arg->value.len;
    es_str meant = {0}, shown = {0};
    if (n > 3 && !memcmp(s, mark, 3)) {
        es_str_char(&meant, ' ');
        es_str_bytes(&meant, s + 3, n - 3);
    } else if (n > 2 && s[0] == '\'' && s[n - 1] == '\'') {
        es_str_bytes(&meant, s + 1, n - 2);
    }
    bool found = meant.len && es_bpe_find(bpe, meant.s, meant.len) >= 0;
    if (found) {
        es_show_brief(&shown, meant.s, meant.len);
        es_hint(err, "did you mean %s ?", shown.s);
    }
    es_str_free(&meant);
    es_str_free(&shown);
    return found;
}

static bool several(const es_bpe *bpe, const es_arg *arg, const es_tokens *tokens, es_error *err)
{
    enum { MOST = 8 };
    es_str shown = {0}, pieces = {0};
    es_show_brief(&shown, es_str_text(&arg->value), arg->value.len);
    for (size_t i = 0; i < tokens->n && i < MOST; i++) {
        es_str_cat(&pieces, i ? ", " : "");
        es_show_token(&pieces, arg->value.s + tokens->begin[i],
                      tokens->begin[i + 1] - tokens->begin[i]);
        es_str_add(&pieces, " #%" PRId32, tokens->id[i]);
    }
    if (tokens->n > MOST)
        es_str_cat(&pieces, ", …");
    if (tokens->n)
        es_fail(err, ES_ERR_VALUE, "%s is not one token but %zu: %s", shown.s, tokens->n, pieces.s);
    else
        es_fail(err, ES_ERR_VALUE, "an empty text is no token");
    if (tokens->n && !guess_token(bpe, arg, err))
        es_hint(err, "try: one of the pieces, by its # or in double quotes");
    es_str_free(&shown);
    es_str_free(&pieces);
    return es_error_locate(err, arg->begin, arg->end);
}

static bool by_text(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err)
{
    const es_bpe *bpe = es_session_context(call->session)->bpe;
    const char *bytes = es_str_text(&arg->value);
    out->id = es_bpe_find(bpe, bytes, arg->value.len);
    if (out->id >= 0)
        return true;
    es_tokens tokens = {0};
    if (es_bpe_encode(bpe, &tokens, bytes, arg->value.len, &(es_encoding){0}, NULL, err))
        several(bpe, arg, &tokens, err);
    es_tokens_free(&tokens);
    return false;
}

bool es_token_named(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err)
{
    const char *s = es_str_text(&arg->value);
    *out = (es_token_name){.pos = -1};
    if (!arg->quoted && s[0] == '#' && arg->value.len > 1)
        return by_id(call, arg, out, err);
    if (!arg->quoted && s[0] == '@' && arg->value.len > 1)
        return by_place(call, arg, out, err);
    return by_text(call, arg, out, err);
}
