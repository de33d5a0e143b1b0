// SPDX-License-Identifier: GPL-3.0-or-later
/* The frame of a handout's pages: what is over and under the steps, and the index. */
#include <string.h>

#include "lesson/handout_inside.h"
#include "lesson/prose.h"

static void text(es_str *out, const char *s)
{
    es_html_text(out, s, strlen(s));
}

void es_page_begin(es_str *out, const char *title)
{
    es_str_cat(out, "<!DOCTYPE html>\n"
                    "<html lang=\"en\">\n"
                    "<head>\n"
                    "<meta charset=\"utf-8\"/>\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                    "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                    "<title>");
    text(out, title);
    es_str_cat(out, "</title>\n<style>\n");
    es_page_style(out);
    es_str_cat(out, "</style>\n</head>\n<body>\n");
}

void es_page_end(es_str *out)
{
    es_str_cat(out, "</body>\n</html>\n");
}

void es_page_code(es_str *out, const char *code)
{
    es_str_cat(out, "<code>");
    text(out, code);
    es_str_cat(out, "</code>");
}

/* Each of several lines is an element, so that what is too long for the page goes on further to the right. */
static void put_lines(es_str *out, const char *s, size_t n)
{
    for (size_t i = 0, len; i < n; i += len) {
        const char *end = memchr(s + i, '\n', n - i);
        len = end ? (size_t)(end - s) + 1 - i : n - i;
        es_str_cat(out, "<span>");
        es_html_text(out, s + i, len);
        es_str_cat(out, "</span>");
    }
}

void es_page_block(es_str *out, const char *class, const char *s)
{
    size_t n = strlen(s);
    while (n && s[n - 1] == '\n')
        n--;
    es_str_add(out, "<pre class=\"%s\"><code>", class);
    if (!strcmp(class, "in") && memchr(s, '\n', n))
        put_lines(out, s, n);
    else
        es_html_text(out, s, n);
    es_str_cat(out, "</code></pre>\n");
}

void es_page_name(es_str *out, const es_course_entry *e)
{
    es_str_add(out, "%02d-", e->number);
    for (const char *s = e->lesson.slug; *s; s++)
        es_str_char(out, *s == '/' ? '-' : *s);
    es_str_cat(out, ".html");
}

/* A link to the page of a lesson. */
static void begin_link(es_str *out, const es_course_entry *e, const char *attributes)
{
    es_str name = {0};
    es_page_name(&name, e);
    es_str_add(out, "<a%s href=\"", attributes);
    text(out, name.s);
    es_str_cat(out, "\">");
    es_str_free(&name);
}

/* ---- lists in a lesson's head ---- */

/* The next word of a list, n bytes; NULL: there is none.  *at moves behind it. */
static const char *next_word(const char **at, size_t *n)
{
    *at += strspn(*at, ", \t");
    const char *word = *at;
    *n = strcspn(word, ", \t");
    *at += *n;
    return *n ? word : NULL;
}

static void put_about(es_str *out, const char *about)
{
    size_t n;
    for (const char *word, *at = about; (word = next_word(&at, &n));) {
        es_str_cat(out, word == about ? "" : " ");
        es_str_cat(out, "<code>");
        es_html_text(out, word, n);
        es_str_cat(out, "</code>");
    }
}

static void put_needs(es_str *out, const es_course *c, const char *needs)
{
    size_t n;
    bool first = true;
    for (const char *word, *at = needs; (word = next_word(&at, &n)); first = false) {
        es_str slug = {0};
        es_str_bytes(&slug, word, n);
        const es_course_entry *e = es_course_named(c, slug.s);
        es_str_cat(out, first ? "after " : ", ");
        if (e) {
            begin_link(out, e, "");
            es_str_add(out, "%d ", e->number);
            text(out, e->lesson.title);
            es_str_cat(out, "</a>");
        } else
            text(out, slug.s);
        es_str_free(&slug);
    }
}

/* ---- index.html ---- */

