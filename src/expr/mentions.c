// SPDX-License-Identifier: GPL-3.0-or-later
/* What a statement reads and what it binds, found in its tree. */
#include <string.h>

#include "expr/walk.h"

/* ---- statements with a suite ---- */

/* Which kid it is; 0: that kind has none. */
static int suite_at(const es_node *n)
{
    switch (n->kind) {
    case ES_N_IF:
    case ES_N_WHILE:
    case ES_N_DEF:
    case ES_N_CLASS: return 1;
    case ES_N_FOR: return 2;
    case ES_N_WITH: return n->n_kids - 1;
    default: return 0;
    }
}

const es_node *es_suite_of(const es_node *n)
{
    int at = suite_at(n);
    if (n->kind == ES_N_TRY)
        return n->kid[0];
    return at ? n->kid[at] : NULL;
}

/* ---- names, once each ---- */

/* Names that a comprehension or lambda around a place has for itself. */
typedef struct hidden {
    const es_node *name; /* a target or parameters */
    const struct hidden *up;
} hidden;

static bool is_chain(const es_node *n)
{
    while (n->kind == ES_N_ATTRIBUTE)
        n = n->kid[0];
    return n->kind == ES_N_NAME;
}

static bool same_chain(const es_node *a, const es_node *b)
{
    while (a->kind == b->kind && a->n_text == b->n_text && !memcmp(a->text, b->text, a->n_text)) {
        if (a->kind == ES_N_NAME)
            return true;
        a = a->kid[0];
        b = b->kid[0];
    }
    return false;
}

static bool names(const es_node *target, const es_node *name)
{
    bool named = target->kind == ES_N_NAME || target->kind == ES_N_PARAM;
    if (named && target->n_text == name->n_text && !memcmp(target->text, name->text, name->n_text))
        return true;
    for (int i = 0; target->kind != ES_N_PARAM && i < target->n_kids; i++)
        if (target->kid[i] && names(target->kid[i], name))
            return true;
    return false;
}

static bool is_hidden(const es_node *chain, const hidden *h)
{
    while (chain->kind == ES_N_ATTRIBUTE)
        chain = chain->kid[0];
    for (; h; h = h->up)
        if (names(h->name, chain))
            return true;
    return false;
}

static void mention(es_mentions *out, const es_node *chain, bool mark)
{
    for (int i = 0; i < out->n; i++)
        if (same_chain(out->of[i], chain))
            return;
    if (out->n == ES_MOST_MENTIONS)
        return;
    out->mark[out->n] = mark;
    out->of[out->n++] = chain;
}

/* ---- what is read ---- */

static void read_in(es_mentions *out, const es_node *n, const hidden *h);

static void read_kids(es_mentions *out, const es_node *n, int begin, const hidden *h)
{
    for (int i = begin; i < n->n_kids; i++)
        if (n->kid[i])
            read_in(out, n->kid[i], h);
}

/* The element, or key and value, seen from within all its fors. */
static void read_comprehension(es_mentions *out, const es_node *n, const hidden *h)
{
    enum { DEEPEST = 8 };
    hidden own[DEEPEST];
    int depth = 0;
    for (int i = 0; i < n->n_kids; i++) {
        const es_node *part = n->kid[i];
        if (part->kind != ES_N_COMPFOR || depth == DEEPEST)
            continue;
        read_in(out, part->kid[1], h);
        own[depth] = (hidden){part->kid[0], h};
        h = &own[depth++];
        read_kids(out, part, 2, h);
    }
    for (int i = 0; i < n->n_kids && n->kid[i]->kind != ES_N_COMPFOR; i++)
        read_in(out, n->kid[i], h);
}

static void read_call(es_mentions *out, const es_node *n, const hidden *h)
{
    const es_node *f = n->kid[0];
    if (!is_chain(f))
        read_in(out, f, h);
    else if (!is_hidden(f, h))
        mention(out, f, true);
    read_kids(out, n, 1, h);
}

static void read_lambda(es_mentions *out, const es_node *n, const hidden *h)
{
    const hidden own = {n->kid[0], h};
    read_kids(out, n->kid[0], 0, h);
    read_in(out, n->kid[1], &own);
}

static void read_in(es_mentions *out, const es_node *n, const hidden *h)
{
    switch (n->kind) {
    case ES_N_NAME:
    case ES_N_ATTRIBUTE:
        if (!is_chain(n))
            read_in(out, n->kid[0], h);
        else if (!is_hidden(n, h))
            mention(out, n, false);
        break;
    case ES_N_CALL: read_call(out, n, h); break;
    case ES_N_LAMBDA: read_lambda(out, n, h); break;
    case ES_N_LISTCOMP:
    case ES_N_SETCOMP:
    case ES_N_DICTCOMP: read_comprehension(out, n, h); break;
    case ES_N_NAMED: read_in(out, n->kid[1], h); break;
    case ES_N_PARAM: /* its default, not its annotation */
        if (n->n_kids && n->kid[0])
            read_in(out, n->kid[0], h);
        break;
    default: read_kids(out, n, 0, h);
    }
}

/* x[i] = … reads i. */
static void read_target(es_mentions *out, const es_node *n)
{
    if (n->kind == ES_N_INDEX)
        read_in(out, n->kid[1], NULL);
    for (int i = 0; (n->kind == ES_N_TUPLE || n->kind == ES_N_LIST) && i < n->n_kids; i++)
        read_target(out, n->kid[i]);
}

