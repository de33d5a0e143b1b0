// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/statement.h"

#include <string.h>

#include "expr/blank.h"
#include "session/commands.h"

/* Does it go on behind this line?  Fills st->suite. */
static bool is_open(es_statement *st, const char *line, size_t len)
{
    es_input_state state = es_input_add(st->read, line, len);
    st->suite = state == ES_INPUT_SUITE;
    return st->suite || state == ES_INPUT_OPEN;
}

bool es_statement_begin(es_call *call, size_t begin, es_mode_fn run, es_error *err)
{
    es_session *s = call->session;
    es_statement *st = &s->statement;
    size_t len = call->len - begin;
    st->read = es_input_new();
    bool open = len <= ES_MOST_SOURCE && is_open(st, call->line + begin, len);
    bool room = !open || es_str_room(&st->source, call->len, "this statement", err);
    if (!open || !room) {
        es_statement_drop(st);
        return room && run(call, begin, err);
    }
    es_str_bytes(&st->source, call->line, call->len);
    st->begin = begin;
    st->run = run;
    st->from = s->source;
    return true;
}

/* At a prompt an empty line ends a suite; in a paste, a pipe or a file it means nothing. */
static bool ends_suite(const es_session *s, const char *line, size_t len)
{
    bool typed = s->person && s->paste == ES_TYPED && !s->source.name;
    for (size_t i = 0; i < len; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return typed;
}

bool es_statement_is_over(const es_session *s, const char *line, size_t len)
{
    const es_statement *st = &s->statement;
    return st->source.len && st->suite && !ends_suite(s, line, len) &&
           !es_input_takes(st->read, line, len);
}

es_statement_state es_statement_add(es_session *s, const char *line, size_t len, es_error *err)
{
    es_statement *st = &s->statement;
    if (st->suite && ends_suite(s, line, len))
        return ES_STATEMENT_WHOLE;
    if (es_statement_is_over(s, line, len))
        return ES_STATEMENT_OVER;
    if (!es_str_room(&st->source, len + 1, "this statement", err)) {
        es_statement_drop(st);
        return ES_STATEMENT_FULL;
    }
    es_str_char(&st->source, '\n');
    es_str_bytes(&st->source, line, len);
    bool open = st->source.len <= ES_MOST_SOURCE && is_open(st, line, len);
    return open ? ES_STATEMENT_OPEN : ES_STATEMENT_WHOLE;
}

void es_statement_drop(es_statement *st)
{
    es_str_free(&st->source);
    es_input_free(st->read);
    st->read = NULL;
}

bool es_statement_end(es_call *call, es_error *err)
{
    es_session *s = call->session;
    es_statement *st = &s->statement;
    es_str_free(&st->ended);
    st->ended = st->source;
    st->source = (es_str){0};
    es_statement_drop(st);
    call->line = st->ended.s;
    call->len = st->ended.len;
    return st->run(call, st->begin, err);
}

/* ---- words that are no statements ---- */

/* Run a command line in place of what was typed. */
static bool instead(es_call *call, es_str *line, es_error *err)
{
    es_statement *st = &call->session->statement;
    es_str_free(&st->ended);
    st->ended = *line;
    call->line = st->ended.s;
    call->len = st->ended.len;
    return es_run_command(call, err);
}

static bool is_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]", s[i]) ||
            !s[i])
            return false;
    return n > 0;
}

/* NAME of NAME?, NAME??, ?NAME and help(NAME), with dots and indices. */
static bool asks_about(const char **line, size_t *n)
{
    const char *name = *line, *end = name + *n;
    if (*n > 6 && !memcmp(name, "help(", 5) && end[-1] == ')') {
        name += 5;
        end--;
    } else if (name < end && *name == '?') {
        name++;
    } else {
        while (end > name && end[-1] == '?')
            end--;
    }
    size_t len = (size_t)(end - name);
    if (len == *n || !is_name(name, len))
        return false;
    *line = name;
    *n = len;
    return true;
}

/* The command that such a line stands for: what fingers know from other prompts. */
static bool means_command(const char *line, size_t n, es_str *command)
{
    static const struct {
        const char *word, *command;
    } words[] = {
        {"help", ":help"},   {"help()", ":help"}, {"?", ":help"},      {"quit", ":quit"},
        {"quit()", ":quit"}, {"exit", ":quit"},   {"exit()", ":quit"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (n == strlen(words[i].word) && !memcmp(line, words[i].word, n)) {
            es_str_cat(command, words[i].command);
            return true;
        }
    if (!asks_about(&line, &n))
        return false;
    es_str_add(command, ":help %.*s", (int)n, line);
    return true;
}

/* In an example that was pasted with its prompts: what stands between them. */
static bool is_pasted_answer(es_call *call)
{
    es_session *s = call->session;
    bool prompt = es_prompt_of(call->line, call->len) == ES_PROMPT_PYTHON;
    if (s->paste == ES_TYPED || (!s->example && !prompt))
        return false;
    if (!s->example)
        s->example = ES_EXAMPLE;
    if (!prompt && s->example == ES_EXAMPLE) {
        s->example = ES_EXAMPLE_TOLD;
        es_call_note(call, "lines without >>> are taken for answers, and left out");
    }
    return !prompt;
}

bool es_statement_line(es_call *call, es_error *err)
{
    const char *line = call->line;
    size_t begin = 0, end = call->len;
    es_str command = {0};
    while (begin < end && strchr(" \t\r", line[begin]) && line[begin])
        begin++;
    while (end > begin && strchr(" \t\r", line[end - 1]) && line[end - 1])
        end--;
    if (begin < end && is_pasted_answer(call))
        return true;
    if (means_command(line + begin, end - begin, &command))
        return instead(call, &command, err);
    return es_statement_begin(call, 0, es_mode_run, err);
}
