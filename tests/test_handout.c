// SPDX-License-Identifier: GPL-3.0-or-later
/* The pages of a small course: whole, without script, nothing fetched, and all of the lessons in them. */
#include "lesson/handout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "balance.h"
#include "base/file.h"
#include "lesson/handout_inside.h"
#include "listener.h"
#include "support.h"
#include "view/viewer.h"

Suite *handout_suite(void);

static listener l;
static es_course course;
static es_viewer *viewer;
static char *folder;
static int n_pictures;

/* A file as es_svg_finish writes it, with a name that is meant twice. */
static bool picture(void *user, es_session *s, es_str *svg, es_error *err)
{
    (void)s;
    (void)err;
    n_pictures++;
    es_str_cat(svg, user);
    return true;
}

static bool no_picture(void *user, es_session *s, es_str *svg, es_error *err)
{
    (void)user;
    (void)s;
    (void)svg;
    return es_fail(err, ES_ERR_UNSUPPORTED, "there are no pictures");
}

static char svg[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"9\" height=\"6\">\n"
    "<title>map &amp; heat</title>\n<clipPath id=\"c0\"><rect width=\"4\"/></clipPath>\n"
    "<g clip-path=\"url(#c0)\"><text>url(#c0)</text></g>\n</svg>\n";

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    listener_open(&l, &(es_session_options){.tensor = true});
    viewer = es_viewer_new(l.session);
    folder = fresh_folder();
    n_pictures = 0;
    ck_assert_works(es_course_open_at(&course, "tests/data/course", &err), err);
}

static void teardown(void)
{
    es_course_free(&course);
    es_viewer_free(viewer);
    listener_close(&l);
    free(folder);
}

static void write_pages(const char *where, es_handout_picture_fn fn)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_handout_write(&course, l.session, where, fn, svg, &l.sink, &err), err);
}

/* A page of the folder; freed by the caller. */
static char *page(const char *name)
{
    es_str path = {0}, text = {0};
    es_file f;
    es_error err = ES_ERROR_NONE;
    es_str_add(&path, "%s/%s", folder, name);
    ck_assert_works(es_file_open(&f, path.s, &err), err);
    es_str_bytes(&text, (const char *)f.data, f.size);
    es_file_close(&f);
    es_str_free(&path);
    return es_str_take(&text);
}

static void has(const char *text, const char *piece)
{
    demand(strstr(text, piece), "not there: %s", piece);
}

static void lacks(const char *text, const char *piece)
{
    demand(!strstr(text, piece), "there: %s", piece);
}

static const char *const names[] = {"index.html", "01-rows.html", "02-pictures.html"};

START_TEST(pages_are_whole_and_fetch_nothing)
{
    static const char *const never[] = {"<script", "http",        "src=", "@import", "<link",
                                        "url(/",   "javascript:", "<img", "<iframe"};
    write_pages(folder, picture);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = page(names[i]);
        const char *fault = balance_fault(text);
        demand(!fault, "%s: %.60s", names[i], fault);
        ck_assert(!strncmp(text, "<!DOCTYPE html>\n<html lang=\"en\">\n", 33));
        has(text, "<meta charset=\"utf-8\"/>");
        has(text, "@page { size: A4;");
        has(text, "prefers-color-scheme: dark");
        for (size_t k = 0; k < sizeof never / sizeof *never; k++)
            lacks(text, never[k]);
        free(text);
    }
}
END_TEST

START_TEST(the_index_has_each_lesson)
{
    write_pages(folder, picture);
    char *text = page("index.html");
    has(text, "<p class=\"facts\">2 lessons · 11 minutes</p>");
    has(text,
        "<li><span class=\"number\">1</span>\n<div><p class=\"title\"><a href=\"01-rows.html\">A "
        "row per id "
        "&amp; more</a> <span class=\"minutes\">5 min</span></p>\n"
        "<p class=\"facts\">about <code>wte</code> <code>index_range</code></p>\n</div></li>\n");
    has(text,
        "<p class=\"facts\">after <a href=\"01-rows.html\">1 A row per id &amp; more</a></p>\n");
    free(text);
}
END_TEST

