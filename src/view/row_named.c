// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/row_named.h"

bool es_row_named(const es_viewer *v, const es_call *call, const es_arg *arg, es_token_name *out,
                  es_error *err)
{
    const es_model *m = es_session_context(v->session)->model;
    return es_model_needs_wte(m, err) && es_token_named(call, arg, out, err) &&
           es_token_has_row(m, out->id, arg, err);
}

int es_row_next(const es_viewer *v, const es_call *call, size_t *at, es_token_name *out,
                es_error *err)
{
    es_arg arg = {0};
    int found = es_arg_next(call, at, &arg, err);
    if (found > 0 && !es_row_named(v, call, &arg, out, err))
        found = -1;
    es_str_free(&arg.value);
    return found;
}

int32_t es_row_in_focus(const es_viewer *v, bool *row)
{
    const es_context *c = es_session_context(v->session);
    int64_t V = c->model->config.vocab_size, place;
    int32_t id = es_viewer_focus(v, &place);
    if (id < 0) {
        id = es_bpe_find(c->bpe, " cat", 4);
        id = id < V ? id : 0;
    }
    *row = id >= 0 && id < V;
    return V > 0 ? (id < 0 ? 0 : id) : -1;
}
