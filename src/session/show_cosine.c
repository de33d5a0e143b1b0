// SPDX-License-Identifier: GPL-3.0-or-later
/* Cosine matrices: as many tokens as the width allows, the first and the last ones. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/compare.h"
#include "session/numbers.h"

enum { NUMBER = 5, PLAIN_TOKENS = 12 };

/* The tokens of a part that are shown, and how wide a line's pieces are. */
typedef struct plan {
    const es_text *t;
    const es_cosine_part *p;
    int64_t shown, head; /* the first `head`, the others from the end */
    int place, token, number, gap;
} plan;

static int64_t index_of(const plan *w, int64_t k)
{
    return k < w->head ? k : w->p->n - w->shown + k;
}

static const char *token_of(const es_text *t, const es_cosine_part *p, int64_t i, size_t *len)
{
    int64_t at = t->sentences->of[p->b].at;
    return es_text_token(t, p->b, (size_t)(p->first + i - at), len);
}

static void show_token(es_str *out, const es_text *t, const es_cosine_part *p, int64_t i,
                       const es_style *style)
{
    size_t n;
    const char *bytes = token_of(t, p, i, &n);
    es_style_token(out, bytes, n, style);
}

/* "␣cat (1)" */
static void name_token(es_str *out, const es_text *t, const es_cosine_part *p, int64_t i,
                       const es_style *style)
{
    es_str shown = {0};
    show_token(&shown, t, p, i, style);
    es_show_fit(out, es_str_text(&shown), shown.len, 20);
    es_str_add(out, " (%" PRId64 ")", p->first + i);
    es_str_free(&shown);
}

/* Columns of the widest token among the first and last ones: no screen shows more. */
static int widest_token(const es_text *t, const es_cosine_part *p, int most, const es_style *style)
{
    enum { SOME = 128 };
    int widest = 1;
    for (int64_t i = 0; i < p->n && widest < most; i++) {
        if (i == SOME && p->n > 2 * SOME)
            i = p->n - SOME;
        es_str shown = {0};
        show_token(&shown, t, p, i, style);
        int wide = es_columns(es_str_text(&shown), shown.len);
        widest = wide > widest ? wide : widest;
        es_str_free(&shown);
    }
    return widest < most ? widest : most;
}

static plan make_plan(const es_text *t, const es_cosine_part *p, const es_style *style)
{
    plan w = {.t = t, .p = p, .shown = p->n, .head = p->n, .number = NUMBER};
    w.place = snprintf(NULL, 0, "%" PRId64, p->first + p->n - 1);
    w.number = w.place > NUMBER ? w.place : NUMBER;
    w.gap = style->width < 60 ? 1 : 2;
    w.token = widest_token(t, p, style->width < 60 ? 7 : 14, style);
    int64_t room = (style->width - w.place - w.gap - w.token) / (w.number + 1);
    if (p->n <= room)
        return w;
    room = (style->width - w.place - w.gap - w.token - 2) / (w.number + 1); /* " …" as well */
    w.shown = room < 2 ? 2 : room;
    w.head = w.shown - w.shown / 3;
    w.head = w.head == w.shown ? w.shown - 1 : w.head;
    return w;
}

static void show_number(es_str *out, float v, int width, bool diagonal, const es_style *style)
{
    es_str number = {0};
    if (isnan(v))
        es_str_char(&number, '?');
    else
        es_str_add(&number, "%.2f", fabsf(v) < 0.005f ? 0.0 : (double)v); /* no -0.00 */
    es_str_char(out, ' ');
    es_cell(out, number.s, number.len, width, true, diagonal ? ES_PAINT_FAINT : ES_PAINT_NONE,
            style);
    es_str_free(&number);
}

static void show_headings(es_str *out, const plan *w)
{
    es_str_fill(out, ' ', (size_t)(w->place + w->gap + w->token));
    for (int64_t k = 0; k < w->shown; k++) {
        if (k == w->head)
            es_str_cat(out, " …");
        es_str_add(out, " %*" PRId64, w->number, w->p->first + index_of(w, k));
    }
    es_str_char(out, '\n');
}

