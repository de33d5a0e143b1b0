// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/place.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/visible.h"

#ifndef ES_DATADIR /* the Makefile says where `make install` puts assets */
#define ES_DATADIR "/usr/local/share/embedscope"
#endif

/* The folder the running program lies in, without a slash at its end; false if unknown. */
static bool program_folder(es_str *out)
{
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe);
    if (n <= 0 || n == (ssize_t)sizeof exe)
        return false;
    while (n > 0 && exe[n - 1] != '/')
        n--;
    es_str_bytes(out, exe, n > 1 ? (size_t)n - 1 : (size_t)n);
    return true;
}

/* Try one folder; remember it in `tried` when the asset is not there. */
static bool found(es_str *path, es_str *tried, const char *folder, const char *name)
{
    path->len = 0;
    es_str_add(path, "%s/%s", folder, name);
    if (access(path->s, R_OK) == 0)
        return true;
    es_str_cat(tried, tried->len ? ", " : "");
    es_show_prose(tried, path->s, path->len);
    return false;
}

static bool search(es_str *path, es_str *tried, const char *name)
{
    const char *data = getenv("EMBEDSCOPE_DATA");
    if (data && *data && found(path, tried, data, name))
        return true;

    es_str folder = {0};
    bool ok = false;
    if (program_folder(&folder)) {
        size_t exe = folder.len;
        es_str_cat(&folder, "/assets"); /* the build tree */
        ok = found(path, tried, folder.s, name);
        es_str_cut(&folder, exe);
        es_str_cat(&folder, "/../share/embedscope"); /* installed, wherever that was moved */
        ok = ok || found(path, tried, folder.s, name);
    }
    es_str_free(&folder);
    return ok || found(path, tried, ES_DATADIR, name);
}

const char *es_place_installed(void)
{
    return ES_DATADIR;
}

bool es_place_asset(es_str *path, const char *name, es_error *err)
{
    es_str tried = {0};
    bool ok = search(path, &tried, name);
    if (!ok) {
        es_fail(err, ES_ERR_IO, "cannot find the asset %s; tried %s", name, es_str_text(&tried));
        es_hint(err, "try: make install, or EMBEDSCOPE_DATA=FOLDER with the folder that holds it");
    }
    es_str_free(&tried);
    return ok;
}

/* mkdir -p for the folders of a path that ends in a file's name; those we make are private. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0700) && errno != EEXIST;
        *slash = '/';
        if (failed)
            return false;
    }
    return true;
}

bool es_place_user(es_str *path, es_xdg kind, const char *name, bool make, es_error *err)
{
    static const struct {
        const char *variable, *below_home;
    } folders[] = {
        [ES_XDG_STATE] = {"XDG_STATE_HOME", ".local/state"},
        [ES_XDG_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
        [ES_XDG_DATA] = {"XDG_DATA_HOME", ".local/share"},
        [ES_XDG_CACHE] = {"XDG_CACHE_HOME", ".cache"},
    };
    const char *set = getenv(folders[kind].variable), *home = getenv("HOME");
    path->len = 0;
    if (set && set[0] == '/') /* the specification says to ignore relative paths */
        es_str_add(path, "%s/embedscope/%s", set, name);
    else if (home && *home && make && access(home, F_OK)) /* a home is not ours to make */
        return es_file_error(err, "make a folder in", home, errno);
    else if (home && *home)
        es_str_add(path, "%s/%s/embedscope/%s", home, folders[kind].below_home, name);
    else
        return es_fail(err, ES_ERR_IO, "no place for %s: neither %s nor HOME is set", name,
                       folders[kind].variable);
    if (make && !make_folders(path->s))
        return es_file_error(err, "make a folder for", path->s, errno);
    return true;
}

bool es_place_typed(es_str *path, const char *typed, size_t n, es_error *err)
{
    const char *home = getenv("HOME");
    if (n == 0 || memchr(typed, '\0', n))
        return es_fail(err, ES_ERR_IO,
                       n ? "no path has a NUL byte in it" : "there is no path here");
    bool at_home = home && n > 1 && typed[0] == '~' && typed[1] == '/';
    if (at_home)
        es_str_cat(path, home);
    es_str_bytes(path, typed + at_home, n - at_home);
    return true;
}
