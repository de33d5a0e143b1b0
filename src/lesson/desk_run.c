// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of a lesson, or a learner's, run quietly: statements one after another, commands, texts. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/parse.h"
#include "lesson/desk_inside.h"

/* ---- where lines and statements end ---- */

static size_t line_length(const char *s, size_t n)
{
    const char *newline = memchr(s, '\n', n);
    return newline ? (size_t)(newline - s) : n;
}

static bool is_command(const char *line, size_t n)
{
    return n && line[0] == ':';
}

/* Bytes of the first statement of s, remarks before it and the line break after it among them. */
static size_t statement_length(const char *s, size_t n)
{
    es_input *in = es_input_new();
    es_input_state state = ES_INPUT_EMPTY;
    size_t at = 0;
    while (at < n && state != ES_INPUT_COMPLETE) {
        size_t len = line_length(s + at, n - at);
        if (state == ES_INPUT_EMPTY && at && is_command(s + at, len))
            break;
        if (state == ES_INPUT_SUITE && !es_input_takes(in, s + at, len))
            break;
        state = es_input_add(in, s + at, len);
        at += len + 1;
    }
    es_input_free(in);
    return at < n ? at : n;
}

static const es_command *command_in(const es_session *s, const char *line, size_t n)
{
    size_t end = is_command(line, n) ? es_command_name_end(line, n) : 1;
    return end > 1 ? es_command_find(es_session_commands(s), line + 1, end - 1, true, NULL) : NULL;
}

/* Bytes of a line, and of what it pastes, up to the lone dot. */
static size_t typed_length(const es_session *s, const char *lines, size_t n)
{
    size_t len = line_length(lines, n), at = len + 1;
    const es_command *c = command_in(s, lines, len);
    for (size_t more; c && !strcmp(c->name, "paste") && at < n; at += more + 1) {
        more = line_length(lines + at, n - at);
        len = at + more;
        if (more == 1 && lines[at] == '.')
            break;
    }
    return len;
}

/* ---- one of each ---- */

/* A line, or those of a paste, as they are typed: a command, a text, or one of the words that mean a command in tensor mode. */
static es_outcome run_typed(es_session *s, const char *line, size_t n, bool tensor, es_ear *ear)
{
    bool was = es_session_tensor(s);
    if (was != tensor)
        es_session_set_tensor(s, tensor);
    es_outcome o = ES_DONE;
    for (size_t at = 0, len; at < n; at += len + 1) {
        len = line_length(line + at, n - at);
        o = es_session_run_part(s, line + at, len, &ear->sink);
    }
    if (o == ES_MORE)
        o = es_session_end(s, &ear->sink);
    if (was != tensor && es_session_tensor(s) == tensor)
        es_session_set_tensor(s, was);
    return o;
}

/* Commands that belong to whoever sits at the prompt: they end the program, change lessons, wait for keys, run other lines or
 * write files.  A lesson is text from somebody else. */
static bool is_of_person(const char *name, size_t n)
{
    static const char *const names[] = {"back",   "edit",       "export", "forget",   "hint",
                                        "lesson", "next",       "pause",  "play",     "projector",
                                        "quit",   "restart",    "run",    "solution", "step",
                                        "time",   "transcript", "window"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && !memcmp(names[i], name, n))
            return true;
    return false;
}

/* Of the lesson, not of the learner; in sessions that have no such command too. */
static bool is_refused(es_session *s, const char *line, size_t n, es_ear *ear)
{
    const es_command *c = command_in(s, line, n);
    const char *name = c ? c->name : line + 1;
    size_t len = c ? strlen(name) : es_command_name_end(line, n) - 1;
    es_error err = ES_ERROR_NONE;
    es_result nothing = {0};
    if (!is_of_person(name, len))
        return false;
    es_fail(&err, ES_ERR_USAGE, "a lesson does not run :%.*s", (int)len, name);
    ear->sink.error(ear->sink.user, &err, line, n, &nothing);
    es_error_free(&err);
    return true;
}

static bool run_one(es_session *s, const es_drawn *d, const char *line, size_t n, bool text_mode,
                    es_ear *ear)
{
    bool filled = text_mode || is_command(line, n), asks = n && line[n - 1] == '?';
    es_outcome o;
    if (!n)
        return true;
    if (d && is_command(line, n) && is_refused(s, line, n, ear))
        return false;
    if (!filled && !(asks && !memchr(line, '\n', n)))
        return es_session_statement_part(s, line, n, &ear->sink) != ES_FAILED;
    es_str text = {0};
    char *copy = es_copy_bytes(line, n);
    if (d && filled)
        es_drawn_fill(&text, d, copy);
    else
        es_str_cat(&text, copy);
    o = run_typed(s, es_str_text(&text), text.len, !text_mode, ear);
    free(copy);
    es_str_free(&text);
    return o != ES_FAILED;
}

/* ---- all ---- */

static bool run_all(es_session *s, const es_drawn *d, const char *lines, bool text_mode, bool go_on,
                    es_ear *ear)
{
    bool ok = true;
    size_t n = strlen(lines);
    for (size_t at = 0, len; at < n && (ok || go_on); at += len) {
        bool line = text_mode || is_command(lines + at, n - at);
        len = line ? typed_length(s, lines + at, n - at) + 1 : statement_length(lines + at, n - at);
        len = at + len < n ? len : n - at;
        size_t bare = len - (lines[at + len - 1] == '\n');
        ok = run_one(s, d, lines + at, bare, text_mode, ear) && ok;
        if (ear->code == ES_ERR_INTERRUPTED || es_session_interrupted(s))
            return false;
    }
    return ok;
}

/* What a lesson trains is trained when its line has run: the next one, or a question, is about it. */
bool es_desk_run_on(es_session *s, const es_drawn *d, const char *lines, bool text_mode, bool go_on,
                    es_ear *ear)
{
    int wake = es_session_set_wake(s, -1);
    bool ok = run_all(s, d, lines, text_mode, go_on, ear);
    es_session_set_wake(s, wake);
    return ok;
}

bool es_desk_run(es_session *s, const es_drawn *d, const char *lines, bool text_mode, es_ear *ear)
{
    return es_desk_run_on(s, d, lines, text_mode, false, ear);
}