static void show_matrix(es_str *out, const plan *w, const float *m, const es_style *style)
{
    show_headings(out, w);
    for (int64_t k = 0; k < w->shown; k++) {
        int64_t i = index_of(w, k);
        es_str token = {0};
        if (k == w->head)
            es_str_add(out, "%*s\n", w->place + 2, "…");
        show_token(&token, w->t, w->p, i, style);
        es_str_add(out, "%*" PRId64, w->place, w->p->first + i);
        es_str_fill(out, ' ', (size_t)w->gap);
        es_cell(out, es_str_text(&token), token.len, w->token, false,
                (w->p->first + i) % 2 ? ES_PAINT_ODD : ES_PAINT_EVEN, style);
        for (int64_t l = 0; l < w->shown; l++) {
            if (l == w->head)
                es_str_cat(out, " …");
            show_number(out, m[i * w->p->n + index_of(w, l)], w->number, k == l, style);
        }
        es_str_char(out, '\n');
        es_str_free(&token);
    }
}

/* ---- what is to be seen in it ---- */

typedef struct summary {
    int64_t pairs;        /* with a cosine, before and after */
    double before, after; /* their means */
    int64_t i, j;         /* the pair that changed most */
} summary;

static summary summarise(const es_cosine_part *p)
{
    summary s = {.i = -1};
    double most = -1;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = i + 1; j < p->n; j++) {
            double b = (double)p->before[i * p->n + j], a = (double)p->after[i * p->n + j];
            if (isnan(a) || isnan(b))
                continue;
            s.pairs++;
            s.before += b;
            s.after += a;
            if (fabs(a - b) <= most)
                continue;
            most = fabs(a - b);
            s.i = i;
            s.j = j;
        }
    s.before /= (double)(s.pairs ? s.pairs : 1);
    s.after /= (double)(s.pairs ? s.pairs : 1);
    return s;
}

static double no_minus_zero(double v, double half)
{
    return fabs(v) < half ? 0 : v;
}

