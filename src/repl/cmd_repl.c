// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/cmd_repl.h"

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "repl/edit.h"
#include "repl/pause.h"
#include "repl/prompt.h"
#include "repl/script.h"
#include "session/results.h"

/* ---- run ---- */

static bool run_run(es_call *call, es_error *err)
{
    es_str path = {0};
    if (call->args >= call->len)
        return es_call_usage(call, err);
    bool ok = es_arg_path(call, call->args, &path, err);
    if (ok) {
        es_outcome o = es_script_run_file(call->session, es_str_text(&path), call->sink, err);
        ok = o != ES_FAILED;
        if (!ok && err->code != ES_OK)
            es_error_locate(err, call->args, call->len);
    }
    es_str_free(&path);
    return ok;
}

/* ---- history ---- */

/* The last `most` lines. */
static void answer_history(const es_call *call, size_t most)
{
    static const char *const columns[] = {"line"};
    static const es_kind kind = {"history", es_list_show, es_list_json, es_list_forget};
    size_t n = es_history_count(), first = most < n ? n - most : 0;
    es_list l = {
        .key = "lines", .align = "w", .columns = columns, .counted = true, .first = first + 1};
    for (size_t i = first; i < n; i++)
        es_list_add_bytes(&l, es_history_line(i), strlen(es_history_line(i)));
    es_call_answer(call, es_result_list(&kind, &l));
}

/* The lines that hold a word, under the numbers they have. */
static void answer_found(const es_call *call, const es_str *word)
{
    static const char *const columns[] = {"number", "line"};
    static const es_kind kind = {"history", es_list_show, es_list_json, es_list_forget};
    es_list l = {.key = "lines", .align = "rw", .columns = columns};
    for (size_t i = 0; i < es_history_count(); i++) {
        const char *line = es_history_line(i);
        if (!memmem(line, strlen(line), es_str_text(word), word->len))
            continue;
        es_list_add(&l, "%zu", i + 1);
        es_list_add_bytes(&l, line, strlen(line));
    }
    es_call_answer(call, es_result_list(&kind, &l));
}

static bool run_history(es_call *call, es_error *err)
{
    es_arg arg = {0};
    size_t at = call->args;
    int64_t most = INT32_MAX;
    int found = es_arg_next(call, &at, &arg, err);
    if (found < 0)
        return false;
    bool search = found && !arg.quoted && !strcmp(es_str_text(&arg.value), "-g");
    bool ok = true;
    es_str word = {0};
    if (search && at + 1 < call->len)
        ok = es_arg_text(call, at + 1, &word, err);
    else if (search)
        ok = es_call_usage(call, err);
    else if (found)
        ok = es_arg_end(call, at, err) &&
             es_arg_int(&arg, "N of :history", 1, INT32_MAX, &most, err);
    if (ok && search)
        answer_found(call, &word);
    else if (ok)
        answer_history(call, (size_t)most);
    es_str_free(&arg.value);
    es_str_free(&word);
    return ok;
}

/* ---- edit ---- */

static bool is_edit(const es_call *call, const char *line)
{
    size_t end = *line == ':' ? es_command_name_end(line, strlen(line)) : 0;
    return end && es_command_find(es_session_commands(call->session), line + 1, end - 1, true,
                                  NULL) == call->command;
}

/* The last line typed that is no :edit itself, or "". */
static const char *last_line(const es_call *call)
{
    for (size_t i = es_history_count(); i-- > 0;)
        if (!is_edit(call, es_history_line(i)))
            return es_history_line(i);
    return "";
}

/* Run lines as a paste of them would be. */
static bool run_edited(es_call *call, es_str *text)
{
    es_outcome o = ES_DONE;
    while (text->len && (text->s[text->len - 1] == '\n' || text->s[text->len - 1] == '\r'))
        es_str_cut(text, text->len - 1);
    es_history_add(es_str_text(text));
    for (const char *line = es_str_text(text); *line && o != ES_QUIT;) {
        size_t n = strcspn(line, "\n");
        es_session_set_paste(call->session, line[n] ? ES_PASTED : ES_PASTED_LAST);
        o = es_session_run(call->session, line, n, call->sink);
        line += n + (line[n] == '\n');
    }
    es_session_set_paste(call->session, ES_TYPED);
    return o != ES_FAILED;
}

static bool run_edit(es_call *call, es_error *err)
{
    es_str text = {0};
    if (!es_arg_end(call, call->args, err))
        return false;
    if (!es_session_person(call->session)) {
        es_fail(err, ES_ERR_UNSUPPORTED, "an editor needs a person at a terminal");
        return es_hint(err, "try: :run FILE for lines from a file");
    }
    es_str_cat(&text, last_line(call));
    es_str_char(&text, '\n');
    bool ok = es_edit(&text, err) && run_edited(call, &text);
    es_str_free(&text);
    return ok;
}

static const es_command commands[] = {
    {.group = "the program",
     .name = "edit",
     .args = "",
     .summary = "the last line in an editor, then run",
     .help = "The editor is $VISUAL, else $EDITOR, else vi. Several lines are run one after "
             "another; an "
             "empty file runs nothing.",
     .run = run_edit},
    {.group = "the program",
     .name = "history",
     .args = "[N|-g TEXT]",
     .summary = "the lines typed so far, the last N, or those that hold TEXT",
     .example = ":history 5",
     .run = run_history},
    {.group = "the program",
     .name = "pause",
     .args = "[TEXT]",
     .summary = "in a file of lines: show TEXT and wait for Enter",
     .help =
         "For a class: the file waits where somebody sits at a terminal. Enter or Ctrl-D goes on. "
         "Any other line is run, as a question from the room, and the pause waits on; Ctrl-C on "
         "an empty line ends the file, :quit the program. With --json, or where nobody "
         "sits, it goes straight on.",
     .example = ":pause How many tokens is it?",
     .want = ES_WANT_TEXT,
     .run = es_pause_run},
    {.group = "the program",
     .name = "run",
     .args = "PATH",
     .summary = "run a file of lines as if typed",
     .help =
         "A first line that begins with #! is skipped. The file stops at the first line that "
         "fails, "
         "unless the program was started with --keep-going. The lines of a .py file are "
         "statements in text mode too. Of a transcript (:transcript), known by the prompt that it "
         "begins with, what was typed is run.",
     .want = ES_WANT_FILE,
     .run = run_run},
};

void es_add_repl_commands(es_session *s)
{
    es_session_add_commands(s, commands, sizeof commands / sizeof *commands);
}