START_TEST(pages_lead_to_their_neighbours)
{
    write_pages(folder, picture);
    char *first = page("01-rows.html"), *second = page("02-pictures.html");
    has(first, "<a rel=\"next\" href=\"02-pictures.html\">2 What a picture shows →</a>\n");
    lacks(first, "rel=\"prev\"");
    has(second, "<a rel=\"prev\" href=\"01-rows.html\">← 1 A row per id &amp; more</a>\n");
    has(second, "<a class=\"up\" href=\"index.html\">All lessons</a>\n");
    free(first);
    free(second);
}
END_TEST

#if ES_HAVE_MD4C
START_TEST(each_step_is_there)
{
    write_pages(folder, picture);
    char *text = page("01-rows.html");
    has(text, "<h1>A row per id &amp; more</h1>\n<p class=\"facts\">5 minutes · 5 steps · about ");
    for (int i = 1; i <= 5; i++) {
        es_str id = {0};
        es_str_add(&id, " id=\"1.%d\">\n<h2><a class=\"id\" href=\"#1.%d\">1.%d</a>", i, i, i);
        has(text, id.s);
        es_str_free(&id);
    }
    has(text, "<section class=\"before\">");
    has(text, "ids = torch.randint(0, V, (B, T))");
    has(text, "<strong>one row</strong> per id; <code>");
    lacks(text, "{animal}");
    has(text, "&lt;script&gt;alert(&quot;markup&quot;)&lt;/script&gt; is text.");
    has(text, "<p>The end of it.</p>");
    free(text);
}
END_TEST
#endif

START_TEST(lines_have_what_they_answer)
{
    write_pages(folder, picture);
    char *text = page("01-rows.html");
    has(text,
        "<pre class=\"in\"><code>x.shape</code></pre>\n<pre class=\"out\"><code>torch.Size([2, ");
    has(text, "<pre class=\"in\"><code>wte(torch.tensor([V]))</code></pre>\n"
              "<pre class=\"out\"><code>error[index_range]");
    free(text);
}
END_TEST

#if ES_HAVE_MD4C
START_TEST(answers_are_folded_and_on_a_sheet_of_their_own)
{
    static const char right[] = "<div class=\"label\"><code>[B, T, C]</code></div>\n<p>Here "
                                "<code>wte(ids)</code> has the shape <code>[2, ",
                      wrong[] =
                          "<dt><code>[T, C]</code></dt>\n<dd>The <em>batch axis</em> does not "
                          "vanish.</dd>\n<dt>anything else</dt>\n<dd>Count the axes."
                          "</dd>\n</dl>\n<p>One axis more.</p>\n</details>\n";
    write_pages(folder, picture);
    char *text = page("01-rows.html"), *key = strstr(text, "<section class=\"key\">");
    has(text,
        "<details class=\"hint\"><summary>Hint 2 of 2</summary>\n<p><code>C</code> of them.</p>\n"
        "</details>\n<details class=\"answer\"><summary>Answer</summary>\n");
    has(text, wrong);
    ck_assert_ptr_nonnull(key);
    ck_assert(strstr(text, right) < key);
    has(key, "<h2>Answers to lesson 1</h2>\n<section>\n<h3>1.3</h3>\n");
    has(key, right);
    has(key,
        "<p class=\"label\">One way</p>\n<pre class=\"in\"><code>h = 2 * wte(ids)</code></pre>\n"
        "<p class=\"label\">or</p>\n<pre class=\"in\"><code>h = wte(ids) + "
        "wte(ids)</code></pre>\n");
    has(key, "<div class=\"label\">(b) V: rows end at <code>V - 1</code>.</div>");
    has(text, "<li>V: rows end at <code>V - 1</code>.</li>");
    has(text, "@media screen { .key { display: none; } }");
    free(text);
}
END_TEST
#endif

