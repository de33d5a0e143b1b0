// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/script.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/place.h"
#include "base/visible.h"
#include "repl/replay.h"

static bool is_shebang(const char *line, size_t len)
{
    return len >= 2 && line[0] == '#' && line[1] == '!';
}

/* What differs from one source of lines to another. */
typedef struct reading {
    bool shebang;    /* a first line #! is skipped */
    bool remarks;    /* so are lines that begin with # */
    bool keep_going; /* after a line that fails */
    bool python;     /* it is a .py file */
    bool replay;     /* it may be a transcript */
} reading;

/* Reading failed, or Ctrl-C came while it waited: say so where results go. */
static es_outcome fail(es_session *s, const char *name, int reason, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    es_result nothing = {0};
    if (es_session_interrupted(s))
        es_fail(&err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    else
        es_file_error(&err, "read", name, reason);
    sink->error(sink->user, &err, "", 0, &nothing);
    es_error_free(&err);
    return ES_FAILED;
}

/* Each line that is run would be added to the lines to be run. */
static es_outcome refuse_transcript(es_session *s, const char *name, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    es_result nothing = {0};
    es_str shown = {0};
    es_show_prose(&shown, name, strlen(name));
    es_session_set_transcript(s, NULL);
    es_fail(&err, ES_ERR_IO, "%s is the transcript as well: running it would never end", shown.s);
    es_hint(&err, "the transcript is off; try: :transcript with another file");
    sink->error(sink->user, &err, "", 0, &nothing);
    es_error_free(&err);
    es_str_free(&shown);
    return ES_FAILED;
}

/* What an editor put there and a reader does not see. */
static void note_marks(const char *line, size_t len, const es_sink *sink)
{
    if (len >= 3 && !memcmp(line, "\xEF\xBB\xBF", 3))
        sink->note(sink->user,
                   "the first line begins with a byte order mark, which makes it a text: EF BB BF "
                   "are its first bytes",
                   false);
    if (len && line[len - 1] == '\r')
        sink->note(sink->user,
                   "lines here end in \\r\\n, as on Windows: the \\r is part of each text", false);
}

/* The input has ended: a text may have been waiting for its lone dot. */
static es_outcome end(es_session *s, const es_sink *sink)
{
    if (es_session_collecting(s))
        sink->note(sink->user, "what is being pasted has no line with a dot alone: it ends here",
                   false);
    return es_session_end(s, sink);
}

/* Is it a transcript, as its first line has it?  That is said, for a text may look like one. */
static bool is_transcript(const char *line, size_t len, const char *name, const es_sink *sink)
{
    if (!es_replay_begins(line, len))
        return false;
    es_str note = {0};
    es_show_prose(&note, name, strlen(name));
    es_str_cat(&note, " is a transcript: what was typed is run, what was answered is left out");
    sink->note(sink->user, note.s, false);
    es_str_free(&note);
    return true;
}

/* One file of lines on its way. */
typedef struct script {
    es_session *session;
    const es_sink *sink;
    const char *name;
    reading how;
    size_t n;       /* lines read */
    bool replaying; /* it is a transcript */
    es_replay replay;
} script;

static bool skipped(const script *r, const char *line, size_t len)
{
    return (r->n == 1 && r->how.shebang && is_shebang(line, len)) ||
           (r->how.remarks && len && line[0] == '#' && !es_session_waiting(r->session));
}

/* *over: it was the last. */
static es_outcome run_line(script *r, const char *line, size_t len, bool *over)
{
    es_session *s = r->session;
    if (skipped(r, line, len))
        return ES_DONE;
    if (r->n == 1 && r->how.replay && is_transcript(line, len, r->name, r->sink)) {
        r->replaying = r->how.keep_going = true; /* what failed then may fail now */
        es_session_set_source(s, (es_source){r->name, r->n, .typed = true});
    }
    if (r->n == 1 && !r->replaying && !es_session_tensor(s))
        note_marks(line, len, r->sink);
    es_replay_step step = r->replaying ? es_replay_next(&r->replay, &line, &len) : ES_REPLAY_RUN;
    *over = step == ES_REPLAY_END;
    return step == ES_REPLAY_RUN ? es_session_run(s, line, len, r->sink) : ES_DONE;
}

static es_outcome run(es_session *s, int fd, const char *name, reading how, const es_sink *sink)
{
    es_source before = es_session_source(s);
    es_lines lines = es_lines_of(fd);
    script r = {s, sink, name, how, .replay = {.session = s, .sink = sink}};
    es_outcome o = ES_DONE;
    bool failed = false, over = false;
    const char *line;
    size_t len;
    for (r.n = 1; o != ES_QUIT; r.n++) {
        es_session_set_source(s, (es_source){name, r.n, how.python, r.replaying});
        if (es_transcript_is(es_session_transcript(s), fd)) {
            o = refuse_transcript(s, name, sink);
            failed = true;
            break;
        }
        int found = over ? 0 : es_lines_next(&lines, &line, &len);
        if (found < 0 && errno == EINTR && !es_session_interrupted(s)) {
            r.n--;
            continue;
        }
        if (found <= 0) {
            o = found < 0 ? fail(s, name, errno, sink) : end(s, sink);
            failed = failed || o == ES_FAILED;
            break;
        }
        o = run_line(&r, line, len, &over);
        failed = failed || o == ES_FAILED;
        if (o == ES_FAILED && (!r.how.keep_going || es_session_interrupted(s)))
            break;
    }
    es_replay_free(&r.replay);
    es_lines_free(&lines);
    es_session_set_source(s, before);
    return o == ES_QUIT ? ES_QUIT : failed ? ES_FAILED : ES_DONE;
}

es_outcome es_script_run(es_session *s, int fd, const char *name, const es_sink *sink)
{
    return run(s, fd, name, (reading){.keep_going = es_session_keep_going(s)}, sink);
}

/* A descriptor for the lines of a path, or -1. */
static int open_lines(const char *path, es_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        return fd;
    es_file_error(err, "open", path, fd < 0 ? errno : EISDIR);
    if (fd >= 0)
        close(fd);
    return -1;
}

/* The lines of a .py file are statements, whatever the mode. */
static es_outcome run_python(es_session *s, int fd, const char *path, reading how,
                             const es_sink *sink)
{
    bool tensor = es_session_tensor(s);
    if (!tensor)
        sink->note(sink->user, "the lines of a .py file are run as statements", true);
    es_session_set_tensor(s, true);
    how.python = true;
    es_outcome o = run(s, fd, path, how, sink);
    es_session_set_tensor(s, tensor);
    return o;
}

static bool is_python(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && !strcmp(path + n - 3, ".py");
}

es_outcome es_script_run_file(es_session *s, const char *path, const es_sink *sink, es_error *err)
{
    reading how = {.shebang = true, .keep_going = es_session_keep_going(s)};
    if (!strcmp(path, "-"))
        return run(s, STDIN_FILENO, "stdin", how, sink);
    how.replay = !is_python(path);
    int fd = open_lines(path, err);
    if (fd < 0)
        return ES_FAILED;
    es_outcome o =
        is_python(path) ? run_python(s, fd, path, how, sink) : run(s, fd, path, how, sink);
    close(fd);
    return o;
}

/* ---- the startup file ---- */

bool es_script_startup_path(es_str *path)
{
    bool ok = es_place_user(path, ES_XDG_CONFIG, "rc", false, NULL);
    if (!ok)
        es_str_free(path);
    return ok;
}

/* Its sink passes on what is more than "done". */
static void pass_result(void *user, es_result *r)
{
    const es_sink *outer = user;
    if (strcmp(r->kind->name, "none"))
        outer->result(outer->user, r);
    else
        es_result_free(r);
}

static void pass_error(void *user, const es_error *err, const char *line, size_t len,
                       es_result *partial)
{
    const es_sink *outer = user;
    outer->error(outer->user, err, line, len, partial);
}

static void drop_note(void *user, const char *text, bool person)
{
    (void)user;
    (void)text;
    (void)person;
}

static void pass_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    const es_sink *outer = user;
    outer->progress(outer->user, what, done, total);
}

static void pass_print(void *user, const char *bytes, size_t n)
{
    const es_sink *outer = user;
    outer->print(outer->user, bytes, n);
}

es_outcome es_script_run_startup(es_session *s, const es_sink *sink, es_error *err)
{
    const reading how = {.shebang = true, .remarks = true, .keep_going = true};
    const es_sink quiet = {(void *)sink, pass_result,   pass_error,
                           drop_note,    pass_progress, sink->print ? pass_print : NULL};
    es_str path = {0};
    es_outcome o = ES_DONE;
    struct stat st;
    bool there = es_script_startup_path(&path) && stat(path.s, &st) == 0;
    if (there && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) { /* a pipe could keep us waiting */
        int fd = open_lines(path.s, err);
        es_session_startup(s, true);
        o = fd < 0 ? ES_FAILED : run(s, fd, path.s, how, &quiet);
        es_session_startup(s, false);
        if (fd >= 0)
            close(fd);
    } else if (there) {
        es_fail(err, ES_ERR_IO, "the startup file %s is no file of lines", path.s);
        o = ES_FAILED;
    }
    es_str_free(&path);
    return o;
}
