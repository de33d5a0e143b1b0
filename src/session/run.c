// SPDX-License-Identifier: GPL-3.0-or-later
/* One line at a time: text, command, or one more line of a text that is being collected. */
#include <string.h>

#include "session/commands.h"
#include "session/results.h"
#include "session/state.h"
#include "session/statement.h"
#include "session/step.h"

enum {
    MAX_DEPTH = 16, /* of :run in :run */
    NEWCOMER_LINES = 5
};

/* ---- running lines ---- */

static const char *newcomer_tries[NEWCOMER_LINES] = {
    ":shapes shows how ids become x, step by step",
    ":row @1 prints the vectors of token 1 in full",
    ":merges lowest replays how a word is put together",
    ":positions none shows what x is without a place",
    ":help lists every command",
};

static void advise(es_session *s, const es_sink *sink, const char *line, size_t len)
{
    static const struct {
        const char *typed, *meant;
    } habits[] = {
        {"help", ":help lists the commands"},     {"?", ":help lists the commands"},
        {"help()", ":help lists the commands"},   {"quit", ":quit or Ctrl-D leaves"},
        {"exit", ":quit or Ctrl-D leaves"},       {"quit()", ":quit or Ctrl-D leaves"},
        {"exit()", ":quit or Ctrl-D leaves"},     {"lesson", ":lesson lists the lessons"},
        {"lessons", ":lesson lists the lessons"},
    };
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (len == strlen(habits[i].typed) && !memcmp(line, habits[i].typed, len)) {
            es_str note = {0};
            es_str_add(&note, "that was text; %s", habits[i].meant);
            sink->note(sink->user, note.s, true);
            es_str_free(&note);
        }
    if (s->person && es_looks_like_python(line, len))
        sink->note(sink->user,
                   "that was text; = before it runs it as a statement, :tensor takes statements "
                   "from here on",
                   true);
    if (s->lines < NEWCOMER_LINES && !es_session_taught(s)) {
        es_str advice = {0};
        es_str_add(&advice, "try: %s", newcomer_tries[s->lines]);
        sink->note(sink->user, advice.s, true);
        es_str_free(&advice);
    }
}

/* The article that many readers come from gives "transformer" a made-up id. */
static void answer_the_article(const es_sink *sink, const char *line, size_t len)
{
    bool spaced = len == 12 && line[0] == ' ';
    if ((spaced || len == 11) && !memcmp(line + spaced, "transformer", 11))
        sink->note(sink->user,
                   "transformer is two tokens, 7645 16354; ␣transformer, with its space, is "
                   "one, 47385. The 41551 some articles give it is made up.",
                   false);
}

static bool run_text(es_call *call, es_error *err)
{
    es_session *s = call->session;
    es_text *t = es_session_read(s, &call->line, &call->len, 1, call->sink, err);
    if (!t || !es_session_show(call, t, err))
        return false;
    answer_the_article(call->sink, call->line, call->len);
    advise(s, call->sink, call->line, call->len);
    return true;
}

bool es_run_command(es_call *call, es_error *err)
{
    es_session *s = call->session;
    size_t end = es_command_name_end(call->line, call->len);
    call->command =
        es_command_find(&s->commands, call->line + 1, end - 1, s->person || s->source.typed, err);
    if (!call->command) {
        if (!strncmp(err->hint, "try:", 4)) /* no command is meant */
            es_hint(err, "a text that begins with a colon is typed :text :…");
        return es_error_locate(err, 0, end);
    }
    call->args = end < call->len ? end + 1 : end;
    es_step_make_way(call);
    return call->command->run(call, err);
}

static bool finish_collecting(es_call *call, es_error *err)
{
    es_session *s = call->session;
    es_collected_fn done = s->collecting;
    es_str bytes = s->collected;
    s->collecting = NULL;
    s->collected = (es_str){0};
    bool ok = done(call, es_str_text(&bytes), bytes.len ? bytes.len - 1 : 0, err);
    es_str_free(&bytes);
    return ok;
}

static bool run_line(es_call *call, es_error *err)
{
    es_session *s = call->session;
    if (call->len == 0)
        return !s->stepper || es_step_line(call, err);
    if (call->line[0] == ':')
        return es_run_command(call, err);
    if (call->line[0] == '=') /* no statement begins so: in tensor mode it means the same */
        return es_statement_begin(call, 1, es_mode_run, err);
    if (s->stepper)
        return es_step_line(call, err);
    if (s->tensor)
        return es_statement_line(call, err);
    return run_text(call, err);
}

