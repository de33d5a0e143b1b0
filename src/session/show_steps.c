// SPDX-License-Identifier: GPL-3.0-or-later
/* Steps for a reader: the line's number and source, what it reads before it runs, what it bound after. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "session/numbers.h"
#include "session/results.h"
#include "session/show_lines.h"
#include "session/show_steps.h"

enum {
    NUMBER = 5,     /* columns of a line's number and its mark */
    INDENT = 2,     /* of a function's lines, from those that call it */
    DEEPEST = 10,   /* beyond it lines are not moved further */
    COLUMN = 45,    /* where what happened stands, if the source leaves it free */
    LONGEST = 4096, /* bytes that are read of a source */
    ASIDE = 7       /* columns before what has a line of its own */
};

/* ---- a source on one line ---- */

/* Bytes at the end of text that take at most so many columns. */
static size_t tail_of(const char *text, size_t n, int columns)
{
    size_t at = n;
    while (at > 0) {
        size_t from = at - 1;
        while (from > 0 && ((unsigned char)text[from] & 0xC0) == 0x80)
            from--;
        columns -= es_columns(text + from, at - from);
        if (columns < 0)
            break;
        at = from;
    }
    return n - at;
}

/* Its beginning and its end, with … between. */
static void shorten(es_str *out, const es_str *text, int columns)
{
    if (es_columns(es_str_text(text), text->len) <= columns) {
        es_str_bytes(out, es_str_text(text), text->len);
        return;
    }
    int right = columns / 3;
    size_t n = tail_of(text->s, text->len, right);
    es_show_fit(out, text->s, text->len - n, columns - right);
    es_str_bytes(out, text->s + text->len - n, n);
}

static size_t readable(const es_str *source)
{
    size_t n = source->len < LONGEST ? source->len : LONGEST;
    while (n < source->len && n > 0 && ((unsigned char)source->s[n] & 0xC0) == 0x80)
        n--;
    return n;
}

/* ---- what happened ---- */

typedef struct words {
    es_str *of;
    size_t n;
} words;

static es_str *add(words *w)
{
    w->of = es_realloc(w->of, (w->n + 1) * sizeof *w->of);
    w->of[w->n] = (es_str){0};
    return &w->of[w->n++];
}

static void add_facts(words *w, const es_facts *f)
{
    for (size_t i = 0; i < f->n; i++)
        es_str_bytes(add(w), es_str_text(&f->text[i]), f->text[i].len);
}

static void add_truth(words *w, const es_step *s)
{
    if (s->loop) {
        if (!s->truth)
            es_str_cat(add(w), "no more");
        return;
    }
    if (s->condition.len)
        es_str_add(add(w), "%s: %s", s->condition.s, s->truth ? "yes" : "no");
    else
        es_str_cat(add(w), s->truth ? "yes" : "no");
}

static words words_of(const es_step *s)
{
    words w = {0};
    if (!s->done && !(s->shown && s->failed))
        add_facts(&w, &s->reads);
    if (s->truth >= 0)
        add_truth(&w, s);
    if (s->failed)
        es_str_cat(add(&w), "this line failed");
    if (s->raises.len)
        es_str_add(add(&w), "raises %s", s->raises.s);
    add_facts(&w, &s->binds);
    if (s->value.len)
        es_str_add(add(&w), "%s %s", s->returns ? "returns" : "gives", s->value.s);
    return w;
}

static void free_words(words *w)
{
    for (size_t i = 0; i < w->n; i++)
        es_str_free(&w->of[i]);
    free(w->of);
}

static int columns_of(const words *w)
{
    int columns = 0;
    for (size_t i = 0; i < w->n; i++)
        columns += (i ? 2 : 0) + es_columns(es_str_text(&w->of[i]), w->of[i].len);
    return columns;
}

static void put_words(es_str *out, const words *w)
{
    for (size_t i = 0; i < w->n; i++)
        es_str_add(out, "%s%s", i ? ", " : "", es_str_text(&w->of[i]));
}

/* ---- a step ---- */

