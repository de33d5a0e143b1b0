// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/history_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/place.h"
#include "repl/prompt.h"

static bool find_path(es_str *path, bool make, es_error *err)
{
    const char *own = getenv("EMBEDSCOPE_HISTORY");
    if (own) {
        es_str_cat(path, own);
        return *own;
    }
    if (es_place_user(path, ES_XDG_STATE, "history", make, err))
        return true;
    es_str_free(path);
    return false;
}

bool es_history_path(es_str *path, es_error *err)
{
    return find_path(path, false, err);
}

static bool is_file(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

bool es_history_ready(es_str *path, es_error *err)
{
    if (!find_path(path, true, err))
        return false;
    int fd = open(path->s, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    bool ok = fd >= 0 && is_file(fd);
    if (!ok) {
        es_file_error(err, "write", path->s, fd < 0 ? errno : EINVAL);
        es_str_free(path);
    }
    if (fd >= 0)
        close(fd);
    return ok;
}

size_t es_history_saved(es_str *path)
{
    size_t n = 0, len;
    const char *line;
    if (!es_history_path(path, NULL))
        return 0;
    int fd = open(path->s, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    es_lines lines = es_lines_of(fd);
    while (is_file(fd) && es_lines_next(&lines, &line, &len) > 0) /* a device might never end */
        n += len && line[0] == '\001';                            /* the stamp before each entry */
    es_lines_free(&lines);
    close(fd);
    return n;
}
