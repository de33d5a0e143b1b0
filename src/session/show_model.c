// SPDX-License-Identifier: GPL-3.0-or-later
/* The model in use: its sizes, its tables and where they come from, what there is to remark. */
#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "model/blocks.h"
#include "session/numbers.h"
#include "session/show_kinds.h"

/* One of the two tables. */
typedef struct part {
    const char *name, *axis;
    es_table *table;
    const es_table_origin *from;
    int64_t rows, C;
    int size; /* bytes of a number where it is kept */
} part;

static part part_of(const es_model *m, bool wte)
{
    const es_config *c = &m->config;
    part p = {.name = wte ? "wte" : "wpe",
              .axis = wte ? "V" : "P",
              .table = wte ? m->wte : m->wpe,
              .from = wte ? &m->wte_from : &m->wpe_from,
              .rows = wte ? c->vocab_size : c->n_ctx,
              .C = c->n_embd,
              .size = 4};
    es_store store;
    if (p.rows && es_table_data(p.table, &store))
        p.size = (int)es_store_size(store);
    return p;
}

/* The format of the model's numbers: wte's where it has one. */
static const char *dtype_of(const es_model *m)
{
    return m->wte_from.dtype ? m->wte_from.dtype : m->wpe_from.dtype;
}

/* "  tensor NAME", however long the name. */
static void show_name(es_str *out, const char *label, const char *bytes, const es_style *style)
{
    es_str line = {0};
    es_str_add(&line, "%s ", label);
    es_show_prose(&line, bytes, strlen(bytes));
    es_wrap(out, line.s, 2, style);
    es_str_free(&line);
}

/* ---- for a reader ---- */

static const char *kept_as(const part *p)
{
    es_store store;
    if (p->from->path)
        return "mapped";
    return es_table_data(p->table, &store) ? "in memory" : "made row by row";
}

/* "wte  [V=50257, C=768]  float32  154.4 MB  mapped" */
static void show_part(es_str *out, const part *p, const es_style *style)
{
    es_flow f = es_flow_start(out, "  ", style);
    es_flow_item(&f, "%s", p->name);
    if (p->rows) {
        es_str bytes = {0};
        es_show_bytes(&bytes, (double)p->rows * (double)p->C * p->size);
        es_flow_item(&f, "[%s=%" PRId64 ", C=%" PRId64 "]", p->axis, p->rows, p->C);
        es_flow_item(&f, "%s", p->from->dtype);
        es_flow_item(&f, "%s", bytes.s);
        es_flow_item(&f, "%s", kept_as(p));
        es_str_free(&bytes);
    } else {
        es_flow_item(&f, "none");
    }
    es_flow_end(&f);
    if (!p->from->path)
        return;
    show_name(out, "tensor", p->from->tensor, style);
    show_name(out, "of", p->from->path, style);
}

static void show_warnings(es_str *out, const es_str *warnings, const es_style *style)
{
    es_str line = {0};
    for (const char *at = es_str_text(warnings); *at;) {
        size_t n = strcspn(at, "\n");
        es_str_cut(&line, 0);
        es_str_add(&line, "warning: %.*s", (int)n, at);
        if (style->plain)
            es_str_add(out, "%s\n", line.s);
        else
            es_wrap(out, line.s, 0, style);
        at += n + (at[n] == '\n');
    }
    es_str_free(&line);
}