/* "Linear: input [B=2, T=5, 4] float32 × weight [8, 4] → [B=2, T=5, 8] float32" */
static void show_module(es_str *out, const es_step *s, int indent, const es_style *style)
{
    es_str text = {0};
    es_str_add(&text, "%s%s: ", style->plain ? "call: " : "", es_str_text(&s->source));
    for (size_t i = 0; i < s->reads.n; i++)
        es_str_add(&text, "%s%s", !i ? "" : style->plain ? " with " : " × ", s->reads.text[i].s);
    es_str_add(&text, " %s %s", style->plain ? "gives" : "→", es_str_text(&s->value));
    es_wrap(out, text.s, style->plain ? 0 : indent + NUMBER, style);
    es_str_free(&text);
}

static const char *plain_title(const es_step *s)
{
    switch (s->kind) {
    case ES_STEP_LINE: return s->failed ? "line at fault" : s->next ? "next line" : "line";
    case ES_STEP_RETURN: return "back from";
    default: return "call";
    }
}

static void plain_step(es_str *out, const es_step *s, const char *source)
{
    words w = words_of(s);
    if (!s->shown || s->failed) {
        es_str_cat(out, plain_title(s));
        if (s->kind == ES_STEP_LINE)
            es_str_add(out, " %d", s->line);
        es_str_add(out, ": %s\n", source);
    }
    if (w.n) {
        es_str_cat(out, s->kind == ES_STEP_CALL || !s->done ? "reads: " : "after it: ");
        put_words(out, &w);
        es_str_char(out, '\n');
    }
    free_words(&w);
}

/* Lines of what is too wide for one. */
static void put_wide(es_str *out, const char *item, int indent, const es_style *style)
{
    es_style inner = *style;
    es_str lines = {0};
    inner.width -= indent;
    es_wrap(&lines, item, 0, &inner);
    es_str_cut(&lines, lines.len - 1);
    for (const char *line = lines.s; line; line = strchr(line, '\n')) {
        if (*line == '\n') {
            es_str_char(out, '\n');
            es_str_fill(out, ' ', (size_t)indent);
            line++;
        }
        es_str_bytes(out, line, strcspn(line, "\n"));
    }
    es_str_free(&lines);
}

/* What happened has lines of its own, broken between one thing and another: `mark` before them all. */
static void put_below(es_str *out, const words *w, const char *mark, const es_style *style)
{
    int indent = es_columns(mark, strlen(mark)), used = 0;
    for (size_t i = 0; i < w->n; i++) {
        es_str item = {0};
        es_str_add(&item, "%s%s", es_str_text(&w->of[i]), i + 1 < w->n ? "," : "");
        int columns = es_columns(item.s, item.len);
        if (used && used + 1 + columns > style->width) {
            es_str_char(out, '\n');
            es_str_fill(out, ' ', (size_t)indent);
            used = indent;
        } else {
            es_str_cat(out, i ? " " : mark);
            used += i ? 1 : indent;
        }
        if (indent + columns > style->width)
            put_wide(out, item.s, indent, style);
        else
            es_str_bytes(out, item.s, item.len);
        used = indent + columns > style->width ? style->width : used + columns;
        es_str_free(&item);
    }
    es_str_cat(out, w->n ? "\n" : "");
}

/* What happened stands behind the source where there is room. */
static void drawn_step(es_str *out, const es_step *s, const es_str *source, int indent,
                       const es_style *style)
{
    words w = words_of(s);
    int number = s->kind == ES_STEP_LINE ? NUMBER : 0;
    int room = style->width - indent - number, wide = columns_of(&w);
    int own = es_columns(es_str_text(source), source->len);
    int left = room - 2 - wide, least = own < style->width / 2 ? own : style->width / 2;
    bool beside = w.n && left >= least;
    size_t begin = out->len;
    es_str_fill(out, ' ', (size_t)indent);
    if (number)
        es_str_add(out, "%3d%s ", s->line, s->failed ? "!" : s->next ? "→" : " ");
    shorten(out, source, beside ? left : room);
    if (beside) {
        int used = es_columns(out->s + begin, out->len - begin);
        int column = COLUMN < style->width - wide ? COLUMN : style->width - wide;
        es_str_fill(out, ' ', (size_t)(column > used + 2 ? column - used : 2));
        put_words(out, &w);
    }
    es_str_char(out, '\n');
    es_str mark = {0};
    es_str_fill(&mark, ' ', (size_t)(indent + ASIDE));
    if (!beside)
        put_below(out, &w, mark.s, style);
    es_str_free(&mark);
    free_words(&w);
}