static bool dispatch(es_call *call, es_error *err)
{
    es_session *s = call->session;
    if (es_session_interrupted(s))
        return es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    if (s->depth > MAX_DEPTH)
        return es_fail(err, ES_ERR_RANGE, "files that run each other are nested more than %d deep",
                       MAX_DEPTH);
    return s->statement.source.len ? es_statement_end(call, err) : run_line(call, err);
}

/* For :why, which explains it. */
static void remember(es_session *s, const es_error *err)
{
    const char *says = err->code == ES_ERR_CONTEXT_OVERFLOW ? err->message : err->torch;
    if (!says)
        return;
    es_str_free(&s->last_error);
    es_str_cat(&s->last_error, says);
}

/* Is what ran a statement, whose tensors may be too large for a device that the model has room on? */
static bool is_statement(const es_session *s, const es_call *call)
{
    return s->tensor ? !call->len || call->line[0] != ':' : call->len && call->line[0] == '=';
}

/* A device that is lost, or too small for what a text needs, is left.  That a line was well says nothing: its numbers
 * may be fetched only where they are shown. */
static void look_after_device(es_session *s, const es_call *call)
{
    bool full = atomic_exchange(&s->be->full, false);
    if (s->be->lost || (full && !is_statement(s, call)))
        es_session_rescue(s, call->sink);
    es_mode_look_after_device(s, call->sink);
}

static es_outcome outcome(es_session *s, es_call *call, bool ok, es_error *err)
{
    if (!ok && err->code != ES_OK) {
        remember(s, err);
        call->sink->error(call->sink->user, err, call->line, call->len, &call->partial);
    }
    es_result_free(&call->partial);
    es_error_free(err);
    look_after_device(s, call);
    if (s->quit)
        return ES_QUIT;
    return !ok ? ES_FAILED : es_session_waiting(s) ? ES_MORE : ES_DONE;
}

static void take_down(const es_session *s, const char *line, size_t len)
{
    es_str prompt = {0};
    if (!s->transcript)
        return;
    es_session_prompt(s, &prompt);
    es_transcript_line(s->transcript, prompt.s, line, len);
    es_str_free(&prompt);
}

/* One that came by itself, whatever the mode: as a line that says so. */
static void take_down_statement(const es_session *s, const char *source, size_t len)
{
    es_str line = {0};
    es_str_cat(&line, s->tensor ? "" : "= ");
    es_str_bytes(&line, source, len);
    take_down(s, es_str_text(&line), line.len);
    es_str_free(&line);
}

static es_outcome run(es_session *s, const char *line, size_t len, const es_sink *sink)
{
    es_call call = {.session = s, .line = line, .len = len, .sink = sink};
    es_error err = ES_ERROR_NONE;
    s->depth++;
    bool ok = dispatch(&call, &err);
    s->depth--;
    s->lines += len > 0 && s->depth == 0;
    return outcome(s, &call, ok, &err);
}

/* Run the statement that is open, as it stands.  Its errors are those of the line where it began. */
static es_outcome end_statement(es_session *s, const es_sink *sink)
{
    es_source here = s->source;
    if (here.name)
        s->source.line = s->statement.from.line;
    es_outcome o = run(s, "", 0, sink);
    s->source = here;
    return o;
}

/* One more line for a text that is being collected. */
static es_outcome collect(es_session *s, const char *line, size_t len, const es_sink *sink)
{
    es_call call = {.session = s, .line = line, .len = len, .sink = sink};
    es_error err = ES_ERROR_NONE;
    bool ok = true;
    if (len && line[0] == '.' && (len == 1 || (len == 2 && line[1] == '\r'))) {
        call.len = 0; /* a caret under the lone dot would explain nothing */
        ok = finish_collecting(&call, &err);
    } else if ((ok = es_str_room(&s->collected, len + 1, "this text", &err))) {
        es_str_bytes(&s->collected, line, len);
        es_str_char(&s->collected, '\n');
    }
    return outcome(s, &call, ok, &err);
}

/* After the statement that a line has ended, is the line itself not run? */
static bool stops(const es_session *s, es_outcome first)
{
    return first == ES_QUIT || (first == ES_FAILED && !s->person && !s->keep_going);
}

