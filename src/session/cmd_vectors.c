// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands about vectors: one token's, the pipeline's shapes, which positions are added. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "core/ops.h"
#include "session/commands.h"
#include "session/model_notes.h"
#include "session/results.h"
#include "session/token_name.h"

/* ---- row ---- */

/* The C numbers of one place, or NULL where that stage is not there. */
static bool read_stage(float **to, const es_tensor *stage, es_error *err)
{
    if (!stage->buf)
        return true;
    *to = es_alloc_array((size_t)stage->shape.dim[2], sizeof **to);
    return es_tensor_read(stage, *to, err);
}

/* The vectors of a token of the last text, read off the text itself. */
static bool fill_placed(es_row *row, es_text *t, es_error *err)
{
    es_embedded e;
    if (!es_text_rows(t, row->b, row->pos, 1, &e, err))
        return false;
    bool ok = read_stage(&row->tok_emb, &e.tok_emb, err) &&
              read_stage(&row->pos_emb, &e.pos_emb, err) && read_stage(&row->x, &e.x, err);
    es_embedded_free(&e);
    return ok;
}

static bool fill_row(es_row *row, const es_call *call, es_error *err)
{
    es_context *c = es_session_context(call->session);
    row->context = es_context_ref(c);
    if (row->pos >= 0)
        return fill_placed(row, es_session_text(call->session), err);
    if (!es_model_needs_wte(c->model, err))
        return false;
    if (row->id >= c->model->config.vocab_size)
        return es_check_ids(&row->id, 1, 1, c->model->config.vocab_size, "wte", err);
    row->tok_emb = es_alloc_array((size_t)c->model->config.n_embd, sizeof *row->tok_emb);
    return es_table_row(c->model->wte, row->id, row->tok_emb, err);
}

/* A bare word may not be the token one thinks of: "cat" and " cat" are two, and 464 is a text. */
static void note_relatives(const es_call *call, const es_arg *arg)
{
    const es_bpe *bpe = es_session_context(call->session)->bpe;
    const char *word = es_str_text(&arg->value);
    es_str spaced = {0};
    es_str_add(&spaced, " %s", word);
    int32_t twin = es_bpe_find(bpe, spaced.s, arg->value.len + 1);
    if (word[0] != '#' && strspn(word, "0123456789") == arg->value.len)
        es_call_note(call, "this is the token whose text is %s; :row #%s is the token with that id",
                     word, word);
    else if (word[0] != '#' && twin >= 0)
        es_call_note(call, "with a space before it, %s is another token: :row \" %s\"", word, word);
    es_str_free(&spaced);
}

static bool run_row(es_call *call, es_error *err)
{
    es_arg arg;
    es_token_name name;
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found == 0)
        return es_call_usage(call, err);
    if (found < 0)
        return false;
    bool ok = es_arg_end(call, at, err) && es_token_named(call, &arg, &name, err);
    if (ok && name.pos < 0 && !arg.quoted)
        note_relatives(call, &arg);
    es_str_free(&arg.value);
    if (!ok)
        return false;
    es_row row = {.id = name.id, .b = name.b, .pos = name.pos};
    ok = fill_row(&row, call, err);
    if (ok)
        es_note_nonfinite_row(call, &row);
    es_result r = es_result_row(&row);
    if (ok)
        es_call_answer(call, r);
    else
        es_result_free(&r);
    return ok;
}

/* ---- shapes ---- */

/* code=torch|numpy|c, or nothing: ES_N_LANGUAGES. */
static bool read_language(es_call *call, es_language *language, es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    *language = ES_N_LANGUAGES;
    if (found <= 0)
        return found == 0;
    const char *word = es_str_text(&arg.value);
    bool ok = es_arg_end(call, at, err), code = !strncmp(word, "code=", 5);
    if (ok && !code) {
        ok = es_call_usage(call, err);
        es_error_locate(err, arg.begin, arg.end);
    }
    for (es_language l = ES_TORCH; ok && l < ES_N_LANGUAGES; l++)
        if (!strcmp(word + 5, es_language_name(l)))
            *language = l;
    if (ok && *language == ES_N_LANGUAGES) {
        es_str shown = {0};
        es_show_brief(&shown, word + 5, arg.value.len - 5);
        ok = es_fail(err, ES_ERR_VALUE, "there is no code in %s", shown.s);
        es_hint(err, "try: code=torch, code=numpy or code=c");
        es_error_locate(err, arg.begin, arg.end);
        es_str_free(&shown);
    }
    es_str_free(&arg.value);
    return ok;
}