static void show_summary(es_str *out, const es_text *t, const es_cosine_part *p,
                         const es_style *style)
{
    summary s = summarise(p);
    es_str line = {0};
    if (!s.pairs)
        return;
    if (style->plain) {
        es_str_add(out, "pairs: %" PRId64 "\nmean: before %.4f, after %.4f\n", s.pairs,
                   no_minus_zero(s.before, 5e-5), no_minus_zero(s.after, 5e-5));
        return;
    }
    es_show_count(&line, s.pairs);
    es_str_add(&line, " pair%s: ", s.pairs == 1 ? "" : "s");
    if (t->context->layer.positions == ES_POSITIONS_NONE) {
        es_str_add(&line, "%.2f on average", no_minus_zero(s.before, 0.005));
    } else {
        es_str_add(&line, "%.2f on average before, %.2f after; most changed: ",
                   no_minus_zero(s.before, 0.005), no_minus_zero(s.after, 0.005));
        name_token(&line, t, p, s.i, style);
        es_str_cat(&line, " and ");
        name_token(&line, t, p, s.j, style);
        es_str_add(&line, ", %.2f before, %.2f after",
                   no_minus_zero((double)p->before[s.i * p->n + s.j], 0.005),
                   no_minus_zero((double)p->after[s.i * p->n + s.j], 0.005));
        const int32_t *ids = es_text_ids(t) + p->b * es_text_T(t) + p->first;
        if (ids[s.i] == ids[s.j])
            es_str_cat(&line, ": the same row of wte, and only their places tell them apart");
    }
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

/* "? : the tok_emb of ␣cat (1) and 2 more has length 0, which is no direction" */
static void show_missing(es_str *out, const es_text *t, const es_cosine_part *p,
                         const es_direction *of, const char *stage, es_direction why,
                         const es_style *style)
{
    int64_t first = -1, n = 0;
    es_str line = {0};
    for (int64_t i = 0; i < p->n; i++)
        if (of[i] == why) {
            first = first < 0 ? i : first;
            n++;
        }
    if (!n)
        return;
    es_str_add(&line, "%s: %s of ", style->plain ? "no cosine" : "?", stage);
    name_token(&line, t, p, first, style);
    if (n > 1)
        es_str_add(&line, " and %" PRId64 " more", n - 1);
    es_str_cat(&line, why == ES_LENGTH_ZERO ? " has length 0, which is no direction"
                                            : " holds NaN or infinity, which is no direction");
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void show_all_missing(es_str *out, const es_text *t, const es_cosine_part *p,
                             const es_style *style)
{
    for (es_direction why = ES_LENGTH_ZERO; why <= ES_NOT_FINITE; why++) {
        show_missing(out, t, p, p->of_before, "tok_emb", why, style);
        show_missing(out, t, p, p->of_after, "x", why, style);
    }
}

/* ---- for a reader ---- */

static void plain_number(es_str *out, float v)
{
    if (isnan(v))
        es_str_cat(out, "none");
    else
        es_str_add(out, "%.4f", no_minus_zero((double)v, 5e-5));
}

static void plain_part(es_str *out, const es_text *t, const es_cosine_part *p)
{
    plan w = {.t = t, .p = p, .shown = p->n, .head = p->n};
    if (p->n > PLAIN_TOKENS)
        w.shown = PLAIN_TOKENS, w.head = PLAIN_TOKENS - 4;
    es_str_add(out, "tokens: %" PRId64 "\n", p->n);
    for (int64_t k = 0; k < w.shown; k++) {
        size_t n;
        const char *bytes = token_of(t, p, index_of(&w, k), &n);
        es_str_add(out, "token %" PRId64 ": ", p->first + index_of(&w, k));
        es_show_quoted(out, bytes, n);
        es_str_char(out, '\n');
    }
    for (int64_t k = 0; k < w.shown; k++)
        for (int64_t l = k + 1; l < w.shown; l++) {
            int64_t i = index_of(&w, k), j = index_of(&w, l);
            es_str_add(out, "cosine of %" PRId64 " and %" PRId64 ": before ", p->first + i,
                       p->first + j);
            plain_number(out, p->before[i * p->n + j]);
            es_str_cat(out, ", after ");
            plain_number(out, p->after[i * p->n + j]);
            es_str_char(out, '\n');
        }
    if (w.shown < p->n)
        es_str_add(out, "left out: %" PRId64 " tokens, %" PRId64 " to %" PRId64 "\n",
                   p->n - w.shown, p->first + w.head, p->first + index_of(&w, w.head) - 1);
}

static void show_left_out(es_str *out, const plan *w, const es_style *style)
{
    int64_t left = w->p->n - w->shown, from = w->p->first + w->head;
    es_str line = {0};
    if (!left)
        return;
    es_str_add(&line,
               "the first %" PRId64 " and the last %" PRId64 " of %" PRId64 " tokens, %" PRId64
               " left out",
               w->head, w->shown - w->head, w->p->n, left);
    if (left > 1 && es_text_B(w->t) == 1)
        es_str_add(&line, "; :cosine @%" PRId64 " @%" PRId64 " shows others", from,
                   from + (left < w->shown ? left : w->shown) - 1);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void show_part(es_str *out, const es_text *t, const es_cosine_part *p, const es_style *style)
{
    plan w = make_plan(t, p, style);
    if (t->context->layer.positions == ES_POSITIONS_NONE) {
        es_wrap(out, "cosine of x, which is tok_emb: no positions are added", 0, style);
        show_matrix(out, &w, p->before, style);
    } else {
        es_wrap(out, "cosine of tok_emb, before positions are added", 0, style);
        show_matrix(out, &w, p->before, style);
        es_wrap(out, "cosine of x = tok_emb + pos_emb, after", 0, style);
        show_matrix(out, &w, p->after, style);
    }
    show_left_out(out, &w, style);
}

bool es_show_cosine(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_cosines *c = data;
    (void)err;
    for (int64_t i = 0; i < c->n && !es_str_braked(out); i++) {
        const es_cosine_part *p = &c->of[i];
        if (c->n > 1)
            es_str_add(out, style->plain ? "text: %" PRId64 "\n" : "text %" PRId64 "\n", p->b);
        if (p->n == 0) {
            es_str_cat(out,
                       style->plain ? "tokens: 0\n" : "0 tokens: there is nothing to compare\n");
            continue;
        }
        if (style->plain)
            plain_part(out, c->text, p);
        else
            show_part(out, c->text, p, style);
        show_summary(out, c->text, p, style);
        show_all_missing(out, c->text, p, style);
    }
    return true;
}

/* ---- JSON ---- */

static void json_matrix(es_json *j, const float *m, int64_t n)
{
    es_json_open(j, '[');
    for (int64_t i = 0; i < n && !es_str_braked(j->out); i++)
        es_json_floats(j, m + i * n, n);
    es_json_close(j, ']');
}

/* n lists of n numbers; for a batch a list of those, one for each text. */
static void json_stage(es_json *j, const char *key, const es_cosines *c, bool after)
{
    bool batch = es_text_B(c->text) > 1;
    es_json_key(j, key);
    if (batch)
        es_json_open(j, '[');
    for (int64_t i = 0; i < c->n && !es_str_braked(j->out); i++)
        json_matrix(j, after ? c->of[i].after : c->of[i].before, c->of[i].n);
    if (batch)
        es_json_close(j, ']');
}

bool es_json_of_cosine(es_json *j, void *data, bool values, es_error *err)
{
    const es_cosines *c = data;
    (void)values;
    (void)err;
    json_stage(j, "before", c, false);
    json_stage(j, "after", c, true);
    return true;
}