static void put_entry(es_str *out, const es_course *c, const es_course_entry *e)
{
    const es_lesson *l = &e->lesson;
    es_str_add(out, "<li><span class=\"number\">%d</span>\n<div><p class=\"title\">", e->number);
    begin_link(out, e, "");
    text(out, l->title);
    es_str_add(out, "</a> <span class=\"minutes\">%d min</span></p>\n", l->minutes);
    if (*l->about) {
        es_str_cat(out, "<p class=\"facts\">about ");
        put_about(out, l->about);
        es_str_cat(out, "</p>\n");
    }
    if (*l->needs) {
        es_str_cat(out, "<p class=\"facts\">");
        put_needs(out, c, l->needs);
        es_str_cat(out, "</p>\n");
    }
    es_str_cat(out, "</div></li>\n");
}

void es_page_index(es_str *out, const es_course *c)
{
    int minutes = 0;
    for (size_t i = 0; i < c->n; i++)
        minutes += c->of[i].lesson.minutes;
    es_page_begin(out, "Lessons on the embedding layer");
    es_str_cat(out, "<header>\n<p class=\"course\">embedscope</p>\n"
                    "<h1>Lessons on the embedding layer</h1>\n<p class=\"facts\">");
    es_str_add(out, "%zu lesson%s · %d minutes</p>\n</header>\n<main>\n", c->n,
               c->n == 1 ? "" : "s", minutes);
    es_str_cat(out,
               "<p>What a line answers was not written by hand: each line was run, with sizes that "
               "are drawn anew at the prompt. "
               "Questions come before their answers, which are folded away; on paper they stand on "
               "a sheet of their own behind each lesson. "
               "At the prompt: <code>embedscope lesson</code>.</p>\n"
               "<ol class=\"contents\">\n");
    for (size_t i = 0; i < c->n; i++)
        put_entry(out, c, &c->of[i]);
    es_str_cat(out, "</ol>\n</main>\n");
    es_page_end(out);
}

/* ---- a lesson's page ---- */

static void put_neighbour(es_str *out, const es_course_entry *e, const char *rel,
                          const char *before, const char *after)
{
    es_str attributes = {0};
    es_str_add(&attributes, " rel=\"%s\"", rel);
    begin_link(out, e, attributes.s);
    es_str_cat(out, before);
    es_str_add(out, "%d ", e->number);
    text(out, e->lesson.title);
    es_str_cat(out, after);
    es_str_cat(out, "</a>\n");
    es_str_free(&attributes);
}

static void put_way(es_str *out, const es_course *c, size_t i, const char *label)
{
    es_str_add(out, "<nav aria-label=\"%s\">\n", label);
    if (i > 0)
        put_neighbour(out, &c->of[i - 1], "prev", "← ", "");
    es_str_cat(out, "<a class=\"up\" href=\"index.html\">All lessons</a>\n");
    if (i + 1 < c->n)
        put_neighbour(out, &c->of[i + 1], "next", "", " →");
    es_str_cat(out, "</nav>\n");
}

void es_page_top(es_str *out, const es_course *c, size_t i)
{
    const es_course_entry *e = &c->of[i];
    const es_lesson *l = &e->lesson;
    es_str title = {0};
    es_str_add(&title, "%d %s", e->number, l->title);
    es_page_begin(out, title.s);
    es_str_cat(out, "<header>\n");
    put_way(out, c, i, "Lessons");
    es_str_add(out, "<p class=\"course\">Lesson %d</p>\n<h1>", e->number);
    text(out, l->title);
    es_str_add(out, "</h1>\n<p class=\"facts\">%d minutes · %zu step%s", l->minutes, l->n_steps,
               l->n_steps == 1 ? "" : "s");
    es_str_cat(out, *l->needs ? " · " : "");
    put_needs(out, c, l->needs);
    es_str_cat(out, *l->about ? " · about " : "");
    put_about(out, l->about);
    es_str_cat(out, "</p>\n</header>\n<main>\n");
    es_str_free(&title);
}

void es_page_bottom(es_str *out, const es_course *c, size_t i)
{
    es_str_cat(out, "</main>\n<footer>\n");
    put_way(out, c, i, "Where to go on");
    es_str_cat(out, "</footer>\n");
    es_page_end(out);
}
