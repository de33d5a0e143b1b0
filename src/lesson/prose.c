// SPDX-License-Identifier: GPL-3.0-or-later
/* Markdown as events, by md4c: the one place that knows it. */
#include <stdlib.h>
#include <string.h>

#if ES_HAVE_MD4C /* the only file that asks */
#include <md4c.h>
#endif

#include "base/utf8.h"
#include "lesson/prose_inside.h"

bool es_prose_hard_space(uint32_t cp)
{
    return cp == 0xA0 || cp == 0x2007 || cp == 0x2009 || cp == 0x202F;
}

#if ES_HAVE_MD4C

typedef struct reader {
    es_prose_fn fn;
    void *user;
    int depth, spans; /* quotes and lists; spans that are open */
    int cells;        /* of this row, so far */
    es_str text;      /* what an event lends */
} reader;

/* ---- entities ---- */

static const struct {
    const char *name, *text;
} entities[] = {
    {"&amp;", "&"},   {"&apos;", "'"},      {"&ge;", "≥"},    {"&gt;", ">"},    {"&hellip;", "…"},
    {"&larr;", "←"},  {"&le;", "≤"},        {"&lt;", "<"},    {"&mdash;", "—"}, {"&middot;", "·"},
    {"&minus;", "−"}, {"&nbsp;", "\u00a0"}, {"&ndash;", "–"}, {"&ne;", "≠"},    {"&quot;", "\""},
    {"&radic;", "√"}, {"&rarr;", "→"},      {"&times;", "×"},
};

