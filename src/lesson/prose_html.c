// SPDX-License-Identifier: GPL-3.0-or-later
/* Markdown for a page.  Nothing in it becomes markup or script, but what Markdown has signs for. */
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "lesson/prose_inside.h"

void es_html_text(es_str *out, const char *s, size_t n)
{
    es_str_bytes(out, "", 0);
    for (size_t i = 0, len; i < n; i += len) {
        uint32_t cp = 0;
        int utf8 = es_utf8_next(s + i, n - i, &cp);
        len = utf8 ? (size_t)utf8 : 1;
        if (s[i] == '&')
            es_str_cat(out, "&amp;");
        else if (s[i] == '<')
            es_str_cat(out, "&lt;");
        else if (s[i] == '>')
            es_str_cat(out, "&gt;");
        else if (s[i] == '"')
            es_str_cat(out, "&quot;");
        else if (s[i] == '\n' || s[i] == '\t' || (utf8 && es_prose_hard_space(cp)))
            es_str_bytes(out, s + i, len);
        else
            es_show_prose(out, s + i, len);
    }
}

typedef struct page {
    es_str *out;
    int level; /* of the last heading */
    int rows;  /* of the table, so far */
} page;

/* ---- links ---- */

/* Addresses that do nothing but lead somewhere. */
static bool is_address(const char *s, size_t n)
{
    static const char *const schemes[] = {"https://", "http://", "mailto:", "#"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (n > strlen(schemes[i]) && !memcmp(s, schemes[i], strlen(schemes[i])))
            return true;
    return false;
}

static void put_link(page *p, const es_prose_event *e)
{
    if (!e->enter) {
        es_str_cat(p->out, "</a>");
        return;
    }
    es_str_cat(p->out, "<a");
    if (is_address(e->text, e->n)) {
        es_str_cat(p->out, " href=\"");
        es_html_text(p->out, e->text, e->n);
        es_str_char(p->out, '"');
    }
    es_str_char(p->out, '>');
}

/* ---- blocks ---- */

/* Pages have their title as h1 and steps as h2; below that no level is left out. */
static void put_heading(page *p, const es_prose_event *e)
{
    enum { STEP = 2, LAST = 6 };
    if (e->enter) {
        int level = e->number + STEP;
        level = level > p->level + 1 ? p->level + 1 : level;
        p->level = level > LAST ? LAST : level;
    }
    es_str_add(p->out, e->enter ? "<h%d>" : "</h%d>\n", p->level);
}

static void put_list(page *p, const es_prose_event *e)
{
    const char *name = e->number < 0 ? "ul" : "ol";
    es_str_add(p->out, e->enter ? "<%s" : "</%s>\n", name);
    if (e->enter && e->number >= 0 && e->number != 1)
        es_str_add(p->out, " start=\"%d\"", e->number);
    if (e->enter)
        es_str_cat(p->out, ">\n");
}

static void put_table(page *p, bool enter)
{
    p->rows = enter ? 0 : p->rows;
    es_str_cat(p->out, enter         ? "<table>\n<thead>\n"
                       : p->rows > 1 ? "</tbody>\n</table>\n"
                                     : "</thead>\n</table>\n");
}

/* Behind the first row, which is the header, the body begins. */
static void put_row(page *p, bool enter)
{
    if (enter && p->rows++ == 1)
        es_str_cat(p->out, "</thead>\n<tbody>\n");
    es_str_cat(p->out, enter ? "<tr>" : "</tr>\n");
}

static void put_cell(page *p, const es_prose_event *e)
{
    const char *name = e->head ? "th" : "td";
    es_str_add(p->out, e->enter ? "<%s" : "</%s>", name);
    if (!e->enter)
        return;
    if (e->head)
        es_str_cat(p->out, " scope=\"col\"");
    if (e->align != 'l')
        es_str_add(p->out, " class=\"%s\"", e->align == 'r' ? "right" : "centre");
    es_str_char(p->out, '>');
}

/* Those that are the same for everything. */
static const struct {
    const char *enter, *leave;
} tags[] = {
    [ES_PROSE_QUOTE] = {"<blockquote>\n", "</blockquote>\n"},
    [ES_PROSE_ITEM] = {"<li>", "</li>\n"},
    [ES_PROSE_PARAGRAPH] = {"<p>", "</p>\n"},
    [ES_PROSE_BLOCK] = {"<pre><code>", "</code></pre>\n"},
    [ES_PROSE_RULE] = {"<hr/>\n", ""},
    [ES_PROSE_EM] = {"<em>", "</em>"},
    [ES_PROSE_STRONG] = {"<strong>", "</strong>"},
    [ES_PROSE_CODE] = {"<code>", "</code>"},
    [ES_PROSE_IMAGE] = {"<span class=\"image\">", "</span>"}, /* pages fetch nothing */
    [ES_PROSE_BREAK] = {"<br/>\n", ""},
};

static void on_event(void *user, const es_prose_event *e)
{
    page *p = user;
    switch (e->kind) {
    case ES_PROSE_LINK: put_link(p, e); break;
    case ES_PROSE_HEADING: put_heading(p, e); break;
    case ES_PROSE_LIST: put_list(p, e); break;
    case ES_PROSE_TABLE: put_table(p, e->enter); break;
    case ES_PROSE_ROW: put_row(p, e->enter); break;
    case ES_PROSE_CELL: put_cell(p, e); break;
    case ES_PROSE_TEXT: es_html_text(p->out, e->text, e->n); break;
    default: es_str_cat(p->out, e->enter ? tags[e->kind].enter : tags[e->kind].leave);
    }
}

void es_prose_html(es_str *out, const char *markdown)
{
    es_str whole = {0};
    page p = {.out = &whole, .level = 2};
    if (!es_prose_read(markdown, on_event, &p)) {
        es_str_cut(&whole, 0);
        es_str_cat(&whole, *markdown ? "<pre>" : "");
        es_html_text(&whole, markdown, strlen(markdown));
        es_str_cat(&whole, *markdown ? "</pre>\n" : "");
    }
    es_str_bytes(out, es_str_text(&whole), whole.len);
    es_str_free(&whole);
}
