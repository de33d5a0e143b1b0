// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands of tensor mode: statements, their types, variables and named sizes. */
#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "expr/signature.h"
#include "session/commands.h"
#include "session/host_names.h"
#include "session/module_parts.h"
#include "session/numbers.h"
#include "session/results.h"
#include "session/show_value.h"
#include "session/statement.h"

static bool run_tensor(es_call *call, es_error *err)
{
    if (call->args < call->len)
        return es_statement_begin(call, call->args, es_mode_run, err);
    es_session_set_tensor(call->session, true);
    call->sink->note(call->sink->user,
                     "each line is a PyTorch statement now; a text stands in quotes; :text goes "
                     "back, :help functions lists what there is",
                     true);
    es_call_answer(call, es_result_none());
    return true;
}

static bool run_type(es_call *call, es_error *err)
{
    if (call->args >= call->len)
        return es_call_usage(call, err);
    return es_statement_begin(call, call->args, es_mode_type, err);
}

/* ---- variables ---- */

static void add_tensor(es_list *l, es_session *s, const es_tensor *t)
{
    es_str text = {0};
    es_shape_show(&text, &t->shape);
    es_list_add(l, "%s", text.s);
    es_list_add(l, "%s", es_dtype_name(t->dtype));
    es_list_add(l, "%s", t->buf->be->name);
    es_str_cut(&text, 0);
    es_show_bytes(&text, (double)es_shape_count(&t->shape) * (double)es_dtype_size(t->dtype));
    es_list_add(l, "%s", text.s);
    es_str_cut(&text, 0);
    if (t->buf->meta)
        es_str_cat(&text, "shape only");
    else
        es_mode_memory(s, t, &text);
    es_list_add(l, "%s", es_str_text(&text));
    es_str_free(&text);
}

static void add_empty(es_list *l, int n)
{
    while (n-- > 0)
        es_list_add(l, "%s", "");
}

static void add_module(es_list *l, const es_value *v)
{
    es_module_sums sums = es_module_sum(v);
    es_str text = {0};
    es_show_parameters(&text, sums.parameters);
    es_list_add(l, "%s", text.s);
    es_list_add(l, "%s", es_value_type_name(v));
    es_str_cut(&text, 0);
    es_show_bytes(&text, sums.bytes);
    add_empty(l, 1);
    es_list_add(l, "%s", text.s);
    add_empty(l, 1);
    es_str_free(&text);
}

/* What is no tensor: its beginning, as the prompt prints it. */
static bool add_other(es_list *l, es_interp *in, const es_value *v, es_error *err)
{
    es_str repr = {0}, shown = {0}, line = {0};
    bool ok = true;
    if (v->kind == ES_V_CLASS)
        es_class_heading(&line, v);
    else if (v->kind == ES_V_FUNCTION)
        es_signature(&line, es_function_in(v));
    else if ((ok = es_show_repr_brief(in, &repr, v, err)))
        es_show_prose(&line, es_str_text(&repr), strcspn(es_str_text(&repr), "\n"));
    if (ok) {
        es_show_fit(&shown, es_str_text(&line), line.len, 40);
        es_list_add(l, "%s", es_str_text(&shown));
        es_list_add(l, "%s", v->kind == ES_V_CLASS ? "class" : es_value_type_name(v));
        add_empty(l, 3);
    }
    es_str_free(&line);
    es_str_free(&repr);
    es_str_free(&shown);
    return ok;
}

static bool add_variable(es_list *l, es_session *s, const es_value *v, es_error *err)
{
    if (v->kind == ES_V_TENSOR)
        add_tensor(l, s, es_value_as_tensor(v));
    else if (es_is_module(v))
        add_module(l, v);
    else
        return add_other(l, es_mode_interp(s), v, err);
    return true;
}

static bool run_vars(es_call *call, es_error *err)
{
    static const char *const columns[] = {"name", "value", "type", "device", "bytes", "memory"};
    static const es_kind kind = {"vars", es_list_show, es_list_json, es_list_forget};
    if (!es_arg_end(call, call->args, err))
        return false;
    es_list l = {.key = "vars", .align = "ffffrf", .columns = columns};
    es_interp *in = es_mode_interp(call->session);
    const es_value *v;
    const char *name;
    bool ok = true;
    for (size_t i = 0; ok && (name = es_interp_variable(in, i, &v)); i++) {
        es_list_add(&l, "%s", name);
        ok = add_variable(&l, call->session, v, err);
    }
    es_result r = es_result_list(&kind, &l);
    if (!ok) {
        es_result_free(&r);
        return false;
    }
    if (l.n == 0)
        es_call_note(call, "there are no variables yet: y = x + 1 makes one");
    es_call_answer(call, r);
    return true;
}

/* ---- named sizes ---- */

