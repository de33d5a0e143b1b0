// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "base/str.h"

enum { FORGOTTEN = 3600 }; /* seconds after which an unfinished file is nobody's */

/* How ours are called, and how many stay. */
typedef struct kind {
    const char *before, *after;
    int most;
} kind;

static bool is_ours(const kind *k, const char *name, bool *finished)
{
    size_t before = strlen(k->before), after = strlen(k->after);
    if (strncmp(name, k->before, before) != 0)
        return false;
    name += before;
    if (strspn(name, "0123456789abcdef") != ES_SHA256_DIGITS)
        return false;
    name += ES_SHA256_DIGITS;
    *finished = !strcmp(name, k->after);
    return *finished || (!strncmp(name, k->after, after) && name[after] == '.' &&
                         strlen(name) == after + 7); /* as es_file_replace names what it writes */
}

typedef struct found {
    char *name;
    struct timespec since;
} found;

static int newest_first(const void *a, const void *b)
{
    const found *x = a, *y = b;
    if (x->since.tv_sec != y->since.tv_sec)
        return x->since.tv_sec > y->since.tv_sec ? -1 : 1;
    if (x->since.tv_nsec != y->since.tv_nsec)
        return x->since.tv_nsec > y->since.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void tidy(const kind *k, DIR *folder)
{
    found *of = NULL;
    size_t n = 0;
    struct stat st;
    for (struct dirent *e; (e = readdir(folder));) {
        bool finished;
        if (!is_ours(k, e->d_name, &finished) ||
            fstatat(dirfd(folder), e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
            continue;
        if (!finished) {
            if (time(NULL) - st.st_mtime > FORGOTTEN)
                unlinkat(dirfd(folder), e->d_name, 0);
            continue;
        }
        of = es_realloc(of, (n + 1) * sizeof *of);
        of[n++] = (found){es_copy_string(e->d_name), st.st_mtim};
    }
    if (n)
        qsort(of, n, sizeof *of, newest_first);
    for (size_t i = 0; i < n; free(of[i++].name))
        if (i >= (size_t)k->most)
            unlinkat(dirfd(folder), of[i].name, 0);
    free(of);
}

void es_cache_tidy(const char *path, const char *before, const char *after, int most)
{
    const kind k = {before, after, most};
    const char *end = strrchr(path, '/');
    es_str folder = {0};
    es_str_bytes(&folder, path, end ? (size_t)(end - path) : 0);
    DIR *d = opendir(end ? es_str_text(&folder) : ".");
    if (d) {
        tidy(&k, d);
        closedir(d);
    }
    es_str_free(&folder);
}
