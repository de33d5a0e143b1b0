// SPDX-License-Identifier: GPL-3.0-or-later
/* :color-by: what the colours of tokens say. */
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/colouring.h"

static void answer(es_call *call, const es_viewer *v)
{
    static const es_kind kind = {"color-by", es_said_show, es_said_json, es_said_forget};
    es_said *said = es_alloc(sizeof *said);
    es_json j = {.out = &said->fields};
    es_colouring c = es_colouring_of(v);
    es_str_cat(&said->line, "color-by: ");
    es_colouring_word(v, &said->line);
    es_json_key(&j, "by");
    if (c.column < 0) {
        es_json_string(&j, es_color_by_name(c.by));
    } else {
        es_json_text(&j, v->meta->column[c.column].name.s, v->meta->column[c.column].name.len);
        es_json_key(&j, "meta");
        es_json_bool(&j, true);
    }
    es_call_answer(call, (es_result){.kind = &kind, .data = said});
}

/* What the program knows itself; ES_N_COLOR_BY: it is no word for that. */
static es_color_by own_word(const es_arg *arg)
{
    int by = 0;
    while (by < ES_N_COLOR_BY &&
           strcmp(es_str_text(&arg->value), es_color_by_name((es_color_by)by)) != 0)
        by++;
    return (es_color_by)by;
}

void es_cmd_columns(const es_session *s, es_str *words)
{
    const es_viewer *v = es_viewer_of(s);
    for (int k = 0; v && v->meta && k < v->meta->n; k++) {
        const es_str *name = &v->meta->column[k].name;
        es_str shown = {0};
        es_show_prose(&shown, name->s, name->len);
        bool plain =
            shown.len == name->len && !memchr(name->s, ' ', name->len) && name->s[0] != '"';
        if (plain)
            es_str_add(words, "%s%s", words->len ? " " : "", shown.s);
        es_str_free(&shown);
    }
}

/* Neither a word nor a column. */
static bool unknown(const es_call *call, const es_arg *arg, es_error *err)
{
    es_str words = {0};
    for (int i = 0; i < ES_N_COLOR_BY; i++)
        es_str_add(&words, "%s%s", i ? " " : "", es_color_by_name((es_color_by)i));
    es_cmd_columns(call->session, &words);
    es_cmd_stray(call, arg, words.s, err);
    es_str_free(&words);
    const es_viewer *v = es_viewer_of(call->session);
    if (err && err->hint && strstr(err->hint, "did you mean"))
        return false;
    if (!v->meta)
        return es_hint(err, "a column of a table of one's own: :meta FILE.tsv first");
    return es_hint(err, ":meta lists the columns of the table that was read");
}

/* A word of the program's means that, unless it stands in quotes. */
static bool choose(const es_call *call, es_viewer *v, const es_arg *arg, es_error *err)
{
    const es_model *m = es_session_context(call->session)->model;
    es_color_by by = own_word(arg);
    int column = es_meta_named(v->meta, es_str_text(&arg->value), arg->value.len);
    if (column >= 0 && (arg->quoted || by == ES_N_COLOR_BY)) {
        v->meta_column = column;
        return true;
    }
    if (by == ES_N_COLOR_BY)
        return unknown(call, arg, err);
    if (by == ES_BY_COUNT && !m->counts) {
        es_fail(err, ES_ERR_VALUE, "how often %s saw each token in training is not known", m->name);
        es_hint(err, "try: :model mini, which says so, or :color-by length");
        return es_error_locate(err, arg->begin, arg->end);
    }
    v->color_by = by;
    v->meta_column = -1;
    return true;
}

bool es_cmd_color_by(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_arg arg = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    es_viewer_follow(v);
    if (found == 0)
        answer(call, v);
    if (found <= 0)
        return found == 0;
    bool ok = es_arg_end(call, at, err) && choose(call, v, &arg, err);
    es_str_free(&arg.value);
    if (ok)
        es_cmd_done(call);
    return ok;
}
