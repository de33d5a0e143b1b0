// SPDX-License-Identifier: GPL-3.0-or-later
/* Markdown for a terminal: blocks under each other, behind the bars of quotes and the signs of lists. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "lesson/prose_inside.h"

enum { WIDEST = 88, NARROWEST = 20, CODE_INDENT = 4, TAB = 4 };

/* A quote or an item of a list: what its lines begin with. */
typedef struct container {
    char first[24], rest[24]; /* before its first line, before the others */
    int columns;
    bool pending; /* the first line is still to come */
} container;

typedef struct list {
    int number; /* of the next item; -1: bullets */
    bool tight, begun;
} list;

typedef struct show {
    es_str *out;
    const es_style *style;
    int screen, columns; /* for code, for prose */
    container of[ES_PROSE_DEEPEST];
    list lists[ES_PROSE_DEEPEST];
    int n, n_lists;
    int blank;        /* behind so many containers a blank line is due; -1: none is */
    bool open, block; /* a paragraph's text is being gathered; code is */
    es_inline text;
    es_str code;
    es_prose_table table;
} show;

/* ---- lines ---- */

static int room(const show *s, int columns)
{
    for (int i = 0; i < s->n; i++)
        columns -= s->of[i].columns;
    return columns;
}

static void trim(es_str *out)
{
    size_t n = out->len;
    while (n && out->s[n - 1] == ' ')
        n--;
    es_str_cut(out, n);
}

static void put_blank(show *s)
{
    es_str before = {0};
    for (int i = 0; i < s->blank; i++)
        es_str_cat(&before, s->of[i].rest);
    if (s->blank >= 0) {
        trim(&before);
        es_paint_text(s->out, before.len ? ES_PAINT_FAINT : ES_PAINT_NONE, es_str_text(&before),
                      s->style);
        es_str_char(s->out, '\n');
    }
    s->blank = -1;
    es_str_free(&before);
}

static void begin_line(show *s)
{
    put_blank(s);
    for (int i = 0; i < s->n; i++) {
        container *c = &s->of[i];
        bool bar = c->rest[0] != ' ' && c->rest[0];
        es_paint_text(s->out, bar ? ES_PAINT_FAINT : ES_PAINT_NONE, c->pending ? c->first : c->rest,
                      s->style);
        c->pending = false;
    }
}

static void end_line(show *s)
{
    trim(s->out);
    es_str_char(s->out, '\n');
}

/* Lines that are ready, each behind what its containers have. */
static void put_lines(show *s, const char *lines)
{
    for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");
        begin_line(s);
        es_str_bytes(s->out, lines, n);
        end_line(s);
    }
}

static void end_block(show *s)
{
    s->blank = s->n;
}

/* Returns the columns of the widest line. */
static int put_runs(show *s, const es_runs *r, int columns, int indent, int further)
{
    es_runs_lines lines = es_runs_break(r, columns - indent - further);
    int widest = 0;
    for (size_t i = 0; i < lines.n; i++) {
        begin_line(s);
        es_str_fill(s->out, ' ', (size_t)(indent + (i ? further : 0)));
        es_runs_put(s->out, r, lines.of[i], s->style);
        end_line(s);
        widest = lines.of[i].columns > widest ? lines.of[i].columns : widest;
    }
    free(lines.of);
    return widest;
}

static void put_rule(show *s, int columns)
{
    begin_line(s);
    for (int i = 0; i < columns; i++)
        es_str_cat(s->out, "─");
    end_line(s);
}

/* ---- blocks ---- */

static void open_text(show *s)
{
    if (!s->open)
        es_inline_forget(&s->text);
    s->open = true;
}

static void end_paragraph(show *s)
{
    if (!s->open)
        return;
    s->open = false;
    if (put_runs(s, &s->text.runs, room(s, s->columns), 0, 0))
        end_block(s);
}

/* Plain, a heading is known by the signs that made it one; without colours by a line below it. */
static void heading(show *s, const es_prose_event *e)
{
    if (e->enter) {
        end_paragraph(s);
        open_text(s);
        s->text.strong = 1;
        for (int i = 0; s->style->plain && i < e->number; i++)
            es_runs_add(&s->text.runs, "#", 1, ES_LOOK_STRONG);
        es_runs_add(&s->text.runs, " ", s->style->plain ? 1 : 0, ES_LOOK_STRONG | ES_LOOK_HARD);
        return;
    }
    s->open = false;
    int widest = put_runs(s, &s->text.runs, room(s, s->columns), 0, 0);
    if (widest && !s->style->plain && !s->style->colour)
        put_rule(s, widest);
    if (widest)
        end_block(s);
}

static void add_expanded(es_runs *r, const char *line, size_t n)
{
    for (size_t i = 0, from = 0; i <= n; i++) {
        if (i < n && line[i] != '\t')
            continue;
        es_runs_add(r, line + from, i - from, ES_LOOK_CODE);
        int used = es_columns(es_str_text(&r->text), r->text.len);
        es_runs_add(r, "    ", i < n ? (size_t)(TAB - used % TAB) : 0, ES_LOOK_CODE);
        from = i + 1;
    }
}

static void code_block(show *s, bool enter)
{
    s->block = enter;
    if (enter) {
        end_paragraph(s);
        es_str_cut(&s->code, 0);
        return;
    }
    es_runs line = {0};
    for (size_t i = 0, n; i < s->code.len; i += n + 1) {
        n = strcspn(s->code.s + i, "\n");
        es_runs_forget(&line);
        add_expanded(&line, s->code.s + i, n);
        int columns = room(s, s->screen), wide = es_columns(es_str_text(&line.text), line.text.len);
        if (!wide) {
            begin_line(s);
            end_line(s);
        } else
            put_runs(s, &line, columns, CODE_INDENT, wide > columns - CODE_INDENT ? 2 : 0);
    }
    es_runs_free(&line);
    end_block(s);
}

