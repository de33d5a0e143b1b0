// SPDX-License-Identifier: GPL-3.0-or-later
/* :meta: a table of one's own about the tokens. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/visible.h"
#include "session/numbers.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/meta.h"

/* ---- what is said of it ---- */

/* Columns as a list; the list first, for what shows lists. */
typedef struct answer {
    es_list list;
    es_str fields;
} answer;

enum { COMMON = 5, WORD = 20 }; /* words told of a column, columns of each */

static void show_word(const es_meta *m, const es_meta_word *w, int columns, es_str *out)
{
    es_str shown = {0};
    es_show_name(&shown, m->bytes.s + w->begin, w->len);
    es_show_fit(out, shown.s, shown.len, columns);
    es_str_free(&shown);
}

static void describe(const es_meta *m, const es_meta_column *c, es_str *out)
{
    if (c->numbers) {
        es_str_add(out, "%s %.6g to %.6g", c->below || c->above ? "most from" : "from", c->low,
                   c->high);
        return;
    }
    es_show_count(out, c->different);
    es_str_cat(out, " different");
    if (!c->n_common || c->common[0].n == 1) /* a name for each says nothing here */
        return;
    for (int i = 0; i < c->n_common && i < COMMON; i++) {
        es_str_cat(out, i ? ", " : ": ");
        show_word(m, &c->common[i], WORD, out);
        es_str_char(out, ' ');
        es_show_count(out, c->common[i].n);
    }
    es_str_cat(out, c->different > COMMON ? ", …" : "");
}

static void list_column(es_list *l, const es_meta *m, const es_meta_column *c)
{
    es_str text = {0};
    es_list_add_bytes(l, c->name.s, c->name.len);
    es_list_add(l, "%s", c->numbers ? "numbers" : "words");
    es_show_count(&text, c->n);
    es_list_add(l, "%s tokens", text.s);
    es_str_cut(&text, 0);
    describe(m, c, &text);
    es_list_add_bytes(l, es_str_text(&text), text.len);
    es_str_free(&text);
}

static void json_column(es_json *j, const es_meta *m, const es_meta_column *c)
{
    es_json_open(j, '{');
    es_json_key(j, "name");
    es_json_text(j, c->name.s, c->name.len);
    es_json_key_string(j, "kind", c->numbers ? "numbers" : "words");
    es_json_key_int(j, "tokens", c->n);
    if (c->numbers) {
        es_json_key(j, "low");
        es_json_double(j, c->low);
        es_json_key(j, "high");
        es_json_double(j, c->high);
    } else {
        es_json_key_int(j, "different", c->different);
        es_json_key(j, "common");
        es_json_open(j, '[');
        for (int i = 0; i < c->n_common; i++) {
            es_json_open(j, '{');
            es_json_key(j, "word");
            es_json_text(j, m->bytes.s + c->common[i].begin, c->common[i].len);
            es_json_key_int(j, "tokens", c->common[i].n);
            es_json_close(j, '}');
        }
        es_json_close(j, ']');
    }
    es_json_close(j, '}');
}

static void json_table(es_json *j, const es_meta *m)
{
    es_json_key(j, "path");
    if (m)
        es_json_text(j, es_str_text(&m->path), m->path.len);
    else
        es_json_null(j);
    es_json_key_int(j, "tokens", m ? m->tokens : 0);
    es_json_key_int(j, "unknown", m ? m->unknown : 0);
    es_json_key(j, "columns");
    es_json_open(j, '[');
    for (int k = 0; m && k < m->n; k++)
        json_column(j, m, &m->column[k]);
    es_json_close(j, ']');
}

static bool show_table(es_str *out, void *data, const es_style *style, es_error *err)
{
    if (((answer *)data)->list.n)
        return es_list_show(out, data, style, err);
    es_wrap(out, "meta: no columns; :meta FILE.tsv reads a table about the tokens", 0, style);
    return true;
}

static bool json_answer(es_json *j, void *data, bool values, es_error *err)
{
    es_said said = {.fields = ((answer *)data)->fields};
    return es_said_json(j, &said, values, err);
}

static void forget_answer(void *data)
{
    es_str_free(&((answer *)data)->fields);
    es_list_forget(data);
}

static void answer_table(es_call *call, const es_meta *m)
{
    static const char *const columns[] = {"column", "kind", "values", "of them"};
    static const es_kind kind = {"meta", show_table, json_answer, forget_answer};
    answer *a = es_alloc(sizeof *a);
    es_json j = {.out = &a->fields};
    a->list = (es_list){.key = "columns", .align = "llrw", .columns = columns};
    for (int k = 0; m && k < m->n; k++)
        list_column(&a->list, m, &m->column[k]);
    json_table(&j, m);
    es_call_answer(call, (es_result){.kind = &kind, .data = a});
}

/* ---- reading one ---- */

/* A column that coloured the map does so again where the new table has one of that name. */
static void take_over(es_viewer *v, es_meta *m)
{
    const es_str *name =
        v->meta && v->meta_column >= 0 ? &v->meta->column[v->meta_column].name : NULL;
    v->meta_column = name ? es_meta_named(m, name->s, name->len) : -1;
    es_meta_free(v->meta);
    v->meta = m;
    v->metas_read++;
}

typedef struct work {
    const char *path;
    const es_context *context;
    es_meta *made;
} work;

static bool read_file(void *data, es_watch *watch, es_error *err)
{
    work *w = data;
    es_file f;
    if (!es_file_open(&f, w->path, err))
        return false;
    w->made = es_meta_read((const char *)f.data, f.size, w->path, w->context->bpe,
                           w->context->model->config.vocab_size, watch, err);
    es_file_close(&f);
    return w->made != NULL;
}

static void note_unknown(es_call *call, const es_meta *m)
{
    es_str rows = {0};
    if (!m->unknown)
        return;
    es_show_count(&rows, m->unknown);
    es_call_note(call,
                 "%s row%s of no token of this vocabulary and left out, the first on line %" PRId64,
                 rows.s, m->unknown == 1 ? " is" : "s are", m->first_unknown);
    es_str_free(&rows);
}

static bool read_table(es_call *call, es_viewer *v, const char *path, es_error *err)
{
    work w = {.path = path, .context = es_session_context(call->session)};
    if (!w.context->model->config.vocab_size)
        return es_model_needs_wte(w.context->model, err);
    bool ok = es_file_is_plain("read", path, err) &&
              es_session_work(call->session, "reading the table", read_file, &w, call->sink, err);
    if (!ok) {
        es_meta_free(w.made);
        return false;
    }
    take_over(v, w.made);
    note_unknown(call, v->meta);
    es_session_touch(call->session);
    answer_table(call, v->meta);
    return true;
}

bool es_cmd_meta(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_str path = {0};
    es_viewer_follow(v);
    if (es_arg_end(call, call->args, NULL)) {
        answer_table(call, v->meta);
        return true;
    }
    if (!es_arg_path(call, call->args, &path, err))
        return false;
    bool none = es_arg_is(call, call->args, "none");
    bool ok = none || read_table(call, v, es_str_text(&path), err) ||
              es_error_locate(err, call->args, call->len);
    es_str_free(&path);
    if (none) {
        take_over(v, NULL);
        es_cmd_done(call);
    }
    return ok;
}