/* "&#8230;" or "&#x2026;", which md4c has found to be one. */
static void add_numeric(es_str *out, const char *s, size_t n)
{
    enum { REPLACEMENT = 0xFFFD, MOST = 0x10FFFF };
    bool hex = s[2] == 'x' || s[2] == 'X';
    char digits[16] = "", utf8[4];
    size_t from = hex ? 3 : 2, len = n - from - 1;
    memcpy(digits, s + from, len < sizeof digits - 1 ? len : sizeof digits - 1);
    unsigned long cp = strtoul(digits, NULL, hex ? 16 : 10);
    if (!cp || cp > MOST || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = REPLACEMENT;
    es_str_bytes(out, utf8, (size_t)es_utf8_put(utf8, (uint32_t)cp));
}

/* Names that are none of the table's stay as they are written. */
static void add_entity(es_str *out, const char *s, size_t n)
{
    if (n > 3 && s[1] == '#') {
        add_numeric(out, s, n);
        return;
    }
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (n == strlen(entities[i].name) && !memcmp(s, entities[i].name, n)) {
            es_str_cat(out, entities[i].text);
            return;
        }
    es_str_bytes(out, s, n);
}

static void add_text(es_str *out, MD_TEXTTYPE type, const char *s, size_t n)
{
    if (type == MD_TEXT_ENTITY)
        add_entity(out, s, n);
    else if (type == MD_TEXT_NULLCHAR)
        es_str_cat(out, "\uFFFD");
    else
        es_str_bytes(out, s, n);
}

static void add_attribute(es_str *out, const MD_ATTRIBUTE *a)
{
    for (int i = 0; a->text && a->substr_offsets[i] < a->size; i++)
        add_text(out, a->substr_types[i], a->text + a->substr_offsets[i],
                 a->substr_offsets[i + 1] - a->substr_offsets[i]);
}

/* ---- blocks ---- */

static const int block_kinds[] = {
    [MD_BLOCK_DOC] = -1,
    [MD_BLOCK_QUOTE] = ES_PROSE_QUOTE,
    [MD_BLOCK_UL] = ES_PROSE_LIST,
    [MD_BLOCK_OL] = ES_PROSE_LIST,
    [MD_BLOCK_LI] = ES_PROSE_ITEM,
    [MD_BLOCK_HR] = ES_PROSE_RULE,
    [MD_BLOCK_H] = ES_PROSE_HEADING,
    [MD_BLOCK_CODE] = ES_PROSE_BLOCK,
    [MD_BLOCK_HTML] = ES_PROSE_PARAGRAPH, /* there is none: HTML is text */
    [MD_BLOCK_P] = ES_PROSE_PARAGRAPH,
    [MD_BLOCK_TABLE] = ES_PROSE_TABLE,
    [MD_BLOCK_THEAD] = -1,
    [MD_BLOCK_TBODY] = -1,
    [MD_BLOCK_TR] = ES_PROSE_ROW,
    [MD_BLOCK_TH] = ES_PROSE_CELL,
    [MD_BLOCK_TD] = ES_PROSE_CELL,
};

static char align_of(const MD_BLOCK_TD_DETAIL *d)
{
    return d->align == MD_ALIGN_RIGHT ? 'r' : d->align == MD_ALIGN_CENTER ? 'c' : 'l';
}

static es_prose_event block_event(MD_BLOCKTYPE type, void *detail, bool enter)
{
    es_prose_event e = {.kind = (es_prose_kind)block_kinds[type], .enter = enter, .number = -1};
    switch (type) {
    case MD_BLOCK_UL: e.tight = ((MD_BLOCK_UL_DETAIL *)detail)->is_tight; break;
    case MD_BLOCK_OL:
        e.tight = ((MD_BLOCK_OL_DETAIL *)detail)->is_tight;
        e.number = (int)((MD_BLOCK_OL_DETAIL *)detail)->start;
        break;
    case MD_BLOCK_H: e.number = (int)((MD_BLOCK_H_DETAIL *)detail)->level; break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        e.align = align_of(detail);
        e.head = type == MD_BLOCK_TH;
        break;
    default: break;
    }
    return e;
}

/* Is it within the limits of depth and of cells?  Counts it. */
static bool is_wanted(reader *r, const es_prose_event *e)
{
    bool nests = e->kind == ES_PROSE_QUOTE || e->kind == ES_PROSE_LIST;
    if (e->kind == ES_PROSE_ROW)
        r->cells = 0;
    if (e->kind == ES_PROSE_CELL)
        return (r->cells += e->enter) <= ES_PROSE_CELLS;
    if (nests && e->enter)
        return ++r->depth <= ES_PROSE_DEEPEST;
    if (nests)
        return r->depth-- <= ES_PROSE_DEEPEST;
    return e->kind != ES_PROSE_ITEM || r->depth <= ES_PROSE_DEEPEST;
}

static int on_block(MD_BLOCKTYPE type, void *detail, reader *r, bool enter)
{
    if (block_kinds[type] < 0)
        return 0;
    es_prose_event e = block_event(type, detail, enter);
    if (is_wanted(r, &e))
        r->fn(r->user, &e);
    return 0;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *user)
{
    return on_block(type, detail, user, true);
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *user)
{
    return on_block(type, detail, user, false);
}

/* ---- spans and text ---- */

static int on_span(MD_SPANTYPE type, void *detail, reader *r, bool enter)
{
    static const int kinds[] = {[MD_SPAN_EM] = ES_PROSE_EM,
                                [MD_SPAN_STRONG] = ES_PROSE_STRONG,
                                [MD_SPAN_A] = ES_PROSE_LINK,
                                [MD_SPAN_IMG] = ES_PROSE_IMAGE,
                                [MD_SPAN_CODE] = ES_PROSE_CODE};
    r->spans += enter;
    bool wanted = r->cells <= ES_PROSE_CELLS && r->spans <= ES_PROSE_DEEPEST;
    r->spans -= !enter;
    if (type > MD_SPAN_CODE || !wanted)
        return 0;
    es_prose_event e = {.kind = (es_prose_kind)kinds[type], .enter = enter};
    es_str_cut(&r->text, 0);
    if (type == MD_SPAN_A)
        add_attribute(&r->text, &((MD_SPAN_A_DETAIL *)detail)->href);
    e.text = es_str_text(&r->text);
    e.n = r->text.len;
    r->fn(r->user, &e);
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *user)
{
    return on_span(type, detail, user, true);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *user)
{
    return on_span(type, detail, user, false);
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE n, void *user)
{
    reader *r = user;
    es_prose_event e = {.kind = type == MD_TEXT_BR ? ES_PROSE_BREAK : ES_PROSE_TEXT, .enter = true};
    if (r->cells > ES_PROSE_CELLS)
        return 0;
    es_str_cut(&r->text, 0);
    if (type == MD_TEXT_SOFTBR)
        es_str_char(&r->text, ' ');
    else if (type != MD_TEXT_BR)
        add_text(&r->text, type, s, n);
    e.text = es_str_text(&r->text);
    e.n = r->text.len;
    r->fn(r->user, &e);
    return 0;
}

bool es_prose_read(const char *markdown, es_prose_fn fn, void *user)
{
    const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_COLLAPSEWHITESPACE,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = on_text,
    };
    reader r = {.fn = fn, .user = user};
    bool ok = md_parse(markdown, (MD_SIZE)strlen(markdown), &parser, &r) == 0;
    es_str_free(&r.text);
    return ok;
}

#else

bool es_prose_read(const char *markdown, es_prose_fn fn, void *user)
{
    (void)markdown;
    (void)fn;
    (void)user;
    return false;
}

#endif
