// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/edit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/visible.h"
#include "repl/child.h"

static const char *editor(void)
{
    const char *visual = getenv("VISUAL"), *plain = getenv("EDITOR");
    return visual && *visual ? visual : plain && *plain ? plain : "vi";
}

/* A fresh file with text in it; its path. */
static bool write_out(es_str *path, const es_str *text, es_error *err)
{
    const char *tmp = getenv("TMPDIR");
    es_str_add(path, "%s/embedscope-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    int fd = mkstemp(path->s);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return es_file_error(err, "make", path->s, errno);
    bool ok = fwrite(es_str_text(text), 1, text->len, f) == text->len;
    return fclose(f) == 0 && ok ? true : es_file_error(err, "write", path->s, errno);
}

static bool read_back(es_str *text, const char *path, es_error *err)
{
    es_file f;
    if (!es_file_open(&f, path, err))
        return false;
    es_str_cut(text, 0);
    bool ok = es_str_room(text, f.size, "this text", err);
    if (ok)
        es_str_bytes(text, (const char *)f.data, f.size);
    es_file_close(&f);
    return ok;
}

static bool run_editor(const char *path, es_error *err)
{
    const es_child child = {.command = editor(), .file = path};
    es_child_end end = es_child_run(&child);
    if (!end.reason && !end.status)
        return true;
    es_str shown = {0};
    es_show_brief(&shown, child.command, strlen(child.command));
    if (end.reason)
        es_fail(err, ES_ERR_IO, "the editor %s cannot be run: %s", shown.s, strerror(end.reason));
    else
        es_fail(err, ES_ERR_IO, "the editor %s %s", shown.s, es_child_complaint(&end));
    es_hint(err, end.reason ? "try: VISUAL or EDITOR=… before the program is started"
                            : "nothing was run");
    es_str_free(&shown);
    return false;
}

bool es_edit(es_str *text, es_error *err)
{
    es_str path = {0};
    bool ok =
        write_out(&path, text, err) && run_editor(path.s, err) && read_back(text, path.s, err);
    if (path.len)
        unlink(path.s);
    es_str_free(&path);
    return ok;
}
