// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/says.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "lesson/prose.h"
#include "session/show_lines.h"

enum { MOST_PARTS = 12, WIDEST_RULE = 80 };

typedef struct part {
    const char *key, *lead;
    es_says_form form;
    es_str text;
    bool number; /* for JSON alone */
    int value;
} part;

struct es_says {
    const char *event;
    int lesson, step, steps;
    part part[MOST_PARTS];
    size_t n;
    bool apart, listed;
    es_list list;
};

es_says *es_says_new(const char *event, int lesson, int step, int steps)
{
    es_says *s = es_alloc(sizeof *s);
    *s = (es_says){.event = event, .lesson = lesson, .step = step, .steps = steps};
    return s;
}

void es_says_apart(es_says *s)
{
    s->apart = true;
}

static part *add(es_says *s, const char *key)
{
    part *p = s->n < MOST_PARTS ? &s->part[s->n++] : NULL;
    if (p)
        p->key = key;
    return p;
}

void es_says_part(es_says *s, const char *key, es_says_form form, const char *lead,
                  const char *text, const es_drawn *d)
{
    bool empty = !text || !*text;
    part *p = empty && !lead ? NULL : add(s, key);
    if (!p)
        return;
    p->form = form;
    p->lead = lead;
    if (d && !empty)
        es_drawn_fill(&p->text, d, text);
    else
        es_str_cat(&p->text, empty ? "" : text);
}

void es_says_number(es_says *s, const char *key, int value)
{
    part *p = add(s, key);
    if (p) {
        p->number = true;
        p->value = value;
    }
}

void es_says_list(es_says *s, const es_list *list)
{
    s->listed = true;
    s->list = *list;
}

/* ---- for a reader ---- */

/* ── A row per id · step 4 of 7 ────────, the title cut where there is no room for both. */
static void show_title(es_str *out, const es_says *s, const part *p, const es_style *style)
{
    es_str title = {0}, line = {0}, where = {0}, shown = {0};
    int width = style->width < WIDEST_RULE ? style->width : WIDEST_RULE;
    es_show_prose(&title, es_str_text(&p->text), p->text.len);
    if (style->plain) {
        if (s->step)
            es_str_add(out, "step: %d.%d of %d\n", s->lesson, s->step, s->steps);
        es_str_add(out, "title: %s\n", title.s);
    } else {
        if (s->step)
            es_str_add(&where, " · step %d of %d", s->step, s->steps);
        es_str_add(&line, "── %s", title.s);
        int room = width - 2 - es_columns(es_str_text(&where), where.len);
        es_show_fit(&shown, line.s, line.len, room > 8 ? room : 8);
        es_str_cat(&shown, es_str_text(&where));
        int used = es_columns(shown.s, shown.len);
        es_str_cat(&shown, " ");
        for (int i = used + 1; i < width; i++)
            es_str_cat(&shown, "─");
        es_paint_text(out, ES_PAINT_STRONG, shown.s, style);
        es_str_char(out, '\n');
    }
    es_str_free(&title);
    es_str_free(&line);
    es_str_free(&where);
    es_str_free(&shown);
}

static void show_code(es_str *out, const es_says *s, const part *p, const es_style *style)
{
    es_str lines = {0};
    const char *at = es_str_text(&p->text);
    int wide = 0;
    if (style->plain)
        es_str_add(&lines, "%s: ", p->key);
    else
        es_str_add(&lines, "L%d.%d> ", s->lesson, s->step);
    wide = (int)lines.len;
    for (const char *newline; (newline = strchr(at, '\n')); at = newline + 1) {
        es_str_bytes(&lines, at, (size_t)(newline + 1 - at));
        es_str_add(&lines, "%*s", wide, style->plain ? "" : "...> ");
    }
    es_str_cat(&lines, at);
    es_show_folded(out, lines.s, lines.len, style);
    es_str_free(&lines);
}

static void show_prose(es_str *out, const part *p, const es_style *style)
{
    es_str text = {0};
    es_str_cat(&text, p->lead ? p->lead : "");
    es_str_bytes(&text, es_str_text(&p->text), p->text.len);
    es_prose_show(out, es_str_text(&text), style);
    es_str_free(&text);
}