static void cell(show *s, const es_prose_event *e)
{
    if (e->enter) {
        open_text(s);
        s->text.strong = e->head;
        return;
    }
    s->open = false;
    es_prose_table_add(&s->table, &s->text.runs, e);
}

static void table(show *s, bool enter)
{
    es_str lines = {0};
    if (enter) {
        end_paragraph(s);
        return;
    }
    es_prose_table_end(&s->table, &lines, room(s, s->columns), s->style);
    put_lines(s, es_str_text(&lines));
    if (lines.len)
        end_block(s);
    es_str_free(&lines);
}

static void rule(show *s, bool enter)
{
    end_paragraph(s);
    if (!enter || s->style->plain)
        return;
    put_rule(s, room(s, s->columns));
    end_block(s);
}

/* ---- containers ---- */

/* Where it leaves no room for words it has no sign. */
static void push(show *s, const char *first, const char *rest)
{
    container *c = &s->of[s->n];
    int columns = es_columns(first, strlen(first));
    bool fits = room(s, s->columns) - columns >= NARROWEST;
    *c = (container){.columns = fits ? columns : 0, .pending = fits};
    snprintf(c->first, sizeof c->first, "%s", fits ? first : "");
    snprintf(c->rest, sizeof c->rest, "%s", fits ? rest : "");
    s->n++;
}

/* Behind the last line of a container; one with nothing in it shows its sign alone. */
static void pop(show *s)
{
    end_paragraph(s);
    if (s->of[s->n - 1].pending) {
        begin_line(s);
        end_line(s);
        end_block(s);
    }
    s->n--;
    s->blank = s->blank > s->n ? s->n : s->blank;
}

static void quote(show *s, bool enter)
{
    const char *bar = s->style->plain ? "> " : "│ ";
    end_paragraph(s);
    if (enter)
        push(s, bar, bar);
    else
        pop(s);
}

static void begin_list(show *s, const es_prose_event *e)
{
    end_paragraph(s);
    if (!e->enter) {
        s->n_lists--;
        return;
    }
    if (s->n_lists && s->lists[s->n_lists - 1].tight)
        s->blank = -1;
    s->lists[s->n_lists++] = (list){.number = e->number, .tight = e->tight};
}

static void item(show *s, bool enter)
{
    list *l = &s->lists[s->n_lists - 1];
    char sign[24], below[24];
    end_paragraph(s);
    if (!enter) {
        pop(s);
        return;
    }
    if (l->tight && l->begun)
        s->blank = -1;
    l->begun = true;
    snprintf(sign, sizeof sign, "%s", s->style->plain ? "- " : "• ");
    if (l->number >= 0)
        snprintf(sign, sizeof sign, "%d. ", l->number++);
    snprintf(below, sizeof below, "%*s", es_columns(sign, strlen(sign)), "");
    push(s, sign, below);
}

static void on_event(void *user, const es_prose_event *e)
{
    show *s = user;
    switch (e->kind) {
    case ES_PROSE_QUOTE: quote(s, e->enter); return;
    case ES_PROSE_LIST: begin_list(s, e); return;
    case ES_PROSE_ITEM: item(s, e->enter); return;
    case ES_PROSE_HEADING: heading(s, e); return;
    case ES_PROSE_PARAGRAPH: end_paragraph(s); return;
    case ES_PROSE_BLOCK: code_block(s, e->enter); return;
    case ES_PROSE_RULE: rule(s, e->enter); return;
    case ES_PROSE_TABLE: table(s, e->enter); return;
    case ES_PROSE_ROW: return;
    case ES_PROSE_CELL: cell(s, e); return;
    default: break;
    }
    if (s->block) {
        es_str_bytes(&s->code, e->text, e->n);
        return;
    }
    open_text(s);
    es_inline_event(&s->text, e);
}

/* ---- without a parser ---- */

/* Each line by itself, as far in as it stands. */
static void as_written(show *s, const char *markdown)
{
    es_runs line = {0};
    s->n = s->n_lists = 0;
    s->blank = -1;
    for (size_t n; *markdown; markdown += n + (markdown[n] == '\n')) {
        n = strcspn(markdown, "\n");
        size_t in = strspn(markdown, " ");
        in = in > n ? n : in;
        int indent = in < NARROWEST ? (int)in : NARROWEST;
        es_runs_forget(&line);
        es_runs_add(&line, markdown + in, n - in, 0);
        if (line.text.len)
            put_runs(s, &line, s->columns, indent, 0);
        else if (s->out->len)
            end_line(s);
    }
    es_runs_free(&line);
}

static int at_most(int columns, int most)
{
    return columns < most ? columns : most;
}

void es_prose_show(es_str *out, const char *markdown, const es_style *style)
{
    es_str whole = {0};
    int screen = style->big ? at_most(style->width, ES_BIG_WIDTH) : style->width;
    show s = {.out = &whole,
              .style = style,
              .screen = screen,
              .columns = at_most(screen, WIDEST),
              .blank = -1,
              .text.marks = !style->colour};
    bool read = es_prose_read(markdown, on_event, &s);
    end_paragraph(&s);
    if (!read) {
        es_str_cut(&whole, 0);
        as_written(&s, markdown);
    }
    es_str_bytes(out, es_str_text(&whole), whole.len);
    es_runs_free(&s.text.runs);
    es_str_free(&s.code);
    es_prose_table_end(&s.table, &whole, NARROWEST, style); /* empty, unless it stopped half-way */
    es_str_free(&whole);
}
