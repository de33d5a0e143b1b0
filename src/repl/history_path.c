// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/history_path.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/place.h"
#include "repl/prompt.h"

bool es_history_path(es_str *path, bool make)
{
    const char *own = getenv("EMBEDSCOPE_HISTORY");
    if (own) {
        es_str_cat(path, own);
        return *own;
    }
    if (es_place_user(path, ES_XDG_STATE, "history", make, NULL))
        return true;
    es_str_free(path);
    return false;
}

size_t es_history_saved(es_str *path)
{
    size_t n = 0, len;
    const char *line;
    if (!es_history_path(path, false))
        return 0;
    int fd = open(path->s, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    es_lines lines = es_lines_of(fd);
    while (es_lines_next(&lines, &line, &len) > 0)
        n += len && line[0] == '\001'; /* the stamp before each entry */
    es_lines_free(&lines);
    close(fd);
    return n;
}
