// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/replay.h"

#include <string.h>

#include "session/statement.h"

bool es_replay_begins(const char *line, size_t len)
{
    size_t begin;
    es_typed typed = es_transcript_typed(line, len, &begin);
    return typed == ES_TYPED_TEXT || typed == ES_TYPED_TENSOR || typed == ES_TYPED_LESSON ||
           typed == ES_TYPED_BYTES;
}

void es_replay_free(es_replay *r)
{
    es_str_free(&r->bytes);
}

/* ---- bytes ---- */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void read_bytes(es_replay *r, const char *hex, size_t n)
{
    es_str_cut(&r->bytes, 0);
    r->exact = n % 2 == 0;
    for (size_t i = 0; r->exact && i < n; i += 2) {
        int high = digit(hex[i]), low = digit(hex[i + 1]);
        r->exact = high >= 0 && low >= 0;
        es_str_char(&r->bytes, (char)(16 * high + low));
    }
}

/* ---- the state it was typed in ---- */

/* A prompt of its own: what was half-way then has been run by this line, or dropped by Ctrl-C. */
static void begin_line(es_session *s, bool tensor, const char *line, size_t len)
{
    bool runs = !es_session_collecting(s) && es_statement_is_over(s, line, len);
    if (es_session_stepping(s) || (es_session_waiting(s) && !runs))
        es_session_abandon(s);
    if (es_session_tensor(s) != tensor)
        es_session_set_tensor(s, tensor);
}

/* The step of a lesson that a prompt names, "3.4", or "". */
static void step_of_prompt(const char *prompt, es_str *step)
{
    if (*prompt == 'L')
        es_str_bytes(step, prompt + 1, strcspn(prompt + 1, " >"));
}

/* Be in the step of the lesson in which it was typed: who has done more since, or has another lesson on, would go on elsewhere. */
static void go_to_step(const es_replay *r, bool lesson, const char *prompt)
{
    es_session *s = r->session;
    es_str here = {0}, there = {0}, line = {0};
    if (es_session_taught(s)) {
        es_session_teacher(s)->prompt(es_session_teacher(s)->user, &line);
        step_of_prompt(line.s, &here);
        es_str_cut(&line, 0);
    }
    if (lesson)
        step_of_prompt(prompt, &there);
    if (es_session_teacher(s) && strcmp(es_str_text(&here), es_str_text(&there))) {
        es_str_add(&line, ":lesson %s", there.len ? there.s : "off");
        es_session_run_part(s, line.s, line.len, r->sink);
    }
    es_str_free(&here);
    es_str_free(&there);
    es_str_free(&line);
}

/* Was it typed, as the session stands now?  An answer may look like a line of a paste that nobody began. */
static bool is_typed(const es_replay *r, const char *prompt, es_typed typed, const char *line,
                     size_t len)
{
    es_session *s = r->session;
    switch (typed) {
    case ES_TYPED_LESSON:
        begin_line(s, es_session_tensor(s), line, len);
        go_to_step(r, true, prompt);
        return true;
    case ES_TYPED_TEXT:
    case ES_TYPED_TENSOR:
        begin_line(s, typed == ES_TYPED_TENSOR, line, len);
        go_to_step(r, false, prompt);
        es_session_set_tensor(s, typed == ES_TYPED_TENSOR);
        return true;
    case ES_TYPED_STEP: return es_session_stepping(s);
    case ES_TYPED_PASTE: return es_session_collecting(s);
    case ES_TYPED_MORE: return es_session_waiting(s) && !es_session_collecting(s);
    default: return false;
    }
}

static bool is_command(es_session *s, const char *line, size_t len, const char *name)
{
    if (es_session_waiting(s) || !len || *line != ':')
        return false;
    size_t end = es_command_name_end(line, len);
    const es_command *c = es_command_find(es_session_commands(s), line + 1, end - 1, true, NULL);
    return c && !strcmp(c->name, name);
}

/* What fingers know from other prompts, in tensor mode. */
static bool leaves(es_session *s, const char *line, size_t len)
{
    static const char *const words[] = {"quit", "quit()", "exit", "exit()"};
    if (is_command(s, line, len, "quit"))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (es_session_tensor(s) && !es_session_waiting(s) && len == strlen(words[i]) &&
            !memcmp(line, words[i], len))
            return true;
    return false;
}

/* About the transcript itself, or about a window where nobody is to look at it. */
static bool is_not_for_now(es_session *s, const char *line, size_t len)
{
    return is_command(s, line, len, "transcript") ||
           (!es_session_person(s) && is_command(s, line, len, "window"));
}

es_replay_step es_replay_next(es_replay *r, const char **line, size_t *len)
{
    size_t begin = 0, n = *len && (*line)[*len - 1] == '\r' ? *len - 1 : *len;
    es_typed typed = es_transcript_typed(*line, n, &begin);
    const char *prompt = *line, *bytes = *line + begin;
    n -= begin;
    if (typed == ES_TYPED_BYTES) {
        read_bytes(r, bytes, n);
        return ES_REPLAY_SKIP;
    }
    if (typed != ES_NOT_TYPED && r->exact) {
        bytes = es_str_text(&r->bytes);
        n = r->bytes.len;
    }
    if (!is_typed(r, prompt, typed, bytes, n))
        return ES_REPLAY_SKIP;
    r->exact = false;
    *line = bytes;
    *len = n;
    if (leaves(r->session, bytes, n))
        return ES_REPLAY_END;
    return is_not_for_now(r->session, bytes, n) ? ES_REPLAY_SKIP : ES_REPLAY_RUN;
}
