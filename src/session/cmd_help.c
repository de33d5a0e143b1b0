// SPDX-License-Identifier: GPL-3.0-or-later
/* :help, from the command table itself. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "session/commands.h"
#include "session/help_builtin.h"
#include "session/results.h"

typedef struct help {
    const es_command_list *all;
    const es_command *one; /* NULL: all */
} help;

/* ---- all commands, group by group ---- */

static void help_group(es_grid *g, const es_command_list *all, const char *group)
{
    for (size_t i = 0; i < all->n; i++) {
        const es_command *c = all->of[i];
        if (strcmp(c->group, group))
            continue;
        es_str_add(es_grid_cell(g, ES_PAINT_STRONG), ":%s", c->name);
        es_grid_text(g, "%s", es_translate(c->summary));
    }
}

static void plain_group(es_str *out, const es_command_list *all, const char *group)
{
    for (size_t i = 0; i < all->n; i++) {
        const es_command *c = all->of[i];
        if (!strcmp(c->group, group))
            es_str_add(out, ":%s%s%s: %s\n", c->name, *c->args ? " " : "", c->args,
                       es_translate(c->summary));
    }
}

static void help_list(es_str *out, const es_command_list *all, const es_style *style)
{
    es_grid g = {.align = "lw"};
    for (const char *group = NULL; (group = es_command_group_after(all, group));) {
        if (style->plain) {
            plain_group(out, all, group);
            continue;
        }
        es_grid_text(&g, "%s", group);
        es_grid_text(&g, "%s", "");
        help_group(&g, all, group);
    }
    es_grid_end(&g, out, 0, 2, style);
    es_wrap(
        out,
        "Any other line is text, in tensor mode a PyTorch statement. :help NAME says more about "
        "one command or function; :help functions lists those; :help names explains B, T, C, "
        "V, P, ids, wte, wpe and x.",
        0, style);
}

/* ---- one command ---- */

static void help_one(es_str *out, const es_command *c, const es_style *style)
{
    es_str line = {0};
    es_str_add(&line, ":%s%s%s", c->name, *c->args ? " " : "", c->args);
    es_wrap(out, line.s, 0, style);
    es_wrap(out, es_translate(c->summary), 2, style);
    if (c->help)
        es_wrap(out, es_translate(c->help), 2, style);
    if (c->brief)
        es_str_add(out, "  short form: :%s\n", c->brief);
    for (const char *e = c->example; e && *e;) {
        size_t n = strcspn(e, "\n");
        es_str_add(out, "  %s %.*s\n", e == c->example ? "example:" : "        ", (int)n, e);
        e += n + (e[n] == '\n');
    }
    es_str_free(&line);
}

static bool show_help(es_str *out, void *data, const es_style *style, es_error *err)
{
    const help *h = data;
    (void)err;
    if (h->one)
        help_one(out, h->one, style);
    else
        help_list(out, h->all, style);
    return true;
}

static void json_command(es_json *j, const es_command *c)
{
    es_json_open(j, '{');
    es_json_key_string(j, "name", c->name);
    es_json_key_string(j, "short", c->brief);
    es_json_key_string(j, "args", c->args);
    es_json_key_string(j, "summary", c->summary);
    es_json_key_string(j, "help", c->help);
    es_json_key_string(j, "example", c->example);
    es_json_close(j, '}');
}

static bool json_help(es_json *j, void *data, bool values, es_error *err)
{
    const help *h = data;
    (void)values;
    (void)err;
    es_json_key(j, "commands");
    es_json_open(j, '[');
    for (size_t i = 0; i < h->all->n; i++)
        if (!h->one || h->one == h->all->of[i])
            json_command(j, h->all->of[i]);
    es_json_close(j, ']');
    return true;
}

/* ---- the names of things ---- */

