// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/script.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/visible.h"

static bool is_shebang(const char *line, size_t len)
{
    return len >= 2 && line[0] == '#' && line[1] == '!';
}

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
        sink->note(sink->user, "the text of :paste has no line with a dot alone: it ends here",
                   false);
    return es_session_end(s, sink);
}

static es_outcome run(es_session *s, int fd, const char *name, bool shebang, const es_sink *sink)
{
    es_source before = es_session_source(s);
    es_lines lines = es_lines_of(fd);
    es_outcome o = ES_DONE;
    bool failed = false;
    const char *line;
    size_t len;
    for (size_t n = 1; o != ES_QUIT; n++) {
        es_session_set_source(s, (es_source){name, n});
        if (es_transcript_is(es_session_transcript(s), fd)) {
            o = refuse_transcript(s, name, sink);
            failed = true;
            break;
        }
        int found = es_lines_next(&lines, &line, &len);
        if (found < 0 && errno == EINTR && !es_session_interrupted(s)) {
            n--;
            continue;
        }
        if (found <= 0) {
            o = found < 0 ? fail(s, name, errno, sink) : end(s, sink);
            failed = failed || o == ES_FAILED;
            break;
        }
        if (n == 1 && shebang && is_shebang(line, len))
            continue;
        if (n == 1)
            note_marks(line, len, sink);
        o = es_session_run(s, line, len, sink);
        failed = failed || o == ES_FAILED;
        if (o == ES_FAILED && (!es_session_keep_going(s) || es_session_interrupted(s)))
            break;
    }
    es_lines_free(&lines);
    es_session_set_source(s, before);
    return o == ES_QUIT ? ES_QUIT : failed ? ES_FAILED : ES_DONE;
}

es_outcome es_script_run(es_session *s, int fd, const char *name, const es_sink *sink)
{
    return run(s, fd, name, false, sink);
}

es_outcome es_script_run_file(es_session *s, const char *path, const es_sink *sink, es_error *err)
{
    if (!strcmp(path, "-"))
        return run(s, STDIN_FILENO, "stdin", true, sink);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || S_ISDIR(st.st_mode)) {
        es_file_error(err, "open", path, fd < 0 ? errno : EISDIR);
        if (fd >= 0)
            close(fd);
        return ES_FAILED;
    }
    es_outcome o = run(s, fd, path, true, sink);
    close(fd);
    return o;
}
