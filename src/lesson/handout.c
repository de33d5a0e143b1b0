// SPDX-License-Identifier: GPL-3.0-or-later
/* The pages of a course: each lesson is run once, from its first step to its last. */
#include "lesson/handout.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "lesson/desk.h"
#include "lesson/handout_inside.h"
#include "lesson/prose.h"

/* ---- files ---- */

static bool make_folder(const char *folder, es_error *err)
{
    struct stat st;
    if (mkdir(folder, 0777) == 0)
        return true;
    int reason = errno;
    if (reason == EEXIST && stat(folder, &st) == 0)
        return S_ISDIR(st.st_mode) || es_file_error(err, "make the folder", folder, ENOTDIR);
    return es_file_error(err, "make the folder", folder, reason);
}

static bool write_page(const char *folder, const char *name, const es_str *page, es_error *err)
{
    es_str path = {0};
    es_str_add(&path, "%s/%s", folder, name);
    bool ok = es_file_replace_pieces(path.s, &(es_piece){page->s, page->len}, 1, 0666, NULL, err);
    es_str_free(&path);
    return ok;
}

/* ---- a lesson ---- */

/* The sizes and words that were drawn, and what was run before the first step. */
static void put_before(es_handout_lesson *h)
{
    const es_lesson *l = &h->entry->lesson;
    es_str *out = &h->page;
    if (!l->n_draws && !l->setup.n && !l->model)
        return;
    es_str_cat(
        out,
        "<section class=\"before\">\n<h2><span class=\"kind\">Before the first step</span></h2>\n");
    if (l->model) {
        es_str_cat(out, "<p>The model is ");
        es_page_code(out, l->model);
        es_str_cat(out, ".</p>\n");
    }
    es_str lines = {0};
    es_drawn_statements(&lines, h->drawn);
    if (lines.len && lines.s[lines.len - 1] != '\n')
        es_str_char(&lines, '\n');
    for (size_t i = 0; i < l->setup.n; i++) {
        const char *code = l->setup.of[i].code;
        if (code[0] == ':')
            es_drawn_fill(&lines, h->drawn, code);
        else
            es_str_cat(&lines, code);
        es_str_char(&lines, '\n');
    }
    if (lines.len)
        es_page_block(out, "in", lines.s);
    es_str_free(&lines);
    es_str_cat(out, "</section>\n");
}

static void put_key(es_handout_lesson *h)
{
    es_str_add(&h->page, "<section class=\"key\">\n<h2>Answers to lesson %d</h2>\n",
               h->entry->number);
    es_str_cat(&h->page, es_str_text(&h->key));
    es_str_cat(&h->page, "</section>\n");
}

static bool put_steps(es_handout_lesson *h, es_error *err)
{
    const es_lesson *l = &h->entry->lesson;
    put_before(h);
    for (size_t i = 0; i < l->n_steps; i++)
        if (!es_handout_step(h, i, err))
            return false;
    if (*l->end) {
        es_str_cat(&h->page, "<section class=\"end\">\n");
        es_handout_prose(&h->page, h, l->end);
        es_str_cat(&h->page, "</section>\n");
    }
    if (h->key.len)
        put_key(h);
    return true;
}

static bool write_lesson(es_handout_lesson *h, const es_course *c, size_t i, const char *folder,
                         es_error *err)
{
    enum { SEED = 1 };
    es_str name = {0};
    es_drawn drawn = es_draw(&c->of[i].lesson, SEED);
    h->entry = &c->of[i];
    h->drawn = &drawn;
    es_page_name(&name, h->entry);
    es_page_top(&h->page, c, i);
    bool ok = es_desk_ready(h->session, &h->entry->lesson, &drawn, 0, err) && put_steps(h, err);
    es_page_bottom(&h->page, c, i);
    ok = ok && write_page(folder, name.s, &h->page, err);
    es_str_free(&h->page);
    es_str_free(&h->key);
    es_str_free(&name);
    es_drawn_free(&drawn);
    h->drawn = NULL;
    return ok;
}

bool es_handout_write(const es_course *c, es_session *s, const char *folder,
                      es_handout_picture_fn picture, void *user, const es_sink *sink, es_error *err)
{
    es_handout_lesson h = {.session = s, .picture = picture, .user = user};
    es_str index = {0};
    if (!make_folder(folder, err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < c->n; i++) {
        sink->progress(sink->user, "lessons", i, c->n);
        ok = write_lesson(&h, c, i, folder, err);
    }
    sink->progress(sink->user, "lessons", c->n, c->n);
    es_page_index(&index, c);
    ok = ok && write_page(folder, "index.html", &index, err);
    es_str_free(&index);
    return ok;
}