/* What else the model is used for. */
static void show_blocks(es_str *out, const es_model *m, const es_style *style)
{
    int64_t n = es_model_n_layer(m);
    es_str line = {0};
    if (es_model_has_blocks(m))
        es_str_add(&line, "%" PRId64 " block%s and a last LayerNorm, read when :predict wants them",
                   n, n == 1 ? "" : "s");
    if (m->counts)
        es_str_add(&line, "%show often each token was seen in training", line.len ? "; " : "");
    if (line.len)
        es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void show_card(es_str *out, const es_model *m, const es_style *style)
{
    es_flow f = es_flow_start(out, " · ", style);
    es_flow_item(&f, "model %s: %s", m->name, m->brief);
    es_flow_item(&f, "%" PRId64 " number%s a token", m->config.n_embd,
                 m->config.n_embd == 1 ? "" : "s");
    es_flow_item(&f, "%s", dtype_of(m));
    es_flow_end(&f);
    for (int wte = 1; wte >= 0; wte--) {
        part p = part_of(m, wte);
        show_part(out, &p, style);
    }
    show_blocks(out, m, style);
    if (!m->n_others)
        return;
    f = es_flow_start(out, " ", style);
    es_flow_item(&f,
                 m->n_others == 1 ? "%zu other tensor there is not used"
                                  : "%zu other tensors there are not used",
                 m->n_others);
    es_flow_end(&f);
}

static void plain_card(es_str *out, const es_model *m)
{
    es_str_add(out, "name: %s\nnumbers: %s\ndtype: %s\n", m->name, m->brief, dtype_of(m));
    if (m->path) {
        es_str_cat(out, "path: ");
        es_show_prose(out, m->path, strlen(m->path));
        es_str_char(out, '\n');
    }
    es_str_add(out, "vocab_size: %" PRId64 "\nn_ctx: %" PRId64 "\nd_model: %" PRId64 "\n",
               m->config.vocab_size, m->config.n_ctx, m->config.n_embd);
    for (int wte = 1; wte >= 0; wte--) {
        part p = part_of(m, wte);
        es_str_add(out, "%s: ", p.name);
        if (p.rows)
            es_str_add(out, "%s %" PRId64 ", C %" PRId64 ", %s, %.0f bytes", p.axis, p.rows, p.C,
                       p.from->dtype, (double)p.rows * (double)p.C * p.size);
        else
            es_str_cat(out, "none");
        if (p.from->path) {
            es_str_cat(out, ", tensor ");
            es_show_prose(out, p.from->tensor, strlen(p.from->tensor));
            es_str_cat(out, " of ");
            es_show_prose(out, p.from->path, strlen(p.from->path));
        }
        es_str_char(out, '\n');
    }
    if (es_model_has_blocks(m))
        es_str_add(out, "blocks: %" PRId64 "\n", es_model_n_layer(m));
    es_str_add(out, "other tensors: %zu\n", m->n_others);
}

bool es_show_model(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_model_card *card = data;
    (void)err;
    if (style->plain)
        plain_card(out, card->context->model);
    else
        show_card(out, card->context->model, style);
    show_warnings(out, &card->warnings, style);
    return true;
}

/* ---- JSON ---- */

static void json_part(es_json *j, const part *p)
{
    if (!p->rows)
        return;
    es_json_open(j, '{');
    es_json_key_string(j, "table", p->name);
    es_json_key_string(j, "tensor", p->from->tensor);
    es_json_key_string(j, "path", p->from->path);
    es_json_key(j, "shape");
    es_json_open(j, '[');
    es_json_int(j, p->rows);
    es_json_int(j, p->C);
    es_json_close(j, ']');
    es_json_key_string(j, "dtype", p->from->dtype);
    es_json_key_int(j, "bytes", p->rows * p->C * p->size);
    es_json_close(j, '}');
}

static void json_size(es_json *j, const char *key, int64_t n)
{
    es_json_key(j, key);
    if (n)
        es_json_int(j, n);
    else
        es_json_null(j);
}

bool es_json_of_model(es_json *j, void *data, bool values, es_error *err)
{
    const es_model_card *card = data;
    const es_model *m = card->context->model;
    (void)values;
    (void)err;
    es_json_key_string(j, "name", m->name);
    es_json_key_string(j, "path", m->path);
    json_size(j, "vocab_size", m->config.vocab_size);
    json_size(j, "n_ctx", m->config.n_ctx);
    json_size(j, "d_model", m->config.n_embd);
    es_json_key_string(j, "dtype", dtype_of(m));
    es_json_key(j, "tables");
    es_json_open(j, '[');
    for (int wte = 1; wte >= 0; wte--) {
        part p = part_of(m, wte);
        json_part(j, &p);
    }
    es_json_close(j, ']');
    if (es_model_has_blocks(m))
        es_json_key_int(j, "blocks", es_model_n_layer(m));
    es_json_key_int(j, "others", (int64_t)m->n_others);
    es_json_key(j, "warnings");
    es_json_open(j, '[');
    for (const char *at = es_str_text(&card->warnings); *at;) {
        size_t n = strcspn(at, "\n");
        es_json_text(j, at, n);
        at += n + (at[n] == '\n');
    }
    es_json_close(j, ']');
    return true;
}
