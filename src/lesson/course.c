// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/course.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/visible.h"

/* 3 for 03-slug.md, one to three digits; -1: the name is not of that form. */
static int number_of(const char *name)
{
    size_t digits = strspn(name, "0123456789"), n = strlen(name);
    bool is = digits >= 1 && digits <= 3 && name[digits] == '-' && n > digits + 4 &&
              !strcmp(name + n - 3, ".md");
    return is ? atoi(name) : -1;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool add(es_course *c, const char *path, int number, es_error *err)
{
    c->of = es_realloc(c->of, (c->n + 1) * sizeof *c->of);
    es_course_entry *e = &c->of[c->n];
    *e = (es_course_entry){.number = number};
    if (!es_lesson_read(&e->lesson, path, err))
        return false;
    c->n++;
    return true;
}

/* ---- a folder ---- */

static int is_lesson(const struct dirent *entry)
{
    return number_of(entry->d_name) >= 0;
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
    int m = number_of((*a)->d_name), n = number_of((*b)->d_name);
    return m != n ? (m > n) - (m < n) : strcmp((*a)->d_name, (*b)->d_name);
}

static bool fail_twice(const es_course_entry *e, const es_course_entry *other, bool number,
                       es_error *err)
{
    const char *name = base_name(other->lesson.path);
    es_str path = {0}, first = {0};
    es_show_name(&path, e->lesson.path, strlen(e->lesson.path));
    es_show_name(&first, name, strlen(name));
    if (number)
        es_fail(err, ES_ERR_FORMAT, "%s: the number %d is that of %s too", path.s, e->number,
                first.s);
    else
        es_fail(err, ES_ERR_FORMAT, "%s:1: the slug %s is that of %s too", path.s, e->lesson.slug,
                first.s);
    es_str_free(&path);
    es_str_free(&first);
    return es_hint(err, "a lesson has a number and a slug of its own");
}

/* The last lesson is like none before it. */
static bool is_new(const es_course *c, es_error *err)
{
    const es_course_entry *e = &c->of[c->n - 1];
    for (const es_course_entry *other = c->of; other < e; other++) {
        bool number = other->number == e->number;
        if (number || !strcmp(other->lesson.slug, e->lesson.slug))
            return fail_twice(e, other, number, err);
    }
    return true;
}

static bool read_entries(es_course *c, struct dirent **entries, int n, es_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        es_str path = {0};
        bool slash = *c->folder && c->folder[strlen(c->folder) - 1] == '/';
        es_str_add(&path, "%s%s%s", c->folder, slash ? "" : "/", entries[i]->d_name);
        ok = add(c, path.s, number_of(entries[i]->d_name), err) && is_new(c, err);
        es_str_free(&path);
    }
    return ok;
}

static bool fail_empty(const char *folder, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, folder, strlen(folder));
    es_fail(err, ES_ERR_IO, "there is no lesson in %s", shown.s);
    es_str_free(&shown);
    return es_hint(err, "lessons are files called NN-slug.md, such as 01-tokens.md");
}

static bool read_folder(es_course *c, es_error *err)
{
    struct dirent **entries = NULL;
    int n = scandir(c->folder, &entries, is_lesson, by_number);
    if (n < 0)
        return es_file_error(err, "read the folder", c->folder, errno);
    bool ok = n ? read_entries(c, entries, n, err) : fail_empty(c->folder, err);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    return ok;
}

/* ---- opening ---- */

static bool read_file(es_course *c, const char *path, es_error *err)
{
    const char *name = base_name(path);
    size_t n = (size_t)(name - path);
    c->folder = n ? es_copy_bytes(path, n > 1 ? n - 1 : 1) : es_copy_string(".");
    return add(c, path, number_of(name) < 0 ? 1 : number_of(name), err);
}

bool es_course_open_at(es_course *c, const char *path, es_error *err)
{
    struct stat st;
    *c = (es_course){0};
    bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    if (folder)
        c->folder = es_copy_string(path);
    bool ok = folder ? read_folder(c, err) : read_file(c, path, err);
    if (!ok)
        es_course_free(c);
    return ok;
}

bool es_course_open(es_course *c, es_error *err)
{
    es_str path = {0};
    *c = (es_course){0};
    bool ok = es_place_asset(&path, "lessons", err) && es_course_open_at(c, path.s, err);
    es_str_free(&path);
    return ok;
}

void es_course_free(es_course *c)
{
    for (size_t i = 0; i < c->n; i++)
        es_lesson_free(&c->of[i].lesson);
    free(c->of);
    free(c->folder);
    *c = (es_course){0};
}

/* ---- finding ---- */

const es_course_entry *es_course_find(const es_course *c, int number)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->of[i].number == number)
            return &c->of[i];
    return NULL;
}

const es_course_entry *es_course_named(const es_course *c, const char *slug)
{
    for (size_t i = 0; i < c->n; i++)
        if (!strcmp(c->of[i].lesson.slug, slug))
            return &c->of[i];
    return NULL;
}

const es_course_entry *es_course_about(const es_course *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (es_lesson_lists(c->of[i].lesson.about, name, strlen(name)))
            return &c->of[i];
    return NULL;
}