static void read_header(es_mentions *out, const es_node *n)
{
    switch (n->kind) {
    case ES_N_IF:
    case ES_N_WHILE: read_in(out, n->kid[0], NULL); break;
    case ES_N_FOR: read_in(out, n->kid[1], NULL); break;
    case ES_N_WITH:
        for (int i = 0; i < n->n_kids - 1; i++)
            read_in(out, n->kid[i]->kind == ES_N_WITHITEM ? n->kid[i]->kid[0] : n->kid[i], NULL);
        break;
    case ES_N_TRY: break;
    default: read_in(out, n->kid[0], NULL); /* parameters' defaults, bases */
    }
}

void es_mentions_read(es_mentions *out, const es_node *n)
{
    *out = (es_mentions){0};
    if (es_suite_of(n)) {
        read_header(out, n);
        return;
    }
    switch (n->kind) {
    case ES_N_ASSIGN:
        for (int i = 0; i < n->n_kids - 1; i++)
            read_target(out, n->kid[i]);
        read_in(out, n->kid[n->n_kids - 1], NULL);
        break;
    case ES_N_ANNOTATE:
        if (n->n_kids > 2 && n->kid[2])
            read_in(out, n->kid[2], NULL);
        break;
    case ES_N_GLOBAL:
    case ES_N_IMPORT:
    case ES_N_DEL: break;
    default: read_in(out, n, NULL);
    }
}

/* ---- what is bound ---- */

static void bind_target(es_mentions *out, const es_node *n, bool within)
{
    bool part = n->kind == ES_N_INDEX;
    if (part || n->kind == ES_N_STAR)
        n = n->kid[0];
    if (is_chain(n))
        mention(out, n, within || part);
    for (int i = 0; (n->kind == ES_N_TUPLE || n->kind == ES_N_LIST) && i < n->n_kids; i++)
        bind_target(out, n->kid[i], within);
}

/* x.add_(1) and nn.init.normal_(w) write into x and w. */
static void bind_in_place(es_mentions *out, const es_node *n)
{
    const es_node *f = n->kind == ES_N_CALL ? n->kid[0] : n;
    bool writes = f->kind == ES_N_ATTRIBUTE && f->n_text > 1 && f->text[f->n_text - 1] == '_' &&
                  f->text[f->n_text - 2] != '_';
    if (!writes || n == f)
        return;
    const es_node *of = f->kid[0], *root = of;
    while (root->kind == ES_N_ATTRIBUTE)
        root = root->kid[0];
    bool module =
        root->kind == ES_N_NAME && root->n_text < 6 &&
        (!strcmp(root->text, "nn") || !strcmp(root->text, "torch") || !strcmp(root->text, "init"));
    if (module && n->n_kids > 1)
        of = n->kid[1];
    if (is_chain(of))
        mention(out, of, true);
}

/* (n := 3), anywhere on the line. */
static void bind_named(es_mentions *out, const es_node *n)
{
    if (n->kind == ES_N_NAMED)
        mention(out, n->kid[0], false);
    for (int i = 0; i < n->n_kids; i++) {
        const es_node *kid = n->kid[i];
        bool elsewhere = !kid || kid->kind == ES_N_SUITE || kid->kind == ES_N_IF ||
                         kid->kind == ES_N_LAMBDA || kid->kind == ES_N_EXCEPT;
        if (!elsewhere)
            bind_named(out, kid);
    }
}

void es_mentions_bound(es_mentions *out, const es_node *n)
{
    *out = (es_mentions){0};
    switch (n->kind) {
    case ES_N_ASSIGN:
        for (int i = 0; i < n->n_kids - 1; i++)
            bind_target(out, n->kid[i], false);
        break;
    case ES_N_AUGMENT:
    case ES_N_ANNOTATE:
    case ES_N_FOR: bind_target(out, n->kid[0], n->kind == ES_N_AUGMENT); break;
    case ES_N_EXPR: bind_in_place(out, n->kid[0]); break;
    case ES_N_WITH:
        for (int i = 0; i < n->n_kids - 1; i++)
            if (n->kid[i]->kind == ES_N_WITHITEM && n->kid[i]->n_kids > 1 && n->kid[i]->kid[1])
                bind_target(out, n->kid[i]->kid[1], false);
        break;
    default: break;
    }
    bind_named(out, n);
}

/* ---- as text ---- */

static bool opens(es_token_kind kind)
{
    return kind == ES_T_LPAREN || kind == ES_T_LSQUARE || kind == ES_T_LBRACE;
}

static bool closes(es_token_kind kind)
{
    return kind == ES_T_RPAREN || kind == ES_T_RSQUARE || kind == ES_T_RBRACE;
}

void es_statement_text(es_str *out, const es_unit *unit, const es_node *n)
{
    const es_node *suite = es_suite_of(n);
    size_t end = suite ? suite->begin : n->end;
    es_lexer lex;
    es_token before = {.kind = ES_T_LPAREN, .begin = n->begin, .end = n->begin}, t;
    es_lex_within(&lex, unit->source, n->begin, end, n->line);
    for (; (t = es_lex_next(&lex)).kind != ES_T_END && t.begin < end && !t.fault; before = t) {
        const char *gap = unit->source + before.end;
        size_t blank = t.begin - before.end;
        if (!memchr(gap, '\n', blank))
            es_str_bytes(out, gap, blank);
        else if (!opens(before.kind) && !closes(t.kind))
            es_str_char(out, ' ');
        es_str_bytes(out, unit->source + t.begin, t.end - t.begin);
    }
    while (out->len &&
           strchr(" \t\r", out->s[out->len - 1])) /* on one line a remark leaves its blanks */
        es_str_cut(out, out->len - 1);
}
