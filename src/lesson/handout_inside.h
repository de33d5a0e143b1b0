// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of lesson/handout.h share: a page's frame, and a lesson's steps as they are run. */
#ifndef ES_LESSON_HANDOUT_INSIDE_H
#define ES_LESSON_HANDOUT_INSIDE_H

#include "lesson/draw.h"
#include "lesson/ear.h"
#include "lesson/handout.h"

/* ---- page.c: frames, and small pieces of HTML ---- */

/* From <!DOCTYPE> to the beginning of <body>; ready for HTML. */
void es_page_begin(es_str *out, const char *title);
void es_page_end(es_str *out);

void es_page_style(es_str *out); /* page_style.c */

/* <code>…</code>; <pre class="…"><code>…</code></pre> and its line break. */
void es_page_code(es_str *out, const char *code);
void es_page_block(es_str *out, const char *class, const char *text);

/* "03-a-row-per-id.html" */
void es_page_name(es_str *out, const es_course_entry *e);

/* index.html: what the course has. */
void es_page_index(es_str *out, const es_course *c);

/* What stands over and under the steps of lesson i. */
void es_page_top(es_str *out, const es_course *c, size_t i);
void es_page_bottom(es_str *out, const es_course *c, size_t i);

/* ---- handout_step.c ---- */

/* A lesson on its way onto a page. */
typedef struct es_handout_lesson {
    const es_course_entry *entry;
    const es_drawn *drawn;
    es_session *session; /* ready for the step */
    es_handout_picture_fn picture;
    void *user;
    es_str page, key; /* the steps; their answers once more, for paper */
} es_handout_lesson;

/* Append step i, and make the session ready for the next.  ES_ERR_*: its line fails. */
bool es_handout_step(es_handout_lesson *h, size_t i, es_error *err);

/* Markdown with the drawn words in it. */
void es_handout_prose(es_str *out, const es_handout_lesson *h, const char *markdown);

/* A step on its way. */
typedef struct es_handout_at {
    es_handout_lesson *h;
    const es_lesson_step *of;
    size_t i;
    es_str *out; /* the page */
    es_str answer;
} es_handout_at;

/* Markdown; what is one paragraph stands without the marks of one: in lists, behind a letter. */
void es_handout_phrase(const es_handout_at *s, es_str *out, const char *markdown);

/* A line as it is run, drawn words filled in where the desk does so, too: as a block; in prose, where it is one line. */
void es_handout_line(const es_handout_at *s, es_str *out, const char *code);
void es_handout_code(const es_handout_at *s, es_str *out, const char *code);

/* Run it; the ear, which is closed by the caller, has what it said.  False: Ctrl-C. */
bool es_handout_run(const es_handout_at *s, const char *code, es_ear *ear, es_error *err);
void es_handout_shown(es_str *out, const es_ear *ear);
void es_handout_after(es_handout_at *s, es_str *out); /* what is told once it is right */

/* ---- handout_answer.c ---- */

/* Append the answer, folded, and to the lesson's key. */
bool es_handout_answer(es_handout_at *s, es_error *err);

/* ---- handout_picture.c ---- */

/* Append an SVG file as an element of a page: `name` stands before its ids, so that they are no others'. */
void es_handout_svg(es_str *out, const char *svg, const char *name, const char *title);

#endif