/* a) and the rest of the line, which stays to the right of it. */
static void show_option(es_str *out, const char *line, size_t n, const es_style *style)
{
    enum { LETTER = 4, BEHIND = 8, INDENT = 3 }; /* - **a** rest */
    if (n <= BEHIND)
        return;
    es_style beside = *style;
    es_str shown = {0}, text = {0};
    beside.width -= INDENT;
    es_str_bytes(&text, line + BEHIND, n - BEHIND);
    es_prose_show(&shown, es_str_text(&text), &beside);
    es_paint_text(out, ES_PAINT_STRONG, (char[]){line[LETTER], ')', 0}, style);
    size_t at = 0;
    for (const char *end; at < shown.len && (end = strchr(shown.s + at, '\n'));
         at = (size_t)(end + 1 - shown.s)) {
        es_str_add(out, "%*s", at ? INDENT : 1, "");
        es_str_bytes(out, shown.s + at, (size_t)(end + 1 - shown.s) - at);
    }
    es_str_free(&text);
    es_str_free(&shown);
}

static void show_options(es_str *out, const part *p, const es_style *style)
{
    const char *at = es_str_text(&p->text);
    for (const char *end; (end = strchr(at, '\n')); at = end + 1)
        show_option(out, at, (size_t)(end - at), style);
}

static void show_foot(es_str *out, const part *p, const es_style *style)
{
    es_str text = {0}, shown = {0};
    es_str_cat(&text, style->plain ? "then: " : "");
    es_show_prose(&text, es_str_text(&p->text), p->text.len);
    es_wrap(&shown, es_str_text(&text), 0, style);
    if (shown.len && !style->plain &&
        style->colour) { /* each line by itself, as a pager wants it */
        for (char *line = strtok(shown.s, "\n"); line; line = strtok(NULL, "\n")) {
            es_paint_text(out, ES_PAINT_FAINT, line, style);
            es_str_char(out, '\n');
        }
    } else {
        es_str_cat(out, es_str_text(&shown));
    }
    es_str_free(&text);
    es_str_free(&shown);
}

static void show_part(es_str *out, const es_says *s, const part *p, const es_style *style)
{
    switch (p->form) {
    case ES_SAYS_TITLE: show_title(out, s, p, style); break;
    case ES_SAYS_PROSE: show_prose(out, p, style); break;
    case ES_SAYS_OPTIONS: show_options(out, p, style); break;
    case ES_SAYS_CODE: show_code(out, s, p, style); break;
    case ES_SAYS_FOOT: show_foot(out, p, style); break;
    }
}

/* Prose stands apart from what is before and behind it, but for the title above it and the foot below. */
static bool apart(const part *before, const part *p, const es_style *style)
{
    if (style->plain || before->form == ES_SAYS_TITLE)
        return false;
    return p->form != ES_SAYS_FOOT && (before->form == ES_SAYS_PROSE || p->form == ES_SAYS_PROSE);
}

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    es_says *s = data;
    const part *before = NULL;
    bool ok = true, listed = false;
    es_str_cat(out, s->apart && !style->plain ? "\n" : "");
    for (size_t i = 0; i < s->n && ok; i++) {
        const part *p = &s->part[i];
        if (p->number)
            continue;
        if (s->listed && !listed && p->form == ES_SAYS_FOOT) {
            ok = es_list_show(out, &s->list, style, err);
            listed = true;
        } else if (before && apart(before, p, style)) {
            es_str_char(out, '\n');
        }
        show_part(out, s, p, style);
        before = p;
    }
    return ok && s->listed && !listed ? es_list_show(out, &s->list, style, err) : ok;
}

/* ---- JSON ---- */

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    es_says *s = data;
    es_json_key_string(j, "event", s->event);
    if (s->lesson)
        es_json_key_int(j, "lesson", s->lesson);
    if (s->step) {
        es_str id = {0};
        es_str_add(&id, "%d.%d", s->lesson, s->step);
        es_json_key_int(j, "step", s->step);
        es_json_key_int(j, "steps", s->steps);
        es_json_key_string(j, "id", id.s);
        es_str_free(&id);
    }
    for (size_t i = 0; i < s->n; i++) {
        const part *p = &s->part[i];
        if (p->number) {
            es_json_key_int(j, p->key, p->value);
        } else {
            es_json_key(j, p->key);
            es_json_text(j, es_str_text(&p->text), p->text.len);
        }
    }
    return !s->listed || es_list_json(j, &s->list, values, err);
}

static void forget(void *data)
{
    es_says *s = data;
    for (size_t i = 0; i < s->n; i++)
        es_str_free(&s->part[i].text);
    if (s->listed) {
        for (size_t i = 0; i < s->list.n; i++)
            es_str_free(&s->list.cell[i]);
        free(s->list.cell);
    }
    free(s);
}

es_result es_says_result(es_says *s)
{
    static const es_kind kind = {"lesson", show, json, forget};
    return (es_result){.kind = &kind, .data = s};
}