static void add_size(es_list *l, const char *label, int64_t value, const char *of)
{
    es_list_add(l, "%s", label);
    es_list_add(l, "%" PRId64, value);
    es_list_add(l, "%s", of);
}

static void add_sizes_in_use(es_list *l, es_session *s)
{
    const es_config *c = &es_session_context(s)->model->config;
    const es_text *t = es_session_text(s);
    if (t) {
        add_size(l, "B", es_text_B(t), "batch: texts at once");
        add_size(l, "T", es_text_T(t), "time: tokens of the last text");
    }
    add_size(l, "C", c->n_embd, "channels: numbers a token");
    add_size(l, "V", c->vocab_size, "vocabulary: rows of wte");
    add_size(l, "P", c->n_ctx, "positions: rows of wpe");
}

/* Names that sizes carry, and the values they stand for. */
static bool run_dims(es_call *call, es_error *err)
{
    static const char *const columns[] = {"name", "size", "of"};
    static const es_kind kind = {"dims", es_list_show, es_list_json, es_list_forget};
    if (!es_arg_end(call, call->args, err))
        return false;
    es_list l = {.key = "dims", .align = "lrw", .columns = columns};
    add_sizes_in_use(&l, call->session);
    es_interp *in = es_mode_interp(call->session);
    const es_value *v;
    const char *name;
    for (size_t i = 0; (name = es_interp_variable(in, i, &v)); i++) {
        if (v->kind != ES_V_INT || !v->label.s[0])
            continue;
        es_str of = {0};
        es_str_cat(&of, "your variable");
        if (strcmp(name, v->label.s))
            es_str_add(&of, ", an axis called %s", v->label.s);
        add_size(&l, name, v->u.i, of.s);
        es_str_free(&of);
    }
    es_call_answer(call, es_result_list(&kind, &l));
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* NAME=SIZE */
static bool run_dim(es_call *call, es_error *err)
{
    es_arg arg = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found <= 0)
        return found == 0 ? es_call_usage(call, err) : false;
    const char *text = es_str_text(&arg.value), *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;
    bool name = n > 0 && n < ES_LABEL_SIZE && is_letter(text[0]);
    for (size_t i = 1; name && i < n; i++)
        name = is_letter(text[i]) || (text[i] >= '0' && text[i] <= '9');
    es_arg size = {.begin = arg.begin + n + 1, .end = arg.end};
    int64_t value = 0;
    es_str_cat(&size.value, equals ? equals + 1 : "");
    bool ok = es_arg_end(call, at, err) && (name || es_call_usage(call, err)) &&
              es_arg_int(&size, "a size", 0, INT32_MAX, &value, err);
    if (ok) {
        es_str label = {0};
        es_str_bytes(&label, text, n);
        es_value v = es_value_int(value);
        v.label = es_label_named(label.s);
        es_interp_set(es_mode_interp(call->session), text, n, v);
        es_call_answer(call, es_result_none());
        es_str_free(&label);
    }
    es_str_free(&arg.value);
    es_str_free(&size.value);
    return ok;
}

static const es_command commands[] = {
    {.group = "tensors",
     .name = "dim",
     .args = "NAME=SIZE",
     .summary = "a size with a name, for axes to carry",
     .help = "It is a variable like B or T: torch.zeros(B, T, H) has an axis called H.",
     .example = ":dim H=12\n:tensor torch.zeros(H, C)",
     .run = run_dim},
    {.group = "tensors",
     .name = "dims",
     .args = "",
     .summary = "the names that axes carry, and their sizes",
     .example = ":dims",
     .run = run_dims},
    {.group = "tensors",
     .name = "tensor",
     .args = "[STATEMENT]",
     .summary = "run a PyTorch statement; alone: every line is one from here on",
     .help =
         "In text mode = STATEMENT is the same. The last text is ids, positions, tok_emb, pos_emb "
         "and x, the model's tables are wte and wpe, their sizes B, T, C, V and P. In tensor mode "
         "a text stands in quotes, on a line of its own. What is written into wte.weight lasts "
         "until :model or :reset, and for statements alone: texts, :row and :near show the model's "
         "own numbers. :help functions lists what there is.",
     .example = ":tensor torch.arange(0, C).unsqueeze(0).shape",
     .want = ES_WANT_STATEMENT,
     .run = run_tensor},
    {.group = "tensors",
     .name = "type",
     .args = "STATEMENT",
     .summary = "shape and dtype of a statement's value; nothing is computed",
     .example = ":type wte(torch.arange(0, C)) @ wte.weight.T",
     .want = ES_WANT_STATEMENT,
     .run = run_type},
    {.group = "tensors",
     .name = "vars",
     .args = "",
     .summary = "your variables: shape, dtype, device, bytes, whose memory they share",
     .example = ":tensor y = torch.zeros(2, C)\n:vars",
     .run = run_vars},
};

const es_command *es_tensor_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