static const struct {
    const char *name, *meaning;
} names[] = {
    {"B", "batch: how many texts at once; also batch_size"},
    {"T", "time: tokens a text; also seq_len"},
    {"C", "channels: numbers a token; also d_model, n_embd"},
    {"V", "vocabulary: rows of wte; also vocab_size"},
    {"P", "positions: rows of wpe; also n_ctx, max_seq_len, the context window"},
    {"ids", "[B, T], the tokens as numbers; also input_ids"},
    {"wte", "[V, C], the token table, a row for each id; also token_embeddings"},
    {"wpe", "[P, C], the position table, a row for each place; also position_embeddings"},
    {"tok_emb", "[B, T, C], the rows of wte that ids select: wte(ids)"},
    {"pos_emb", "[1, T, C], the rows of wpe for places 0 to T-1: wpe(positions)"},
    {"x", "[B, T, C], tok_emb + pos_emb, what the first block receives"},
};

static void answer_names(const es_call *call)
{
    static const char *const columns[] = {"name", "meaning"};
    static const es_kind kind = {"names", es_list_show, es_list_json, es_list_forget};
    es_list l = {.key = "names", .align = "lw", .columns = columns};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        es_list_add(&l, "%s", names[i].name);
        es_list_add(&l, "%s", names[i].meaning);
    }
    es_call_answer(call, es_result_list(&kind, &l));
}

/* ---- the command ---- */

static bool no_such_help(const es_call *call, const es_arg *arg, const char *name, size_t n,
                         es_error *err)
{
    es_command_find(es_session_commands(call->session), name, n, es_session_person(call->session),
                    err);
    const char *meant = es_help_nearest_builtin(name, n);
    if (meant)
        es_hint(err, "or the function %s ?", meant);
    es_hint(err,
            "B, T, C, wte and the other names are explained by :help names, functions by :help "
            "functions");
    return es_error_locate(err, arg->begin, arg->end);
}

static bool help_about(const es_call *call, const es_arg *arg, es_error *err)
{
    const es_command_list *all = es_session_commands(call->session);
    const char *name = es_str_text(&arg->value);
    size_t colon = name[0] == ':', n = arg->value.len - colon;
    if (!strcmp(name, "names")) {
        answer_names(call);
        return true;
    }
    if (!strcmp(name, "functions")) {
        es_call_answer(call, es_help_builtins());
        return true;
    }
    static const es_kind kind = {"help", show_help, json_help, free};
    bool function = !colon && es_help_has_builtin(name, n);
    const es_command *one =
        es_command_find(all, name + colon, n, es_session_person(call->session) && !function, NULL);
    if (function && (!one || es_session_tensor(call->session))) {
        es_call_answer(call, es_help_builtin(name, n));
        if (one)
            es_call_note(call, "there is a command called so too: :help :%s", one->name);
        return true;
    }
    if (!one)
        return no_such_help(call, arg, name + colon, n, err);
    if (function)
        es_call_note(call, "there is a function called so too: :tensor, then :help %s", one->name);
    help *h = es_alloc(sizeof *h);
    *h = (help){all, one};
    es_call_answer(call, (es_result){.kind = &kind, .data = h});
    return true;
}

static bool run_help(es_call *call, es_error *err)
{
    static const es_kind kind = {"help", show_help, json_help, free};
    es_arg arg;
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found < 0)
        return false;
    if (found > 0) {
        bool ok = es_arg_end(call, at, err) && help_about(call, &arg, err);
        es_str_free(&arg.value);
        return ok;
    }
    help *h = es_alloc(sizeof *h);
    *h = (help){es_session_commands(call->session), NULL};
    es_call_answer(call, (es_result){.kind = &kind, .data = h});
    return true;
}

static const es_command commands[] = {
    {.group = "the program",
     .name = "help",
     .brief = "h",
     .args = "[NAME|functions|names]",
     .summary = "all commands, one of them or a function, or the names of sizes and tables",
     .example = ":help row\n:help functions\n:help names",
     .want = ES_WANT_COMMAND,
     .choices = "functions names",
     .run = run_help},
};

const es_command *es_help_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
