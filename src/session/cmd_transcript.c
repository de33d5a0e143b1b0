// SPDX-License-Identifier: GPL-3.0-or-later
/* What is typed and answered, taken down in a file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/commands.h"
#include "session/results.h"

/* ---- the state ---- */

typedef struct state {
    es_str path; /* empty: no transcript is written */
    uint64_t bytes;
} state;

static bool show_state(es_str *out, void *data, const es_style *style, es_error *err)
{
    const state *s = data;
    es_str line = {0};
    (void)err;
    if (s->path.len) {
        es_str_cat(&line, "transcript: ");
        es_show_prose(&line, s->path.s, s->path.len);
        es_str_add(&line, ", %" PRIu64 " byte%s so far", s->bytes, s->bytes == 1 ? "" : "s");
    } else {
        es_str_cat(&line, "transcript: none, :transcript FILE begins one");
    }
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
    return true;
}

static bool json_state(es_json *j, void *data, bool values, es_error *err)
{
    const state *s = data;
    (void)values;
    (void)err;
    es_json_key(j, "path");
    if (s->path.len)
        es_json_text(j, s->path.s, s->path.len);
    else
        es_json_null(j);
    es_json_key_int(j, "bytes", (int64_t)s->bytes);
    return true;
}

static void forget_state(void *data)
{
    es_str_free(&((state *)data)->path);
    free(data);
}

static void answer_state(es_call *call)
{
    static const es_kind kind = {"transcript", show_state, json_state, forget_state};
    const es_transcript *t = es_session_transcript(call->session);
    state *s = es_alloc(sizeof *s);
    if (t) {
        es_str_cat(&s->path, es_transcript_path(t));
        s->bytes = es_transcript_written(t);
    }
    es_call_answer(call, (es_result){.kind = &kind, .data = s});
}

/* ---- beginning and end ---- */

static void end(es_call *call)
{
    const es_transcript *t = es_session_transcript(call->session);
    es_str path = {0};
    uint64_t written = t ? es_transcript_written(t) : 0;
    es_str_cat(&path, t ? es_transcript_path(t) : "");
    es_session_set_transcript(call->session, NULL); /* what is said next is not in it */
    if (path.len)
        es_call_note(call, "transcript: off, %" PRIu64 " bytes were written to %s", written,
                     path.s);
    else
        es_call_note(call, "transcript: none was written");
    es_call_answer(call, es_result_none());
    es_str_free(&path);
}

/* Pictures are where they are by lines that are not in it: those that bring them there come first. */
static void recall_pictures(es_session *s, es_transcript *t)
{
    es_str lines = {0};
    es_session_recall(s, &lines);
    for (const char *line = es_str_text(&lines); *line; line = strchr(line, '\n') + 1)
        es_transcript_line(t, "text> ", line, strcspn(line, "\n"));
    es_str_free(&lines);
}

static bool begin(es_call *call, const char *path, es_error *err)
{
    es_transcript *t = es_transcript_open(path, err);
    if (!t)
        return es_error_locate(err, call->args, call->len);
    es_session_set_transcript(call->session, NULL);
    if (es_transcript_before(t))
        es_call_note(call, "transcript: %s has %" PRIu64 " bytes, what follows is added to them",
                     path, es_transcript_before(t));
    else
        es_call_note(call, "transcript: what follows is written to %s as well", path);
    es_call_answer(call, es_result_none()); /* not in it either: it begins with the next line */
    es_session_set_transcript(call->session, t);
    recall_pictures(call->session, t);
    return true;
}

static bool run_transcript(es_call *call, es_error *err)
{
    es_str path = {0};
    if (es_arg_end(call, call->args, NULL)) {
        answer_state(call);
        return true;
    }
    bool ok = es_arg_path(call, call->args, &path, err);
    if (ok && !strcmp(path.s, "off"))
        end(call);
    else if (ok)
        ok = begin(call, path.s, err);
    es_str_free(&path);
    return ok;
}

static const es_command commands[] = {
    {.group = "the program",
     .name = "transcript",
     .args = "[FILE|off]",
     .summary = "write what is typed and answered to a file as well",
     .help =
         "Typed lines after their prompt, answers, errors and notes, as text without colours. A "
         "file that is there is added to, never replaced. Alone it says the state; off ends it "
         "(a file of that name is ./off). When the file can no longer be written, that is said "
         "once and the transcript is off. :run FILE, or embedscope -f FILE, runs what was typed "
         "again, what the mouse did in the window too; where a picture has been moved before, the "
         "lines that bring it there come first.",
     .example = ":transcript",
     .want = ES_WANT_FILE,
     .run = run_transcript},
};

const es_command *es_transcript_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
