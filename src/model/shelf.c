// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/shelf.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/utf8.h"
#include "base/visible.h"

/* Models that one can fetch; the program itself never does.  Size and checksum are those of
 * revision 607a30d783dfa663caf39e06633721c8d4cfcd7e, as several projects pin them. */
static const struct {
    const char *name, *from, *bytes, *sha256;
} known[] = {
    {"gpt2", "https://huggingface.co/openai-community/gpt2", "548,105,171",
     "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707"},
};

static const char bundled[] = "mini", bundled_asset[] = "models/mini.safetensors";

bool es_is_bundled(const char *name)
{
    return !strcmp(name, bundled);
}

static bool is_plain(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/');
}

/* path = embedscope/models/NAME and `end`; there? */
static bool on_the_shelf(es_str *path, const char *name, const char *end)
{
    es_str file = {0};
    es_str_add(&file, "models/%s%s", name, end);
    bool there =
        es_place_user(path, ES_XDG_DATA, file.s, false, NULL) && access(path->s, F_OK) == 0;
    es_str_free(&file);
    return there;
}

/* ---- what is not there ---- */

static void say_where_to_fetch(size_t i, es_error *err)
{
    es_str path = {0}, shown = {0}, file = {0};
    es_str_add(&file, "models/%s.safetensors", known[i].name);
    es_hint(err, "this program fetches nothing; the file model.safetensors is at %s",
            known[i].from);
    es_hint(err, "it has %s bytes, sha256 %s", known[i].bytes, known[i].sha256);
    if (es_place_user(&path, ES_XDG_DATA, file.s, false, NULL)) {
        es_show_prose(&shown, path.s, path.len);
        es_hint(err, "it belongs at %s", shown.s);
    }
    es_hint(err, "embedscope extract FILE -o OUT keeps its two tables, 157 MB");
    es_str_free(&path);
    es_str_free(&shown);
    es_str_free(&file);
}

static bool no_such(const char *name, es_error *err)
{
    es_str shown = {0};
    es_show_brief(&shown, name, strlen(name));
    es_fail(err, ES_ERR_NAME, "there is no model %s", shown.s);
    es_str_free(&shown);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name)) {
            say_where_to_fetch(i, err);
            return false;
        }
    return es_hint(err, "try: mini, untrained, untrained:C=768 for GPT-2's width, or the path of "
                        "a .safetensors file");
}

bool es_shelf_find(es_str *path, bool *on_shelf, const char *name, es_error *err)
{
    if (es_is_bundled(name))
        return *on_shelf = es_place_asset(path, bundled_asset, err);
    *on_shelf = is_plain(name) &&
                (on_the_shelf(path, name, ".safetensors") || on_the_shelf(path, name, ""));
    if (*on_shelf)
        return true;
    es_str_cut(path, 0);
    es_str_cat(path, name);
    if (*name && access(name, F_OK) == 0)
        return true;
    if (!strchr(name, '/'))
        return no_such(name, err);
    return es_file_error(err, "open", name, errno);
}

const char *es_shelf_usual(void)
{
    const char *own = getenv("EMBEDSCOPE_MODEL");
    return own && *own ? own : bundled;
}

/* ---- names ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add(es_names *l, const char *name, size_t n)
{
    l->of = es_realloc(l->of, (l->n + 1) * sizeof *l->of);
    l->of[l->n++] = es_copy_bytes(name, n);
}

/* Only what a terminal may be shown: these names become part of the typed line. */
static bool is_visible(const char *name, size_t n)
{
    uint32_t cp;
    for (size_t i = 0; i < n;) {
        int len = es_utf8_next(name + i, n - i, &cp);
        if (!len || !es_char_visible(cp))
            return false;
        i += (size_t)len;
    }
    return true;
}

static void add_bundled(es_names *l)
{
    es_str path = {0};
    if (es_place_asset(&path, bundled_asset, NULL))
        add(l, bundled, strlen(bundled));
    es_str_free(&path);
}

static void add_shelf(es_names *l)
{
    es_str path = {0};
    DIR *folder = es_place_user(&path, ES_XDG_DATA, "models", false, NULL) ? opendir(path.s) : NULL;
    for (struct dirent *d; folder && (d = readdir(folder));) {
        const char *end = strstr(d->d_name, ".safetensors");
        size_t n =
            end && !strcmp(end, ".safetensors") ? (size_t)(end - d->d_name) : strlen(d->d_name);
        if (is_plain(d->d_name) && is_visible(d->d_name, n))
            add(l, d->d_name, n);
    }
    if (folder)
        closedir(folder);
    es_str_free(&path);
}

es_names es_shelf_names(void)
{
    es_names l = {0};
    add(&l, "untrained", strlen("untrained"));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        add(&l, known[i].name, strlen(known[i].name));
    add_bundled(&l);
    add_shelf(&l);
    qsort(l.of, l.n, sizeof *l.of, by_name);
    size_t kept = 1;
    for (size_t i = 1; i < l.n; i++) { /* one of each */
        if (strcmp(l.of[i], l.of[kept - 1]))
            l.of[kept++] = l.of[i];
        else
            free(l.of[i]);
    }
    l.n = kept;
    return l;
}

void es_names_free(es_names *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->of[i]);
    free(l->of);
    *l = (es_names){0};
}