static bool run_shapes(es_call *call, es_error *err)
{
    es_language language;
    es_text *t = es_session_text(call->session);
    if (!read_language(call, &language, err))
        return false;
    if (!t)
        return es_no_text_yet(err);
    if (!es_text_guard(t, err))
        return false;
    if (language == ES_N_LANGUAGES) {
        es_call_answer(call, es_result_shapes(t));
        return true;
    }
    if (es_text_T(t) == 0)
        return es_fail(err, ES_ERR_VALUE,
                       "the last text has no tokens: there is nothing to compute");
    es_call_answer(call, es_result_code(t, language));
    return true;
}

/* ---- positions ---- */

static const char *const meaning[] = {
    [ES_POSITIONS_LEARNED] = "a row of wpe for each place, n_ctx of them",
    [ES_POSITIONS_SINUSOIDAL] = "sines and cosines of the place, no last row",
    [ES_POSITIONS_NONE] = "nothing is added, so the order of tokens is lost",
};

static void show_positions(es_call *call)
{
    static const char *const columns[] = {"positions", "in_use", "meaning"};
    static const es_kind kind = {"positions", es_list_show, es_list_json, es_list_forget};
    es_positions now = es_session_context(call->session)->layer.positions;
    es_list l = {.key = "positions", .align = "llw", .columns = columns};
    for (es_positions p = ES_POSITIONS_LEARNED; p <= ES_POSITIONS_NONE; p++) {
        es_list_add(&l, "%s", es_positions_name(p));
        es_list_add(&l, "%s", p == now ? "in use" : "");
        es_list_add(&l, "%s", meaning[p]);
    }
    es_call_answer(call, es_result_list(&kind, &l));
}

static bool run_positions(es_call *call, es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found < 0)
        return false;
    if (found == 0) {
        show_positions(call);
        return true;
    }
    bool ok = es_arg_end(call, at, err), known = false;
    if (ok && !strcmp(es_str_text(&arg.value), es_positions_name(ES_POSITIONS_LEARNED)))
        ok = es_model_needs_wpe(es_session_context(call->session)->model, err) ||
             es_error_locate(err, arg.begin, arg.end);
    for (int kind = ES_POSITIONS_LEARNED; ok && kind <= ES_POSITIONS_NONE; kind++)
        if (!strcmp(es_str_text(&arg.value), es_positions_name((es_positions)kind))) {
            known = true;
            es_session_set_positions(call->session, (es_positions)kind);
            es_call_note(call, "positions %s: %s", es_positions_name((es_positions)kind),
                         meaning[kind]);
            es_call_answer(call, es_result_none());
        }
    if (ok && !known) {
        es_str shown = {0};
        es_show_brief(&shown, es_str_text(&arg.value), arg.value.len);
        es_fail(err, ES_ERR_VALUE, "there are no positions %s", shown.s);
        es_hint(err, "try: learned, sinusoidal or none");
        es_error_locate(err, arg.begin, arg.end);
        es_str_free(&shown);
    }
    es_str_free(&arg.value);
    return known;
}

static const es_command commands[] = {
    {.group = "vectors",
     .name = "positions",
     .args = "[learned|sinusoidal|none]",
     .summary = "which position table is added",
     .help = "Learned rows are GPT-2's way, one for each of n_ctx places. Sines and cosines are "
             "those of "
             "Vaswani et al. 2017. With none, x is tok_emb and the order of tokens is lost.",
     .example = ":positions sinusoidal",
     .want = ES_WANT_CHOICE,
     .choices = "learned sinusoidal none",
     .run = run_positions},
    {.group = "vectors",
     .name = "row",
     .args = "TOKEN",
     .summary = "the vectors of one token, every number of them",
     .help = "A token is named \"text\" in double quotes (one token), #ID, or @PLACE in the last "
             "text; only "
             "a place has pos_emb and x. In a batch @1,2 is place 2 of text 1.",
     .example = "The cat\n:row @1\n:row \" cat\"\n:row #464",
     .want = ES_WANT_TOKEN,
     .run = run_row},
    {.group = "vectors",
     .name = "shapes",
     .args = "[code=torch|numpy|c]",
     .summary = "how ids become x: every shape of the last text",
     .help = "Each step with its shape, bytes and the line of code that does it; where a number of "
             "x lies in memory. With code= a whole program that does the same, to be run as it "
             "stands: its tables are random, and one line says where a model's numbers go.",
     .example = "The cat sat\n:shapes\n:shapes code=torch",
     .want = ES_WANT_CHOICE,
     .choices = "code=torch code=numpy code=c",
     .run = run_shapes},
};

const es_command *es_vector_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
