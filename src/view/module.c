// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/visible.h"

#ifndef ES_LIBDIR /* the Makefile says where `make install` puts the module */
#define ES_LIBDIR "/usr/local/lib/embedscope"
#endif

#define MODULE_FILE "embedscope-view.so"

/* ---- where it may be ---- */

/* Beside the running program, as in the build tree. */
static bool beside_program(es_str *path)
{
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe);
    if (n <= 0 || n == (ssize_t)sizeof exe)
        return false;
    while (n > 0 && exe[n - 1] != '/')
        n--;
    es_str_bytes(path, exe, (size_t)n);
    es_str_cat(path, MODULE_FILE);
    return true;
}

typedef struct search {
    es_str tried, why; /* the paths; what the system said of the last that is there */
} search;

static void *open_at(search *s, const char *path)
{
    es_str_cat(&s->tried, s->tried.len ? ", " : "");
    es_show_prose(&s->tried, path, strlen(path));
    if (access(path, R_OK))
        return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *why = module ? NULL : dlerror();
    es_str_cut(&s->why, 0);
    if (why)
        es_show_prose(&s->why, why, strlen(why));
    return module;
}

/* The only place to look, if somebody says so; NULL: nobody does. */
static const char *asked(void)
{
    const char *path = getenv("EMBEDSCOPE_VIEW");
    return path && *path ? path : NULL;
}

static void *open_somewhere(search *s)
{
    es_str path = {0};
    void *module = NULL;
    if (asked())
        return open_at(s, asked());
    if (beside_program(&path))
        module = open_at(s, path.s);
    es_str_free(&path);
    return module ? module : open_at(s, ES_LIBDIR "/" MODULE_FILE);
}

/* ---- is it ours? ---- */

static const es_module *find(search *s)
{
    void *module = open_somewhere(s);
    const es_module *m = module ? dlsym(module, ES_MODULE_SYMBOL) : NULL;
    if (m && m->version == ES_MODULE_VERSION)
        return m;
    if (m)
        es_str_add(&s->why, "it is of version %d, this program wants %d", m->version,
                   ES_MODULE_VERSION);
    else if (module)
        es_str_cat(&s->why, "it is no module of embedscope");
    if (module)
        dlclose(module);
    return NULL;
}

const es_module *es_module_load(es_viewer *v, es_error *err)
{
    search s = {0};
    if (v && v->module)
        return v->module;
    const es_module *m = find(&s);
    if (m && v)
        v->module = m;
    if (!m) {
        es_fail(err, ES_ERR_UNSUPPORTED, "the module of pictures, " MODULE_FILE ", %s%s; tried %s",
                s.why.len ? "cannot be used: " : "is not there", es_str_text(&s.why),
                es_str_text(&s.tried));
        if (asked())
            es_hint(err, "try: unset EMBEDSCOPE_VIEW, which names it");
        es_hint(err, "pictures need SDL2: apt-get install libsdl2-2.0-0 libsdl2-ttf-2.0-0 "
                     "libsdl2-image-2.0-0; everything else works without");
        if (!ES_HAVE_PICTURES)
            es_hint(err, "this program was built without it: make run installs what is missing "
                         "and builds again");
    }
    es_str_free(&s.tried);
    es_str_free(&s.why);
    return m;
}

/* ---- for doctor ---- */

static void describe_window(const es_module *m, es_str *out)
{
    const char *driver = NULL;
    es_str_cat(out, "module found, ");
    m->about(out);
    if (m->display(&driver))
        es_str_add(out, ", display by %s", driver);
    else
        es_str_cat(out, ", no display: pictures go to files or into the terminal");
}

void es_module_doctor(es_str *window, es_str *fonts)
{
    es_error err = ES_ERROR_NONE;
    const es_module *m = es_module_load(NULL, &err);
    if (!m) {
        es_str_cat(window, err.message);
        es_str_cat(fonts, "none: they come with the module of pictures");
    } else {
        describe_window(m, window);
        if (m->font(&err))
            m->fonts(fonts);
        else
            es_str_cat(fonts, err.message);
    }
    es_error_free(&err);
}
