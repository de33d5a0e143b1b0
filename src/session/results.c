// SPDX-License-Identifier: GPL-3.0-or-later
/* The kinds by name, and how results of each are made. */
#include "session/results.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "session/json_text.h"
#include "session/show_kinds.h"
#include "session/show_text.h"

static void forget_text(void *data)
{
    es_text_unref(data);
}

static const es_kind none = {.name = "none"};
static const es_kind text = {"text", es_show_text, es_json_of_text, forget_text};
static const es_kind tokens = {"tokens", es_show_tokens, es_json_of_tokens, forget_text};
static const es_kind tokens_brief = {"tokens", es_show_tokens_brief, es_json_of_tokens,
                                     forget_text};
static const es_kind batch = {"batch", es_show_batch, es_json_of_batch, forget_text};
static const es_kind shapes = {"shapes", es_show_shapes, es_json_of_shapes, forget_text};

es_result es_result_none(void)
{
    return (es_result){.kind = &none};
}

es_result es_result_text(es_text *t)
{
    return (es_result){.kind = &text, .data = es_text_ref(t)};
}

es_result es_result_tokens(es_text *t)
{
    return (es_result){.kind = &tokens, .data = es_text_ref(t)};
}

es_result es_result_tokens_brief(es_text *t)
{
    return (es_result){.kind = &tokens_brief, .data = es_text_ref(t)};
}

es_result es_result_batch(es_text *t)
{
    return (es_result){.kind = &batch, .data = es_text_ref(t)};
}

es_result es_result_shapes(es_text *t)
{
    return (es_result){.kind = &shapes, .data = es_text_ref(t)};
}

/* ---- code ---- */

static void forget_code(void *data)
{
    es_text_unref(((es_code_answer *)data)->text);
    free(data);
}

es_result es_result_code(es_text *t, es_language language)
{
    static const es_kind code = {"shapes", es_show_code, es_json_of_code, forget_code};
    es_code_answer *data = es_alloc(sizeof *data);
    *data = (es_code_answer){es_text_ref(t), language};
    return (es_result){.kind = &code, .data = data};
}

/* ---- decode ---- */

static void forget_decode(void *data)
{
    es_str_free(data);
    free(data);
}

es_result es_result_decode(es_str *bytes)
{
    static const es_kind decode = {"decode", es_show_decode, es_json_of_decode, forget_decode};
    es_str *data = es_alloc(sizeof *data);
    *data = *bytes;
    *bytes = (es_str){0};
    return (es_result){.kind = &decode, .data = data};
}

/* ---- merges ---- */

static void forget_merges(void *data)
{
    es_merges *m = data;
    es_context_unref(m->context);
    es_str_free(&m->text);
    free(m);
}

es_result es_result_merges(es_context *c, const char *bytes, size_t len)
{
    static const es_kind merges = {"merges", es_show_merges, es_json_of_merges, forget_merges};
    es_merges *m = es_alloc(sizeof *m);
    m->context = es_context_ref(c);
    es_str_bytes(&m->text, bytes, len);
    return (es_result){.kind = &merges, .data = m};
}

/* ---- row ---- */

static void forget_row(void *data)
{
    es_row *row = data;
    es_context_unref(row->context);
    free(row->tok_emb);
    free(row->pos_emb);
    free(row->x);
    free(row);
}

es_result es_result_row(es_row *row)
{
    static const es_kind kind = {"row", es_show_row, es_json_of_row, forget_row};
    es_row *data = es_alloc(sizeof *data);
    *data = *row;
    *row = (es_row){0};
    return (es_result){.kind = &kind, .data = data};
}

/* ---- near, predict, find, vocab ---- */

static void forget_near(void *data)
{
    es_nearest *near = data;
    es_context_unref(near->context);
    free(near->ids);
    free(near->factors);
    free(near->best);
    free(near);
}

es_result es_result_near(es_nearest *near)
{
    static const es_kind kind = {"near", es_show_near, es_json_of_near, forget_near};
    es_nearest *data = es_alloc(sizeof *data);
    *data = *near;
    *near = (es_nearest){0};
    return (es_result){.kind = &kind, .data = data};
}

