// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/model_notes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"

/* ---- remarks ---- */

static void remark(es_str *out, const char *fmt, ...) ES_PRINTF(2, 3);
static void remark(es_str *out, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(out, es_translate(fmt), ap);
    va_end(ap);
}

static void vocabulary_remark(es_str *out, const es_context *c)
{
    int64_t V = c->model->config.vocab_size, n = es_bpe_vocab_size(c->bpe);
    if (!V || V == n || !c->model->wte_from.path)
        return;
    es_str vocab = {0};
    es_show_prose(&vocab, c->vocab, strlen(c->vocab));
    es_str_cat(out, out->len ? "\n" : "");
    if (V < n)
        remark(out,
               "wte has V=%" PRId64 " rows, but the vocabulary %s has %" PRId64 " tokens: ids from "
               "V on have no row",
               V, vocab.s, n);
    else
        remark(out,
               "wte has V=%" PRId64 " rows, but the vocabulary %s has only %" PRId64 " tokens: the "
               "other rows have none",
               V, vocab.s, n);
    es_str_free(&vocab);
}

void es_model_remarks(es_str *out, const es_context *c)
{
    if (c->model->warnings)
        es_str_add(out, "%s%s", out->len ? "\n" : "", c->model->warnings);
    vocabulary_remark(out, c);
}

void es_note_model(const es_session *s, const es_sink *sink)
{
    es_str all = {0}, line = {0};
    es_model_remarks(&all, es_session_context(s));
    for (const char *at = es_str_text(&all); *at;) {
        size_t n = strcspn(at, "\n");
        es_str_cut(&line, 0);
        es_str_add(&line, "model %s: %.*s", es_session_context(s)->model->name, (int)n, at);
        sink->note(sink->user, line.s, false);
        at += n + (at[n] == '\n');
    }
    es_str_free(&line);
    es_str_free(&all);
}

/* ---- numbers that are none ---- */

void es_show_nonfinite(es_str *out, const char *table, int64_t row, int64_t channel, float value)
{
    es_str_add(out, "%s[%" PRId64 ", %" PRId64 "] is %s", table, row, channel,
               isnan(value) ? "NaN"
               : value > 0  ? "infinite"
                            : "-infinite");
}

static int64_t first_nonfinite(const float *v, int64_t n)
{
    int64_t c = 0;
    while (c < n && isfinite(v[c]))
        c++;
    return c;
}

static void note_number(const es_call *call, const char *table, int64_t row, int64_t channel,
                        float value)
{
    es_str what = {0};
    es_show_nonfinite(&what, table, row, channel, value);
    es_call_note(call, "%s, and so is what is computed with it; :model looks through whole tables",
                 what.s);
    es_str_free(&what);
}

/* The first of a table's rows row[0..n) that holds such a number; each row is read once.  False: none
 * of them does, or Ctrl-C came. */
static bool note_rows(const es_call *call, const char *name, const es_table *t, const int32_t *row,
                      int64_t n)
{
    int64_t rows = es_table_rows(t), C = es_table_width(t);
    unsigned char *seen = es_try_alloc((size_t)rows, 1, "a list of rows", NULL);
    float *v = es_try_alloc((size_t)C, sizeof *v, "a row", NULL);
    bool found = false;
    if (seen)
        memset(seen, 0, (size_t)rows);
    for (int64_t i = 0; seen && v && !found && i < n; i++) {
        int64_t k = row ? row[i] : i;
        if (seen[k] || es_session_interrupted(call->session))
            continue;
        seen[k] = 1;
        int64_t c = es_table_row(t, k, v, NULL) ? first_nonfinite(v, C) : C;
        found = c < C;
        if (found)
            note_number(call, name, k, c, v[c]);
    }
    free(seen);
    free(v);
    return found;
}

/* Tables that the program makes itself hold no such numbers. */
void es_note_nonfinite_rows(const es_call *call, const es_text *t)
{
    const es_model *m = t->context->model;
    bool learned = t->context->layer.positions == ES_POSITIONS_LEARNED;
    if (m->wte_from.path &&
        note_rows(call, "wte", m->wte, es_text_ids(t), es_text_B(t) * es_text_T(t)))
        return;
    if (m->wpe_from.path && learned)
        note_rows(call, "wpe", m->wpe, NULL, es_text_T(t));
}

void es_note_nonfinite_row(const es_call *call, const es_row *row)
{
    const es_model *m = row->context->model;
    int64_t C = m->config.n_embd, c;
    bool learned = row->context->layer.positions == ES_POSITIONS_LEARNED;
    if (row->tok_emb && (c = first_nonfinite(row->tok_emb, C)) < C)
        note_number(call, "wte", row->id, c, row->tok_emb[c]);
    if (row->pos_emb && learned && (c = first_nonfinite(row->pos_emb, C)) < C)
        note_number(call, "wpe", row->pos, c, row->pos_emb[c]);
}
