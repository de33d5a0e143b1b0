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

static es_arg after_mark(const es_arg *arg)
{
    es_arg rest = *arg;
    rest.value.s++; /* borrowed: only read, never freed */
    rest.value.len--;
    return rest;
}

static bool by_id(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err)
{
    es_arg number = after_mark(arg);
    int64_t id = 0, V = es_session_context(call->session)->model->config.vocab_size;
    if (!es_arg_int(&number, "an id after #", INT32_MIN, INT32_MAX, &id, err))
        return false;
    out->id = (int32_t)id;
    out->pos = -1;
    if (id >= 0 && id < V)
        return true;
    es_fail(err, ES_ERR_INDEX_RANGE,
            "id %" PRId64 " is outside wte (%" PRId64 " rows: 0..%" PRId64 ")", id, V, V - 1);
    es_torch_says(err, "index out of range in self");
    return es_error_locate(err, arg->begin, arg->end);
}

static bool by_place(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err)
{
    es_arg number = after_mark(arg);
    es_text *t = es_session_text(call->session);
    int64_t place = 0;
    if (!es_arg_int(&number, "a place after @", INT32_MIN, INT32_MAX, &place, err))
        return false;
    if (!t)
        return es_no_text_yet(err);
    if (es_text_B(t) > 1) {
        es_fail(err, ES_ERR_AMBIGUOUS,
                "the last text is a batch: @%" PRId64 " could be in any of its rows", place);
        es_hint(err, "try: #ID, or the token in double quotes");
        return es_error_locate(err, arg->begin, arg->end);
    }
    if (place < 0 || place >= es_text_T(t)) {
        es_fail(err, ES_ERR_INDEX_RANGE, "@%" PRId64 " is outside the last text (T=%" PRId64 ")",
                place, es_text_T(t));
        if (es_text_T(t))
            es_hint(err, "its places are @0 to @%" PRId64, es_text_T(t) - 1);
        return es_error_locate(err, arg->begin, arg->end);
    }
    *out = (es_token_name){es_text_ids(t)[place], place};
    return true;
}

static bool several(const es_arg *arg, const es_tokens *tokens, es_error *err)
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
    es_fail(err, ES_ERR_VALUE, "%s is not one token but %zu%s%s", shown.s, tokens->n,
            tokens->n ? ": " : "", es_str_text(&pieces));
    es_hint(err, "try: one of the pieces, by its # or in double quotes");
    es_str_free(&shown);
    es_str_free(&pieces);
    return es_error_locate(err, arg->begin, arg->end);
}

static bool by_text(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err)
{
    const es_bpe *bpe = es_session_context(call->session)->bpe;
    const char *bytes = es_str_text(&arg->value);
    out->pos = -1;
    out->id = es_bpe_find(bpe, bytes, arg->value.len);
    if (out->id >= 0)
        return true;
    es_tokens tokens = {0};
    if (es_bpe_encode(bpe, &tokens, bytes, arg->value.len, false, NULL, err))
        several(arg, &tokens, err);
    es_tokens_free(&tokens);
    return false;
}

bool es_token_named(const es_call *call, const es_arg *arg, es_token_name *out, es_error *err)
{
    const char *s = es_str_text(&arg->value);
    if (!arg->quoted && s[0] == '#' && arg->value.len > 1)
        return by_id(call, arg, out, err);
    if (!arg->quoted && s[0] == '@' && arg->value.len > 1)
        return by_place(call, arg, out, err);
    return by_text(call, arg, out, err);
}
