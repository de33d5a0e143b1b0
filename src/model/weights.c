// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/weights.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/visible.h"

enum { MOST_INDEX = 100000000 }; /* bytes */

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

/* ---- where the files are ---- */

static bool nothing_in(const char *folder, es_error *err)
{
    es_str shown = {0};
    es_show_prose(&shown, folder, strlen(folder));
    es_fail(err, ES_ERR_IO, "%s holds neither model.safetensors nor model.safetensors.index.json",
            shown.s);
    es_str_free(&shown);
    return es_hint(err, "try: the path of a .safetensors file in it");
}

/* The path of the file or index that `path` means; owned. */
static char *resolve(const char *path, es_error *err)
{
    static const char *const names[] = {"model.safetensors", "model.safetensors.index.json"};
    struct stat st;
    if (!strcmp(path, "-")) /* a file of that name, not standard input: lines come from there */
        return es_copy_string("./-");
    if (stat(path, &st) || !S_ISDIR(st.st_mode))
        return es_copy_string(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        es_str inside = {0};
        es_str_add(&inside, "%s%s%s", path, ends_with(path, "/") ? "" : "/", names[i]);
        if (access(inside.s, F_OK) == 0)
            return es_str_take(&inside);
        es_str_free(&inside);
    }
    nothing_in(path, err);
    return NULL;
}

/* ---- one file, or many ---- */

static es_safetensors *add_file(es_weights *w, const char *path, es_error *err)
{
    es_safetensors *f = es_safetensors_open(path, err);
    if (!f)
        return NULL;
    w->file = es_realloc(w->file, (w->n_files + 1) * sizeof(es_safetensors *));
    w->file[w->n_files++] = f;
    return f;
}

static bool read_index(es_weights *w, es_error *err)
{
    es_file f;
    if (!es_file_open(&f, w->path, err))
        return false;
    bool ok = (f.size <= MOST_INDEX || es_bad_file(err, w->path,
                                                   "%zu bytes are too many for an "
                                                   "index",
                                                   f.size)) &&
              es_index_read(&w->place, &w->n_places, (const char *)f.data, f.size, w->path, err);
    es_file_close(&f);
    w->n_tensors = w->n_places;
    return ok;
}

bool es_weights_open(es_weights *w, const char *path, es_error *err)
{
    *w = (es_weights){.path = resolve(path, err)};
    if (!w->path)
        return false;
    if (ends_with(w->path, ".json"))
        return read_index(w, err);
    es_safetensors *f = add_file(w, w->path, err);
    w->n_tensors = f ? f->n_tensors : 0;
    return f != NULL;
}

void es_weights_close(es_weights *w)
{
    for (size_t i = 0; i < w->n_files; i++)
        es_safetensors_unref(w->file[i]);
    free(w->file);
    es_placed_free(w->place, w->n_places);
    free(w->path);
    *w = (es_weights){0};
}

/* ---- tensors ---- */

/* The file that an index names, beside it; opened once. */
static es_safetensors *shard(es_weights *w, const char *name, es_error *err)
{
    const char *slash = strrchr(w->path, '/');
    es_str path = {0};
    es_safetensors *f = NULL;
    es_str_bytes(&path, w->path, slash ? (size_t)(slash - w->path) + 1 : 0);
    es_str_cat(&path, name);
    for (size_t i = 0; !f && i < w->n_files; i++)
        if (!strcmp(w->file[i]->path, path.s))
            f = w->file[i];
    if (!f && es_file_is_plain("read", path.s, err))
        f = add_file(w, path.s, err);
    if (!f) {
        es_str shown = {0};
        es_show_prose(&shown, w->path, strlen(w->path));
        es_hint(err, "it is named by %s: all files of a model belong into one folder", shown.s);
        es_str_free(&shown);
    }
    es_str_free(&path);
    return f;
}

static bool find_in_shard(es_weights *w, es_located *out, const es_placed *p, es_error *err)
{
    out->file = shard(w, p->file, err);
    if (!out->file)
        return false;
    out->tensor = es_safetensors_find(out->file, p->name);
    if (out->tensor)
        return true;
    es_str name = {0}, file = {0};
    es_show_brief(&name, p->name, strlen(p->name));
    es_show_prose(&file, p->file, strlen(p->file));
    es_bad_file(err, w->path, "it says that tensor %s is in %s, but it is not", name.s, file.s);
    es_str_free(&name);
    es_str_free(&file);
    *out = (es_located){0};
    return false;
}

bool es_weights_find(es_weights *w, es_located *out, const char *name, es_error *err)
{
    *out = (es_located){0};
    for (size_t i = 0; i < w->n_places; i++)
        if (!strcmp(w->place[i].name, name))
            return find_in_shard(w, out, &w->place[i], err);
    if (!w->place && w->n_files) {
        out->tensor = es_safetensors_find(w->file[0], name);
        out->file = out->tensor ? w->file[0] : NULL;
    }
    return true;
}

const char *es_weights_name(const es_weights *w, size_t i)
{
    return w->place ? w->place[i].name : w->file[0]->tensor[i].name;
}

bool es_weights_at(es_weights *w, size_t i, es_located *out, const char **name, es_error *err)
{
    *out = (es_located){0};
    if (w->place) {
        *name = w->place[i].name;
        return find_in_shard(w, out, &w->place[i], err);
    }
    *out = (es_located){w->file[0], &w->file[0]->tensor[i]};
    *name = out->tensor->name;
    return true;
}