/* What came of a line that has been shown. */
static void put_news(es_str *out, const es_step *s, int indent, const es_style *style)
{
    words w = words_of(s);
    es_str mark = {0};
    es_str_fill(&mark, ' ', (size_t)indent);
    es_str_cat(&mark, "   ⇒ ");
    put_below(out, &w, mark.s, style);
    es_str_free(&mark);
    free_words(&w);
}

static int indent_of(const es_step *s, int base, const es_style *style)
{
    int depth = s->depth - base, most = style->width / 4;
    depth = depth < 0 ? 0 : depth > DEEPEST ? DEEPEST : depth;
    return depth * INDENT < most ? depth * INDENT : most;
}

static void show_step(es_str *out, const es_step *s, int base, const es_style *style)
{
    int indent = indent_of(s, base, style);
    es_str source = {0};
    es_show_prose(&source, es_str_text(&s->source), readable(&s->source));
    if (s->kind == ES_STEP_MODULE) {
        show_module(out, s, indent, style);
    } else if (style->plain) {
        plain_step(out, s, es_str_text(&source));
    } else if (s->shown && !s->failed) {
        put_news(out, s, indent, style);
    } else {
        drawn_step(out, s, &source, indent, style);
    }
    es_str_free(&source);
}

static void show_hidden(es_str *out, uint64_t n, const es_style *style)
{
    es_str_cat(out, style->plain ? "not shown: " : "     … ");
    es_show_count(out, (int64_t)n);
    es_str_cat(out, style->plain ? " more\n" : " more, not shown\n");
}

bool es_show_walked(es_str *out, void *data, const es_style *style, es_error *err)
{
    es_walked *w = data;
    int base = w->whole ? 0 : 1;
    es_show_lines(out, es_str_text(&w->printed), w->printed.len);
    for (size_t i = 0; i < w->steps.n && !es_str_braked(out); i++)
        show_step(out, &w->steps.of[i], base, style);
    if (w->hidden)
        show_hidden(out, w->hidden, style);
    if (w->stopped)
        show_step(out, &w->at, base, style);
    return !w->value.kind || es_show_result(out, &w->value, style, err);
}

/* ---- where it stands ---- */

bool es_show_source(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_standing *s = data;
    (void)err;
    for (size_t i = 0; i < s->n && !es_str_braked(out); i++) {
        const es_standing_line *l = &s->of[i];
        es_str text = {0};
        size_t n = l->text.len < LONGEST ? l->text.len : LONGEST;
        es_show_prose(&text, es_str_text(&l->text), n);
        if (style->plain)
            es_str_add(out, "%s %d: %s\n", l->here ? "next line" : "line", l->line,
                       es_str_text(&text));
        else {
            es_str_add(out, "%3d%s ", l->line, l->here ? "→" : " ");
            es_show_fit(out, es_str_text(&text), text.len, style->width - NUMBER);
            es_str_char(out, '\n');
        }
        es_str_free(&text);
    }
    return true;
}

bool es_show_where(es_str *out, void *data, const es_style *style, es_error *err)
{
    es_standing *s = data;
    (void)err;
    es_grid g = {.align = "llf"};
    for (size_t i = 0; i < s->n; i++) {
        const es_standing_line *l = &s->of[i];
        const char *function = l->function.len ? l->function.s : "the typed line";
        es_str text = {0};
        es_show_prose(&text, es_str_text(&l->text), l->text.len < LONGEST ? l->text.len : LONGEST);
        if (style->plain)
            es_str_add(out, "in: %s, line %d: %s\n", function, l->line, es_str_text(&text));
        else {
            es_grid_text(&g, "%s", function);
            es_grid_text(&g, "line %d", l->line);
            es_grid_text(&g, "%s", es_str_text(&text));
        }
        es_str_free(&text);
    }
    es_grid_end(&g, out, 0, 2, style);
    return true;
}

/* ---- values ---- */

bool es_show_seen(es_str *out, void *data, const es_style *style, es_error *err)
{
    es_seen_values *v = data;
    if (!v->n)
        es_str_cat(out, "no name on this line has a value yet\n");
    for (size_t i = 0; i < v->n && !es_str_braked(out); i++) {
        if (v->brief[i].len) {
            es_wrap(out, v->brief[i].s, 0, style);
            continue;
        }
        es_show_prose(out, v->name[i].s, v->name[i].len);
        es_str_cat(out, ":\n");
        if (!es_show_result(out, &v->of[i], style, err))
            return false;
    }
    return true;
}