static es_outcome both(es_outcome first, es_outcome then)
{
    return first == ES_FAILED && then != ES_QUIT ? ES_FAILED : then;
}

/* One more line where a statement is open: part of it, or the first of what comes after it. */
static es_outcome go_on(es_session *s, const char *line, size_t len, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    es_call call = {.session = s, .line = line, .len = len, .sink = sink};
    switch (es_statement_add(s, line, len, &err)) {
    case ES_STATEMENT_OPEN: return ES_MORE;
    case ES_STATEMENT_WHOLE: return end_statement(s, sink);
    case ES_STATEMENT_FULL: return outcome(s, &call, false, &err);
    default: break;
    }
    es_outcome first = end_statement(s, sink);
    return stops(s, first) ? first : both(first, run(s, line, len, sink));
}

es_outcome es_session_run_part(es_session *s, const char *line, size_t len, const es_sink *sink)
{
    es_outcome o;
    if (s->collecting)
        return collect(s, line, len, sink);
    o = s->statement.source.len ? go_on(s, line, len, sink) : run(s, line, len, sink);
    bool ends = s->paste == ES_PASTED_LAST && s->statement.source.len && s->statement.suite;
    return ends ? end_statement(s, sink) : o;
}

/* A command of the lesson, whatever is half-way, which waits for as long. */
static es_outcome run_now(es_session *s, const char *line, size_t len, const es_sink *sink)
{
    es_call call = {.session = s, .line = line, .len = len, .sink = sink};
    es_error err = ES_ERROR_NONE;
    take_down(s, line, len);
    es_teacher_put_aside(s);
    s->depth++;
    bool ok = es_session_interrupted(s) ? es_fail(&err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C")
                                        : es_run_command(&call, &err);
    s->depth--;
    s->lines += s->depth == 0;
    es_teacher_put_back(s);
    return outcome(s, &call, ok, &err);
}

/* A line that is no part of the statement before it stands in the transcript behind what that one says, and
 * under a prompt of its own. */
es_outcome es_session_run(es_session *s, const char *line, size_t len, const es_sink *sink)
{
    es_outcome first = ES_DONE, o;
    if (s->be->lost) /* since the last line: a preview or a job has met it */
        es_session_rescue(s, sink);
    if (es_session_teaches(s, line, len))
        return run_now(s, line, len, sink);
    if (!s->collecting && es_statement_is_over(s, line, len)) {
        first = end_statement(s, sink);
        es_teacher_ran(s, "", 0, first, sink);
    }
    if (stops(s, first))
        return first;
    take_down(s, line, len);
    if (es_teacher_takes(s, line, len, sink, &o))
        return both(first, o);
    o = es_session_run_part(s, line, len, sink);
    es_teacher_ran(s, line, len, o, sink);
    return both(first, o);
}

es_outcome es_session_statement_part(es_session *s, const char *source, size_t len,
                                     const es_sink *sink)
{
    es_call call = {.session = s, .line = source, .len = len, .sink = sink};
    es_error err = ES_ERROR_NONE;
    bool ok = es_mode_run(&call, 0, &err);
    return outcome(s, &call, ok, &err);
}

es_outcome es_session_statement(es_session *s, const char *source, size_t len, const es_sink *sink)
{
    es_outcome before = es_session_end(s, sink);
    if (before == ES_QUIT || (before == ES_FAILED && !s->keep_going))
        return before;
    take_down_statement(s, source, len);
    es_outcome o = es_session_statement_part(s, source, len, sink);
    es_teacher_ran(s, source, len, o, sink);
    return before == ES_FAILED ? before : o;
}

es_outcome es_session_end(es_session *s, const es_sink *sink)
{
    es_outcome o = ES_DONE;
    if (s->statement.source.len) {
        o = end_statement(s, sink);
        es_teacher_ran(s, "", 0, o, sink);
    }
    es_step_end_with_lines(s, sink);
    if (!s->collecting)
        return o;
    es_call call = {.session = s, .line = "", .sink = sink};
    es_error err = ES_ERROR_NONE;
    bool ok = finish_collecting(&call, &err);
    return outcome(s, &call, ok, &err);
}

void es_session_abandon(es_session *s)
{
    s->collecting = NULL;
    es_str_free(&s->collected);
    es_statement_drop(&s->statement);
    es_teacher_forget_aside(s);
    es_step_end(s);
}

void es_session_collect(es_session *s, es_collected_fn done)
{
    s->collecting = done;
}
