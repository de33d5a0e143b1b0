// SPDX-License-Identifier: GPL-3.0-or-later
/* :help, from the command table itself. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"
#include "session/commands.h"
#include "session/help_builtin.h"
#include "session/help_name.h"
#include "session/help_word.h"
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

/* ---- the command ---- */

static bool no_such_help(const es_call *call, const es_arg *arg, const char *name, size_t n,
                         es_error *err)
{
    if (es_session_tensor(call->session) && arg->value.s[0] != ':') {
        es_str shown = {0};
        es_show_prose(&shown, name, n);
        es_fail(err, ES_ERR_NAME, "nothing is called %s here", shown.s);
        es_str_free(&shown);
    } else {
        es_command_find(es_session_commands(call->session), name, n,
                        es_session_person(call->session), err);
    }
    const char *meant = es_help_nearest_builtin(name, n);
    if (meant)
        es_hint(err, err->hint ? "or the function %s?" : "did you mean %s?", meant);
    es_hint(err, ":help lists the commands, :help functions those, :help names B, T, C, wte and "
                 "the others");
    return es_error_locate(err, arg->begin, arg->end);
}

static void help_command(const es_call *call, const es_command *one)
{
    static const es_kind kind = {"help", show_help, json_help, free};
    help *h = es_alloc(sizeof *h);
    *h = (help){es_session_commands(call->session), one};
    es_call_answer(call, (es_result){.kind = &kind, .data = h});
}

/* "t-SNE" is "tsne" too. */
static bool same_word(const char *word, size_t len, const char *name, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        char c = name[i];
        if (c == '-' && at && i + 1 < n)
            continue;
        if (at == len || word[at++] != (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c))
            return false;
    }
    return at == len;
}

/* The command that alone has this word among its choices; NULL: none has, or several have. */
static const es_command *command_that_takes(const es_command_list *all, const char *name, size_t n)
{
    const es_command *one = NULL;
    for (size_t i = 0; i < all->n; i++)
        for (const char *w = all->of[i]->choices ? all->of[i]->choices : ""; *w;) {
            size_t len = strcspn(w, " ");
            if (same_word(w, len - (w[len - 1] == '='), name, n)) {
                if (one && one != all->of[i])
                    return NULL;
                one = all->of[i];
            }
            w += len + strspn(w + len, " ");
        }
    return one;
}

/* A name means a variable, a size or a table before it means a function, in tensor mode before a command too. */
static bool help_about(const es_call *call, const es_arg *arg, es_error *err)
{
    es_session *s = call->session;
    const char *name = es_str_text(&arg->value);
    size_t colon = name[0] == ':', n = arg->value.len - colon;
    if (!strcmp(name, "names")) {
        es_call_answer(call, es_help_names());
        return true;
    }
    if (!strcmp(name, "functions")) {
        es_call_answer(call, es_help_builtins());
        return true;
    }
    bool function = !colon && es_help_has_builtin(name, n);
    const es_command *one = es_command_find(es_session_commands(s), name + colon, n,
                                            es_session_person(s) && !function, NULL);
    bool word = !colon && (!one || es_session_tensor(s));
    const es_help_word *of_language = word ? es_help_word_find(name, n) : NULL;
    const es_command *choice =
        one || colon ? NULL : command_that_takes(es_session_commands(s), name, n);
    es_result about = {0};
    if (word && es_help_name(s, name, n, &about))
        es_call_answer(call, about);
    else if (word && function)
        es_call_answer(call, es_help_builtin(name, n));
    else if (of_language)
        es_call_answer(call, es_help_of_word(of_language));
    else if (one || (one = choice))
        help_command(call, one);
    else
        return no_such_help(call, arg, name + colon, n, err);
    bool other = word && (function || about.kind);
    if (one && other && !strcmp(one->name, name))
        es_call_note(call, "there is a command called so too: :help :%s", one->name);
    if (choice && other)
        es_call_note(call, "it is a word of a command too: :help %s", choice->name);
    if (one && !word && function)
        es_call_note(call, "there is a function called so too: :tensor, then :help %s", one->name);
    return true;
}

static void note_lesson(const es_call *call, const es_arg *arg)
{
    const es_teacher *t = es_session_teacher(call->session);
    const char *name = es_str_text(&arg->value);
    es_str lesson = {0};
    if (t)
        t->about(t->user, name + (*name == ':'), &lesson);
    if (lesson.len)
        es_call_note(call, "a lesson is about it: %s", lesson.s);
    es_str_free(&lesson);
}

static bool run_help(es_call *call, es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found < 0)
        return false;
    if (found > 0) {
        bool ok = es_arg_end(call, at, err) && help_about(call, &arg, err);
        if (ok)
            note_lesson(call, &arg);
        es_str_free(&arg.value);
        return ok;
    }
    help_command(call, NULL);
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