START_TEST(pictures_have_names_of_their_own)
{
    write_pages(folder, picture);
    char *text = page("02-pictures.html");
    ck_assert_int_eq(n_pictures, 2);
    has(text, "<svg role=\"img\" aria-label=\"map &amp; heat\" width=\"9\" height=\"6\">");
    has(text, "<clipPath id=\"s1-c0\">");
    has(text, "<g clip-path=\"url(#s1-c0)\"><text>url(#c0)</text></g>");
    has(text, "<clipPath id=\"s3-c0\">");
    has(text, "</svg>\n<details><summary>The same in words</summary>\n<pre class=\"out\">");
    free(text);
}
END_TEST

START_TEST(without_pictures_there_are_words)
{
    write_pages(folder, no_picture);
    char *text = page("02-pictures.html");
    lacks(text, "<svg");
    has(text, "<pre class=\"in\"><code>:picture 1</code></pre>\n<pre class=\"out\">");
    free(text);
    write_pages(folder, NULL);
}
END_TEST

START_TEST(a_second_time_replaces_the_first)
{
    es_str path = {0};
    es_str_add(&path, "%s/01-rows.html", folder);
    ck_assert(es_file_replace(path.s, "old", 3, NULL));
    write_pages(folder, picture);
    char *first = page("01-rows.html");
    write_pages(folder, picture);
    char *second = page("01-rows.html");
    ck_assert_str_eq(first, second);
    free(first);
    free(second);
    es_str_free(&path);
}
END_TEST

static void refused(const char *where, const char *what, const char *why)
{
    es_error err = ES_ERROR_NONE;
    es_str want = {0};
    es_str_add(&want, "cannot %s: %s", what, why);
    ck_assert_fails(es_handout_write(&course, l.session, where, NULL, NULL, &l.sink, &err), err,
                    ES_ERR_IO, want.s);
    es_str_free(&want);
}

START_TEST(a_folder_that_cannot_be_is_named)
{
    es_str path = {0};
    es_str_add(&path, "%s/a/b", folder);
    es_str what = {0};
    es_str_add(&what, "make the folder %s", path.s);
    refused(path.s, what.s, "No such file or directory");
    es_str_cut(&path, path.len - 2);
    es_str_cut(&what, what.len - 2);
    ck_assert(es_file_replace(path.s, "file", 4, NULL));
    refused(path.s, what.s, "Not a directory");
    refused("/proc", "write /proc/01-rows.html", "No such file or directory");
    es_str_free(&what);
    es_str_free(&path);
}
END_TEST

START_TEST(a_line_that_fails_is_named)
{
    static const char text[] = "@lesson x  title=\"X\"  minutes=5\n\n@show nothing\n  prints 1\n";
    es_str path = {0};
    es_error err = ES_ERROR_NONE;
    es_str_add(&path, "%s/07-x.md", folder);
    ck_assert(es_file_replace(path.s, text, sizeof text - 1, NULL));
    es_course_free(&course);
    ck_assert_works(es_course_open_at(&course, path.s, &err), err);
    ck_assert_fails(es_handout_write(&course, l.session, folder, NULL, NULL, &l.sink, &err), err,
                    ES_ERR_NAME, "07-x.md:3: nothing is called nothing here");
    es_str_cut(&path, path.len - 2);
    es_str_cat(&path, "html");
    ck_assert_int_ne(access(path.s, F_OK), 0);
    es_str_free(&path);
}
END_TEST

Suite *handout_suite(void)
{
    Suite *s = suite_create("handout");
    TCase *tc = tcase_create("pages");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, pages_are_whole_and_fetch_nothing);
    tcase_add_test(tc, the_index_has_each_lesson);
    tcase_add_test(tc, pages_lead_to_their_neighbours);
#if ES_HAVE_MD4C
    tcase_add_test(tc, each_step_is_there);
#endif
    tcase_add_test(tc, lines_have_what_they_answer);
#if ES_HAVE_MD4C
    tcase_add_test(tc, answers_are_folded_and_on_a_sheet_of_their_own);
#endif
    tcase_add_test(tc, pictures_have_names_of_their_own);
    tcase_add_test(tc, without_pictures_there_are_words);
    tcase_add_test(tc, a_second_time_replaces_the_first);
    tcase_add_test(tc, a_folder_that_cannot_be_is_named);
    tcase_add_test(tc, a_line_that_fails_is_named);
    suite_add_tcase(s, tc);
    return s;
}