static void forget_predict(void *data)
{
    es_predicted *p = data;
    for (int64_t b = 0; p->text && b < es_text_B(p->text); b++)
        free(p->next[b].of);
    free(p->next);
    es_text_unref(p->text);
    free(p);
}

es_result es_result_predict(es_predicted *p)
{
    static const es_kind kind = {"predict", es_show_predict, es_json_of_predict, forget_predict};
    es_predicted *data = es_alloc(sizeof *data);
    *data = *p;
    *p = (es_predicted){0};
    return (es_result){.kind = &kind, .data = data};
}

static void forget_find(void *data)
{
    es_found *found = data;
    es_context_unref(found->context);
    es_str_free(&found->query);
    free(found->ids);
    free(found);
}

static es_result found_tokens(const es_kind *kind, es_found *found)
{
    es_found *data = es_alloc(sizeof *data);
    *data = *found;
    *found = (es_found){0};
    return (es_result){.kind = kind, .data = data};
}

es_result es_result_find(es_found *found)
{
    static const es_kind kind = {"find", es_show_find, es_json_of_find, forget_find};
    return found_tokens(&kind, found);
}

es_result es_result_selection(es_found *picked)
{
    static const es_kind kind = {"selection", es_show_selection, es_json_of_selection, forget_find};
    return found_tokens(&kind, picked);
}

static void forget_vocab(void *data)
{
    es_vocabulary *v = data;
    es_context_unref(v->context);
    es_str_free(&v->path);
    free(v);
}

es_result es_result_vocab(es_context *c, const char *path)
{
    static const es_kind kind = {"vocab", es_show_vocab, es_json_of_vocab, forget_vocab};
    es_vocabulary *v = es_alloc(sizeof *v);
    v->context = es_context_ref(c);
    es_str_cat(&v->path, path);
    size_t most = 0, n;
    for (int32_t id = 0; id < es_bpe_vocab_size(c->bpe); id++) {
        const char *bytes = es_bpe_bytes(c->bpe, id, &n);
        v->no_text += !es_utf8_valid(bytes, n);
        if (n > most) {
            most = n;
            v->longest = id;
        }
    }
    return (es_result){.kind = &kind, .data = v};
}

/* ---- model ---- */

static void forget_model(void *data)
{
    es_model_card *card = data;
    es_context_unref(card->context);
    es_str_free(&card->warnings);
    free(card);
}

es_result es_result_model(es_context *c, es_str *warnings)
{
    static const es_kind kind = {"model", es_show_model, es_json_of_model, forget_model};
    es_model_card *card = es_alloc(sizeof *card);
    *card = (es_model_card){.context = es_context_ref(c), .warnings = *warnings};
    *warnings = (es_str){0};
    return (es_result){.kind = &kind, .data = card};
}

/* ---- time ---- */

static void forget_time(void *data)
{
    es_timed *t = data;
    for (size_t i = 0; i < t->n; i++)
        es_result_free(&t->of[i]);
    free(t->of);
    free(t->device);
    free(t);
}

es_result es_result_time(es_timed *t)
{
    static const es_kind time = {"time", es_show_time, es_json_of_time, forget_time};
    es_timed *data = es_alloc(sizeof *data);
    *data = *t;
    *t = (es_timed){0};
    return (es_result){.kind = &time, .data = data};
}

/* ---- lists ---- */

static es_str *add_cell(es_list *l)
{
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 32;
        l->cell = es_realloc(l->cell, l->cap * sizeof *l->cell);
    }
    l->cell[l->n] = (es_str){0};
    return &l->cell[l->n++];
}

void es_list_add(es_list *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(add_cell(l), fmt, ap);
    va_end(ap);
}

void es_list_add_bytes(es_list *l, const char *bytes, size_t n)
{
    es_str_bytes(add_cell(l), bytes, n);
}

es_result es_result_list(const es_kind *kind, const es_list *l)
{
    es_list *data = es_alloc(sizeof *data);
    *data = *l;
    return (es_result){.kind = kind, .data = data};
}

void es_list_forget(void *data)
{
    es_list *l = data;
    for (size_t i = 0; i < l->n; i++)
        es_str_free(&l->cell[i]);
    free(l->cell);
    free(l);
}
